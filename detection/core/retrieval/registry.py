"""The registry: every retriever by its name, in the order of the form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..sources.library import SourceLibrary
from . import brave, tavily, wikipedia
from .brave import BraveRetriever
from .library_retriever import LibraryRetriever
from .pages import PageReader
from .retriever import Retriever
from .search_api import SearchApi
from .searxng import SearxngRetriever
from .tavily import TavilyRetriever
from .wikipedia import WikipediaRetriever


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Addresses and keys of the search services. A service without its address or key is not set up."""

    language: str = "en"
    wikipedia_url: str = wikipedia.api_url("en")
    searxng_url: str = ""
    brave_key: str = ""
    brave_url: str = brave.URL
    tavily_key: str = ""
    tavily_url: str = tavily.URL


@dataclass(frozen=True, slots=True)
class SearchTools:
    """Dependencies of retrievers; each uses what it needs."""

    library: SourceLibrary
    api: SearchApi
    pages: PageReader
    settings: SearchSettings


@dataclass(frozen=True, slots=True)
class Registered:
    """A retriever that users can choose. ``is_remote``: claims are sent to the service at ``url``.

    ``with_key`` inserts the user's own key into the settings; None if the service has no keys.
    """

    make: Callable[[SearchTools], Retriever]
    is_set_up: Callable[[SearchSettings], bool] = lambda settings: True
    is_remote: bool = True
    url: Callable[[SearchSettings], str] = lambda settings: ""
    with_key: Callable[[SearchSettings, str], SearchSettings] | None = None


RETRIEVERS: dict[str, Registered] = {
    LibraryRetriever.name: Registered(lambda tools: LibraryRetriever(tools.library), is_remote=False),
    WikipediaRetriever.name: Registered(
        lambda tools: WikipediaRetriever(tools.api, tools.pages, url=tools.settings.wikipedia_url),
        url=lambda settings: settings.wikipedia_url,
    ),
    SearxngRetriever.name: Registered(
        lambda tools: SearxngRetriever(
            tools.api, tools.pages, url=tools.settings.searxng_url, language=tools.settings.language
        ),
        lambda settings: bool(settings.searxng_url),
        url=lambda settings: settings.searxng_url,
    ),
    BraveRetriever.name: Registered(
        lambda tools: BraveRetriever(
            tools.api,
            tools.pages,
            key=tools.settings.brave_key,
            language=tools.settings.language,
            url=tools.settings.brave_url,
        ),
        lambda settings: bool(settings.brave_key),
        url=lambda settings: settings.brave_url,
        with_key=lambda settings, key: replace(settings, brave_key=key),
    ),
    TavilyRetriever.name: Registered(
        lambda tools: TavilyRetriever(
            tools.api, tools.pages, key=tools.settings.tavily_key, url=tools.settings.tavily_url
        ),
        lambda settings: bool(settings.tavily_key),
        url=lambda settings: settings.tavily_url,
        with_key=lambda settings, key: replace(settings, tavily_key=key),
    ),
}
