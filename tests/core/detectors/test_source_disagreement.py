"""Two contradictory sources of one check, with a language model on a socket."""

from __future__ import annotations

import pytest

from detection.core.reports import UnitDone, UnitFailed
from detection.core.types import FindingKind, Verdict
from tests.fakes import reading
from tests.fakes.model_server import ModelServer, Reply
from tests.fakes.scripts import contradicting

from .conftest import Check

ID = "grounding.v1"
SENTENCE = "The library at Holm was opened in 1931."
LEAST_ENTAILMENT = "The library at Holm was opened in 1931. It has 12 tables."
SAYS_OTHERWISE = "The library at Holm was opened in 1941. Its roof is red."
SAYS_NOTHING = "The harbour at Lunde has two cranes."


async def test_the_card_shows_both_quotes_and_offers_no_rewrite(check: Check) -> None:
    result = await check(SENTENCE, LEAST_ENTAILMENT, SAYS_OTHERWISE, detectors=(ID,), by_model=True)
    (finding,) = result.findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert finding.verdict is Verdict.UNSURE
    assert str(finding.message).startswith("Your sources disagree about this: “Source 0” says “The library at Holm")
    assert [evidence.source for evidence in finding.evidence] == ["0", "1"]
    for evidence, source in zip(finding.evidence, (LEAST_ENTAILMENT, SAYS_OTHERWISE), strict=True):
        assert evidence.span.of(source) == evidence.quote
        assert "was opened in 19" in evidence.quote
    assert [suggestion.replacement for suggestion in finding.suggestions] == [""]


async def test_a_sentence_that_one_source_refutes_and_another_bears_out_is_open(check: Check) -> None:
    result = await check(SENTENCE, SAYS_OTHERWISE, LEAST_ENTAILMENT, detectors=(ID,), by_model=True)
    (finding,) = result.findings
    assert finding.verdict is Verdict.UNSURE
    assert {evidence.source for evidence in finding.evidence} == {"0", "1"}


async def test_sources_that_agree_leave_the_sentence_supported(check: Check) -> None:
    result = await check(SENTENCE, LEAST_ENTAILMENT, LEAST_ENTAILMENT, detectors=(ID,), by_model=True)
    assert result.findings == []
    assert result.verdict(0) is Verdict.SUPPORTED


@pytest.mark.parametrize("sources", [(LEAST_ENTAILMENT, SAYS_NOTHING), (LEAST_ENTAILMENT,)])
async def test_where_no_other_source_speaks_of_it_nothing_is_asked(
    check: Check, model_server: ModelServer, sources: tuple[str, ...]
) -> None:
    result = await check(SENTENCE, *sources, detectors=(ID,), by_model=True)
    assert result.findings == []
    assert result.verdict(0) is Verdict.SUPPORTED
    assert not any(map(reading.compares, model_server.asked))


async def test_what_holds_one_way_only_is_no_disagreement(check: Check, model_server: ModelServer) -> None:
    model_server.script = lambda asked: (
        Reply(("No",) * asked.samples)
        if reading.concludes(asked) and "A: The library at Holm was opened in 1941" in asked.prompt
        else contradicting(asked)
    )
    result = await check(SENTENCE, LEAST_ENTAILMENT, SAYS_OTHERWISE, detectors=(ID,), by_model=True)
    assert result.findings == []
    assert isinstance(result.results[0][ID], UnitDone)


async def test_a_question_that_comes_to_nothing_fails_the_sentence(check: Check, model_server: ModelServer) -> None:
    model_server.script = lambda asked: Reply(("Hm.",)) if reading.compares(asked) else contradicting(asked)
    result = await check(SENTENCE, LEAST_ENTAILMENT, SAYS_OTHERWISE, detectors=(ID,), by_model=True)
    assert isinstance(result.results[0][ID], UnitFailed)


async def test_a_warning_stays_although_nobody_could_say_whether_the_sources_agree(
    check: Check, model_server: ModelServer
) -> None:
    model_server.script = lambda asked: Reply(("Hm.",)) if reading.compares(asked) else contradicting(asked)
    result = await check(SENTENCE, SAYS_OTHERWISE, LEAST_ENTAILMENT, detectors=(ID,), by_model=True)
    (finding,) = result.findings
    assert any(map(reading.compares, model_server.asked))
    assert finding.verdict is Verdict.CONFLICTS_WITH_SOURCE
