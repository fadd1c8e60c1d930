"""Convert offsets, which count code points, to the units of other programs."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: a line and a column, both counted from 0."""

    line: int
    column: int


class Lines:
    """The lines of a text: converts offsets to positions and back. A line ends at ``\\n``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = _starts(text)

    def position(self, offset: int) -> Position:
        """The position of an offset, with columns in code points."""
        line = bisect_right(self._starts, offset) - 1
        return Position(line, offset - self._starts[line])

    def utf16_position(self, offset: int) -> Position:
        """The position of an offset, with columns in UTF-16 units, as editors count."""
        found = self.position(offset)
        start = self._starts[found.line]
        return Position(found.line, utf16_length(self.text[start:offset]))

    def offset_of_utf16(self, position: Position) -> int:
        """The offset of an editor's position; a column beyond the end of a line is that end."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        end = self._starts[position.line + 1] - 1 if position.line + 1 < len(self._starts) else len(self.text)
        units = 0
        for offset in range(start, end):
            if units >= position.column:
                return offset
            units += utf16_length(self.text[offset])
        return end


def _starts(text: str) -> list[int]:
    return [0, *(offset + 1 for offset, character in enumerate(text) if character == "\n")]


def utf16_length(text: str) -> int:
    """The number of UTF-16 units of a text: two for a character beyond the basic plane."""
    return len(text) + sum(character > "\uffff" for character in text)


class Utf16Offsets:
    """Offsets of one text in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._wide = [offset for offset, character in enumerate(text) if character > "\uffff"]

    def of(self, offset: int) -> int:
        return offset + bisect_right(self._wide, offset - 1)
