"""Find a model's quotes in the sources, exactly or with small copying errors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from ..types import SourceText, Span

#: Minimum similarity (0 to 100) of a copy with errors.
LEAST_LIKENESS = 85
#: Shorter quotes must be exact: a few words have similar matches everywhere.
MIN_FUZZY_WORDS = 4
#: Longer quotes must be exact: a search with errors would take seconds.
MAX_FUZZY_CHARACTERS = 1_000

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\.\.\.|…)\s*")
_NUMBER = re.compile(r"\d+")
_SPELLINGS = str.maketrans(
    {**dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‘’‚‛`´", "'"), **dict.fromkeys("‐‑‒–—−", "-"), "\u00ad": None}
)
_OUTSIDE = " \"'.,;:()[]"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a source that a model quoted. ``likeness`` of the copy is from 0 to 1 (exact)."""

    source: SourceText
    span: Span
    likeness: float

    @property
    def text(self) -> str:
        return self.span.of(self.source.text)


class QuoteFinder:
    """Finds quotes in the sources, ignoring white space, case and the shape of quote marks and dashes."""

    def __init__(self, sources: Iterable[SourceText]) -> None:
        self._sources = [_FoldedSource(source) for source in sources]

    def find(self, quote: str) -> tuple[Quote, ...] | None:
        """Find a quote; one that has ellipses gives one result for each part.

        None if a part is not found, or if the quote has no words.
        """
        parts = [part for part in _ELLIPSIS.split(quote) if any(map(str.isalnum, part))]
        found = [self._find(_fold(part)[0].strip(_OUTSIDE)) for part in parts]
        places = tuple(place for place in found if place is not None)
        return places if places and len(places) == len(parts) else None

    def _find(self, folded: str) -> Quote | None:
        for source in self._sources:
            span = source.exact(folded)
            if span is not None:
                return Quote(source.source, span, 1.0)
        if len(folded.split()) < MIN_FUZZY_WORDS or len(folded) > MAX_FUZZY_CHARACTERS:
            return None
        similar = [quote for source in self._sources if (quote := source.similar(folded)) is not None]
        return max(similar, key=lambda quote: quote.likeness, default=None)


def find_words(words: str, text: str) -> Span | None:
    """The first span of ``words`` in ``text``; None if they do not occur or are empty."""
    folded, places = _fold(text)
    return _unfolded(_find_whole_words(_fold(words)[0].strip(_OUTSIDE), folded), places)


class _FoldedSource:
    def __init__(self, source: SourceText) -> None:
        self.source = source

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return _fold(self.source.text)

    def exact(self, words: str) -> Span | None:
        text, places = self._folded
        return _unfolded(_find_whole_words(words, text), places)

    def similar(self, words: str) -> Quote | None:
        """The part that is most similar to ``words``. A different number is not a copying error."""
        text, places = self._folded
        if len(words) > len(text):
            return None
        best = fuzz.partial_ratio_alignment(words, text, score_cutoff=LEAST_LIKENESS)
        if best is None:
            return None
        whole = _to_whole_words(text, Span(best.dest_start, best.dest_end))
        if set(_NUMBER.findall(words)) - set(_NUMBER.findall(whole.of(text))):
            return None
        span = _unfolded(whole, places)
        return Quote(self.source, span, best.score / 100) if span else None


def _fold(text: str) -> tuple[str, list[int]]:
    """The normalised text, and the original position of each of its characters."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for simple in unicodedata.normalize("NFKC", character).casefold().translate(_SPELLINGS):
            if simple.isspace():
                if characters and characters[-1] == " ":
                    continue
                simple = " "
            characters.append(simple)
            places.append(place)
    return "".join(characters), places


def _find_whole_words(words: str, text: str) -> Span | None:
    if not any(map(str.isalnum, words)):
        return None
    start = text.find(words)
    while start >= 0:
        span = Span(start, start + len(words))
        if _to_whole_words(text, span) == span:
            return span
        start = text.find(words, start + 1)
    return None


def _to_whole_words(text: str, span: Span) -> Span:
    """The span without outer space, extended to whole words."""
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while 0 < start < end and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while start < end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return Span(start, end)


def _unfolded(span: Span | None, places: Sequence[int]) -> Span | None:
    """A span of the folded text as a span of the original text."""
    return Span(places[span.start], places[span.end - 1] + 1) if span else None
