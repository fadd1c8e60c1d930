"""Parse the body of a chat completion. Servers differ, and some answer with a web page."""

from __future__ import annotations

from typing import Any

from ..untrusted.json import read_json
from .error_body import read_error_value
from .failures import Failure, FailureKind, failure_of
from .probabilities import are_meaningless, read_tokens
from .thoughts import without_thoughts
from .types import ModelAnswer, TokenUsage

#: Longer bodies are rejected: valid answers are much shorter.
MAX_BODY_BYTES = 2_000_000
#: Token counts above this are invalid.
_MAX_TOKENS = 1_000_000_000

NO_COMPLETION = Failure(
    FailureKind.UNREADABLE,
    "The endpoint answered with something that is no chat completion. Check the address: most end in /v1.",
)
NO_ANSWER = Failure(FailureKind.EMPTY, "The model gave an empty answer.")
ONLY_THOUGHTS = Failure(
    FailureKind.CUT, "The model thought until its answer had no room left. Choose a lower reasoning effort."
)
MODERATED = Failure(FailureKind.REFUSED, "The model refused to answer.")


class Unusable(Exception):
    """The body has no answer. ``had_thoughts`` is True if it has only thoughts."""

    def __init__(self, failure: Failure, *, had_thoughts: bool = False, usage: TokenUsage | None = None) -> None:
        super().__init__(failure.reason)
        self.failure = failure
        self.had_thoughts = had_thoughts
        self.usage = usage


def read_completion(body: bytes, model: str = "") -> ModelAnswer:
    """Parse the answers in a body, without the thoughts of the model.

    Raises:
        Unusable: it is not a chat completion, an error or empty, or the model refused.
    """
    try:
        data = read_json(body)
        if not isinstance(data, dict) or not data.get("choices"):
            raise Unusable(_failure_in(data, model))
        choices = data["choices"]
        messages = [choice["message"] for choice in choices]
        texts = [_text(message) for message in messages]
        endings = [choice.get("finish_reason") for choice in choices]
        broken = next(
            (choice for choice in choices if choice.get("error") or choice.get("finish_reason") == "error"), None
        )
        hidden = any(message.get("reasoning_content") or message.get("reasoning") for message in messages)
        refused = [
            bool(message.get("refusal")) or ending == "content_filter"
            for message, ending in zip(messages, endings, strict=True)
        ]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Unusable(NO_COMPLETION) from None
    usage = read_usage(data.get("usage"))
    if broken is not None:
        raise Unusable(_failure_in(broken.get("error") or data, model), usage=usage)
    if all(refused):
        raise Unusable(MODERATED, usage=usage)
    thoughtless = [without_thoughts(text) for text in texts]
    had_thoughts = hidden or any(one.had_thoughts for one in thoughtless) or bool(usage and usage.thinking)
    is_cut = "length" in endings or "max_tokens" in endings
    usable = [i for i, one in enumerate(thoughtless) if one.text.strip() and not refused[i]]
    if not usable:
        raise Unusable(ONLY_THOUGHTS if is_cut else NO_ANSWER, had_thoughts=had_thoughts or is_cut, usage=usage)
    tokens = tuple(read_tokens(choices[i]) for i in usable) if not any(one.had_thoughts for one in thoughtless) else ()
    is_told = bool(tokens) and all(tokens) and not are_meaningless(token.probability for one in tokens for token in one)
    return ModelAnswer(
        tuple(thoughtless[i].text for i in usable),
        usage,
        is_cut=is_cut,
        has_thoughts=had_thoughts,
        tokens=tokens if is_told else (),
    )


def opens_unseen(body: bytes) -> bool:
    """Whether an answer closes thoughts that it did not open."""
    try:
        texts = [_text(choice["message"]) for choice in read_json(body)["choices"]]
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return any(without_thoughts(text).opens_unseen for text in texts)


def _failure_in(data: Any, model: str) -> Failure:
    """The error in a body without an answer; some endpoints send errors with a success status."""
    if not isinstance(data, dict | list):
        return NO_COMPLETION
    error = read_error_value(data)
    if not error.message and not error.code:
        return NO_COMPLETION
    return failure_of(error, model)


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")


def read_usage(usage: Any) -> TokenUsage | None:
    """The token usage that an endpoint reports; None if it is missing or malformed."""
    if not isinstance(usage, dict):
        return None
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    cached = _count(_detail(usage, "prompt_tokens_details", "cached_tokens")) or _count(
        usage.get("prompt_cache_hit_tokens")
    )
    thinking = _count(_detail(usage, "completion_tokens_details", "reasoning_tokens"))
    return TokenUsage(prompt, completion, min(cached or 0, prompt), min(thinking or 0, completion))


def _detail(usage: dict[str, Any], group: str, name: str) -> Any:
    details = usage.get(group)
    return details.get(name) if isinstance(details, dict) else None


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS
    return value if is_count else None
