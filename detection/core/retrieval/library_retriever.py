"""Retrieve passages of the user's own sources by the words of a claim (BM25)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import ClassVar

from ..documents.places import locate
from ..sources.library import Passage, SourceLibrary
from .duplicates import Seen
from .retriever import Query, Retrieved, RetrievedDocument


class LibraryRetriever:
    """Searches the sources of a check. A passage is a document, unless it overlaps an earlier one."""

    name: ClassVar[str] = "library"

    def __init__(self, library: SourceLibrary) -> None:
        self._library = library

    async def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        seen, given = Seen(), list[Passage]()
        for passage in self._library.ranked_passages(query.claim, query.topic or ""):
            if not any(_overlap(passage, other) for other in given) and seen.is_new_text(passage.text):
                given.append(passage)
                yield _document(passage)


def _overlap(one: Passage, other: Passage) -> bool:
    return one.source.id == other.source.id and one.span.overlaps(other.span)


def _document(passage: Passage) -> RetrievedDocument:
    place = str(locate(passage.source.places, passage.span))
    title = f"{passage.source.name}, {place}" if place else passage.source.name
    return RetrievedDocument(title, "", passage.text, source=passage.source.id, start=passage.span.start)
