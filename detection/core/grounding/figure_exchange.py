"""Exchange a figure of a sentence for those of the sources, and compare how well they support either wording.

In free paraphrase the NLI model overlooks a wrong figure: "It took them eighteen years" may pass beside "spent eight
years restoring it". Two wordings that differ only in a figure are told apart more surely than one is judged alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from ..comparing.scores import log_odds
from ..comparing.sentence import ComparableSentence, one_sentence
from ..local_models.process import LocalModels
from ..rules.base import Value
from ..rules.substitution import substitute
from ..types import NliPair
from .local_reading import SourceReading
from .slot_reading import Place, places_of, slot_values

#: So many exchanges are read beside the source sentence of the other figure alone. If this entails the new wording more
#: than the sentence, by so much (log odds), the exchange is judged. That leaves a third of them, and of the 13 below
#: the 10 with the right figure.
_MOST_READ, _LEAST_RISE = 24, 0.5
#: So many are judged, those whose source sentence entails the new wording most.
_MOST_JUDGED = 3
#: The figure of the source is the right one if the sources support the sentence with it from this probability on, and
#: from this lead on. In four sets of summaries (914 sentences) that holds for 13 sentences: 12 are in conflict with
#: their source, one is not in it, and none is faithful. From a lead of 1.0 on it holds for 18, 1 and 5.
_LEAST_SUPPORT, _LEAST_LEAD = 0.9, 1.75


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
    support_of: Callable[[ComparableSentence], Awaitable[float]],
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
    found: list[FigureExchange] = []
    for text in (await _rising(sentence, wordings, models))[:_MOST_JUDGED]:
        changed = await one_sentence(text, models)
        support = await support_of(changed) if changed is not None else 0.0
        lead = log_odds(support) - log_odds(supported)
        if support >= _LEAST_SUPPORT and lead >= _LEAST_LEAD:
            found.append(FigureExchange(wordings[text], lead))
    return max(found, key=lambda one: one.lead, default=None)


async def _rising(sentence: ComparableSentence, wordings: Mapping[str, Place], models: LocalModels) -> list[str]:
    """The wordings that the source sentence of their figure entails more than the sentence, the most entailed first."""
    premises = [place.source.premise for place in wordings.values()]
    scores = await models.score(
        [NliPair(premise, text) for premise, text in zip(premises, wordings, strict=True)]
        + [NliPair(premise, sentence.text) for premise in premises]
    )
    odds = [log_odds(score.entailment) for score in scores]
    rising = [
        (new, text)
        for text, new, old in zip(wordings, odds, odds[len(wordings) :], strict=False)
        if new - old >= _LEAST_RISE
    ]
    return [text for _, text in sorted(rising, reverse=True)]


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
