"""A rewrite is offered if it fixes its problem and adds no new one."""

from __future__ import annotations

from detection.core.comparing.sentence import ComparableSentence
from detection.core.local_models.process import InProcessModels
from detection.core.rewriting.recheck import Recheck
from detection.core.types import FindingKind

from ..conftest import Prepare

CLASH, ABSENT = FindingKind.CONFLICTS_WITH_SOURCE, FindingKind.NOT_IN_SOURCE


def recheck(models: InProcessModels, problems: dict[str, set[FindingKind]]) -> Recheck:
    async def find_problems(
        index: int, sentence: ComparableSentence, left_out: frozenset[int]
    ) -> frozenset[FindingKind]:
        return frozenset(problems.get(sentence.text, set()))

    return Recheck(models, find_problems)


async def test_what_a_rewrite_must_do(local_models: InProcessModels, prepare_all: Prepare) -> None:
    (original,) = prepare_all("The mill opened in 1912.")
    judge = recheck(
        local_models,
        {
            "The mill opened in 1912.": {CLASH, ABSENT},
            "The mill opened in 1894.": set(),
            "The mill opened long ago.": {ABSENT},
            "The mill opened in 1913.": {CLASH},
            "The mill closed in 1894.": {ABSENT, FindingKind.CROSS_CONTRADICTION},
        },
    )
    assert await judge.holds(0, original, "The mill opened in 1894.", fixes=CLASH)
    assert await judge.holds(0, original, "The mill opened long ago.", fixes=CLASH)
    assert not await judge.holds(0, original, "The mill opened in 1913.", fixes=CLASH)
    assert not await judge.holds(0, original, "The mill closed in 1894.", fixes=CLASH)
    assert not await judge.holds(0, original, "The mill opened. It was 1894.", fixes=CLASH)


async def test_a_rewrite_may_leave_what_it_is_allowed_to_leave(
    local_models: InProcessModels, prepare_all: Prepare
) -> None:
    (original,) = prepare_all("The mill opened in 1912.")
    elsewhere = FindingKind.CROSS_CONTRADICTION
    judge = recheck(local_models, {original.text: {CLASH}, "The mill opened in 1894.": {elsewhere}})
    assert not await judge.holds(0, original, "The mill opened in 1894.", fixes=CLASH)
    assert await judge.holds(0, original, "The mill opened in 1894.", fixes=CLASH, may_leave=frozenset({elsewhere}))
