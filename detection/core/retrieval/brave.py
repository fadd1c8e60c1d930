"""Search pages with the Brave Search API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import ClassVar

from .pages import PageReader
from .retriever import Query, Retrieved
from .search_api import SearchApi
from .web_results import documents_of, objects_in, results_in, search_words

URL = "https://api.search.brave.com/res/v1/web/search"
_SERVICE = "Brave Search"
_MAX_RESULTS = 20


class BraveRetriever:
    """Gets addresses from Brave and reads the pages."""

    name: ClassVar[str] = "brave"

    def __init__(self, api: SearchApi, pages: PageReader, *, key: str, language: str = "en", url: str = URL) -> None:
        self._api = api
        self._pages = pages
        self._key = key
        self._language = language
        self._url = url

    async def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        answer = await self._api.get(
            _SERVICE,
            self._url,
            {
                "q": search_words(query),
                "count": str(_MAX_RESULTS),
                "search_lang": self._language,
                "result_filter": "web",
                "text_decorations": "false",
            },
            {"X-Subscription-Token": self._key},
        )
        async for retrieved in documents_of(results_in(objects_in(answer, "web", "results")), self._pages):
            yield retrieved
