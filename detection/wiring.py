"""Builds the core's ports from the settings. Nothing else in the application reads settings for the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from urllib.parse import urlsplit

from django.conf import settings

from .core.decomposition.model import ClaimModel
from .core.documents.types import DocumentLimits
from .core.errors import EndpointRefused, ModelNotInstalled, SearchFailed
from .core.evidence.histograms import load_histograms
from .core.evidence.plan import SearchEffort, SearchPlan
from .core.evidence.sequential import Histograms
from .core.grounding.model import GroundingModel
from .core.llm.ability_file import FileAbilities
from .core.llm.budget import Budget, Spending
from .core.llm.client import AnswerCache, CallListener, ModelClient
from .core.llm.endpoint import Effort, Endpoint
from .core.llm.presets import LOCAL_SERVERS, PRESETS, Preset
from .core.llm.pricing import load_prices
from .core.local_models.nli.installed import InstalledModels
from .core.local_models.process import InProcessModels, LocalModels, ModelSettings, ProcessModels
from .core.local_models.remembering import RememberingModels
from .core.model_hub.client import HubClient
from .core.ports import Ports
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
from .core.self_contradiction.model import Contradictions, Thrift
from .core.sources.library import open_library
from .core.text_reading.reader import TextReader
from .core.types import Engine, SourceText

#: Time limit of a call with all its attempts, as a multiple of the timeout of one attempt.
_DEADLINE_IN_TIMEOUTS = 3

#: Limits of one page of evidence; there are others.
_SECONDS_FOR_PAGE = 10.0
_MOST_BYTES_OF_PAGE = 10_000_000
#: Parsing two megabytes of JSON takes a tenth of a second; the rest is reserve for a busy machine.
_SECONDS_FOR_CHECK_FILE = 20.0
_MEMORY_FOR_CHECK_FILE = 500_000_000
#: Pause between two queries to one search service, and the longest wait of a claim for its turn.
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


@cache
def remembering_models() -> RememberingModels:
    """The local models with a memory for checks: an edited paragraph costs little more than itself."""
    return RememberingModels(local_models())


def models_in_this_process() -> InProcessModels:
    """The models for a command, which serves no pages."""
    return InProcessModels(model_settings())


def installed_models() -> InstalledModels:
    """The NLI models that were installed in addition to the shipped one."""
    return InstalledModels(settings.MODELS_DIR)


def open_hub(address: str = "") -> HubClient:
    """The model hub at this address or at that of the settings, as a context manager.

    Raises:
        ModelNotInstalled: there is no such address.
    """
    if not (address or settings.MODEL_HUB):
        raise ModelNotInstalled(
            "No model hub is known. Set CHATPROTECT_MODEL_HUB to its address, or give --hub: what stands before the "
            "name of the model in the address of its page, as in https://hub.example."
        )
    return HubClient(address or settings.MODEL_HUB)


def histograms() -> Histograms:
    """The histograms of the NLI model in use, for factual and for made-up claims.

    Raises:
        ModelUnavailable: the model has none.
    """
    return load_histograms(settings.NLI_MODEL)


def document_limits() -> DocumentLimits:
    """Limits for reading one source."""
    return DocumentLimits(
        file_bytes=settings.MAX_SOURCE_BYTES,
        pages=settings.MAX_SOURCE_PAGES,
        characters=settings.MAX_SOURCE_CHARS,
        seconds=float(settings.SOURCE_SECONDS),
        processor_seconds=settings.SOURCE_PROCESSOR_SECONDS,
    )


def text_file_limits() -> DocumentLimits:
    """Limits for reading a file with the text of a check, while its user waits in the form."""
    return replace(document_limits(), characters=settings.MAX_TEXT_CHARS)


def check_file_limits() -> DocumentLimits:
    """Limits for reading and parsing a saved check."""
    return DocumentLimits(
        file_bytes=settings.MAX_CHECK_FILE_BYTES,
        characters=settings.MAX_CHECK_FILE_BYTES,
        seconds=_SECONDS_FOR_CHECK_FILE,
        memory_bytes=_MEMORY_FOR_CHECK_FILE,
    )


def open_fetcher() -> Fetcher:
    """A fetcher of web pages, open inside the context."""
    return Fetcher(allowed_hosts=settings.FETCH_ALLOW, limits=FetchLimits(body_bytes=settings.MAX_SOURCE_BYTES))


def search_settings() -> SearchSettings:
    """The configured search services, and the identity to use."""
    return SearchSettings(
        language=settings.WIKIPEDIA_LANGUAGE,
        wikipedia_url=settings.WIKIPEDIA_URL or wikipedia.api_url(settings.WIKIPEDIA_LANGUAGE),
        searxng_url=settings.SEARXNG_URL,
        brave_key=settings.BRAVE_API_KEY,
        tavily_key=settings.TAVILY_API_KEY,
    )


def retrievers() -> tuple[str, ...]:
    """The names of the configured retrievers, in order."""
    known = search_settings()
    return tuple(name for name, registered in RETRIEVERS.items() if registered.is_set_up(known))


def retrievers_wanting_key() -> tuple[str, ...]:
    """The names of the retrievers that users can use with their own key, in order."""
    known = search_settings()
    return tuple(
        name for name, registered in RETRIEVERS.items() if registered.with_key and not registered.is_set_up(known)
    )


def search_host(retriever: str) -> str:
    """The host that receives the claims of a retriever, for the reader; "" for a local one."""
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
    """The retriever with this name, for one run. ``sources`` are the texts that a local retriever searches.

    ``key`` is the user's own key, for a service without a configured key.

    Raises:
        SearchFailed: there is no such retriever, or it is not configured.
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


def seconds_of_check(engine: Engine, retriever: str) -> float | None:
    """The time limit of one check; None is no limit. Checks that wait for remote answers have a longer one."""
    waits = engine is Engine.LLM or bool(retriever)
    return float(settings.CHECK_SECONDS_LONG if waits else settings.CHECK_SECONDS) or None


def budget_of_check() -> Budget:
    """The budget of one check."""
    return Budget(settings.BUDGET_CALLS or None, settings.BUDGET_TOKENS or None, settings.BUDGET_USD)


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """The language model to ask: that of the settings, or one that the user has chosen."""

    base_url: str
    generator: str
    analyzer: str
    effort: Effort = Effort.UNSET
    is_local: bool = False
    """True for a model that was found on this machine and gets no key."""
    preset: str = ""
    """The name of the vendor or server that the user has chosen; it gets the user's own key, or none."""

    @property
    def is_chosen(self) -> bool:
        """Whether it differs from that of the settings, whose key and headers it must not get."""
        return self.is_local or bool(self.preset)

    @property
    def host(self) -> str:
        """The host that receives the texts, for the reader."""
        return urlsplit(self.base_url).netloc

    @property
    def names(self) -> tuple[str, ...]:
        """The models, each once."""
        return tuple(dict.fromkeys((self.generator, self.analyzer)))


def language_model(chosen: Mapping[str, str] | None = None) -> LanguageModel | None:
    """The language model of the settings, or the chosen one; None if there is neither.

    If the settings name an endpoint, a model of it can be chosen (:func:`may_choose_model`). If they name none, a
    server that was found on this machine or a known vendor or server (:func:`presets`) can be chosen. No other address
    can be chosen.
    """
    chosen = chosen or {}
    effort = Effort(chosen.get("effort") or settings.LLM_REASONING)
    model = chosen.get("model", "")
    if settings.LLM_BASE_URL and settings.GENERATOR_MODEL:
        if model and may_choose_model(model):
            analyzer = settings.ANALYZER_MODEL if settings.ANALYZER_BASE_URL else model
            return LanguageModel(settings.LLM_BASE_URL, model, analyzer, effort)
        return LanguageModel(settings.LLM_BASE_URL, settings.GENERATOR_MODEL, settings.ANALYZER_MODEL, effort)
    preset = chosen.get("preset", "")
    if model and preset in presets():
        address = local_addresses().get(preset) or PRESETS[preset].address(chosen.get("resource", ""))
        return LanguageModel(address, model, model, effort, preset=preset) if address else None
    if model and chosen.get("base_url") in local_addresses().values() and may_discover():
        return LanguageModel(chosen["base_url"], model, model, effort, is_local=True)
    return None


def may_choose_model(model: str = "") -> bool:
    """Whether users may choose this model of the configured endpoint, or, without ``model``, any model.

    If the operator's key pays, only models that the operator has named; all if the operator is the only user.
    """
    if not settings.LLM_API_KEY or _serves_this_machine_alone():
        return True
    return model in settings.LLM_MODELS if model else bool(settings.LLM_MODELS)


def may_discover() -> bool:
    """Whether to search for language models on this machine: none is configured, and only trusted users come."""
    return bool(settings.LLM_DISCOVER and _serves_its_own_people())


def presets() -> Mapping[str, Preset]:
    """The known vendors and servers that users may choose; none if the settings name an endpoint."""
    if not settings.LLM_CHOOSE or not _serves_its_own_people():
        return {}
    return {name: preset for name, preset in PRESETS.items() if name not in LOCAL_SERVERS or may_discover()}


def _serves_this_machine_alone() -> bool:
    return set(settings.ALLOWED_HOSTS) <= {"localhost", "127.0.0.1", "[::1]"}


def _serves_its_own_people() -> bool:
    """Whether no endpoint is configured, and the operator knows all users."""
    return not settings.LLM_BASE_URL and bool(_serves_this_machine_alone() or settings.REQUIRE_LOGIN)


def local_addresses() -> Mapping[str, str]:
    """The addresses of possible language models on this machine, by the names of their servers."""
    return settings.LLM_LOCAL_ADDRESSES or {name: PRESETS[name].base_url for name in LOCAL_SERVERS}


def has_language_model(chosen: Mapping[str, str] | None = None) -> bool:
    return language_model(chosen) is not None


def language_model_host(chosen: Mapping[str, str] | None = None) -> str:
    """The host that receives the texts, for the reader; "" without a language model."""
    model = language_model(chosen)
    return model.host if model else ""


@cache
def abilities() -> FileAbilities:
    """The learned abilities of endpoints."""
    return FileAbilities(settings.DATA_DIR / "endpoints.json")


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
    budget: Budget | None = None,
    api_key: str | None = None,
    retriever: str = "",
    search_key: str = "",
    sources: Iterable[SourceText] = (),
    chosen: Mapping[str, str] | None = None,
) -> AsyncIterator[Ports]:
    """The ports for one run, with its own client if it asks a language model.

    ``retriever`` is the name of the evidence search; "" for none. ``search_key`` is the user's own key for
    it. ``sources`` are those of the check. ``chosen`` is the argument of :func:`language_model`.

    Raises:
        EndpointRefused: the run needs a language model, and none is configured.
        SearchFailed: the run needs a search that is not configured.
    """
    ports = Ports(models)
    async with AsyncExitStack() as stack:
        if retriever:
            search = await stack.enter_async_context(open_retriever(retriever, sources, models, key=search_key))
            ports = replace(ports, retriever=search, histograms=histograms())
        if engine is Engine.LLM:
            model = language_model(chosen)
            if model is None:
                raise EndpointRefused(
                    "No language model is set up here any more. Start a new check with the local models."
                )
            client = await stack.enter_async_context(
                open_client(model, cache=cache, listener=listener, spent=spent, budget=budget, api_key=api_key)
            )
            ports = replace(
                ports,
                contradictions=Contradictions(
                    client, generator=model.generator, analyzer=model.analyzer, thrift=thrift()
                ),
                is_screened=settings.LLM_SCREEN,
                client=client,
                reader=TextReader(client, model.analyzer) if settings.LLM_READ_TEXT else None,
                grounding=GroundingModel(client, model.analyzer, source_tokens=settings.LLM_SOURCE_TOKENS),
                claims=ClaimModel(client, model.analyzer),
            )
        yield ports


def open_client(
    model: LanguageModel | None = None,
    *,
    cache: AnswerCache | None = None,
    listener: CallListener | None = None,
    spent: Spending | None = None,
    budget: Budget | None = None,
    api_key: str | None = None,
) -> ModelClient:
    """A client of a language model, by default that of the settings, for one run.

    ``budget`` limits its spending; by default that of one check.
    ``spent`` is the cost of earlier runs of the check; ``api_key`` takes precedence over that of the settings.
    """
    model = model or language_model() or LanguageModel("", "", "")
    return ModelClient(
        generator_endpoint(model, api_key),
        analyzer_endpoint=analyzer_endpoint(model, api_key),
        abilities=abilities(),
        budget=budget or budget_of_check(),
        prices=load_prices(settings.PRICES),
        cache=cache,
        listener=listener,
        spent=spent,
    )


def thrift() -> Thrift:
    """The enabled ways to save calls and tokens."""
    return Thrift(
        joins_facts=settings.LLM_JOIN_FACTS,
        joins_pairs=settings.LLM_JOIN_PAIRS,
        first_vote=settings.LLM_FIRST_VOTE,
        alternatives=settings.LLM_ALTERNATIVES,
        shares_prefix=settings.LLM_SHARE_PREFIX,
    )


def generator_endpoint(model: LanguageModel, api_key: str | None = None) -> Endpoint:
    """The endpoint of the generator model."""
    timeout = float(settings.LLM_TIMEOUT)
    key = (api_key or "") if model.preset or api_key is not None else settings.LLM_API_KEY
    return Endpoint(
        base_url=model.base_url,
        api_key="" if model.is_local else key,
        attempt_timeout_s=timeout,
        deadline_s=_DEADLINE_IN_TIMEOUTS * timeout,
        max_concurrency=settings.LLM_MAX_CONCURRENCY,
        effort=model.effort,
        headers={} if model.is_chosen else settings.LLM_HEADERS,
        query={} if model.is_chosen else settings.LLM_QUERY,
        ca_file=settings.LLM_CA_FILE,
        requests_per_minute=settings.LLM_REQUESTS_PER_MINUTE,
        tokens_per_minute=settings.LLM_TOKENS_PER_MINUTE,
    )


def analyzer_endpoint(model: LanguageModel, api_key: str | None = None) -> Endpoint | None:
    """The endpoint of the analyzer model; None if it is that of the generator."""
    if model.is_chosen or not settings.ANALYZER_BASE_URL:
        return None
    writes = generator_endpoint(model, api_key)
    # Another address gets its own key or none, never the key of the generator.
    return replace(writes, base_url=settings.ANALYZER_BASE_URL, api_key=settings.ANALYZER_API_KEY, headers={}, query={})
