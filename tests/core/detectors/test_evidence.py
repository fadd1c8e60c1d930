"""Sentences compared with retrieved documents: refuted, unsupported, supported and unknown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from detection.core.control import never
from detection.core.decomposition.model import ClaimModel
from detection.core.detectors.evidence import SENTENCES_AT_ONCE
from detection.core.errors import Cancelled
from detection.core.evidence.plan import SearchPlan
from detection.core.evidence.record import DocumentReading
from detection.core.evidence.sequential import Costs
from detection.core.llm.client import Endpoint, ModelClient
from detection.core.local_models.process import InProcessModels
from detection.core.messages import MessageCode
from detection.core.ports import Ports
from detection.core.reports import PipelineEvent, UnitDone, UnitFailed, UnitSkipped, UnitStarted
from detection.core.retrieval.library_retriever import LibraryRetriever
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.self_contradiction.model import Contradictions
from detection.core.source_findings.evidence import message_of_silence
from detection.core.sources.library import open_library
from detection.core.types import FindingKind, SourceText, Span, SuggestionMethod, Verdict
from tests.fakes import search_services
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.page_server import Page, PageServer, Visit
from tests.fakes.retrieval import CLEAR_HISTOGRAMS, searching

ID = "evidence.v1"
TOPIC = "Sorrel Bridge"
#: One clear document settles a claim.
PLAN = SearchPlan(Costs(miss=14, false_alarm=24, retrieval=1.5))

HISTORY = "The Sorrel Bridge was opened in 1911. It is 210 metres long. It was designed by Ada Fenn, and painted green."
FARMS = "The valley has many farms, and the farms grow rye and flax on small fields that are older than the town is."
MORE = " Those who live there like to walk along the river in the evening, when the light is good and the air is cool."

LookUp = Callable[..., Awaitable[Collector]]


def tavily(site: PageServer, texts: Sequence[str]) -> Callable[[Visit], Page]:
    """The same pages for every query."""
    urls = [site.url(f"/{number}") for number in range(1, len(texts) + 1)]
    return search_services.tavily(urls, {url: text + MORE for url, text in zip(urls, texts, strict=True)})


@pytest.fixture
def look_up(site: PageServer, local_models: InProcessModels) -> LookUp:
    """Run the pipeline with this detector only, and pages with these texts."""

    async def run(text: str, *texts: str, **ports: object) -> Collector:
        collector = Collector()
        request = pipeline.CheckRequest(text, topic=TOPIC, detectors=(ID,), search=PLAN)
        async with searching(site, "tavily", answer=tavily(site, texts)) as retriever:
            opened = Ports(local_models, retriever=retriever, histograms=CLEAR_HISTOGRAMS, **ports)  # type: ignore[arg-type]
            await pipeline.run(request, opened, collector.report, cancelled=never)
        return collector

    return run


def done(collector: Collector, index: int = 0) -> UnitDone:
    result = collector.results[index][ID]
    assert isinstance(result, UnitDone)
    return result


async def test_what_a_page_says_otherwise_is_shown_with_its_words_and_set_right(
    site: PageServer, look_up: LookUp
) -> None:
    text = "The Sorrel Bridge was opened in 1931."
    result = await look_up(text, HISTORY)
    (finding,) = result.findings
    assert (finding.kind, finding.verdict) == (FindingKind.REFUTED_BY_EVIDENCE, Verdict.CONTRADICTED)
    assert str(finding.message) == "“Result 1” says “opened in 1911”, this sentence says “opened in 1931”."
    assert finding.quoted == "1931"
    evidence = finding.evidence[0]
    assert evidence.quote == "The Sorrel Bridge was opened in 1911."
    assert [span.of(evidence.quote) for span in evidence.conflict] == ["1911"]
    assert evidence.document is not None
    assert (evidence.document.title, evidence.document.url) == ("Result 1", site.url("/1"))
    first, removal = finding.suggestions
    assert (first.replacement, first.method) == ("The Sorrel Bridge was opened in 1911.", SuggestionMethod.LOCAL)
    assert first.verified
    assert removal.replacement == ""


async def test_what_no_page_bears_out_is_told_with_what_was_read(look_up: LookUp) -> None:
    result = await look_up("The Sorrel Bridge has a library of 40,000 books.", FARMS)
    (finding,) = result.findings
    assert finding.kind is FindingKind.UNSUPPORTED_BY_EVIDENCE
    assert str(finding.message) == "The document that was read does not bear this out."
    assert "Stopped after 1 of at most 10 documents" in finding.explanation
    assert [evidence.document.title for evidence in finding.evidence if evidence.document] == ["Result 1"]
    record = done(result).search
    assert record is not None
    assert record.factual is not None
    assert finding.score == pytest.approx(1 - record.factual, abs=0.001)
    assert all(suggestion.replacement == "" for suggestion in finding.suggestions)


async def test_accept_all_does_not_remove_what_no_page_bears_out(look_up: LookUp) -> None:
    text = "The Sorrel Bridge has a library of 40,000 books."
    result = await look_up(text, FARMS)
    assert result.findings[0].suggestions[0].replacement == ""
    assert result.revised(text) == text


async def test_what_a_page_bears_out_is_supported_with_its_words(look_up: LookUp) -> None:
    result = await look_up("The Sorrel Bridge was opened in 1911.", HISTORY)
    unit = done(result)
    assert (unit.verdict, unit.findings) == (Verdict.SUPPORTED, ())
    assert unit.evidence[0].quote == "The Sorrel Bridge was opened in 1911."
    assert unit.evidence[0].document is not None


async def test_nothing_found_is_not_false(look_up: LookUp) -> None:
    result = await look_up("The Sorrel Bridge was opened in 1931.")
    unit = done(result)
    assert (unit.verdict, unit.findings, unit.evidence) == (Verdict.UNSURE, (), ())
    assert unit.search is not None
    assert unit.search.factual is None


async def test_one_wrong_claim_makes_a_wrong_sentence(look_up: LookUp) -> None:
    text = "The Sorrel Bridge was opened in 1911 and designed by Tom Berg."
    result = await look_up(text, HISTORY)
    (finding,) = result.findings
    assert "Tom Berg" in finding.quoted
    record = done(result).search
    assert record is not None
    assert len(record.claims) > 1
    assert record.factual == min(claim.factual for claim in record.claims if claim.documents)


async def test_a_pronoun_is_looked_up_by_its_name(site: PageServer, look_up: LookUp) -> None:
    await look_up("The Sorrel Bridge is green. It was opened in 1911.", HISTORY)
    asked = [json.loads(visit.body)["query"] for visit in site.visits if visit.body]
    assert any(query.startswith("Sorrel Bridge was opened in 1911") for query in asked)


async def test_a_failed_search_leaves_failed_sentences_and_not_fine_ones(
    site: PageServer, local_models: InProcessModels
) -> None:
    collector = Collector()
    request = pipeline.CheckRequest("The Sorrel Bridge is green. It was opened in 1911.", detectors=(ID,))
    async with searching(site, "tavily", key="wrong") as retriever:
        ports = Ports(local_models, retriever=retriever, histograms=CLEAR_HISTOGRAMS)
        await pipeline.run(request, ports, collector.report, cancelled=never)
    for units in collector.results.values():
        result = units[ID]
        assert isinstance(result, UnitFailed)
        assert "Check the key" in result.reason
    assert len(collector.results) == 2


async def test_without_a_search_nothing_is_looked_up(local_models: InProcessModels) -> None:
    collector = Collector()
    request = pipeline.CheckRequest("The Sorrel Bridge is green.", detectors=(ID,))
    await pipeline.run(request, Ports(local_models), collector.report, cancelled=never)
    result = collector.results[0][ID]
    assert isinstance(result, UnitSkipped)
    assert result.reason == pipeline.NO_RETRIEVER
    assert ID not in pipeline.applicable_detectors(has_sources=True, has_llm=True)
    assert ID in pipeline.applicable_detectors(has_sources=False, has_llm=False, has_retriever=True)


async def test_few_sentences_are_looked_up_at_a_time_and_a_cancelled_run_leaves_no_request(
    site: PageServer, local_models: InProcessModels
) -> None:
    started: list[int] = []

    async def report(events: Sequence[PipelineEvent]) -> None:
        started.extend(event.sentence for event in events if isinstance(event, UnitStarted))

    async def all_places_are_taken() -> bool:
        return len([visit for visit in site.visits if visit.body]) >= SENTENCES_AT_ONCE

    text = " ".join(f"The Sorrel Bridge has {number} lamps." for number in range(20, 40))
    request = pipeline.CheckRequest(text, topic=TOPIC, detectors=(ID,))
    async with searching(site, "tavily", answer=Page(hangs=True), seconds=60) as retriever:
        ports = Ports(local_models, retriever=retriever, histograms=CLEAR_HISTOGRAMS)
        with pytest.raises(Cancelled):
            await pipeline.run(request, ports, report, cancelled=all_places_are_taken)
        assert await asyncio.to_thread(site.left_while_hanging.wait, 10)
    assert len(started) == SENTENCES_AT_ONCE


# --- With a language model ------------------------------------------------------------------------------------------


def analyzer(answers: Mapping[str, str]) -> Callable[[Asked], Reply]:
    """A model that splits sentences into claims, and rewrites one."""

    def script(asked: Asked) -> Reply:
        return Reply((next(answer for words, answer in answers.items() if words in asked.last),))

    return script


@pytest.mark.parametrize(
    ("rewrite", "is_offered"),
    [("The Sorrel Bridge was designed by Ada Fenn.", True), ("The Sorrel Bridge was designed by Olaf Dahl.", False)],
)
async def test_a_rewrite_of_the_model_is_held_against_what_was_read(
    look_up: LookUp, rewrite: str, is_offered: bool
) -> None:
    # If the sentence lacks the words of the claim, only a model can replace them.
    text = "The Sorrel Bridge was designed by Tomas Berg."
    claims = {"claims": [{"words": "Tomas Berg", "claim": "The Sorrel Bridge was designed by Tom Berg."}]}
    script = analyzer({"Take the sentence apart": json.dumps(claims), "Rewrite the original sentence": rewrite})
    with ModelServer(script).running() as server:
        async with ModelClient(Endpoint(server.base_url, "key", 10, 20)) as client:
            contradictions = Contradictions(client, generator="generator", analyzer="analyzer")
            model = ClaimModel(client, "analyzer")
            result = await look_up(text, HISTORY, contradictions=contradictions, claims=model)
    (finding,) = result.findings
    record = done(result).search
    assert record is not None
    assert [claim.claim for claim in record.claims] == ["The Sorrel Bridge was designed by Tom Berg."]
    assert finding.quoted == "Tomas Berg"
    assert finding.kind is FindingKind.REFUTED_BY_EVIDENCE
    assert (rewrite in [suggestion.replacement for suggestion in finding.suggestions]) is is_offered


async def test_what_the_source_check_tells_of_a_source_is_not_told_again(local_models: InProcessModels) -> None:
    source = SourceText("0", "Chronicle", HISTORY)
    retriever = LibraryRetriever(await open_library([source], local_models))
    opened = Ports(local_models, retriever=retriever, histograms=CLEAR_HISTOGRAMS)
    text = "The Sorrel Bridge was opened in 1931."

    async def found_by(*detectors: str, flagged: frozenset[tuple[str, int]] = frozenset()) -> list[str]:
        collector = Collector()
        request = pipeline.CheckRequest(
            text, (source,), TOPIC, detectors=detectors, search=PLAN, finished=flagged, flagged=flagged
        )
        await pipeline.run(request, opened, collector.report, cancelled=never)
        assert done(collector).search is not None, "it is looked up all the same"
        return [finding.detector for finding in collector.findings]

    assert await found_by(ID) == [ID]
    assert await found_by(ID, "grounding.v1") == ["grounding.v1"]
    assert await found_by(ID, "grounding.v1", flagged=frozenset({("grounding.v1", 0)})) == [], "told by an earlier run"


def test_passages_of_one_source_are_one_source() -> None:
    passage = DocumentReading("Chronicle, p. 1", "", "It is old.", Span(0, 10), 0.1, 0.2, source="7")
    other = replace(passage, title="Chronicle, p. 2", start=90)
    assert message_of_silence([passage, other]) == MessageCode.READ_SOURCE_IS_SILENT.of()
    two = message_of_silence([passage, replace(other, source="8")])
    assert str(two) == "None of the 2 sources that were read bears this out."
    three = message_of_silence([replace(passage, source=None)] * 3)
    assert str(three) == "None of the 3 documents that were read bears this out."
