"""Ask a language model for the facts of a sentence again, without showing it the sentence (METHODS A.1 to A.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .compute import LocalModels
from .contradiction import Comparison, Contradictions, Place, is_same_wording
from .language.triples import find_triples
from .pair_scorer import HARMLESS, PairScorer
from .types import ParsedSentence, Span

#: So many facts of a sentence are asked for again, those first that could most easily be wrong.
MAX_FACTS = 4


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a sentence without its last part. ``span`` are the words left out, in the document."""

    subject: str
    relation: str
    span: Span

    @property
    def question(self) -> tuple[str, str]:
        """What is asked; two objects of one relation leave the same gap."""
        return self.subject.casefold(), self.relation.casefold()


@dataclass(frozen=True, slots=True)
class Challenge:
    """A fact, what the generator wrote for it, and what the analyzer says."""

    fact: Fact
    alternative: str
    comparison: Comparison | None
    """None when it was not needed: the two have the same words, or the local models see no contradiction."""

    @property
    def score(self) -> float:
        return self.comparison.votes.score if self.comparison else 0.0

    @property
    def is_contradictory(self) -> bool:
        return self.comparison is not None and self.comparison.votes.is_yes


class Challenger:
    """Challenges the facts of sentences. ``screen`` settles what the local models are sure of."""

    def __init__(self, contradictions: Contradictions, models: LocalModels, *, is_screened: bool) -> None:
        self._contradictions = contradictions
        self._screen = PairScorer(models) if is_screened else None

    async def facts(self, parsed: ParsedSentence) -> list[Fact]:
        """The facts of a sentence by its parse; by the analyzer where the parse finds none.

        Raises:
            ModelCallFailed: the analyzer was needed, and gave none.
        """
        found = facts_by_parse(parsed)
        return found or _without_twins(await self._facts_by_analyzer(parsed))

    async def challenge(self, place: Place, sentence: str, fact: Fact) -> Challenge:
        """Have the fact written anew, and compare.

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        alternative = await self._contradictions.alternative(place, fact.subject, fact.relation)
        return Challenge(fact, alternative, await self.compare(place, sentence, alternative))

    async def challenge_all(
        self, place: Place, sentence: str, facts: Iterable[Fact]
    ) -> list[Challenge | BaseException]:
        """One result for each fact, at the same time; a failure is no reason to lose the others."""
        return await asyncio.gather(*(self.challenge(place, sentence, fact) for fact in facts), return_exceptions=True)

    async def compare(self, place: Place, sentence: str, alternative: str) -> Comparison | None:
        """What the analyzer says of the two; None when nobody needs to be asked.

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        if is_same_wording(sentence, alternative):
            return None
        if self._screen is not None:
            (score,) = await self._screen.score([(place.topic, sentence, alternative)])
            if score < HARMLESS:
                return None
        return await self._contradictions.compare(place, sentence, alternative)

    async def _facts_by_analyzer(self, parsed: ParsedSentence) -> list[Fact]:
        whole = parsed.sentence.span
        facts = []
        for subject, relation, words in await self._contradictions.triples(parsed.text):
            start = parsed.text.find(words)
            span = Span(start, start + len(words)).shifted(whole.start) if start >= 0 else whole
            facts.append(Fact(subject, relation, span))
        return facts


def facts_by_parse(parsed: ParsedSentence, known: Collection[tuple[str, str]] = ()) -> list[Fact]:
    """The facts that the parse finds, without those whose question is ``known``."""
    facts = [Fact(triple.subject, triple.relation, triple.object_span) for triple in find_triples(parsed)]
    return _without_twins([fact for fact in facts if fact.question not in known])


def _without_twins(facts: Sequence[Fact]) -> list[Fact]:
    once: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        once.setdefault(fact.question, fact)
    return list(once.values())[:MAX_FACTS]
