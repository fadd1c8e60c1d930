from __future__ import annotations

import asyncio

import pytest

from detection.core.local_models.process import InProcessModels
from detection.core.local_models.remembering import RememberingModels
from detection.core.ports import Ports
from detection.core.rules import Family, extract
from detection.core.rules.alignment import conflicts_between, prepare
from detection.core.rules.denial import conflicts_of_denial
from detection.core.rules.kinship import conflicts_of_kinship
from detection.core.rules.left_out import without
from detection.core.types import NliPair, NliScore
from detection.lab.evaluation.authored_texts import AUTHORED_TEXTS as TEXTS
from detection.lab.evaluation.worth import evaluate_without

from .conftest import AUTHORED_TEXTS, WriteRows


def test_values_of_a_family_are_left_out_and_become_no_others() -> None:
    text = "The bridge was opened in 1911 and is 210 metres long."
    assert [value.family for value in extract(text)] == [Family.DATE, Family.QUANTITY]
    with without([Family.DATE]):
        assert [value.family for value in extract(text)] == [Family.QUANTITY]
    assert len(extract(text)) == 2


@pytest.mark.parametrize(
    ("family", "first", "second"),
    [
        (Family.DATE, "The bridge was opened in 1911.", "The bridge was opened in 1935."),
        (Family.KINSHIP, "She never married.", "Her husband was a baker."),
        (Family.DENIAL, "Grants are not given to firms.", "Grants are given to firms."),
    ],
)
async def test_no_conflict_comes_of_a_family_that_is_left_out(
    local_models: InProcessModels, family: Family, first: str, second: str
) -> None:
    parsed = [(await local_models.parse(text)).sentences[0] for text in (first, second)]

    def families() -> set[Family]:
        one, other = map(prepare, parsed)
        found = (*conflicts_between(one, other), *conflicts_of_kinship(one, other), *conflicts_of_denial(one, other))
        return {conflict.family for conflict in found}

    assert family in families()
    with without([family]):
        assert family not in families()


async def test_tasks_that_are_begun_inside_leave_it_out_and_others_do_not() -> None:
    async def count() -> int:
        return len(extract("It was opened in 1911."))

    with without([Family.DATE]):
        inside = asyncio.create_task(count())
    outside = asyncio.create_task(count())
    assert (await inside, await outside) == (0, 1)


async def test_the_same_is_asked_once(local_models: InProcessModels) -> None:
    class Counting(InProcessModels):
        def __init__(self) -> None:
            self.pairs: list[NliPair] = []

        async def score(self, pairs: object) -> list[NliScore]:
            assert isinstance(pairs, list)
            self.pairs += pairs
            return [NliScore(float(len(pair.premise)), 0.0, 0.0) for pair in pairs]

    counting = Counting()
    models = RememberingModels(counting)
    one, other = NliPair("a", "x"), NliPair("bb", "x")
    assert [score.entailment for score in await models.score([one, other, one])] == [1.0, 2.0, 1.0]
    assert [score.entailment for score in await models.score([other, NliPair("ccc", "x")])] == [2.0, 3.0]
    assert counting.pairs == [one, other, NliPair("ccc", "x")]
    assert await RememberingModels(local_models).parse_stretches(()) == []


async def test_a_set_is_measured_with_and_without(write_rows: WriteRows, local_models: InProcessModels) -> None:
    rows = TEXTS.load(write_rows("authored_texts", AUTHORED_TEXTS))
    family = frozenset({Family.DATE})
    evaluation = await evaluate_without(
        family, TEXTS, rows, next(iter(TEXTS.judges)), "in-text", Ports(local_models), lambda _done, _total: None
    )
    [beside] = [baseline for baseline in evaluation.measured.overall.baselines if baseline.name == "all rules"]
    assert evaluation.without == family
    # The rules correct the year; the model alone names no words to correct.
    assert beside.metrics.values()["rewrites_right"] == 100.0
    assert "rewrites_right" not in evaluation.measured.overall.metrics.values()
