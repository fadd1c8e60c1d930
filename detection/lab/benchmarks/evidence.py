"""Scenario ``evidence``: sentences are looked up where every search and every page takes half a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any

from ... import wiring
from ...core.control import run_together
from ...core.decomposition.decomposer import Decomposer
from ...core.decomposition.subclaims import SubClaim
from ...core.evidence.induction import InductiveTest
from ...core.evidence.plan import SearchPlan
from ...core.evidence.search import SentenceSearch
from ...core.evidence.sequential import Belief, Costs
from ...core.evidence.windows import entailments
from ...core.local_models.process import LocalModels
from ...core.retrieval.fetcher import Fetcher
from ...core.retrieval.pace import HostPace
from ...core.retrieval.page_cache import MemoryPageCache
from ...core.retrieval.pages import PageReader
from ...core.retrieval.registry import RETRIEVERS, SearchSettings, SearchTools
from ...core.retrieval.retriever import Query, RetrievedDocument, Retriever
from ...core.retrieval.search_api import SearchApi
from ...core.retrieval.searxng import SearxngRetriever
from ...core.sources.library import SourceLibrary
from ...core.types import NliPair
from .slow_web import SlowWeb, slow_web
from .texts import TEXT, TOPIC

SECONDS_PER_ANSWER = 0.5
#: The beginning of the text.
SENTENCES = 3
#: Documents cost next to nothing, so that several are read for a claim.
PLAN = SearchPlan(Costs(miss=28, false_alarm=96, retrieval=0.1), most_documents=4)
_AGENT = "ChatProtect-Web/benchmark"

Work = Callable[[Retriever], Awaitable[None]]


def run() -> dict[str, Any]:
    """Look up the same sentences in three ways, one after the other, each without a cache."""
    return asyncio.run(_measure(wiring.models_in_this_process()))


async def _measure(models: LocalModels) -> dict[str, Any]:
    parsed = (await models.parse(TEXT)).sentences[:SENTENCES]
    decomposer = Decomposer(parsed, TOPIC)
    sentences = [await decomposer.claims(index) for index in range(SENTENCES)]
    test = InductiveTest(wiring.histograms(), PLAN.costs, PLAN.most_documents)
    await models.score([NliPair("The models are loaded", "before the clock starts")])

    async def one_at_a_time(retriever: Retriever) -> None:
        for claims in sentences:
            await _one_at_a_time(claims, retriever, test, models)

    async def prefetched(retriever: Retriever) -> None:
        for claims in sentences:
            for claim in claims:
                search = SentenceSearch([claim], TOPIC, retriever, test)
                await search.run(models)
                if search.false_claims:
                    break  # as in the first way: the sentence is decided

    async def together(retriever: Retriever) -> None:
        await run_together(SentenceSearch(claims, TOPIC, retriever, test).run(models) for claims in sentences)

    return {
        "scenario": "evidence",
        "seconds_per_answer": SECONDS_PER_ANSWER,
        "sentences": SENTENCES,
        "claims": sum(map(len, sentences)),
        "most_documents": PLAN.most_documents,
        "one_at_a_time": await _timed(one_at_a_time, models),
        "prefetch": await _timed(prefetched, models),
        "prefetch_and_concurrency": await _timed(together, models),
    }


async def _one_at_a_time(
    claims: Sequence[SubClaim], retriever: Retriever, test: InductiveTest, models: LocalModels
) -> None:
    """Algorithm 1 of the paper, unchanged: one claim after the other, one document after the other."""
    for claim in claims:
        belief = Belief()
        async with aclosing(retriever.retrieve(Query(claim.text, TOPIC))) as found:
            async for retrieved in found:
                if isinstance(retrieved, RetrievedDocument):
                    (entailment,) = await entailments([NliPair(retrieved.text, claim.text)], models)
                    belief = test.after(belief, entailment)
                    if test.stops(belief):
                        break
        if belief.documents and not test.costs.declares_factual(belief.factual):
            return


async def _timed(work: Work, models: LocalModels) -> dict[str, Any]:
    with slow_web(SECONDS_PER_ANSWER) as web:
        async with _retriever(web, models) as retriever:
            begun = time.monotonic()
            await work(retriever)
            seconds = time.monotonic() - begun
    return {"wall_seconds": round(seconds, 1), "pages_fetched": web.pages}


@asynccontextmanager
async def _retriever(web: SlowWeb, models: LocalModels) -> AsyncIterator[Retriever]:
    async with (
        Fetcher(allowed_hosts=web.hosts, user_agent=_AGENT) as fetcher,
        SearchApi(HostPace(0.0), user_agent=_AGENT) as api,
    ):
        pages = PageReader(fetcher, MemoryPageCache(), HostPace(), wiring.document_limits())
        tools = SearchTools(SourceLibrary([], models), api, pages, SearchSettings(searxng_url=web.url))
        yield RETRIEVERS[SearxngRetriever.name].make(tools)
