"""The text of a file, and the limits for reading it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..types import Place

#: Called with the number of pages read and the number of all pages.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file. ``title`` is that of the file, or ""; ``pages`` is None without pages."""

    title: str
    text: str
    places: tuple[Place, ...] = ()
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """Limits for one file. A larger file is refused, never truncated.

    ``file_bytes`` is the size of the file, ``unpacked_bytes`` that of its unpacked content. ``seconds``,
    ``processor_seconds`` and ``memory_bytes`` limit the process that reads it.
    """

    file_bytes: int = 20_000_000
    pages: int = 1_500
    characters: int = 4_000_000
    unpacked_bytes: int = 200_000_000
    seconds: float = 120.0
    processor_seconds: int = 40
    memory_bytes: int = 1_500_000_000
