"""Other ways to ask whether two statements contradict each other: the ablations of METHODS A, for measurement only."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

from detection.core.errors import EndpointRefused, ModelCallFailed
from detection.core.llm.client import ModelClient
from detection.core.llm.types import ModelRequest, Purpose
from detection.core.llm.votes import Count, says_yes, vote
from detection.core.ports import Ports
from detection.core.prompts import Message, Prompt, load
from detection.core.self_contradiction.model import EXPLAIN, Place, is_same_wording, place_for_topic
from detection.core.self_contradiction.pairs import CONCLUDE

from .pair_judges import SAME, PairAnswer, PairQuestion

_DIRECT, _STEP_BY_STEP = load("direct.v1"), load("step_by_step.v1")
_PATHS = 5


class AblatedPairJudge(ABC):
    """The base of all ablations. Each implements ``_count``."""

    def __init__(self, ports: Ports) -> None:
        if ports.client is None or ports.contradictions is None:
            raise EndpointRefused("No language model is set up.")
        self._client: ModelClient = ports.client
        self._analyzer = ports.contradictions.analyzer

    async def judge(self, questions: Sequence[PairQuestion]) -> list[PairAnswer]:
        return list(await asyncio.gather(*map(self._judge, questions)))

    async def _judge(self, question: PairQuestion) -> PairAnswer:
        if is_same_wording(question.original, question.alternative):
            return SAME
        try:
            count = await self._count(place_for_topic(question.topic, question.prefix), question)
        except ModelCallFailed:
            return PairAnswer(score=0.0, contradictory=False, failed=True)
        return PairAnswer(count.score, count.is_yes)

    @abstractmethod
    async def _count(self, place: Place, question: PairQuestion) -> Count:
        """The votes on a pair."""

    async def _sampled(self, prompt: Prompt, place: Place, question: PairQuestion, *, max_tokens: int) -> Count:
        """Votes on one prompt, at temperature 1."""

        async def sample(count: int) -> tuple[str, ...]:
            messages = prompt.render(**place.variables_for(question.original, question.alternative))
            request = ModelRequest(
                Purpose.CONCLUDE, prompt.id, self._analyzer, messages, 1.0, samples=count, max_tokens=max_tokens
            )
            answers = (await self._client.complete(request)).texts
            return tuple(answer.rsplit("Conclusion:", 1)[-1] for answer in answers)

        return await vote(sample)


class DirectPairJudge(AblatedPairJudge):
    """Yes or No, without an explanation."""

    async def _count(self, place: Place, question: PairQuestion) -> Count:
        return await self._sampled(_DIRECT, place, question, max_tokens=16)


class StepByStepPairJudge(AblatedPairJudge):
    """Thoughts and conclusion in one answer."""

    async def _count(self, place: Place, question: PairQuestion) -> Count:
        return await self._sampled(_STEP_BY_STEP, place, question, max_tokens=400)


class MultiPathPairJudge(AblatedPairJudge):
    """Five explanations, each with its conclusion; the majority decides."""

    async def _count(self, place: Place, question: PairQuestion) -> Count:
        messages = EXPLAIN.render(**place.variables_for(question.original, question.alternative))
        request = ModelRequest(
            Purpose.EXPLAIN, EXPLAIN.id, self._analyzer, messages, 1.0, samples=_PATHS, max_tokens=300
        )
        explanations = (await self._client.complete(request)).texts
        conclusions = await asyncio.gather(*(self._conclude(messages, text) for text in explanations))
        return Count(sum(map(says_yes, conclusions)), len(conclusions))

    async def _conclude(self, asked: tuple[Message, ...], explanation: str) -> str:
        messages = (*asked, *CONCLUDE.render(explanation=explanation))
        request = ModelRequest(Purpose.CONCLUDE, CONCLUDE.id, self._analyzer, messages, max_tokens=16)
        return (await self._client.complete(request)).text
