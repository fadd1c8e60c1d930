"""The queues of the broker. A worker may serve some of them, so that long checks do not delay short ones."""

from __future__ import annotations

from enum import StrEnum


class Queue(StrEnum):
    """The queue of a message."""

    CHECKS = "checks"
    """Checks by the local models: seconds."""
    LONG = "long"
    """Checks that ask a language model or search: minutes, most of them spent waiting."""
    SOURCES = "sources"
    """Sources to read."""
