"""Choose the blocks of a page that are its main text.

trafilatura tells which words are the main text, but may return them without their headings, lists and tables. So the
blocks are those of the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...types import BlockKind
from .html_blocks import Block

_WORD = re.compile(r"[^\W_]+")
_EDGE = re.compile(r"[\n|:]")
_MARK = re.compile(r"(?:-|-?\d+\.) ")
#: A longer piece is recognised by its words, three at a time; a shorter one only as a whole.
_WORDS_AT_A_TIME = 3
_MIN_SHARE = 0.5

_Words = tuple[str, ...]


class MainWords:
    """The words of the main text."""

    def __init__(self, main: Iterable[Block]) -> None:
        self._wholes: set[_Words] = set()
        self._parts: set[_Words] = set()
        for piece in (piece for block in main for piece in _pieces(block)):
            self._wholes.add(piece)
            self._parts.update(_parts(piece))

    def among(self, blocks: Sequence[Block]) -> list[Block]:
        """Those of the blocks that are in the main text, their headings, and the tables between them."""
        found = {index for index, block in enumerate(blocks) if self._has(block)}
        if not found:
            return []
        kept = found | {index for index in range(min(found), max(found)) if blocks[index].kind is BlockKind.TABLE}
        for index in reversed(range(len(blocks) - 1)):
            if blocks[index].kind is BlockKind.HEADING and index + 1 in kept:
                kept.add(index)
        return [blocks[index] for index in sorted(kept)]

    def _has(self, block: Block) -> bool:
        pieces = list(_pieces(block))
        return bool(pieces) and all(map(self._has_piece, pieces))

    def _has_piece(self, piece: _Words) -> bool:
        parts = list(_parts(piece))
        if piece in self._wholes or not parts:
            return piece in self._wholes
        return sum(part in self._parts for part in parts) >= _MIN_SHARE * len(parts)


def _pieces(block: Block) -> Iterator[_Words]:
    """The words of each line, of each cell of a row, and of a term and its description."""
    text = _MARK.sub("", block.text, count=1) if block.kind is BlockKind.LIST_ITEM else block.text
    for piece in _EDGE.split(text):
        if words := tuple(_WORD.findall(piece)):
            yield words


def _parts(words: _Words) -> Iterator[_Words]:
    return (words[start : start + _WORDS_AT_A_TIME] for start in range(len(words) - _WORDS_AT_A_TIME + 1))
