"""The premise: the whole sources if they fit, else the passages nearest to the hypotheses."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..sources.library import Passage, SourceLibrary
from ..types import ReadShare, SourceText, Span

#: Number of passages of long sources that are read for each hypothesis.
PASSAGES_PER_HYPOTHESIS = 10
#: Number of further passages that are read before a hypothesis counts as not stated.
FURTHER_PASSAGES = 20

_CHARACTERS_PER_TOKEN = 4
_GAP = "\n[…]\n"


@dataclass(frozen=True, slots=True)
class Premise:
    """The part of the sources that a model reads. ``text`` names each source."""

    text: str
    read: ReadShare
    passages: frozenset[Passage]

    @property
    def is_whole(self) -> bool:
        """Whether it has the whole sources."""
        return self.read.read == self.read.total


class PremiseReader:
    """Selects passages of the sources within ``tokens`` (counted as four characters each)."""

    def __init__(self, library: SourceLibrary, tokens: int) -> None:
        self._library = library
        self._characters = tokens * _CHARACTERS_PER_TOKEN
        self.sources = tuple({passage.source.id: passage.source for passage in library.passages}.values())
        self._total = len(library.passages)
        self._whole = self._read_all() if sum(len(source.text) for source in self.sources) <= self._characters else None

    def premise_for(self, texts: Sequence[str]) -> Premise:
        """All sources, or the best passages of each text in turn, until the token limit is reached.

        The best passage for each text is read even beyond the limit.
        """
        if self._whole is not None:
            return self._whole
        rankings = [self._library.best_passages(text, PASSAGES_PER_HYPOTHESIS) for text in texts]
        must_read = {ranking[0] for ranking in rankings}
        by_turns = (passage for turn in zip_longest(*rankings) for passage in turn if passage is not None)
        return self._read(must_read, by_turns)

    def further_premise(self, text: str, known: Premise) -> Premise | None:
        """The next passages for one text that are not in ``known``; None if none are left."""
        ranking = self._library.best_passages(text, len(known.passages) + FURTHER_PASSAGES)
        unread = [passage for passage in ranking if passage not in known.passages][:FURTHER_PASSAGES]
        return self._read({unread[0]}, unread) if unread else None

    def nearest(self, text: str) -> Passage:
        """The passage that shares most words with ``text``."""
        return self._library.best_passages(text, 1)[0]

    def _read(self, must_read: set[Passage], wanted: Iterable[Passage]) -> Premise:
        chosen = set(must_read)
        room = self._characters - sum(len(passage.span) for passage in chosen)
        for passage in wanted:
            if passage not in chosen and len(passage.span) <= room:
                chosen.add(passage)
                room -= len(passage.span)
        parts = {source: list(_joined(p.span for p in chosen if p.source.id == source.id)) for source in self.sources}
        return Premise(_rendered(parts), ReadShare(len(chosen), self._total), frozenset(chosen))

    def _read_all(self) -> Premise:
        parts = {source: [Span(0, len(source.text))] for source in self.sources}
        return Premise(_rendered(parts), ReadShare(self._total, self._total), frozenset(self._library.passages))


def boundary_of(premise: str, *others: str) -> str:
    """A word that delimits data in a prompt and occurs in none of these texts.

    It is derived from the premise, so that equal inputs give equal prompts and no source can contain its own boundary.
    """
    texts = [text.casefold() for text in (premise, *others)]
    attempt = 0
    while True:
        boundary = hashlib.sha256(f"{attempt} {premise}".encode()).hexdigest()[:16]
        if not any(boundary in text for text in texts):
            return boundary
        attempt += 1


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans in order; overlapping and touching ones are merged."""
    current: Span | None = None
    for span in sorted(spans):
        if current is not None and span.start <= current.end:
            current = Span(current.start, max(current.end, span.end))
            continue
        if current is not None:
            yield current
        current = span
    if current is not None:
        yield current


def _rendered(parts: dict[SourceText, list[Span]]) -> str:
    """The parts of each source in the order of the document, with a mark for each gap."""
    return "\n\n".join(
        f"Source {number} ({' '.join(source.name.split())}):\n{_GAP.join(span.of(source.text) for span in spans)}"
        for number, (source, spans) in enumerate(parts.items(), 1)
        if spans
    )
