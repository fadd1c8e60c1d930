"""Read the body of a chat completion. Servers differ, and some answer with a web page."""

from __future__ import annotations

from typing import Any

from ..plain_json import read_json
from .failures import Failure, FailureKind
from .probabilities import read_tokens
from .types import ModelAnswer, TokenUsage

#: Longer bodies are not read: no answer to our questions is near it.
MAX_BODY_BYTES = 2_000_000
#: More tokens than any model takes: a number that somebody made up.
_MAX_TOKENS = 1_000_000_000


class Unusable(Exception):
    """The body holds no answer."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def read_completion(body: bytes) -> ModelAnswer:
    """The answers in a body.

    Raises:
        Unusable: it is no chat completion, it is empty, or the model refused.
    """
    try:
        data = read_json(body)
        choices = data["choices"]
        messages = [choice["message"] for choice in choices]
        texts = tuple(_text(message) for message in messages)
        endings = [choice.get("finish_reason") for choice in choices]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unusable(
            Failure(FailureKind.UNREADABLE, "The endpoint answered with something that is no chat completion.")
        ) from None
    if any(message.get("refusal") for message in messages) or "content_filter" in endings:
        raise Unusable(Failure(FailureKind.REFUSED, "The model refused to answer."))
    if not texts:
        raise Unusable(Failure(FailureKind.UNREADABLE, "The endpoint gave no answer."))
    if not all(text.strip() for text in texts):
        raise Unusable(Failure(FailureKind.EMPTY, "The model gave an empty answer."))
    tokens = tuple(map(read_tokens, choices))
    return ModelAnswer(
        texts, read_usage(data.get("usage")), is_cut="length" in endings, tokens=tokens if all(tokens) else ()
    )


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")


def read_usage(usage: Any) -> TokenUsage | None:
    """The tokens that an endpoint counted; None when it did not, or not in a way that can be read."""
    if not isinstance(usage, dict):
        return None
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if (
        not isinstance(prompt, int)
        or not isinstance(completion, int)
        or not (0 <= prompt <= _MAX_TOKENS)
        or not (0 <= completion <= _MAX_TOKENS)
    ):
        return None
    return TokenUsage(prompt, completion)
