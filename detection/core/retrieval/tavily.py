"""Search pages with the Tavily API, which returns the text of most of them with the results."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import ClassVar

from .pages import PageReader
from .retriever import Query, Retrieved
from .search_api import SearchApi
from .web_results import documents_of, objects_in, results_in, search_words

URL = "https://api.tavily.com/search"
_SERVICE = "Tavily"
_MAX_RESULTS = 20


class TavilyRetriever:
    """Gets pages with their text from Tavily, and reads those without text."""

    name: ClassVar[str] = "tavily"

    def __init__(self, api: SearchApi, pages: PageReader, *, key: str, url: str = URL) -> None:
        self._api = api
        self._pages = pages
        self._key = key
        self._url = url

    async def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        answer = await self._api.post(
            _SERVICE,
            self._url,
            {
                "query": search_words(query),
                "max_results": _MAX_RESULTS,
                "search_depth": "basic",
                "include_raw_content": "text",
            },
            {"Authorization": f"Bearer {self._key}"},
        )
        results = results_in(objects_in(answer, "results"), text="raw_content")
        async for retrieved in documents_of(results, self._pages):
            yield retrieved
