"""Split a stream of text into sentences, each as soon as its end is certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..language.segment import cut
from ..llm.probabilities import TokenProbability, TokenTrack
from ..plain_text import normalise_line_ends, remove_unprintable
from ..types import BlockKind, Span, Stretch

#: So many characters behind a sentence are looked at before it counts as whole: as far as the rules of segmentation do.
VIEW = 60

#: A block that is longer than this is cut again only when it has grown so much: cut with each of many small pieces, it
#: would take as long as the square of them.
_LONG_BLOCK = 2_000
_GROWTH = 1.02

#: So many characters tell whether a text begins with the marker of a block.
_ENOUGH_TO_TELL = 8
_BEGINS_BLOCK = re.compile(r"[ \t]*(?:\n|#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s|\||>|`{3}|~{3})")
_OPENING_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*\n\s*\Z", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"\s*\n[ \t]*(?:`{3,}|~{3,})[ \t]*(?=\n|\Z)")


@dataclass(frozen=True, slots=True)
class WholeStretch:
    """A part of the text that is written to its end: one sentence, or several where a boundary is in doubt.

    ``lead`` stands before it and belongs to no sentence. ``probabilities`` has one for each character of ``text``, that
    of the least probable token of those that wrote it; None where they are not told. A code block has its fences.
    """

    lead: str
    text: str
    kind: BlockKind
    probabilities: tuple[float, ...] | None
    places: tuple[int, ...] = ()
    """Where in ``text`` another sentence may begin."""


class SentenceStream:
    """Takes pieces of a text, and gives what has become whole."""

    def __init__(self, line: str = "") -> None:
        """``line`` is the unfinished line of prose that the text goes on with, "" where it begins one of its own."""
        self._line = line
        self._pending = ""
        """The first few characters, until it is clear whether they go on with that line."""
        self._text = ""
        self._before = 0
        """How many characters of the text are that line, and were written by nobody here."""
        self._written = ""
        self._track = TokenTrack()
        self._given = 0
        """So far the text has been given."""
        self._looked_at = 0
        """How much of the last block there was when it was last cut."""
        self._base = 0
        """So far its blocks are finished: they are not cut again."""

    def add(self, piece: str, tokens: Iterable[TokenProbability] = ()) -> Iterator[WholeStretch]:
        """What is whole with one more piece."""
        self._track.add(tokens)
        self._take_in(piece, is_end=False)
        block = len(self._text) - self._base
        if block < _LONG_BLOCK or block >= _GROWTH * self._looked_at:
            yield from self._whole(is_end=False)
            self._looked_at = len(self._text) - self._base

    def end(self) -> Iterator[WholeStretch]:
        """What is left when no more comes."""
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
        # More text may show that a line went on with a sentence that was given.
        start = max(whole.start, self._given)
        while start < whole.end - 1 and self._text[start].isspace():
            start += 1  # the space behind an unfinished line that a sentence goes on with
        span = Span(start, whole.end)
        if stretch.block_kind is BlockKind.CODE:
            span = self._with_fences(span)
        lead = self._text[self._given : span.start]
        written = span.of(self._text)
        self._given = span.end
        # What has to be cleaned is no longer what the tokens make.
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
