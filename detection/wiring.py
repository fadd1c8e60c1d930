"""Builds the core's ports from the settings. Nothing else in the application reads settings for the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from urllib.parse import urlsplit

from django.conf import settings

from .core.compute import InProcessModels, LocalModels, ModelSettings, ProcessModels
from .core.contradiction import Contradictions
from .core.detectors.base import Ports
from .core.documents.types import DocumentLimits
from .core.errors import EndpointRefused
from .core.evidence.histograms import load_histograms
from .core.evidence.sequential import Histograms
from .core.grounding.model import GroundingModel
from .core.llm.budget import Budget, Spending
from .core.llm.client import AnswerCache, CallListener, Endpoint, ModelClient
from .core.llm.pricing import load_prices
from .core.retrieval.fetcher import Fetcher
from .core.retrieval.types import FetchLimits
from .core.types import Engine

#: A call with all its attempts may take so many times the timeout of one.
_DEADLINE_IN_TIMEOUTS = 3


def model_settings() -> ModelSettings:
    return ModelSettings(language=settings.SPACY_MODEL, nli=settings.NLI_MODEL, threads=settings.COMPUTE_THREADS)


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
) -> AsyncIterator[Ports]:
    """The ports for one run, with a client of its own where a language model is asked.

    Raises:
        EndpointRefused: the run needs a language model, and none is set up.
    """
    if engine is Engine.LOCAL:
        yield Ports(models)
        return
    if not has_language_model():
        raise EndpointRefused("No language model is set up here any more. Start a new check with the local models.")
    async with open_client(cache=cache, listener=listener, spent=spent, api_key=api_key) as client:
        yield Ports(models, contradictions(client), settings.LLM_SCREEN, client, grounding(client))


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
