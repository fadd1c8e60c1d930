"""Render the Markdown within a sentence, and the cells of a table.

The marks within a sentence stay in the page, hidden, so that offsets do not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from ..core.rewriting.revise import DiffKind, DiffPart
from ..core.types import Span
from .pieces import Piece

# Each is bounded, so that a line that consists of marks is no slower than another one.
_INLINE = re.compile(
    r"(?P<code>(?<!`)`(?P<code_words>[^`\n]{1,300})`(?!`))"
    r"|(?P<bold>(?P<bold_mark>\*\*|(?<!\w)__)(?=[^\s*_])(?P<bold_words>[^*_\n]{1,300}?)(?<=\S)(?P=bold_mark))"
    r"|(?P<italic>(?<![\w*])(?P<italic_mark>[*_])(?=[^\s*_])(?P<italic_words>[^*_\n]{1,300}?)(?<=\S)(?P=italic_mark)"
    r"(?![\w*]))"
    r"|(?P<link>\[(?P<link_words>[^\[\]\n]{1,300})\]\((?:https?://|/|\#)[^\s()]{1,500}\))"
)
_STYLES = ("code", "bold", "italic", "link")
#: A pipe, or the line below the headings.
_CELL_MARK = re.compile(r"(\n[\s:|-]+\Z|(?<!\\)\|)")
_BETWEEN_CELLS = " · "
_PIPE = re.compile(r"\s*(?<!\\)\|\s*")


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The span of one style; ``style`` is "" for marks, which are hidden."""

    span: Span
    style: str


def rendered(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Cut the pieces of a sentence at its Markdown marks and set the style of each.

    A sentence with a change is not rendered: the change may delete one of a pair of marks.
    """
    if any(piece.change for piece in pieces):
        return tuple(pieces)
    stretches = tuple(_stretches("".join(piece.text for piece in pieces)))
    return tuple(_cut(pieces, stretches)) if stretches else tuple(pieces)


def without_marks(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces of a quote without the Markdown marks: nothing counts in a quote, and its styles are no warning.

    The cells of a row of a table are separated by points.
    """
    is_row = _is_row("".join(piece.text for piece in pieces))
    shown = _row_without_pipes(cells_of(pieces)) if is_row else pieces
    return tuple(replace(piece, style="") for piece in rendered(shown) if not piece.is_syntax)


def _is_row(text: str) -> bool:
    row, _, below = text.strip().partition("\n")
    return len(row) > 1 and row[0] == row.rstrip()[-1] == "|" and not below.strip(" :|-")


def _row_without_pipes(cells: Sequence[Sequence[Piece]]) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for cell in cells:
        words = [piece for piece in cell if not piece.is_syntax and piece.text.strip()]
        if words:
            words[0] = replace(words[0], text=words[0].text.lstrip())
            words[-1] = replace(words[-1], text=words[-1].text.rstrip())
            found += [Piece(_BETWEEN_CELLS), *words] if found else words
    return tuple(found)


def parts_without_marks(parts: Sequence[DiffPart]) -> tuple[DiffPart, ...]:
    """A change as the text will show it. A mark that one of the two wordings shows, without its partner, stays."""
    hidden = _hidden_in(parts, DiffKind.INSERTED)
    hidden_later = _hidden_in(parts, DiffKind.DELETED)
    before = after = 0
    shown: list[DiffPart] = []
    for part in parts:
        text = ""
        for character in part.text:
            is_hidden = part.kind is DiffKind.INSERTED or before in hidden
            is_hidden_later = part.kind is DiffKind.DELETED or after in hidden_later
            text += "" if is_hidden and is_hidden_later else character
            before += part.kind is not DiffKind.INSERTED
            after += part.kind is not DiffKind.DELETED
        shown.append(DiffPart(part.kind, text))
    if _is_row("".join(part.text for part in shown if part.kind is not DiffKind.INSERTED)):
        shown = list(_with_points(shown))
    return tuple(part for part in shown if part.text)


def _with_points(parts: Sequence[DiffPart]) -> Iterator[DiffPart]:
    """The change of a row of a table with points between its cells, as its quote has them."""
    for position, part in enumerate(parts):
        text = part.text
        if part.kind is DiffKind.EQUAL:
            text = _PIPE.sub(_BETWEEN_CELLS, text)
            text = text.removeprefix(_BETWEEN_CELLS) if position == 0 else text
            text = text.removesuffix(_BETWEEN_CELLS) if position == len(parts) - 1 else text
        yield DiffPart(part.kind, text)


def _hidden_in(parts: Sequence[DiffPart], without: DiffKind) -> frozenset[int]:
    """The positions of the marks in one of the two wordings."""
    text = "".join(part.text for part in parts if part.kind is not without)
    marks = (stretch.span for stretch in _stretches(text) if not stretch.style)
    return frozenset(position for span in marks for position in range(span.start, span.end))


def _stretches(text: str) -> Iterator[_Stretch]:
    for found in _INLINE.finditer(text):
        style = next(name for name in _STYLES if found[name])
        words = Span(*found.span(f"{style}_words"))
        yield _Stretch(Span(found.start(), words.start), "")
        yield _Stretch(words, style)
        yield _Stretch(Span(words.end, found.end()), "")


def _cut(pieces: Sequence[Piece], stretches: Sequence[_Stretch]) -> Iterator[Piece]:
    edges = sorted({edge for stretch in stretches for edge in (stretch.span.start, stretch.span.end)})
    starts = accumulate((len(piece.text) for piece in pieces), initial=0)
    for piece, start in zip(pieces, starts, strict=False):
        end = start + len(piece.text)
        for left, right in pairwise([start, *(edge for edge in edges if start < edge < end), end]):
            own = next((one for one in stretches if one.span.start <= left and right <= one.span.end), None)
            text = piece.text[left - start : right - start]
            if own is None:
                yield replace(piece, text=text)
            else:
                yield replace(piece, text=text, is_syntax=not own.style, style=own.style)


def cells_of(pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], ...]:
    """The cells of a row of a Markdown table. Its pipes and the line below its headings stay in them, hidden.

    No cells if a change adds or deletes one: then the row is shown as it was written.
    """
    if any(piece.change and _CELL_MARK.search(piece.text) for piece in pieces):
        return ()
    cells: list[list[Piece]] = [[]]
    for piece in pieces:
        for text in filter(None, _CELL_MARK.split(piece.text)):
            is_mark = _CELL_MARK.fullmatch(text) is not None
            is_strong = piece.strong and not is_mark
            cells[-1].append(replace(piece, text=text, is_syntax=is_mark or piece.is_syntax, strong=is_strong))
            if text == "|":
                cells.append([])
    for edge in (0, -1):  # outside the outer pipes
        if len(cells) > 1 and not _words_of(cells[edge]):
            outer = cells.pop(edge)
            cells[edge] = [*outer, *cells[edge]] if edge == 0 else [*cells[edge], *outer]
    return tuple(map(tuple, cells))


def _words_of(cell: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in cell if not piece.is_syntax).strip()
