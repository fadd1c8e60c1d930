"""The cache saves calls without changing results."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from detection.core.local_models.process import InProcessModels, LocalModels
from detection.core.local_models.remembering import RememberingModels
from detection.core.reports import UnitDone
from detection.core.run.pipeline import CheckRequest
from detection.core.types import NliPair, NliScore, ParsedSentence, ParsedText, SourceText, Stretch
from detection.doors.checker import Checker
from detection.doors.report import Report
from detection.lab.benchmarks.texts import SOURCE, TEXT, TOPIC

CHANGED = TEXT.replace("286 people", "287 people")
LONGER = f"The report was written in March.\n\n{TEXT}"


class Counting:
    """The local models; counts their inputs."""

    def __init__(self, models: LocalModels) -> None:
        self._models = models
        self.decision = models.decision
        self.vectors = models.vectors
        self.pairs = self.stretches = 0

    async def parse(self, text: str) -> ParsedText:
        raise AssertionError("a text is parsed by its stretches")

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._models.cut(text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        self.stretches += len(stretches)
        return await self._models.parse_stretches(stretches)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        self.pairs += len(pairs)
        return await self._models.score(pairs)


@pytest.mark.parametrize("text", [TEXT, CHANGED, LONGER, "", "One. One. One.", "# A\n\n- b is here.\n- b is here.\n"])
async def test_a_text_is_parsed_as_without_memory(text: str, local_models: InProcessModels) -> None:
    remembering = RememberingModels(local_models)
    await remembering.parse(TEXT)
    assert await remembering.parse(text) == await local_models.parse(text)


async def test_only_what_is_new_is_asked(local_models: InProcessModels) -> None:
    counting = Counting(local_models)
    checker = Checker(counting)
    sources = (SourceText("1", "report", SOURCE),)
    first = await checker.check(CheckRequest(TEXT, sources, topic=TOPIC))
    asked, parsed = counting.pairs, counting.stretches
    again = await checker.check(CheckRequest(TEXT, sources, topic=TOPIC))
    assert (counting.pairs, counting.stretches) == (asked, parsed)
    assert again.findings == first.findings
    counting.pairs = counting.stretches = 0
    await checker.check(CheckRequest(CHANGED, sources, topic=TOPIC))
    # The changed sentence conflicts with the source now: it is read again for its words and for what is quoted.
    assert 0 < counting.pairs < asked / 3
    assert 0 < counting.stretches < parsed / 4


async def test_a_changed_text_gets_the_findings_of_a_new_check(local_models: InProcessModels) -> None:
    sources = (SourceText("1", "report", SOURCE),)
    for changed in (CHANGED, LONGER, TEXT.replace("31 million", "34 million")):
        checker = Checker(local_models)
        await checker.check(CheckRequest(TEXT, sources))
        carried = await checker.check(CheckRequest(changed, sources))
        fresh = await Checker(local_models).check(CheckRequest(changed, sources))
        assert carried.findings == fresh.findings
        assert [s.verdict for s in carried.sentences] == [s.verdict for s in fresh.sentences]
        assert any(
            unit.is_carried for s in carried.sentences for unit in s.units.values() if hasattr(unit, "is_carried")
        )


def _has_carried(report: Report) -> bool:
    units = (unit for sentence in report.sentences for unit in sentence.units.values())
    return any(isinstance(unit, UnitDone) and unit.is_carried for unit in units)


async def test_nobody_is_answered_from_the_texts_of_others(local_models: InProcessModels) -> None:
    checker = Checker(local_models)
    await checker.check(CheckRequest(TEXT), whose="ada")
    theirs = await checker.check(CheckRequest(TEXT), whose="bob")
    assert not _has_carried(theirs)


async def test_a_source_of_another_name_is_named_by_it(local_models: InProcessModels) -> None:
    checker = Checker(local_models)
    text, said = "The hall seats 210 people.", "The hall seats 180 people."
    for source_id in ("old", "new"):
        report = await checker.check(CheckRequest(text, (SourceText(source_id, source_id, said),)))
        assert report.findings[0].evidence[0].source == source_id
