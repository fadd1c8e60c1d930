"""Text cut into pieces, each with one style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..core.rewriting.revise import DiffKind, DiffPart
from ..core.types import Span


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of text with one style. ``strong`` marks the words that a warning is about."""

    text: str
    strong: bool = False
    change: str = ""  # "", "deleted" or "inserted"
    is_syntax: bool = False
    """Marks of Markdown, which are hidden."""
    style: str = ""
    """The style by Markdown: "bold", "italic", "code", "link" or ""."""


def pieces(text: str, strong: Iterable[Span], parts: Sequence[DiffPart] = ()) -> tuple[Piece, ...]:
    """Cut ``text`` at the ``strong`` spans (counted in ``text``) and at the changes that ``parts`` make to it."""
    strong = list(strong)
    cuts = sorted({0, len(text), *(s.start for s in strong), *(s.end for s in strong)})
    result: list[Piece] = []
    position = 0
    for part in parts or (DiffPart(DiffKind.EQUAL, text),):
        if part.kind is DiffKind.INSERTED:
            result.append(Piece(part.text, change="inserted"))
            continue
        end = position + len(part.text)
        edges = [position, *(cut for cut in cuts if position < cut < end), end]
        for start, stop in pairwise(edges):
            is_strong = any(span.start <= start and stop <= span.end for span in strong)
            change = "deleted" if part.kind is DiffKind.DELETED else ""
            result.append(Piece(text[start:stop], strong=is_strong, change=change))
        position = end
    return tuple(piece for piece in result if piece.text)
