"""What is asked of a language model, and what comes back."""

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
    """What a call is for; usage is added up by it."""

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
        """Whether it is the generator that is asked, and not the analyzer."""
        return self in (Purpose.TRIGGER, Purpose.GENERATE)


_CHARACTERS_PER_TOKEN = 4
_USUAL_ANSWER = 100


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model. ``prompt`` is the id of the prompt it was rendered from, with its version.

    ``samples`` answers are drawn at ``temperature``; an endpoint that gives fewer is asked again. ``max_tokens`` is
    for each of them.
    """

    purpose: Purpose
    prompt: str
    model: str
    messages: tuple[Message, ...]
    temperature: float = 0.0
    samples: int = 1
    max_tokens: int = 512
    schema: str | None = None
    """JSON schema of the answer, as JSON; for endpoints that can keep to one."""
    wants_probabilities: bool = False
    """Whether to ask how probable each token was; not every endpoint tells."""
    top_p: float | None = None
    """Tokens are drawn from the likeliest ones that make up this probability; None leaves it to the endpoint."""

    part: int = 0
    """Which of several samples this is, where they are drawn one by one; 0 for all that are asked for at once."""

    @property
    def expected_usage(self) -> TokenUsage:
        """About what it will take, in tokens: for the time until the endpoint has counted."""
        characters = sum(len(message.text) for message in self.messages)
        answer = min(self.max_tokens, _USUAL_ANSWER)
        return TokenUsage(characters // _CHARACTERS_PER_TOKEN, answer * self.samples)

    def usage_so_far(self, characters: int) -> TokenUsage:
        """About what an answer took that nobody reads to its end, where so many characters of it have come."""
        return TokenUsage(self.expected_usage.prompt, characters // _CHARACTERS_PER_TOKEN)

    def key(self, base_url: str) -> str:
        """Name the request by its content: the same question need not be paid for twice."""
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
    """Tokens that an endpoint counted."""

    prompt: int = 0
    completion: int = 0
    """All that the model wrote, its thoughts with it."""
    cached: int = 0
    """Those of the prompt that the endpoint had kept, and charges less for."""
    thinking: int = 0
    """Those of ``completion`` that were thoughts."""

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
    """The texts that a model gave, one a sample. ``usage`` is None when the endpoint does not count."""

    texts: tuple[str, ...]
    usage: TokenUsage | None = None
    is_cut: bool = False
    """True when an answer ended at the limit of tokens and not by itself."""
    has_thoughts: bool = False
    """True when the model thought before it answered; the thoughts are not among the texts."""
    tokens: tuple[tuple[TokenProbability, ...], ...] = ()
    """The tokens of each text; empty where they were not asked for, or the endpoint did not tell."""

    @property
    def text(self) -> str:
        return self.texts[0]


class CallOutcome(StrEnum):
    ANSWERED = "answered"
    FAILED = "failed"
    REUSED = "reused"


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One attempt to get an answer. ``cost_usd`` is None when the price of the model is not known, and never 0 then."""

    key: str
    """:meth:`ModelRequest.key` of the question."""
    purpose: Purpose
    prompt: str
    model: str
    outcome: CallOutcome
    seconds: float
    usage: TokenUsage | None
    cost_usd: Decimal | None
    reason: str = ""
    """Why it failed, with the words of the endpoint; empty otherwise. Never contains a key or an answer."""
    attribution: Attribution = NOTHING
    """Which detector asked, and about which sentences."""
    answer: ModelAnswer | None = None
    """What was answered, whole: whoever stores the call can store it in the same step, so that neither is lost."""
