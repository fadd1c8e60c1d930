"""Reuse results of an earlier version of a text only if none of their inputs has changed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from detection.core.control import never
from detection.core.detectors import DETECTORS
from detection.core.detectors.grounding import Grounding
from detection.core.local_models.process import InProcessModels
from detection.core.reports import UnitDone
from detection.core.run import pipeline
from detection.core.run.carry_over import EarlierResult
from detection.core.run.collector import Collector
from detection.core.types import SourceText

from .conftest import OpenPorts

SOURCE = "The mill at Sorrel was built in 1894. It stands on the southern bank of the Arn and employs 43 people."
FIRST = "The mill at Sorrel was built in 1894 by Ada Lind."
SIZE = "The mill at Sorrel on the Arn employs 34 people."
PLACE = "The mill stands on the northern bank of the Arn."
CONTRARY = "The mill stands on the southern bank of the Arn."
TEXT = f"{FIRST} {PLACE} {SIZE}"

every_detector = pytest.mark.parametrize(
    ("detector", "by_model"),
    [*((detector, False) for detector in DETECTORS), (Grounding.id, True)],
    ids=[*DETECTORS, f"{Grounding.id} by the model"],
)


def done(collector: Collector) -> list[UnitDone]:
    results = (result for _, units in sorted(collector.results.items()) for result in units.values())
    return [result for result in results if isinstance(result, UnitDone)]


class Checker:
    """Checks versions of a text."""

    def __init__(self, models: InProcessModels, open_ports: OpenPorts, *detectors: str, by_model: bool) -> None:
        self._models = models
        self._open_ports = open_ports
        self._detectors = detectors
        self._by_model = by_model

    async def check(
        self, text: str, earlier: Mapping[str, EarlierResult] | None = None, source: str = SOURCE
    ) -> list[UnitDone]:
        collector = Collector()
        sources = (SourceText("s", "Source", source),)
        request = pipeline.CheckRequest(
            text, sources, topic="the mill", detectors=self._detectors, earlier=earlier or {}
        )
        async with self._open_ports(self._models, by_model=self._by_model, evidence=[SOURCE]) as ports:
            await pipeline.run(request, ports, collector.report, cancelled=never)
        self.sentences = collector.sentences
        return done(collector)

    def as_earlier(self, units: list[UnitDone]) -> dict[str, EarlierResult]:
        return {unit.basis: EarlierResult(self.sentences[unit.sentence].start, unit) for unit in units}


@pytest.fixture
def checker(local_models: InProcessModels, open_ports: OpenPorts, detector: str, by_model: bool) -> Checker:
    return Checker(local_models, open_ports, detector, by_model=by_model)


def said(units: list[UnitDone]) -> list[object]:
    """All their content that a reader sees."""
    return [
        (
            unit.sentence,
            unit.verdict,
            [(f.fingerprint(), f.span, f.message, [s.replacement for s in f.suggestions]) for f in unit.findings],
            [evidence.quote for evidence in unit.evidence],
        )
        for unit in units
    ]


@every_detector
@pytest.mark.parametrize(
    "later",
    [
        pytest.param(f"Much has been written about it. {TEXT}", id="a sentence before all"),
        pytest.param(f"{FIRST} {SIZE}", id="a sentence taken out"),
        pytest.param(f"{FIRST} {CONTRARY} {SIZE}", id="a sentence changed"),
        pytest.param(f"{TEXT} {CONTRARY}", id="a contradiction added"),
    ],
)
async def test_what_is_taken_over_says_the_same_as_judging_everything_anew(checker: Checker, later: str) -> None:
    earlier = checker.as_earlier(await checker.check(TEXT))
    assert said(await checker.check(later, earlier)) == said(await checker.check(later))


@every_detector
async def test_of_the_same_text_everything_is_taken_over_that_names_no_other_sentence(checker: Checker) -> None:
    first = await checker.check(TEXT)
    again = await checker.check(TEXT, checker.as_earlier(first))
    assert again
    for unit in again:
        names_another = any(e.sentence is not None for f in unit.findings for e in f.evidence)
        assert unit.is_carried is not names_another


@pytest.mark.parametrize(("detector", "by_model"), [("cross_contradiction.v1", False)])
async def test_a_sentence_is_compared_again_with_one_that_changed(checker: Checker) -> None:
    earlier = checker.as_earlier(await checker.check(f"{FIRST} {SIZE} {PLACE}"))
    changed = await checker.check(f"{CONTRARY} {SIZE} {PLACE}", earlier)
    assert [unit.is_carried for unit in changed] == [False, False, False]
    assert [len(unit.findings) for unit in changed] == [0, 0, 1]


@pytest.mark.parametrize(("detector", "by_model"), [("cross_contradiction.v1", False)])
async def test_a_sentence_is_compared_again_if_its_surroundings_changed(checker: Checker) -> None:
    earlier = checker.as_earlier(await checker.check(f"{FIRST} {SIZE} Some like tea."))
    changed = await checker.check(f"{FIRST} {SIZE} Some like soup.", earlier)
    assert [unit.is_carried for unit in changed] == [True, False, False]


@pytest.mark.parametrize(("detector", "by_model"), [("cross_contradiction.v1", False)])
async def test_an_anniversary_is_compared_again_with_a_beginning_that_is_no_partner(checker: Checker) -> None:
    meals = ("soup", "bread", "fish", "cheese", "rice", "beans", "eggs", "plums", "pears", "nuts", "tea", "milk")
    apart = "Nobody knows why. Rain fell at night. It was cold."
    text = (
        " ".join(f"The club marked the end of summer with {meal} for all its members." for meal in meals)
        + f" {apart} SC Talheim was founded in {{year}} by railway workers. {apart}"
        " In 2012 the club marked its sixtieth birthday with cake for all its members."
    )
    *_, earlier = await checker.check(text.format(year=1952))
    *_, changed = await checker.check(text.format(year=1962), checker.as_earlier([earlier]))
    assert earlier.findings == ()
    assert not changed.is_carried
    assert len(changed.findings) == 1


async def test_a_change_of_several_sentences_is_proved_again(
    local_models: InProcessModels, open_ports: OpenPorts
) -> None:
    checker = Checker(local_models, open_ports, "grounding.v1", by_model=False)
    source = "The trial enrolled 312 patients in seven hospitals."
    text = "The trial enrolled 412 patients in seven hospitals. The 412 patients were followed."
    first = await checker.check(text, source=source)
    again = await checker.check(f"It was small. {text}", checker.as_earlier(first), source=source)
    for units, index in ((first, 1), (again, 2)):
        companions = [c for u in units for f in u.findings for s in f.suggestions for c in s.companions]
        assert [(one.sentence, one.replacement) for one in companions] == [(index, "The 312 patients were followed.")]


@pytest.mark.parametrize("added", ["The mill at Sorrel employs 34 people.", "Much has been written about it."])
async def test_a_suggestion_that_clashes_with_a_new_sentence_is_not_taken_over(
    local_models: InProcessModels, open_ports: OpenPorts, added: str
) -> None:
    checker = Checker(local_models, open_ports, "grounding.v1", "cross_contradiction.v1", by_model=False)
    first = await checker.check(f"{FIRST} {SIZE}")
    again = await checker.check(f"{FIRST} {SIZE} {added}", checker.as_earlier(first))
    assert "43 people" in _suggested(first, sentence=1)
    assert ("43 people" in _suggested(again, sentence=1)) == (added != "The mill at Sorrel employs 34 people.")


def _suggested(units: list[UnitDone], sentence: int) -> str:
    findings = [finding for unit in units if unit.sentence == sentence for finding in unit.findings]
    return " ".join(suggestion.replacement for finding in findings for suggestion in finding.suggestions)


@pytest.mark.parametrize(("detector", "by_model"), [("grounding.v1", False)])
async def test_a_changed_source_or_another_strictness_is_another_basis(
    local_models: InProcessModels, open_ports: OpenPorts, checker: Checker
) -> None:
    (unit, *_) = await checker.check(FIRST)
    async with open_ports(local_models) as ports:
        collector = Collector()
        request = pipeline.CheckRequest(
            FIRST,
            (SourceText("s", "Source", SOURCE.replace("1894", "1849")),),
            topic="the mill",
            detectors=("grounding.v1",),
            earlier=checker.as_earlier([unit]),
        )
        await pipeline.run(request, ports, collector.report, cancelled=never)
    (other,) = done(collector)
    assert not other.is_carried
    assert other.verdict != unit.verdict
