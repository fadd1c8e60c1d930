"""Rewrite a sentence so that it no longer contradicts what the model says when it is asked again (METHODS A.4, A.5)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ..comparing.sentence import stem
from ..local_models.process import LocalModels
from .challenge import Challenge, Challenger, Fact, facts_by_parse
from .model import Contradictions, Place, is_same_wording
from .pairs import Comparison, StatementPair

#: METHODS A.5: maximum number of rewrites while contradictions remain.
ROUNDS = 3
#: Minimum share of a rewrite that must come from the sentence or the alternatives.
MIN_KEPT = 0.7
_WORD = re.compile(r"\w+")

Result = TypeVar("Result")


class Corrector:
    """Writes rewrites, and examines each like the sentence before offering it."""

    def __init__(self, contradictions: Contradictions, challenger: Challenger, models: LocalModels) -> None:
        self._contradictions = contradictions
        self._challenger = challenger
        self._models = models

    async def rewrite(self, place: Place, sentence: str, challenges: Sequence[Challenge]) -> str | None:
        """A wording without the contradicted facts that causes no contradiction; None if there is none.

        Unchanged facts are not challenged again, because their alternatives are known. New facts of the rewrite are.

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        contradicting = _once(challenge.alternative for challenge in challenges if challenge.is_contradictory)
        asked = {challenge.fact.question for challenge in challenges}
        wording, remaining = sentence, contradicting
        for _ in range(ROUNDS):
            for alternative in remaining:
                revised = await self._contradictions.revision(place, wording, alternative)
                if not revised or not keeps_to(revised, [sentence, *contradicting]):
                    return None
                wording = revised
            if is_same_wording(wording, sentence):
                return None
            new = await self._new_facts(wording, asked)
            asked |= {fact.question for fact in new}
            remaining = await self._contradictions_of(place, wording, contradicting, new)
            contradicting = _once([*contradicting, *remaining])
            if not remaining:
                return wording
        return None

    async def _new_facts(self, wording: str, asked: set[tuple[str, str]]) -> list[Fact]:
        parsed = await self._models.parse(wording)
        return [fact for sentence in parsed.sentences for fact in facts_by_parse(sentence, asked)]

    async def _contradictions_of(
        self, place: Place, wording: str, alternatives: Sequence[str], new: Sequence[Fact]
    ) -> list[str]:
        """The alternatives, known ones and those for new facts, that the wording contradicts."""
        comparisons, challenges = await asyncio.gather(
            self._compared(place, wording, alternatives), self._challenged(place, wording, new)
        )
        known = [other for other, found in zip(alternatives, comparisons, strict=True) if found.votes.is_yes]
        return known + [challenge.alternative for challenge in challenges if challenge.is_contradictory]

    async def _compared(self, place: Place, wording: str, alternatives: Sequence[str]) -> list[Comparison]:
        if not self._contradictions.thrift.joins_pairs:
            return await asyncio.gather(
                *(self._contradictions.compare(place, wording, other) for other in alternatives)
            )
        pairs = [StatementPair(wording, other) for other in alternatives]
        return [_or_raise(result) for result in await self._contradictions.judge(place.in_words, pairs)]

    async def _challenged(self, place: Place, wording: str, facts: Sequence[Fact]) -> list[Challenge]:
        found = await self._challenger.challenge_all(place, wording, facts) if facts else []
        return [_or_raise(result) for result in found]


def _or_raise(result: Result | BaseException) -> Result:
    if isinstance(result, BaseException):
        raise result
    return result


def _once(alternatives: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(alternatives))


def keeps_to(revised: str, given: Sequence[str]) -> bool:
    """Whether a rewrite adds almost nothing: models may switch the language or add unrequested details."""
    known = {stem(word) for text in given for word in _WORD.findall(text.casefold())}
    words = [stem(word) for word in _WORD.findall(revised.casefold())]
    return sum(word in known for word in words) >= MIN_KEPT * len(words)
