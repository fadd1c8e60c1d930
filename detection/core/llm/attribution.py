"""Attribute model calls to a detector and its sentences. Tasks that a detector starts inherit the attribution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attribution:
    """The calling detector, and the indices of the sentences that the call is for."""

    detector: str = ""
    sentences: tuple[int, ...] = ()


NOTHING = Attribution()

_CURRENT: ContextVar[Attribution] = ContextVar("attribution", default=NOTHING)


@contextmanager
def asking_for(detector: str, sentences: Sequence[int]) -> Iterator[None]:
    """Attribute all calls in the body to these sentences."""
    token = _CURRENT.set(Attribution(detector, tuple(sentences)))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def attribution() -> Attribution:
    """The attribution of the current call."""
    return _CURRENT.get()
