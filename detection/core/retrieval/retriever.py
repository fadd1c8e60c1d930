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
        """The claim for a search engine, with the topic where it does not name it."""
        if self.topic is None or self.topic.casefold() in self.claim.casefold():
            return self.claim
        return f"{self.claim} {self.topic}"


@dataclass(frozen=True, slots=True)
class RetrievedDocument:
    """A document that was found for a query, or a passage of one.

    ``url`` is "" for a source of the user: ``source`` is its id then, and ``start`` where in it the text begins.
    """

    title: str
    url: str
    text: str
    source: str | None = None
    start: int = 0


@dataclass(frozen=True, slots=True)
class SkippedPage:
    """A page that was found and could not be had. It is no evidence of anything. ``reason`` is for the reader."""

    title: str
    url: str
    reason: str


Retrieved = RetrievedDocument | SkippedPage


class Retriever(Protocol):
    """Finds documents about a claim. ``name`` is that in the registry."""

    name: ClassVar[str]

    def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        """What is found, the best first, each once. A document is fetched when it is asked for, not before.

        Raises:
            SearchFailed: nothing can be found, because the search itself failed.
        """
        ...
