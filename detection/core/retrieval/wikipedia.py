"""Search articles of a Wikipedia by its API, and get their plain text one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar

from ..errors import PageRefused, PageUnreachable, SearchFailed, UnreadableDocument
from .pages import PageReader
from .retriever import Query, Retrieved, RetrievedDocument, SkippedPage
from .search_api import SearchApi
from .web_results import objects_in, search_words

_SERVICE = "Wikipedia"
_MAX_RESULTS = 10
#: Number of articles about the topic of the text that come first: a wrong claim may lead to other articles.
_ABOUT_TOPIC = 3


def api_url(language: str) -> str:
    """The API of an edition."""
    return f"https://{language}.wikipedia.org/w/api.php"


class WikipediaRetriever:
    """Retrieves articles about the topic of the text and articles that match the claim."""

    name: ClassVar[str] = "wikipedia"

    def __init__(self, api: SearchApi, pages: PageReader, *, url: str) -> None:
        self._api = api
        self._pages = pages
        self._url = url

    async def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        for title in await self._titles(query):
            article = await self._article(title)
            if article is None:
                continue
            url = str(article["canonicalurl"])
            try:
                page = await self._pages.read(url, text=str(article.get("extract") or ""), title=title)
            except (PageRefused, PageUnreachable, UnreadableDocument) as fault:
                yield SkippedPage(title, url, str(fault))
                continue
            yield RetrievedDocument(title, page.url, page.text)

    async def _titles(self, query: Query) -> list[str]:
        """The titles of articles, each once: first some about the topic, then matches of the claim, then the others."""
        by_claim = self._search(search_words(Query(query.claim)))
        if query.topic is None:
            return await by_claim
        about, fitting = await asyncio.gather(self._search(search_words(Query(query.topic))), by_claim)
        return list(dict.fromkeys([*about[:_ABOUT_TOPIC], *fitting, *about]))

    async def _search(self, words: str) -> list[str]:
        found = await self._query({"list": "search", "srsearch": words, "srlimit": str(_MAX_RESULTS), "srprop": ""})
        return [str(item["title"]) for item in objects_in(found, "query", "search") if item.get("title")]

    async def _article(self, title: str) -> Mapping[str, Any] | None:
        """The article from the API; None if it is missing or a disambiguation page."""
        found = await self._query(
            {
                "titles": title,
                "redirects": "1",
                "prop": "extracts|info|pageprops",
                "explaintext": "1",  # one page per request: the API returns no more full texts
                "exsectionformat": "plain",
                "inprop": "url",
                "ppprop": "disambiguation",
            }
        )
        for page in objects_in(found, "query", "pages"):
            if page.get("canonicalurl") and "missing" not in page and not page.get("pageprops"):
                return page
        return None

    async def _query(self, parameters: Mapping[str, str]) -> Any:
        common = {"action": "query", "format": "json", "formatversion": "2"}
        answer = await self._api.get(_SERVICE, self._url, {**common, **parameters})
        if isinstance(answer, dict) and "error" in answer:
            raise SearchFailed("Wikipedia does not accept the request. Check the address of its API.")
        return answer
