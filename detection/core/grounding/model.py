"""METHODS B with a language model: judge sentences and entities against a premise, and repair sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime

from ..errors import Cancelled, DetectionError
from ..llm.client import ModelClient
from ..llm.schemas import TEXT, list_of, object_of, schema_of
from ..llm.types import ModelAnswer, ModelRequest, Purpose
from ..prompts import Message, Prompt, load
from ..types import EntityCategory, GroundingLevel
from .hypotheses import Flaw, Hypothesis, Judgement, Mark, Outcome, Repair, Unjudged
from .model_answers import read_judgements, read_repair
from .premise import Premise, boundary_of

#: METHODS B.2 and B.3: number of hypotheses in one prompt.
SENTENCES_PER_PROMPT = 10
ENTITIES_PER_PROMPT = 25
#: METHODS B.3: the categories that are judged separately.
ENTITY_CATEGORIES = frozenset(EntityCategory) - {EntityCategory.OTHER}
#: Longer sources are read in passages.
SOURCE_TOKENS = 12_000

PROMPTS = {
    GroundingLevel.SENTENCE: load("grounding_sentence.v1"),
    GroundingLevel.ENTITY: load("grounding_entity.v1"),
}
REPAIR = load("grounding_repair.v1")
AGAIN = load("grounding_again.v1")

# METHODS B, parameters.
_TOP_P = 0.6
_MAX_TOKENS = 4_096

_PURPOSES = {
    GroundingLevel.SENTENCE: Purpose.GROUND_SENTENCE,
    GroundingLevel.ENTITY: Purpose.GROUND_ENTITY,
}
_NO_JUDGEMENT = "The model did not judge this, even when it was asked again."
_LEFT_OUT = "…"


# The order in which the model should reason: the decision comes last.
_JUDGEMENT = object_of(
    number={"type": "integer"},
    hypothesis=TEXT,
    quotes=list_of(TEXT),
    reason=TEXT,
    wrong_words=TEXT,
    source_words=TEXT,
    mark={"type": "string", "enum": [mark.value for mark in Mark]},
)
_JUDGEMENTS_SCHEMA = schema_of(judgements=list_of(_JUDGEMENT))
_REPAIR_SCHEMA = schema_of(sentences=list_of(object_of(number={"type": "integer"}, original=TEXT, corrected=TEXT)))


@dataclass(frozen=True, slots=True)
class _Reading:
    """The judgements in an answer, by the position of the hypothesis."""

    judgements: dict[int, Judgement]
    is_cut: bool
    is_repeated: bool = False
    """True if the model was asked twice."""


class GroundingModel:
    """The judging and repairing model behind a client, with the prompt sizes that METHODS B leaves open."""

    def __init__(
        self,
        client: ModelClient,
        analyzer: str,
        *,
        source_tokens: int = SOURCE_TOKENS,
        sentences_per_prompt: int = SENTENCES_PER_PROMPT,
        categories: AbstractSet[EntityCategory] = ENTITY_CATEGORIES,
    ) -> None:
        self.source_tokens = source_tokens
        self.categories = categories
        self.per_prompt = {
            GroundingLevel.SENTENCE: sentences_per_prompt,
            GroundingLevel.ENTITY: ENTITIES_PER_PROMPT,
        }
        self._client = client
        self._analyzer = analyzer
        # One date for the whole run, because it is part of the prompt.
        self._today = f"{datetime.now().astimezone():%A, %d %B %Y}"

    @property
    def analyzer(self) -> str:
        """The name of the model."""
        return self._analyzer

    async def judge(self, level: GroundingLevel, premise: Premise, hypotheses: Sequence[Hypothesis]) -> list[Outcome]:
        """One outcome for each hypothesis, in order. A failed call affects only the hypotheses of its prompt."""
        size = self.per_prompt[level]
        batches = [hypotheses[start : start + size] for start in range(0, len(hypotheses), size)]
        outcomes = await asyncio.gather(*(self._judge_batch(level, premise, batch) for batch in batches))
        return [outcome for batch in outcomes for outcome in batch]

    async def repair(self, premise: Premise, sentences: Sequence[str | None], flaws: Sequence[Flaw]) -> Repair:
        """New wordings of the flawed ones among ``sentences``; None marks omitted text between them.

        Raises:
            ModelCallFailed: the call failed.
        """
        lines = [_LEFT_OUT if text is None else f"({i}) {_one_line(text)}" for i, text in enumerate(sentences, 1)]
        response = "\n".join(lines)
        problems = "\n".join(f"({flaw.sentence + 1}) {_one_line(flaw.reason)}" for flaw in flaws)
        messages = REPAIR.render(
            today=self._today,
            boundary=boundary_of(premise.text, response, problems),
            premise=premise.text,
            response=response,
            problems=problems,
        )
        answer = await self._complete(Purpose.REPAIR, REPAIR, messages, _REPAIR_SCHEMA)
        return read_repair(answer.text, [text or "" for text in sentences], {flaw.sentence for flaw in flaws})

    async def _judge_batch(
        self, level: GroundingLevel, premise: Premise, batch: Sequence[Hypothesis], *, is_last_try: bool = False
    ) -> list[Outcome]:
        try:
            reading = await self._ask(level, premise, batch, may_repeat=not is_last_try)
        except Cancelled:
            raise
        except DetectionError as error:
            return [Unjudged(str(error))] * len(batch)
        outcomes: list[Outcome] = [reading.judgements.get(i, Unjudged(_NO_JUDGEMENT)) for i in range(len(batch))]
        missing = [i for i in range(len(batch)) if i not in reading.judgements]
        is_last = is_last_try or reading.is_repeated
        if reading.is_cut and len(batch) > 1:
            size = len(batch) // 2  # a truncated answer may fit into two or four
        elif missing and not is_last:
            size, is_last = len(missing), True
        else:
            return outcomes
        smaller = [missing[start : start + size] for start in range(0, len(missing), size)]
        asked_again = await asyncio.gather(
            *(self._judge_batch(level, premise, [batch[i] for i in part], is_last_try=is_last) for part in smaller)
        )
        for part, found in zip(smaller, asked_again, strict=True):
            for i, outcome in zip(part, found, strict=True):
                outcomes[i] = outcome
        return outcomes

    async def _ask(
        self, level: GroundingLevel, premise: Premise, batch: Sequence[Hypothesis], *, may_repeat: bool
    ) -> _Reading:
        """The judgements of one prompt. If there are none, the model is asked once more."""
        hypotheses = "\n".join(_numbered(hypothesis, number) for number, hypothesis in enumerate(batch, 1))
        prompt = PROMPTS[level]
        messages = prompt.render(
            today=self._today,
            boundary=boundary_of(premise.text, hypotheses),
            premise=premise.text,
            hypotheses=hypotheses,
        )
        answer = await self._complete(_PURPOSES[level], prompt, messages, _JUDGEMENTS_SCHEMA)
        judgements = read_judgements(answer.text, batch)
        if judgements or not may_repeat or (answer.is_cut and len(batch) > 1):
            return _Reading(judgements, answer.is_cut)
        messages = (*messages, *AGAIN.render(answer=answer.text))
        answer = await self._complete(_PURPOSES[level], prompt, messages, _JUDGEMENTS_SCHEMA)
        return _Reading(read_judgements(answer.text, batch), answer.is_cut, is_repeated=True)

    async def _complete(
        self, purpose: Purpose, prompt: Prompt, messages: tuple[Message, ...], schema: str
    ) -> ModelAnswer:
        return await self._client.complete(
            ModelRequest(
                purpose,
                prompt.id,
                self._analyzer,
                messages,
                max_tokens=_MAX_TOKENS,
                schema=schema,
                top_p=_TOP_P,
            )
        )


def _numbered(hypothesis: Hypothesis, number: int) -> str:
    line = f"({number}) {_one_line(hypothesis.text)}"
    return f"{line}\n    said after: {_one_line(hypothesis.context)}" if hypothesis.context else line


def _one_line(text: str) -> str:
    """Remove line breaks, so that text of a user cannot start a new list item in the prompt."""
    return " ".join(text.split())
