"""Requests to a language model, and its answers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ..prompts import Message
from .attribution import NOTHING, Attribution
from .probabilities import TokenProbability


class Purpose(StrEnum):
    """The purpose of a call; usage is summed per purpose."""

    TRIGGER = "trigger"
    EXPLAIN = "explain"
    CONCLUDE = "conclude"
    REVISE = "revise"
    MERGE = "merge"
    TRIPLES = "triples"
    SUBCLAIMS = "subclaims"
    GROUND_SENTENCE = "ground_sentence"
    GROUND_ENTITY = "ground_entity"
    REPAIR = "repair"
    GENERATE = "generate"
    CONCEPTS = "concepts"
    VALIDATE = "validate"
    PREMISE = "premise"
    READ = "read"
    TEST = "test"

    @property
    def is_writing(self) -> bool:
        """Whether the call goes to the generator and not to the analyzer."""
        return self in (Purpose.TRIGGER, Purpose.GENERATE)


_CHARACTERS_PER_TOKEN = 4
_USUAL_ANSWER = 100


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model. ``prompt`` is the id of the prompt it was rendered from, with its version.

    ``samples`` answers are drawn at ``temperature``; an endpoint that returns fewer is asked again. ``max_tokens``
    applies to each of them.
    """

    purpose: Purpose
    prompt: str
    model: str
    messages: tuple[Message, ...]
    temperature: float = 0.0
    samples: int = 1
    max_tokens: int = 512
    schema: str | None = None
    """JSON schema of the answer, as JSON, for endpoints that support schemas."""
    wants_probabilities: bool = False
    """Whether to request token probabilities; not every endpoint returns them."""
    top_p: float | None = None
    """Nucleus sampling: tokens are drawn from the likeliest ones with this total probability; None for the default."""

    part: int = 0
    """Number of this sample, if samples are drawn one by one; 0 for samples requested together."""

    @property
    def expected_usage(self) -> TokenUsage:
        """Estimated token usage, until the endpoint reports it."""
        characters = sum(len(message.text) for message in self.messages)
        answer = min(self.max_tokens, _USUAL_ANSWER)
        return TokenUsage(characters // _CHARACTERS_PER_TOKEN, answer * self.samples)

    def usage_so_far(self, characters: int) -> TokenUsage:
        """Estimated usage of an abandoned stream, by the number of characters received."""
        return TokenUsage(self.expected_usage.prompt, characters // _CHARACTERS_PER_TOKEN)

    def key(self, base_url: str) -> str:
        """Hash the content of the request, so that an identical request is not paid twice."""
        content = [
            base_url,
            self.prompt,
            self.model,
            self.temperature,
            self.top_p,
            self.samples,
            self.max_tokens,
            self.schema,
            self.wants_probabilities,
            [[message.role, message.text] for message in self.messages],
            *([self.part] if self.part else []),
        ]
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Token usage that an endpoint reports."""

    prompt: int = 0
    completion: int = 0
    """All generated tokens, including thoughts."""
    cached: int = 0
    """Prompt tokens from the endpoint's cache, which cost less."""
    thinking: int = 0
    """Tokens of ``completion`` that are thoughts."""

    @property
    def total(self) -> int:
        return self.prompt + self.completion

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.cached + other.cached,
            self.thinking + other.thinking,
        )


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The texts of a model, one for each sample. ``usage`` is None if the endpoint does not report it."""

    texts: tuple[str, ...]
    usage: TokenUsage | None = None
    is_cut: bool = False
    """True when the token limit truncated an answer."""
    has_thoughts: bool = False
    """True when the model thought before it answered; the texts exclude the thoughts."""
    tokens: tuple[tuple[TokenProbability, ...], ...] = ()
    """The tokens of each text; empty if not requested or not returned."""

    @property
    def text(self) -> str:
        return self.texts[0]


class CallOutcome(StrEnum):
    ANSWERED = "answered"
    FAILED = "failed"
    REUSED = "reused"


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One attempt to get an answer. ``cost_usd`` is None, not 0, if the price of the model is unknown."""

    key: str
    """:meth:`ModelRequest.key` of the request."""
    purpose: Purpose
    prompt: str
    model: str
    outcome: CallOutcome
    seconds: float
    usage: TokenUsage | None
    cost_usd: Decimal | None
    reason: str = ""
    """The reason of a failure, with the endpoint's message; else empty. Never contains a key or an answer."""
    attribution: Attribution = NOTHING
    """The calling detector and its sentences."""
    answer: ModelAnswer | None = None
    """The complete answer, so that the listener can store the call and the answer in one transaction."""
