"""Which characters of a text are taken already, for readings that must not overlap."""

from __future__ import annotations

from detection.core.types import Span


class Cover:
    """The taken characters of a text of ``length`` code points. Each question costs no more than the span is long."""

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length)

    def take(self, span: Span) -> bool:
        """Take the characters of the span; False, and nothing taken, when one of them is taken already."""
        if any(self._taken[span.start : span.end]):
            return False
        self._taken[span.start : span.end] = b"\x01" * len(span)
        return True
