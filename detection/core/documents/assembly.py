"""Assemble paragraphs and headings into the text of a document."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import UnreadableDocument
from ..plain_text import normalise_line_ends, remove_unprintable
from ..types import BlockKind, Place, PlaceKind, Span
from .types import Document, DocumentLimits

BETWEEN_PARAGRAPHS = "\n\n"
# Adjacent items form one list, adjacent rows one table.
_KINDS_IN_SERIES = frozenset({BlockKind.LIST_ITEM, BlockKind.TABLE})


class TextBuilder:
    """Collects the blocks of a file as text, in order, and refuses text beyond the limit."""

    def __init__(self, limits: DocumentLimits) -> None:
        self._limits = limits
        self._parts: list[str] = []
        self._headings: list[tuple[int, str]] = []
        self._length = 0
        self._last_kind = BlockKind.PARAGRAPH

    def add(self, kind: BlockKind, text: str) -> None:
        """Add a block: one paragraph, heading, item of a list, row of a table, or all lines of a piece of code.

        Line feeds in a paragraph stay; other white space becomes one blank. Code stays unchanged.
        """
        block = _tidy(kind, remove_unprintable(normalise_line_ends(text)))
        if not block:
            return
        if self._parts:
            in_series = kind is self._last_kind and kind in _KINDS_IN_SERIES
            self._append("\n" if in_series else BETWEEN_PARAGRAPHS)
        if kind is BlockKind.HEADING:
            self._headings.append((self._length, block))
        self._append(block)
        self._last_kind = kind

    def document(self, title: str = "") -> Document:
        text = "".join(self._parts)
        return Document(title=tidy_title(title), text=text, places=heading_places(self._headings, text))

    def _append(self, part: str) -> None:
        self._parts.append(part)
        self._length += len(part)
        check_length(self._length, self._limits)


def table_row(cells: Iterable[str]) -> str:
    """A table row as one line, in the form that the segmenter recognises."""
    return f"| {' | '.join(tidy_line(cell) for cell in cells)} |"


def heading_places(headings: list[tuple[int, str]], text: str) -> tuple[Place, ...]:
    """The places of headings, given their positions in ``text``, in order, and their words."""
    following = [*headings[1:], (len(text), "")]
    return tuple(
        Place(PlaceKind.HEADING, label, Span(start, end))
        for (start, label), (end, _label) in zip(headings, following, strict=False)
    )


def _tidy(kind: BlockKind, text: str) -> str:
    if kind is BlockKind.CODE:
        return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    if kind is BlockKind.PARAGRAPH:
        return "\n".join(tidy_line(line) for line in text.split("\n")).strip("\n")
    return tidy_line(text)


def tidy_title(title: str) -> str:
    return tidy_line(remove_unprintable(title))


def tidy_line(text: str) -> str:
    """Collapse white space to single blanks and strip the ends."""
    return " ".join(text.split())


def check_length(characters: int, limits: DocumentLimits) -> None:
    if characters > limits.characters:
        raise UnreadableDocument(
            f"It has {characters:,} characters of text or more; the limit is {limits.characters:,}."
        )
