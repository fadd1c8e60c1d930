"""Disable families of values temporarily, to measure the benefit of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from detection.core.rules.base import Family

_LEFT_OUT: ContextVar[frozenset[Family]] = ContextVar("families left out", default=frozenset())


@contextmanager
def without(families: Iterable[Family]) -> Iterator[None]:
    """In the body, and in all tasks started there, the rules find no values of these families."""
    token = _LEFT_OUT.set(frozenset(families))
    try:
        yield
    finally:
        _LEFT_OUT.reset(token)


def is_left_out(family: Family) -> bool:
    return family in _LEFT_OUT.get()
