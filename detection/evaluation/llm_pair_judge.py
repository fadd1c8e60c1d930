"""The analyzer's judgement of two sentences for the same place of a text (METHODS A.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from detection.core.contradiction import Contradictions, place_for_topic
from detection.core.detectors.base import Ports
from detection.core.errors import EndpointRefused, ModelCallFailed

from .pair_judge import PairAnswer, PairQuestion


class LlmPairJudge:
    """Asks for an explanation and for votes; with ``stops_early`` for no more of them than decide."""

    def __init__(self, ports: Ports, *, stops_early: bool = True) -> None:
        if ports.contradictions is None:
            raise EndpointRefused("No language model is set up.")
        self._contradictions: Contradictions = ports.contradictions.with_votes(stops_early=stops_early)

    async def judge(self, questions: Sequence[PairQuestion]) -> list[PairAnswer]:
        return list(await asyncio.gather(*map(self._judge, questions)))

    async def _judge(self, question: PairQuestion) -> PairAnswer:
        if question.original == question.alternative:
            return PairAnswer(score=0.0, contradictory=False)
        place = place_for_topic(question.topic, question.prefix)
        try:
            votes = (await self._contradictions.compare(place, question.original, question.alternative)).votes
        except ModelCallFailed:
            return PairAnswer(score=0.0, contradictory=False, failed=True)
        return PairAnswer(votes.score, votes.is_yes)
