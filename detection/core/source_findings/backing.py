"""Which of two contradicting sentences of a text the sources bear out, if they give one of the two values only."""

from __future__ import annotations

from ..comparing.sentence import ComparableSentence
from ..grounding.local_reading import MAX_PASSAGES
from ..rules.alignment import ValueConflict
from ..rules.base import Value
from ..rules.statement import states
from ..sources.library import SourceLibrary


async def doubted_sentence(
    library: SourceLibrary, earlier: ComparableSentence, later: ComparableSentence, conflict: ValueConflict | None
) -> ComparableSentence | None:
    """The sentence whose clashing value no source gives, while one gives the other value; None if that is not so."""
    if conflict is None or not library:
        return None
    is_earlier_given = await _give(library, earlier, conflict.premise)
    is_later_given = await _give(library, later, conflict.hypothesis)
    if is_earlier_given == is_later_given:
        return None
    return later if is_earlier_given else earlier


async def _give(library: SourceLibrary, sentence: ComparableSentence, value: Value) -> bool:
    """Whether the sources give the value where they are nearest to the sentence."""
    sources = await library.sentences_of(library.best_sections(sentence.text, MAX_PASSAGES))
    return any(states(given, value) for source in sources for given in source.sentence.clause.values)
