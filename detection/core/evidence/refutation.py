"""Whether a found document contradicts a claim, and in which words, by the comparison with sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..comparing.sentence import ComparableSentence, one_sentence
from ..grounding.local_reading import read_for
from ..grounding.local_sentence import refutation_of
from ..local_models.process import LocalModels
from ..retrieval.retriever import RetrievedDocument
from ..rules.alignment import ValueConflict
from ..sources.library import open_library
from ..types import SourceText, Span


@dataclass(frozen=True, slots=True)
class DocumentRefutation:
    """A sentence of a document that contradicts a claim. ``span`` counts in the text of the document."""

    document: RetrievedDocument
    sentence: ComparableSentence
    span: Span
    score: float
    conflict: ValueConflict | None
    """The words that clash, if known; the hypothesis is the claim."""


async def refute(
    claim: str, documents: Sequence[RetrievedDocument], models: LocalModels, least_score: float
) -> DocumentRefutation | None:
    """The strongest contradiction of the claim; None if none reaches the required score."""
    hypothesis = await one_sentence(claim, models)
    if hypothesis is None:
        return None
    sources = [SourceText(str(i), document.title, document.text) for i, document in enumerate(documents)]
    read = await read_for(hypothesis, await open_library(sources, models), models)
    found = refutation_of(hypothesis, read.readings)
    if found is None or found.score < least_score:
        return None
    source = found.reading.sentence
    return DocumentRefutation(
        documents[int(source.source.id)], source.sentence, source.span, found.score, found.conflict
    )


def conflict_in_sentence(conflict: ValueConflict | None, sentence: ComparableSentence) -> ValueConflict | None:
    """The conflict of a claim, located in the sentence that the claim was made from, if its words occur there."""
    if conflict is None:
        return None
    same = (value for value in sentence.clause.values if value.text == conflict.hypothesis.text)
    value = next(same, None)
    return None if value is None else replace(conflict, hypothesis=value)
