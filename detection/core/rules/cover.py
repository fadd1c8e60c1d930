"""Track the taken characters of a text, for readings that must not overlap."""

from __future__ import annotations

from detection.core.types import Span


class Cover:
    """The taken characters of a text of ``length`` code points. Each call takes time linear in the span."""

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length)

    def take(self, span: Span) -> bool:
        """Take the characters of the span; if one is already taken, take none and return False."""
        if any(self._taken[span.start : span.end]):
            return False
        self._taken[span.start : span.end] = b"\x01" * len(span)
        return True
