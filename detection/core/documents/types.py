"""A file as text, and how much of it may be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..types import Place

#: Told how many pages are read, and of how many.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file. ``title`` is its own, where it has one, and "" otherwise; ``pages`` is None without pages."""

    title: str
    text: str
    places: tuple[Place, ...] = ()
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """How much is read of one file. What is larger is refused as a whole, never cut.

    ``file_bytes`` is the size as it comes, ``unpacked_bytes`` that of what is packed in it, ``seconds`` the time,
    ``processor_seconds`` the time of the processor and ``memory_bytes`` the memory of the process that reads it.
    """

    file_bytes: int = 20_000_000
    pages: int = 1_500
    characters: int = 4_000_000
    unpacked_bytes: int = 200_000_000
    seconds: float = 120.0
    processor_seconds: int = 40
    memory_bytes: int = 1_500_000_000
