"""Judges of two sentences for the same place of a text: the local models, a language model, or both."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from detection.core.comparing.pair_scorer import CONTRADICTORY, PairScorer, settled
from detection.core.errors import DetectionError, EndpointRefused, ModelCallFailed
from detection.core.ports import Ports
from detection.core.self_contradiction.challenge import Challenger
from detection.core.self_contradiction.model import Contradictions, Thrift, is_same_wording, place_for_topic
from detection.core.self_contradiction.pairs import Comparison


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """The input of a judge for a pair.

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
    def place(self) -> tuple[str, str, str]:
        """Topic, prefix and sentence: questions that have them in common are asked together."""
        return self.topic, self.prefix, self.original

    @property
    def texts(self) -> tuple[str, str, str]:
        return self.topic, self.original, self.alternative


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """``score`` is from 0 to 1, higher for a surer contradiction."""

    score: float
    contradictory: bool
    failed: bool = False
    """True if the judge gave no answer."""


#: All ways to save calls and tokens that are on by default.
PRODUCT = Thrift()

#: The answer for two equal sentences, without a judge.
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

    ``stops_early`` takes only as many votes as decide; ``is_screened`` omits pairs that the local models are certain
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
        verdict = None if score is None else settled(score)
        if score is not None and verdict is not None:
            return PairAnswer(score, verdict)
        place = place_for_topic(question.topic, question.prefix)
        try:
            votes = (await self._contradictions.compare(place, question.original, question.alternative)).votes
        except ModelCallFailed:
            return PairAnswer(score=0.0, contradictory=False, failed=True)
        return PairAnswer(votes.score, votes.is_yes)


class ThriftyPairJudge:
    """The product: pairs that the local models leave open, in as few prompts as ``thrift`` allows.

    Alternatives for one place of a text are compared with its sentence in one prompt.
    """

    def __init__(self, ports: Ports, *, thrift: Thrift = PRODUCT, is_screened: bool = True) -> None:
        if ports.contradictions is None:
            raise EndpointRefused("No language model is set up.")
        self._challenger = Challenger(
            ports.contradictions.with_votes(stops_early=True, thrift=thrift), ports.models, is_screened=is_screened
        )

    async def judge(self, questions: Sequence[PairQuestion]) -> list[PairAnswer]:
        groups: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        for question in questions:
            groups[question.place].append(question.alternative)
        compared = await asyncio.gather(*(self._compare(*place, others) for place, others in groups.items()))
        answers = dict(zip(groups, compared, strict=True))
        return [answers[question.place][question.alternative] for question in questions]

    async def _compare(
        self, topic: str, prefix: str, original: str, alternatives: Sequence[str]
    ) -> dict[str, PairAnswer]:
        once = list(dict.fromkeys(alternatives))
        results = await self._challenger.compare_all(place_for_topic(topic, prefix), original, once)
        return {alternative: _answer(result) for alternative, result in zip(once, results, strict=True)}


def _answer(result: Comparison | DetectionError | None) -> PairAnswer:
    if result is None:
        return SAME
    if isinstance(result, DetectionError):
        return PairAnswer(score=0.0, contradictory=False, failed=True)
    return PairAnswer(result.votes.score, result.votes.is_yes)
