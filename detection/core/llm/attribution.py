"""What a model is asked for: which detector, about which sentences. It follows the tasks that a detector starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attribution:
    """The detector that asks, and the indices of the sentences that the answer is for."""

    detector: str = ""
    sentences: tuple[int, ...] = ()


NOTHING = Attribution()

_CURRENT: ContextVar[Attribution] = ContextVar("attribution", default=NOTHING)


@contextmanager
def asking_for(detector: str, sentences: Sequence[int]) -> Iterator[None]:
    """Calls that are made inside are for these sentences."""
    token = _CURRENT.set(Attribution(detector, tuple(sentences)))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def attribution() -> Attribution:
    """What the call that is being made is for."""
    return _CURRENT.get()
