"""Split a stream of text into sentences, each as soon as its end is certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..language.segment import cut
from ..llm.probabilities import TokenProbability, TokenTrack
from ..plain_text import normalise_line_ends, remove_unprintable
from ..types import BlockKind, Span, Stretch

#: A sentence counts as complete once this many characters follow it: the lookahead of the segmentation rules.
VIEW = 60

#: A block longer than this is segmented again only after it has grown by this length: segmenting it for every small
#: piece would take quadratic time.
_LONG_BLOCK = 2_000
_GROWTH = 1.02

#: Characters that suffice to recognise the marker of a block.
_ENOUGH_TO_TELL = 8
_BEGINS_BLOCK = re.compile(r"[ \t]*(?:\n|#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>|`{3}|~{3})")
_OPENING_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*\n\s*\Z", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"\s*\n[ \t]*(?:`{3,}|~{3,})[ \t]*(?=\n|\Z)")


@dataclass(frozen=True, slots=True)
class WholeStretch:
    """A complete part of the text: one sentence, or several if a boundary is in doubt.

    ``lead`` is the text before it that belongs to no sentence. ``probabilities`` has one value for each character of
    ``text``, that of its least probable token; None if unknown. A code block has its fences.
    """

    lead: str
    text: str
    kind: BlockKind
    probabilities: tuple[float, ...] | None
    places: tuple[int, ...] = ()
    """Positions in ``text`` where another sentence may begin."""


class SentenceStream:
    """Receives pieces of a text and returns the completed stretches."""

    def __init__(self, line: str = "") -> None:
        """``line`` is the unfinished line of prose that the text continues, or "" if it begins a new line."""
        self._line = line
        self._pending = ""
        """The first few characters, until it is clear whether they continue that line."""
        self._text = ""
        self._before = 0
        """Number of characters of that line, which are not part of the stream."""
        self._written = ""
        self._track = TokenTrack()
        self._given = 0
        """The text up to here has been returned."""
        self._looked_at = 0
        """The length of the last block when it was last segmented."""
        self._base = 0
        """The blocks up to here are finished and not segmented again."""

    def add(self, piece: str, tokens: Iterable[TokenProbability] = ()) -> Iterator[WholeStretch]:
        """Add a piece, and return the newly completed stretches."""
        self._track.add(tokens)
        self._take_in(piece, is_end=False)
        block = len(self._text) - self._base
        if block < _LONG_BLOCK or block >= _GROWTH * self._looked_at:
            yield from self._whole(is_end=False)
            self._looked_at = len(self._text) - self._base

    def end(self) -> Iterator[WholeStretch]:
        """The remaining stretches at the end of the stream."""
        self._take_in("", is_end=True)
        yield from self._whole(is_end=True)

    def _take_in(self, piece: str, *, is_end: bool) -> None:
        self._written += piece
        self._pending += piece
        if not self._text and self._line and not is_end and len(self._pending) < _ENOUGH_TO_TELL:
            return
        if not self._text and self._line and not _BEGINS_BLOCK.match(self._pending):
            self._text = self._line
            self._given = len(self._line)
            own = self._pending.lstrip()
            self._before = len(self._line) + 1 - (len(self._pending) - len(own))
            self._pending = f" {own}"
        self._text += self._pending
        self._pending = ""

    def _whole(self, *, is_end: bool) -> Iterator[WholeStretch]:
        base = self._base
        stretches = cut(self._text[base:])
        for position, stretch in enumerate(stretches):
            following = stretches[position + 1] if position + 1 < len(stretches) else None
            if not is_end and (following is None or len(self._text) - base - following.span.start < VIEW):
                return
            if base + stretch.span.end > self._given:
                yield self._give(stretch, base)
            if following is not None and following.block != stretch.block:
                self._base = self._given

    def _give(self, stretch: Stretch, base: int) -> WholeStretch:
        whole = stretch.span.shifted(base)
        # More text may show that a returned sentence continues in this line.
        start = max(whole.start, self._given)
        while start < whole.end - 1 and self._text[start].isspace():
            start += 1  # the space after an unfinished line that a sentence continues
        span = Span(start, whole.end)
        if stretch.block_kind is BlockKind.CODE:
            span = self._with_fences(span)
        lead = self._text[self._given : span.start]
        written = span.of(self._text)
        self._given = span.end
        # Cleaned text no longer matches the tokens.
        cleaned = _clean(written)
        is_clean = cleaned == written
        probabilities = self._track.probabilities(self._written, span.shifted(-self._before)) if is_clean else None
        places = stretch.places if cleaned == stretch.text else ()
        return WholeStretch(_clean(lead), cleaned, stretch.block_kind, probabilities, places)

    def _with_fences(self, code: Span) -> Span:
        opening = _OPENING_FENCE.search(self._text[self._given : code.start])
        closing = _CLOSING_FENCE.match(self._text, code.end)
        start = self._given + opening.start() if opening else code.start
        return Span(start, closing.end() if closing else code.end)


def _clean(text: str) -> str:
    return remove_unprintable(normalise_line_ends(text))
