"""Other ways to generate alternatives of a sentence: the ablations of the trigger (METHODS A.2), for measurement only.

They replace the cloze: with or without the original, with or without the fact.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from detection.core.llm.client import ModelClient
from detection.core.llm.types import ModelRequest, Purpose
from detection.core.prompts import Prompt, load
from detection.core.self_contradiction.challenge import Fact
from detection.core.self_contradiction.model import Contradictions, Place

_CONTINUE, _REPHRASE, _QUESTION, _ANSWER = map(load, ("continue.v1", "rephrase.v1", "question.v1", "answer.v1"))
#: As many continuations as a sentence has facts on average.
_CONTINUATIONS = 2
_MAX_TOKENS = 120

#: Gives sentences for the place of the given one, whose facts are known.
Trigger = Callable[[ModelClient, Contradictions, Place, str, Sequence[Fact]], Awaitable[list[str]]]


async def continuation(
    client: ModelClient, models: Contradictions, place: Place, sentence: str, facts: Sequence[Fact]
) -> list[str]:
    """The generator continues the text freely, so that it often writes about something else."""
    messages = _CONTINUE.render(description=place.description, prefix=place.prefix_in_words)
    request = ModelRequest(
        Purpose.TRIGGER, _CONTINUE.id, models.generator, messages, 1.0, samples=_CONTINUATIONS, max_tokens=_MAX_TOKENS
    )
    return [text.strip() for text in (await client.complete(request)).texts]


async def rephrasing(
    client: ModelClient, models: Contradictions, place: Place, sentence: str, facts: Sequence[Fact]
) -> list[str]:
    """The generator paraphrases the sentence, which keeps its meaning."""
    return [await _ask(client, models, _REPHRASE, place, sentence=sentence)]


async def questions_and_answers(
    client: ModelClient, models: Contradictions, place: Place, sentence: str, facts: Sequence[Fact]
) -> list[str]:
    """A question about each fact, and its answer."""

    async def answer(fact: Fact) -> str:
        question = await _ask(
            client, models, _QUESTION, place, sentence=sentence, subject=fact.subject, relation=fact.relation
        )
        return await _ask(client, models, _ANSWER, place, question=question)

    return list(await asyncio.gather(*map(answer, facts)))


async def _ask(client: ModelClient, models: Contradictions, prompt: Prompt, place: Place, **variables: str) -> str:
    messages = prompt.render(description=place.description, prefix=place.prefix_in_words, **variables)
    request = ModelRequest(Purpose.TRIGGER, prompt.id, models.generator, messages, max_tokens=_MAX_TOKENS)
    return (await client.complete(request)).text.strip()
