"""Search pages with a SearXNG server, which queries other search engines."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import ClassVar

from ..errors import SearchFailed
from .pages import PageReader
from .retriever import Query, Retrieved
from .search_api import SearchApi
from .web_results import documents_of, objects_in, results_in, search_words

_SERVICE = "SearXNG"


class SearxngRetriever:
    """Gets addresses from the server at ``url`` and reads the pages. The server must allow the JSON format."""

    name: ClassVar[str] = "searxng"

    def __init__(self, api: SearchApi, pages: PageReader, *, url: str, language: str = "en") -> None:
        self._api = api
        self._pages = pages
        self._url = f"{url.rstrip('/')}/search"
        self._language = language

    async def retrieve(self, query: Query) -> AsyncGenerator[Retrieved]:
        answer = await self._api.get(
            _SERVICE,
            self._url,
            {"q": search_words(query), "format": "json", "language": self._language, "categories": "general"},
        )
        results = list(results_in(objects_in(answer, "results")))
        if not results and isinstance(answer, dict) and answer.get("unresponsive_engines"):
            raise SearchFailed("The engines that SearXNG asks gave no answer. Try again later.")
        async for retrieved in documents_of(results, self._pages):
            yield retrieved
