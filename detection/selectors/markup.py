"""Render the Markdown within a sentence. Its marks stay in the page, hidden, so that offsets do not change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

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
