"""Who judges two sentences for the same place of a text: the local models, a language model, or both."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from detection.core.contradiction import Contradictions, is_same_wording, place_for_topic
from detection.core.detectors.base import Ports
from detection.core.errors import EndpointRefused, ModelCallFailed
from detection.core.pair_scorer import CONTRADICTORY, HARMLESS, PairScorer


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """All that a judge may know of a pair.

    ``prompt`` asked for the text, ``prefix`` stands before ``original`` in it, and ``triple`` is the fact of
    ``original`` for which ``alternative`` was written.
    """

    topic: str
    prompt: str
    prefix: str
    triple: tuple[str, ...]
    original: str
    alternative: str

    @property
    def texts(self) -> tuple[str, str, str]:
        return self.topic, self.original, self.alternative


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """``score`` is from 0 to 1, higher for a surer contradiction."""

    score: float
    contradictory: bool
    failed: bool = False
    """True when the judge came to no answer."""


#: Two sentences in the same words; nobody needs to be asked.
SAME = PairAnswer(score=0.0, contradictory=False)


class LocalPairJudge:
    """The local models alone."""

    def __init__(self, ports: Ports) -> None:
        self._scorer = PairScorer(ports.models)

    async def judge(self, questions: Sequence[PairQuestion]) -> list[PairAnswer]:
        scores = await self._scorer.score([question.texts for question in questions])
        return [
            SAME if question.original == question.alternative else PairAnswer(score, score >= CONTRADICTORY)
            for question, score in zip(questions, scores, strict=True)
        ]


class LlmPairJudge:
    """The analyzer: an explanation, and votes (METHODS A.3).

    With ``stops_early`` it takes no more votes than decide; ``is_screened`` leaves out what the local models are sure
    of.
    """

    def __init__(self, ports: Ports, *, stops_early: bool = True, is_screened: bool = False) -> None:
        if ports.contradictions is None:
            raise EndpointRefused("No language model is set up.")
        self._contradictions: Contradictions = ports.contradictions.with_votes(stops_early=stops_early)
        self._scorer = PairScorer(ports.models) if is_screened else None

    async def judge(self, questions: Sequence[PairQuestion]) -> list[PairAnswer]:
        scores: list[float] | list[None] = [None] * len(questions)
        if self._scorer:
            scores = await self._scorer.score([question.texts for question in questions])
        return list(await asyncio.gather(*map(self._judge, questions, scores)))

    async def _judge(self, question: PairQuestion, score: float | None) -> PairAnswer:
        if is_same_wording(question.original, question.alternative):
            return SAME
        if score is not None and score < HARMLESS:
            return PairAnswer(score, contradictory=False)
        place = place_for_topic(question.topic, question.prefix)
        try:
            votes = (await self._contradictions.compare(place, question.original, question.alternative)).votes
        except ModelCallFailed:
            return PairAnswer(score=0.0, contradictory=False, failed=True)
        return PairAnswer(votes.score, votes.is_yes)
