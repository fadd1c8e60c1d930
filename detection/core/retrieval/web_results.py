"""Turn the results of a web search into documents, fetching one page at a time on request."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import PageRefused, PageUnreachable, UnreadableDocument
from .duplicates import Seen
from .pages import PageReader
from .retriever import Query, Retrieved, RetrievedDocument, SkippedPage

#: Limits of all services: 400 characters and 50 words.
MAX_QUERY_CHARACTERS = 400
MAX_QUERY_WORDS = 50
_WORD = re.compile(r"\w+(?:[.,’'-]\w+)*")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page that a search found. ``text`` is its main text, if the service returns it."""

    title: str
    url: str
    text: str = ""


def search_words(query: Query) -> str:
    """The words of the query, without characters that are operators of a search service."""
    words = " ".join(_WORD.findall(query.words)[:MAX_QUERY_WORDS])
    return words if len(words) <= MAX_QUERY_CHARACTERS else words[:MAX_QUERY_CHARACTERS].rpartition(" ")[0]


def objects_in(answer: object, *path: str) -> list[Mapping[str, Any]]:
    """The objects of the list at ``path`` in an answer; none if there is no such list."""
    for name in path:
        answer = answer.get(name) if isinstance(answer, dict) else None
    return [item for item in answer if isinstance(item, dict)] if isinstance(answer, list) else []


def results_in(items: Iterable[Mapping[str, Any]], *, text: str = "") -> Iterator[SearchResult]:
    """The results of a service with the usual field names; ``text`` is its field for the main text."""
    for item in items:
        url = item.get("url")
        if isinstance(url, str) and url.startswith(("http://", "https://")):
            yield SearchResult(_string(item.get("title")), url, _string(item.get(text)))


async def documents_of(results: Iterable[SearchResult], pages: PageReader) -> AsyncGenerator[Retrieved]:
    """The pages of the results in order, without duplicates."""
    seen = Seen()
    for result in results:
        if not seen.is_new_url(result.url):
            continue
        try:
            page = await pages.read(result.url, text=result.text, title=result.title)
        except (PageRefused, PageUnreachable, UnreadableDocument) as fault:
            yield SkippedPage(result.title or result.url, result.url, str(fault))
            continue
        seen.is_new_url(page.url)
        if seen.is_new_text(page.text):
            yield RetrievedDocument(page.title or result.title or page.url, page.url, page.text)


def _string(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
