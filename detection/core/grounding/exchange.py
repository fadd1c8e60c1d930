"""Compare how well the sources support a sentence and other wordings of it.

Two wordings that differ only in a figure or a word are told apart more surely than one is judged alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from ..comparing.scores import log_odds
from ..comparing.sentence import ComparableSentence, one_sentence
from ..local_models.process import LocalModels
from ..types import NliPair

#: So many wordings are judged, those that their source sentence entails most.
_MOST_JUDGED = 3

#: The probability that the sources support a wording.
SupportOf = Callable[[ComparableSentence], Awaitable[float]]


@dataclass(frozen=True, slots=True)
class Lines:
    """When another wording is the right one.

    A source sentence entails it with a probability of at least ``entailment``, and more than the sentence by ``rise``
    (log odds), and then the sources support it with a probability of at least ``support``, by at least ``lead`` (log
    odds) more than the sentence.
    """

    rise: float
    support: float
    lead: float
    entailment: float = 0.0


@dataclass(frozen=True, slots=True)
class Exchange:
    """Another wording that the sources support; ``lead`` is how much higher the log odds of support are."""

    text: str
    lead: float


async def best_exchange(
    sentence: ComparableSentence,
    premises: Mapping[str, str],
    supported: float,
    support_of: SupportOf,
    models: LocalModels,
    lines: Lines,
) -> Exchange | None:
    """The right wording with the highest lead, if any.

    ``premises`` are the other wordings, each with the text of its source sentence, and ``supported`` is the probability
    that the sources support the sentence.
    """
    found: list[Exchange] = []
    for text in (await _rising(sentence, premises, models, lines))[:_MOST_JUDGED]:
        changed = await one_sentence(text, models)
        support = await support_of(changed) if changed is not None else 0.0
        lead = log_odds(support) - log_odds(supported)
        if support >= lines.support and lead >= lines.lead:
            found.append(Exchange(text, lead))
    return max(found, key=lambda one: one.lead, default=None)


async def _rising(
    sentence: ComparableSentence, premises: Mapping[str, str], models: LocalModels, lines: Lines
) -> list[str]:
    """The wordings that their source sentence entails more than the sentence, the most entailed first."""
    own = dict.fromkeys(premises.values())
    pairs = [*((premise, sentence.text) for premise in own), *((premise, text) for text, premise in premises.items())]
    odds = [log_odds(score.entailment) for score in await models.score([NliPair(*pair) for pair in pairs])]
    of_sentence = dict(zip(own, odds, strict=False))
    rising = [
        (new, text)
        for (text, premise), new in zip(premises.items(), odds[len(own) :], strict=True)
        if new - of_sentence[premise] >= lines.rise and new >= log_odds(lines.entailment)
    ]
    return [text for _, text in sorted(rising, reverse=True)]
