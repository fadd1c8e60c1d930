"""Exchange a figure of a sentence for those of the sources, and compare how well they support either wording.

In free paraphrase the NLI model overlooks a wrong figure: "It took them eighteen years" may pass beside "spent eight
years restoring it".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from ..comparing.sentence import ComparableSentence
from ..local_models.process import LocalModels
from ..rules.base import Value
from ..rules.substitution import substitute
from .exchange import Lines, SupportOf, best_exchange
from .local_reading import SourceReading
from .slot_reading import Place, places_of, slot_values

#: So many exchanges are read.
_MOST_READ = 24
#: The rise leaves a third of the exchanges to be judged. In four sets of summaries (914 sentences) the rest holds for
#: 13 sentences: 12 are in conflict with their source, one is not in it, and none is faithful. From a lead of 1.0 on it
#: holds for 18, 1 and 5.
_LINES = Lines(rise=0.5, support=0.9, lead=1.75)


@dataclass(frozen=True, slots=True)
class FigureExchange:
    """A figure that no source contains, and the figure of a source with which the sources support the sentence.

    ``lead`` is how much higher the log odds of support are with the latter.
    """

    place: Place
    lead: float


async def telling_exchange(
    sentence: ComparableSentence,
    read: SourceReading,
    absent: Iterable[Value],
    supported: float,
    support_of: SupportOf,
    models: LocalModels,
) -> FigureExchange | None:
    """The exchange with the highest lead; None if there is none that tells of a wrong figure.

    ``absent`` are the values of the sentence that no source contains, ``supported`` is the probability that the sources
    support it, and ``support_of`` gives that of another wording.
    """
    spans = {value.span for value in absent}
    values = (value for value in slot_values(sentence) if value.span in spans)
    wordings: dict[str, Place] = {}
    for text, place in islice(_wordings(sentence, read, values), _MOST_READ):
        wordings.setdefault(text, place)  # of two places with one figure, the nearer one
    premises = {text: place.source.premise for text, place in wordings.items()}
    best = await best_exchange(sentence, premises, supported, support_of, models, _LINES)
    return FigureExchange(wordings[best.text], best.lead) if best is not None else None


def _wordings(
    sentence: ComparableSentence, read: SourceReading, values: Iterable[Value]
) -> Iterator[tuple[str, Place]]:
    """The sentence with other figures, each with its place; none for a figure that a source gives in other words."""
    for value in values:
        places = places_of(value, sentence, read.sentences)
        if any(place.agrees for place in places):
            continue
        for place in places:
            text = substitute(place.given, place.source.text, value, sentence.text)
            if text is not None:
                yield text, place
