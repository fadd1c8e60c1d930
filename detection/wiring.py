"""Builds the core's ports from the settings. Nothing else in the application reads settings for the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from urllib.parse import urlsplit

from django.conf import settings

from .core.compute import InProcessModels, LocalModels, ModelSettings, ProcessModels
from .core.contradiction import Contradictions
from .core.decomposition.model import ClaimModel
from .core.detectors.base import Ports
from .core.documents.types import DocumentLimits
from .core.errors import EndpointRefused, SearchFailed
from .core.evidence.histograms import load_histograms
from .core.evidence.plan import SearchEffort, SearchPlan
from .core.evidence.sequential import Histograms
from .core.grounding.model import GroundingModel
from .core.library import open_library
from .core.llm.budget import Budget, Spending
from .core.llm.client import AnswerCache, CallListener, Endpoint, ModelClient
from .core.llm.pricing import load_prices
from .core.retrieval import wikipedia
from .core.retrieval.fetcher import Fetcher
from .core.retrieval.pace import HostPace
from .core.retrieval.page_cache import MemoryPageCache
from .core.retrieval.pages import PageReader
from .core.retrieval.registry import RETRIEVERS, SearchSettings, SearchTools
from .core.retrieval.retriever import Retriever
from .core.retrieval.robots import PRODUCT
from .core.retrieval.search_api import SearchApi
from .core.retrieval.types import FetchLimits
from .core.types import Engine, SourceText

#: A call with all its attempts may take so many times the timeout of one.
_DEADLINE_IN_TIMEOUTS = 3

#: What one page of evidence may take; there are others.
_SECONDS_FOR_PAGE = 10.0
_MOST_BYTES_OF_PAGE = 10_000_000
#: Between two questions to one search service, and how long a claim waits for its turn there.
_SECONDS_BETWEEN_SEARCHES = 0.1
_LONGEST_WAIT_FOR_SEARCH_S = 120.0


def model_settings() -> ModelSettings:
    return ModelSettings(
        language=settings.SPACY_MODEL,
        nli=settings.NLI_MODEL,
        threads=settings.COMPUTE_THREADS,
        call_seconds=settings.COMPUTE_SECONDS,
    )


@cache
def local_models() -> ProcessModels:
    """The models of a server or worker process: one child process for all its checks."""
    return ProcessModels(model_settings())


def models_in_this_process() -> InProcessModels:
    """The models for a command, which has no pages to keep fast."""
    return InProcessModels(model_settings())


def histograms() -> Histograms:
    """What documents look like for factual and hallucinated claims, to the NLI model in use.

    Raises:
        ModelUnavailable: none come with the model.
    """
    return load_histograms(settings.NLI_MODEL)


def document_limits() -> DocumentLimits:
    """How much is read of one source."""
    return DocumentLimits(
        file_bytes=settings.MAX_SOURCE_BYTES,
        pages=settings.MAX_SOURCE_PAGES,
        characters=settings.MAX_SOURCE_CHARS,
        seconds=float(settings.SOURCE_SECONDS),
    )


def open_fetcher() -> Fetcher:
    """Fetches web pages, for as long as it is entered."""
    return Fetcher(allowed_hosts=settings.FETCH_ALLOW, limits=FetchLimits(body_bytes=settings.MAX_SOURCE_BYTES))


def search_settings() -> SearchSettings:
    """Which services may be asked for evidence, and as whom."""
    return SearchSettings(
        language=settings.WIKIPEDIA_LANGUAGE,
        wikipedia_url=settings.WIKIPEDIA_URL or wikipedia.api_url(settings.WIKIPEDIA_LANGUAGE),
        searxng_url=settings.SEARXNG_URL,
        brave_key=settings.BRAVE_API_KEY,
        tavily_key=settings.TAVILY_API_KEY,
    )


def retrievers() -> tuple[str, ...]:
    """The names of the retrievers that are set up, in order."""
    known = search_settings()
    return tuple(name for name, registered in RETRIEVERS.items() if registered.is_set_up(known))


def retrievers_wanting_key() -> tuple[str, ...]:
    """The names of the retrievers that anybody can use who has a key for them, in order."""
    known = search_settings()
    return tuple(
        name for name, registered in RETRIEVERS.items() if registered.with_key and not registered.is_set_up(known)
    )


def search_host(retriever: str) -> str:
    """Where the claims are sent that a retriever looks up, for the reader; "" for one that asks nobody."""
    return urlsplit(RETRIEVERS[retriever].url(search_settings())).netloc


def search_plan(effort: SearchEffort) -> SearchPlan:
    return SearchPlan(effort.costs, settings.MAX_DOCUMENTS)


@cache
def _page_cache() -> MemoryPageCache:
    return MemoryPageCache()


@cache
def _pace_of_sites() -> HostPace:
    return HostPace()


@cache
def _pace_of_services() -> HostPace:
    return HostPace(_SECONDS_BETWEEN_SEARCHES, longest_wait_s=_LONGEST_WAIT_FOR_SEARCH_S)


@asynccontextmanager
async def open_retriever(
    name: str, sources: Iterable[SourceText], models: LocalModels, *, key: str = ""
) -> AsyncIterator[Retriever]:
    """The retriever of that name, for one run. ``sources`` are what one that asks nobody else reads in.

    ``key`` is that of the person who wants to search, for one that is not set up without.

    Raises:
        SearchFailed: there is none of that name, or it is not set up.
    """
    known = search_settings()
    with_key = RETRIEVERS[name].with_key if name in RETRIEVERS else None
    if key and with_key and name not in retrievers():
        known = with_key(known, key)
    elif name not in retrievers():
        raise SearchFailed(f"The search {name!r} is not set up here. Choose one of {', '.join(retrievers())}.")
    agent = f"{PRODUCT}/{version('chatprotect-web')} ({settings.CONTACT or 'looks up claims for its users'})"
    limits = FetchLimits(seconds=_SECONDS_FOR_PAGE, body_bytes=min(settings.MAX_SOURCE_BYTES, _MOST_BYTES_OF_PAGE))
    library = await open_library(() if RETRIEVERS[name].is_remote else sources, models)
    async with (
        Fetcher(allowed_hosts=settings.FETCH_ALLOW, limits=limits, user_agent=agent) as fetcher,
        SearchApi(_pace_of_services(), user_agent=agent) as api,
    ):
        reading = replace(document_limits(), seconds=_SECONDS_FOR_PAGE)
        pages = PageReader(fetcher, _page_cache(), _pace_of_sites(), reading)
        yield RETRIEVERS[name].make(SearchTools(library, api, pages, known))


def has_language_model() -> bool:
    return bool(settings.LLM_BASE_URL and settings.GENERATOR_MODEL)


def language_model_host() -> str:
    """Where texts are sent, for the reader; "" when there is no language model."""
    return urlsplit(settings.LLM_BASE_URL).netloc if has_language_model() else ""


def default_engine() -> Engine:
    return Engine(settings.ENGINE)


@asynccontextmanager
async def open_ports(
    engine: Engine,
    models: LocalModels,
    *,
    cache: AnswerCache | None = None,
    listener: CallListener | None = None,
    spent: Spending | None = None,
    api_key: str | None = None,
    retriever: str = "",
    search_key: str = "",
    sources: Iterable[SourceText] = (),
) -> AsyncIterator[Ports]:
    """The ports for one run, with a client of its own where a language model is asked.

    ``retriever`` is the name of what evidence is looked up with; "" for none. ``search_key`` is a key of
    the person's own for it. ``sources`` are those of the check.

    Raises:
        EndpointRefused: the run needs a language model, and none is set up.
        SearchFailed: it needs a search that is not set up.
    """
    ports = Ports(models)
    async with AsyncExitStack() as stack:
        if retriever:
            search = await stack.enter_async_context(open_retriever(retriever, sources, models, key=search_key))
            ports = replace(ports, retriever=search, histograms=histograms())
        if engine is Engine.LLM:
            if not has_language_model():
                raise EndpointRefused(
                    "No language model is set up here any more. Start a new check with the local models."
                )
            client = await stack.enter_async_context(
                open_client(cache=cache, listener=listener, spent=spent, api_key=api_key)
            )
            ports = replace(
                ports,
                contradictions=contradictions(client),
                is_screened=settings.LLM_SCREEN,
                client=client,
                grounding=grounding(client),
                claims=ClaimModel(client, settings.ANALYZER_MODEL),
            )
        yield ports


def open_client(
    *,
    cache: AnswerCache | None = None,
    listener: CallListener | None = None,
    spent: Spending | None = None,
    api_key: str | None = None,
) -> ModelClient:
    """A client of the endpoint in the settings, for one run.

    ``spent`` is what earlier runs of the check have cost; ``api_key`` goes before that of the settings.
    """
    timeout = float(settings.LLM_TIMEOUT)
    return ModelClient(
        Endpoint(
            base_url=settings.LLM_BASE_URL,
            api_key=settings.LLM_API_KEY if api_key is None else api_key,
            attempt_timeout_s=timeout,
            deadline_s=_DEADLINE_IN_TIMEOUTS * timeout,
            max_concurrency=settings.LLM_MAX_CONCURRENCY,
        ),
        budget=Budget(settings.BUDGET_CALLS or None, settings.BUDGET_TOKENS or None, settings.BUDGET_USD),
        prices=load_prices(settings.PRICES),
        cache=cache,
        listener=listener,
        spent=spent,
    )


def contradictions(client: ModelClient) -> Contradictions:
    """The steps of METHODS A with the two models of the settings."""
    return Contradictions(client, generator=settings.GENERATOR_MODEL, analyzer=settings.ANALYZER_MODEL)


def grounding(client: ModelClient) -> GroundingModel:
    """The steps of METHODS B with the analyzer of the settings."""
    return GroundingModel(client, settings.ANALYZER_MODEL, source_tokens=settings.LLM_SOURCE_TOKENS)
