"""The contract of every registered detector."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from detection.core.detectors import DETECTORS
from detection.core.detectors.cross_contradiction import CrossContradiction
from detection.core.detectors.grounding import Grounding
from detection.core.errors import Cancelled, ModelUnavailable
from detection.core.local_models.process import InProcessModels
from detection.core.local_models.vectors import Vector
from detection.core.reports import PipelineEvent, UnitDone, UnitFailed, UnitResult, UnitSkipped, UnitStarted
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.types import NliPair, NliScore, ParsedText, SourceText, Verdict, text_hash
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting
from tests.waiting import PATIENCE_S

from .conftest import Check, OpenPorts, never

TEXT = """\
# The mill at Sorrel

The mill at Sorrel was built in 1894 by Ada Lind. 👩‍🔬 It stands on the northern bank of the Arn. Who built it? \
The mill was built in 1912. It has twelve rooms and employs 34 people.

- It stands on the southern bank of the Arn.
- Open daily
"""
SOURCE = """\
The mill at Sorrel was built in 1894. It stands on the southern bank of the Arn and employs 43 people. It has \
nine rooms.
"""

every_detector = pytest.mark.parametrize(
    ("detector", "by_model"),
    [*((detector, False) for detector in DETECTORS), (Grounding.id, True), (CrossContradiction.id, True)],
    ids=[*DETECTORS, f"{Grounding.id} by the model", f"{CrossContradiction.id} by the model"],
)


@every_detector
async def test_the_same_text_gives_the_same_findings(check: Check, detector: str, by_model: bool) -> None:
    first = await check(TEXT, SOURCE, detectors=(detector,), by_model=by_model)
    second = await check(TEXT, SOURCE, detectors=(detector,), by_model=by_model)
    assert first.findings == second.findings
    assert len({finding.fingerprint() for finding in first.findings}) == len(first.findings) > 0


@every_detector
async def test_every_sentence_is_settled_once_and_after_its_start(
    local_models: InProcessModels, open_ports: OpenPorts, detector: str, by_model: bool
) -> None:
    events: list[PipelineEvent] = []

    async def report(batch: Sequence[PipelineEvent]) -> None:
        events.extend(batch)

    request = pipeline.CheckRequest(TEXT, (SourceText("0", "s", SOURCE),), detectors=(detector,))
    async with open_ports(local_models, by_model=by_model, evidence=(SOURCE,)) as ports:
        await pipeline.run(request, ports, report, cancelled=never)
    settled = [event.sentence for event in events if isinstance(event, UnitResult)]
    assert sorted(settled) == list(range(8))
    for event in events:
        if isinstance(event, UnitDone):
            assert events.index(UnitStarted(detector, event.sentence)) < events.index(event)
    skipped = {event.sentence: event.reason for event in events if isinstance(event, UnitSkipped)}
    assert skipped == {0: "states_no_fact", 3: "states_no_fact"}


@every_detector
async def test_findings_point_at_the_very_words(check: Check, detector: str, by_model: bool) -> None:
    result = await check(TEXT, SOURCE, detectors=(detector,), by_model=by_model)
    for finding in result.findings:
        sentence = result.sentences[finding.sentence]
        assert sentence.span.contains(finding.span)
        assert finding.quoted == finding.span.of(TEXT)
        before, after = finding.context
        assert TEXT[: finding.span.start].endswith(before)
        assert TEXT[finding.span.end :].startswith(after)
        assert finding.detector == detector
        assert 0 < finding.score <= 1
        assert finding.evidence
        for evidence in finding.evidence:
            whole = SOURCE if evidence.source is not None else TEXT if evidence.sentence is not None else evidence.quote
            assert evidence.span.of(whole) == evidence.quote
            assert all(evidence.span.contains(span) for span in evidence.conflict)


@every_detector
async def test_suggestions_are_whole_sentences_written_for_the_present_wording(
    check: Check, detector: str, by_model: bool
) -> None:
    result = await check(TEXT, SOURCE, detectors=(detector,), by_model=by_model)
    suggestions = [suggestion for finding in result.findings for suggestion in finding.suggestions]
    assert any(suggestion.replacement for suggestion in suggestions)
    for suggestion in suggestions:
        assert suggestion.base_hash == text_hash(result.sentences[suggestion.sentence].text)
        assert suggestion.label
        # Only rewrites of one sentence are verified, not removals and merges.
        assert not suggestion.verified or (suggestion.replacement and suggestion.absorbed is None)


@every_detector
async def test_finished_units_are_left_alone(
    local_models: InProcessModels, open_ports: OpenPorts, detector: str, by_model: bool
) -> None:
    collector = Collector()
    request = pipeline.CheckRequest(
        TEXT,
        (SourceText("0", "s", SOURCE),),
        detectors=(detector,),
        finished=frozenset((detector, i) for i in range(8) if i != 4),
    )
    async with open_ports(local_models, by_model=by_model, evidence=(SOURCE,)) as ports:
        await pipeline.run(request, ports, collector.report, cancelled=never)
    assert set(collector.results) == {4}


class CountingModels(InProcessModels):
    """The real models; counts the calls, and can fail at one."""

    def __init__(self, models: InProcessModels, *, breaks_at: int | None = None) -> None:
        super().__init__(models._settings)
        self.calls = 0
        self._models = models
        self._breaks_at = breaks_at

    async def parse(self, text: str) -> ParsedText:
        return await self._models.parse(text)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        self.calls += 1
        if self.calls == self._breaks_at:
            raise ModelUnavailable("The model is gone.")
        return await self._models.score(pairs)

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return await self._models.vectors(texts)


@every_detector
async def test_a_cancelled_run_makes_no_further_model_call(
    local_models: InProcessModels, open_ports: OpenPorts, model_server: ModelServer, detector: str, by_model: bool
) -> None:
    models = CountingModels(local_models)

    def calls() -> int:
        return models.calls + len(model_server.asked)

    async def after_the_first_call() -> bool:
        return calls() > 0

    def slow(asked: Asked) -> Reply:
        reply = contradicting(asked)
        reply.delay_s = 0.5
        return reply

    model_server.script = slow
    request = pipeline.CheckRequest(TEXT * 20, (SourceText("0", "s", SOURCE),), detectors=(detector,))
    collector = Collector()
    async with open_ports(models, by_model=by_model, evidence=(SOURCE,)) as ports:
        with pytest.raises(Cancelled):
            await pipeline.run(request, ports, collector.report, cancelled=after_the_first_call)
    async with asyncio.timeout(PATIENCE_S):
        while len(asyncio.all_tasks()) > 1:  # a task that the run left behind could make a call
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)  # requests that were sent reach the server
    until_the_end = calls()
    assert len(collector.results) < 100
    await local_models.parse("Time for a call that should not come.")
    assert calls() == until_the_end


@every_detector
async def test_a_model_that_breaks_leaves_failed_sentences_and_not_fine_ones(
    local_models: InProcessModels, open_ports: OpenPorts, model_server: ModelServer, detector: str, by_model: bool
) -> None:
    model_server.script = lambda asked: contradicting(asked) if len(model_server.asked) < 2 else Reply(status=400)
    collector = Collector()
    request = pipeline.CheckRequest(TEXT, (SourceText("0", "s", SOURCE),), detectors=(detector,))
    models = CountingModels(local_models, breaks_at=2)
    async with open_ports(models, by_model=by_model, evidence=(SOURCE,)) as ports:
        await pipeline.run(request, ports, collector.report, cancelled=never)
    results = {index: units[detector] for index, units in collector.results.items()}
    failed = [index for index, result in results.items() if isinstance(result, UnitFailed)]
    assert len(results) == 8
    assert failed
    for index in failed:
        assert collector.verdict(index) in (Verdict.FAILED, Verdict.CONTRADICTED)
        assert results[index].reason in (
            "The model is gone.",
            "The endpoint does not accept the request (status 400). It says: “from the script”",
        )
