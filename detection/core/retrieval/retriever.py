"""Queries, retrieved documents, and the protocol of retrievers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import ClassVar, Protocol


@dataclass(frozen=True, slots=True)
class Query:
    """A claim to find evidence about; ``topic`` is the topic of its text, if known."""

    claim: str
    topic: str | None = None

    @property
    def words(self) -> str:
        """The claim for a search engine, with the topic if the claim does not name it."""
        if self.topic is None or self.topic.casefold() in self.claim.casefold():
            return self.claim
        return f"{self.claim} {self.topic}"


@dataclass(frozen=True, slots=True)
class RetrievedDocument:
    """A document that was found for a query, or a passage of one.

    For a source of the user, ``url`` is "", ``source`` is its id, and ``start`` is the position of the text in it.
    """

    title: str
    url: str
    text: str
    source: str | None = None
    start: int = 0


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A found page that could not be read and is not evidence. ``reason`` is for the reader."""

    title: str
    url: str
    reason: str


Retrieved = RetrievedDocument | SkippedPage


class Retriever(Protocol):
    """Finds documents about a claim. ``name`` is that in the registry."""

    name: ClassVar[str]

    def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        """The found documents, best first, each once. Each is fetched only when it is requested.

        Raises:
            SearchFailed: the search itself failed.
        """
        ...
