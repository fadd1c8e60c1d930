"""The search for a sentence, with services and pages on a real socket: rounds, prefetch, stop reasons."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence

import pytest

from detection.core.control import run_until_cancelled
from detection.core.decomposition.subclaims import SubClaim
from detection.core.errors import Cancelled, SearchFailed
from detection.core.evidence.induction import InductiveTest
from detection.core.evidence.record import StopReason
from detection.core.evidence.search import SentenceSearch
from detection.core.evidence.sequential import BALANCED, PRIOR, Costs, Histograms
from detection.core.local_models.process import InProcessModels
from detection.core.types import NliPair, NliScore, Span
from tests.fakes import search_services
from tests.fakes.page_server import Page, PageServer, Visit
from tests.fakes.retrieval import CLEAR_HISTOGRAMS, searching

TRUE, FALSE = "The bridge at Sorrel was opened in 1911.", "The bridge at Sorrel was designed by Tom Berg."
TELLING = f"{TRUE} It is 210 metres long, and it crosses the river Arn on nine arches of grey stone."
SILENT = "The valley has many farms, and the farms grow rye and flax on small fields that are older than the town."

#: Only a supporting page is informative.
PATIENT_HISTOGRAMS = Histograms(
    factual=(0.2, 0.1, 0.1, 0.02, 0.02, 0.02, 0.02, 0.02, 0.05, 0.45),
    hallucinated=(0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05),
)
#: Only missing support is informative.
SUSPICIOUS_HISTOGRAMS = Histograms(
    factual=(0.01, 0.01, 0.16, 0.16, 0.16, 0.1, 0.1, 0.1, 0.1, 0.1),
    hallucinated=(0.3, 0.15, 0.016, 0.017, 0.017, 0.1, 0.1, 0.1, 0.1, 0.1),
)
#: One clear document stops the search; an uninformative one does not.
STEEP = Costs(miss=14, false_alarm=24, retrieval=1.5)
PATIENT = Costs(miss=14, false_alarm=24, retrieval=0.01)

Texts = Mapping[str, Sequence[str]]


def told(text: str, number: int) -> str:
    """A page with irrelevant differences from the others."""
    return f"{text} This is page {number} of the many pages that there are."


def giving(site: PageServer, texts: Texts) -> Callable[[Visit], Page]:
    """Tavily with the texts of the pages for each claim."""

    def answer(visit: Visit) -> Page:
        query = json.loads(visit.body)["query"]
        claim = next(claim for claim in texts if query.startswith(claim[:-1]))
        urls = [site.url(f"/{len(claim)}/{number}") for number in range(len(texts[claim]))]
        pages = {url: told(text, number) for number, (url, text) in enumerate(zip(urls, texts[claim], strict=True), 1)}
        return search_services.tavily(urls, pages)(visit)

    return answer


def inductive(histograms: Histograms, costs: Costs = BALANCED, most_documents: int = 10) -> InductiveTest:
    return InductiveTest(histograms, costs, most_documents)


async def search(
    site: PageServer, models: InProcessModels, texts: Texts, test: InductiveTest
) -> tuple[SentenceSearch, list[StopReason]]:
    async with searching(site, "tavily", answer=giving(site, texts)) as retriever:
        found = SentenceSearch([SubClaim(claim, Span(0, 1)) for claim in texts], None, retriever, test)
        await found.run(models)
    return found, [claim.stop for claim in found.record().claims]


async def test_a_claim_that_is_clear_needs_one_document(site: PageServer, local_models: InProcessModels) -> None:
    found, stops = await search(site, local_models, {TRUE: [TELLING] * 5}, inductive(CLEAR_HISTOGRAMS, STEEP))
    assert stops == [StopReason.DECIDED]
    (claim,) = found.record().claims
    (reading,) = claim.documents
    assert reading.entailment > 0.3
    assert reading.factual == claim.factual == found.record().factual
    assert claim.factual > 0.8
    assert reading.quote.of(reading.passage) == TRUE
    assert not found.false_claims


async def test_pages_that_say_nothing_are_read_up_to_the_limit(site: PageServer, local_models: InProcessModels) -> None:
    test = inductive(PATIENT_HISTOGRAMS, PATIENT, most_documents=3)
    found, stops = await search(site, local_models, {TRUE: [SILENT] * 6}, test)
    assert stops == [StopReason.MOST_DOCUMENTS]
    assert len(found.claims[0].documents) == 3


async def test_a_search_that_finds_few_pages_ends_with_them(site: PageServer, local_models: InProcessModels) -> None:
    found, stops = await search(site, local_models, {TRUE: [SILENT] * 2}, inductive(PATIENT_HISTOGRAMS, PATIENT))
    assert stops == [StopReason.NO_MORE_DOCUMENTS]
    assert len(found.claims[0].documents) == 2


async def test_nothing_found_is_not_false(site: PageServer, local_models: InProcessModels) -> None:
    found, stops = await search(site, local_models, {TRUE: []}, inductive(CLEAR_HISTOGRAMS))
    assert stops == [StopReason.NOTHING_FOUND]
    assert not found.false_claims
    assert found.record().factual is None
    assert found.record().claims[0].factual == PRIOR


async def test_pages_that_cannot_be_read_are_named_and_are_no_evidence(
    site: PageServer, local_models: InProcessModels
) -> None:
    site.pages |= {"/a": Page(status=403), "/b": Page(told(TELLING, 1).encode(), "text/plain")}
    async with searching(site, "searxng", ["/a", "/b"]) as retriever:
        found = SentenceSearch([SubClaim(TRUE, Span(0, 1))], None, retriever, inductive(CLEAR_HISTOGRAMS))
        await found.run(local_models)
    (claim,) = found.record().claims
    assert [page.url for page in claim.skipped] == [site.url("/a")]
    assert [reading.url for reading in claim.documents] == [site.url("/b")]


async def test_pages_that_cannot_be_read_count_to_the_limit(site: PageServer, local_models: InProcessModels) -> None:
    paths = [f"/{number}" for number in range(6)]
    site.pages |= {path: Page(status=403) for path in paths}
    async with searching(site, "searxng", paths) as retriever:
        test = inductive(CLEAR_HISTOGRAMS, most_documents=4)
        found = SentenceSearch([SubClaim(TRUE, Span(0, 1))], None, retriever, test)
        await found.run(local_models)
    (claim,) = found.record().claims
    assert (claim.stop, len(claim.skipped)) == (StopReason.NOTHING_FOUND, 4)


async def test_a_sentence_ends_with_its_first_wrong_claim(site: PageServer, local_models: InProcessModels) -> None:
    texts = {TRUE: [TELLING] * 9, FALSE: [SILENT] * 9}
    found, stops = await search(site, local_models, texts, inductive(SUSPICIOUS_HISTOGRAMS, STEEP))
    assert stops == [StopReason.SENTENCE_DECIDED, StopReason.DECIDED]
    assert [claim.claim.text for claim in found.false_claims] == [FALSE]
    assert found.record().factual == found.false_claims[0].belief.factual
    assert [len(claim.documents) for claim in found.claims] == [1, 1]


async def test_all_claims_are_looked_up_in_each_round(site: PageServer, local_models: InProcessModels) -> None:
    texts = {TRUE: [SILENT] * 3, FALSE: [SILENT] * 3}
    calls: list[int] = []

    class Counting(InProcessModels):
        async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
            calls.append(len(pairs))
            return await local_models.score(pairs)

    models = Counting(local_models._settings)
    await search(site, models, texts, inductive(PATIENT_HISTOGRAMS, PATIENT, most_documents=3))
    assert calls == [2, 2, 2]  # one call per round, with a window of one page for each claim


class Waiting(InProcessModels):
    """The real models; each judgement waits until the site receives a request for a page of the prefetch."""

    def __init__(self, models: InProcessModels, site: PageServer, awaited: Sequence[str]) -> None:
        super().__init__(models._settings)
        self._models = models
        self._site = site
        self._awaited = list(awaited)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        path = self._awaited.pop(0)
        async with asyncio.timeout(20):
            while path and path not in [visit.path for visit in self._site.visits]:
                await asyncio.sleep(0.01)
        return await self._models.score(pairs)


async def test_the_next_page_is_fetched_while_the_present_one_is_judged(
    site: PageServer, local_models: InProcessModels
) -> None:
    paths = ["/1", "/2", "/3", "/4"]
    site.pages |= {path: Page(told(SILENT, int(path[1:])).encode(), "text/plain") for path in paths}
    models = Waiting(local_models, site, awaited=["/2", "/3", ""])
    async with searching(site, "searxng", paths) as retriever:
        test = inductive(PATIENT_HISTOGRAMS, PATIENT, most_documents=3)
        found = SentenceSearch([SubClaim(TRUE, Span(0, 1))], None, retriever, test)
        await found.run(models)
    asked = [visit.path for visit in site.visits if visit.path in paths]
    assert asked == ["/1", "/2", "/3"]  # no page is fetched without being read


async def test_a_search_that_fails_ends_the_sentence(site: PageServer, local_models: InProcessModels) -> None:
    answers = giving(site, {TRUE: [TELLING], FALSE: [SILENT]})

    def answer(visit: Visit) -> Page:
        return Page(status=500) if b"Berg" in visit.body else answers(visit)

    async with searching(site, "tavily", answer=answer) as retriever:
        claims = [SubClaim(claim, Span(0, 1)) for claim in (TRUE, FALSE)]
        with pytest.raises(SearchFailed, match="has a fault"):
            await SentenceSearch(claims, None, retriever, inductive(CLEAR_HISTOGRAMS)).run(local_models)


async def test_a_cancelled_search_leaves_nothing_on_its_way(site: PageServer, local_models: InProcessModels) -> None:
    site.pages |= {"/1": Page(told(SILENT, 1).encode(), "text/plain"), "/2": Page(hangs=True)}

    async def second_page_is_asked_for() -> bool:
        return any(visit.path == "/2" for visit in site.visits)

    async with searching(site, "searxng", ["/1", "/2"]) as retriever:
        found = SentenceSearch([SubClaim(TRUE, Span(0, 1))], None, retriever, inductive(PATIENT_HISTOGRAMS, PATIENT))
        with pytest.raises(Cancelled):
            await run_until_cancelled(found.run(local_models), second_page_is_asked_for, interval_s=0.01)
        assert await asyncio.to_thread(site.left_while_hanging.wait, 10)


async def test_an_early_end_leaves_nothing_on_its_way(site: PageServer, local_models: InProcessModels) -> None:
    site.pages |= {"/1": Page(told(TELLING, 1).encode(), "text/plain"), "/2": Page(hangs=True)}
    models = Waiting(local_models, site, awaited=["/2"])
    async with searching(site, "searxng", ["/1", "/2"]) as retriever:
        found = SentenceSearch([SubClaim(TRUE, Span(0, 1))], None, retriever, inductive(CLEAR_HISTOGRAMS, STEEP))
        await found.run(models)
        assert await asyncio.to_thread(site.left_while_hanging.wait, 10)
    assert [claim.stop for claim in found.record().claims] == [StopReason.DECIDED]
