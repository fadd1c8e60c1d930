"""Retrievers whose services and pages are on a web site of this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import date

from detection.core.documents.types import DocumentLimits
from detection.core.evidence.sequential import Histograms
from detection.core.retrieval.fetcher import Fetcher
from detection.core.retrieval.pace import HostPace
from detection.core.retrieval.page_cache import MemoryPageCache
from detection.core.retrieval.pages import PageReader
from detection.core.retrieval.registry import RETRIEVERS, SearchSettings, SearchTools
from detection.core.retrieval.retriever import Query, Retrieved, Retriever
from detection.core.retrieval.search_api import SearchApi
from detection.core.retrieval.types import FetchLimits
from detection.core.sources.library import SourceLibrary
from tests.fakes import search_services
from tests.fakes.page_server import Page, PageServer, Site

AGENT = "ChatProtect-Web/test (contact@example.org)"
QUERY = Query("The bridge at Sorrel was opened in 1911.", topic="Sorrel Bridge")

#: Of a model that is seldom in doubt: one document that is clear settles a claim.
CLEAR_HISTOGRAMS = Histograms(
    factual=(0.01, 0.01, 0.02, 0.13, 0.13, 0.14, 0.14, 0.14, 0.14, 0.14),
    hallucinated=(0.4, 0.3, 0.21, 0.01, 0.01, 0.01, 0.015, 0.015, 0.015, 0.015),
)


def article(*sentences: str, title: str = "The bridge") -> Page:
    """A page with a menu, a footer and enough text to be one."""
    filler = (
        "The bridge was planned for many years, and most of the people who lived on the northern bank of the river "
        "wanted it. It has two lanes and a path for those who walk, and it was painted green by the town."
    )
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in (*sentences, filler))
    body = f"<nav>Home News Contact</nav><article><h1>{title}</h1>{paragraphs}</article><footer>Imprint</footer>"
    return Page(f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>".encode())


@asynccontextmanager
async def searching(
    site: PageServer,
    name: str,
    paths: Sequence[str] = (),
    *,
    answer: Site | None = None,
    key: str = search_services.KEY,
    cache: MemoryPageCache | None = None,
    day: date = date(2026, 5, 4),
    seconds: float = 5.0,
    page_seconds: float = 1.0,
    interval_s: float = 0.0,
) -> AsyncIterator[Retriever]:
    """A retriever of the registry, whose service finds the pages of the site at ``paths``.

    The service has ``seconds`` for its answer, and the site ``page_seconds`` for a page.
    """
    urls = [site.url(path) for path in paths]
    site.pages["/search"] = answer or search_services.searxng(urls)
    site.pages["/brave"] = answer or search_services.brave(urls)
    site.pages["/tavily"] = answer or search_services.tavily(urls)
    site.pages["/api.php"] = answer or search_services.wikipedia(site.url(""), {}, {})
    settings = SearchSettings(
        wikipedia_url=site.url("/api.php"),
        searxng_url=site.url(),
        brave_key=key,
        brave_url=site.url("/brave"),
        tavily_key=key,
        tavily_url=site.url("/tavily"),
    )
    async with AsyncExitStack() as stack:
        limits = FetchLimits(seconds=page_seconds, body_bytes=10_000_000)
        fetcher = await stack.enter_async_context(
            Fetcher(allowed_hosts={site.host, f"localhost:{site.port}"}, limits=limits, user_agent=AGENT)
        )
        api = await stack.enter_async_context(SearchApi(HostPace(0.0), user_agent=AGENT, seconds=seconds))
        pages = PageReader(
            fetcher, cache or MemoryPageCache(), HostPace(interval_s), DocumentLimits(), today=lambda: day
        )
        yield RETRIEVERS[name].make(SearchTools(SourceLibrary([], None), api, pages, settings))  # type: ignore[arg-type]


async def all_of(retriever: Retriever, query: Query = QUERY) -> list[Retrieved]:
    return [retrieved async for retrieved in retriever.retrieve(query)]
