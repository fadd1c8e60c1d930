"""Which sentences that repeat a wrong value are changed together with it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from detection.core.labels import SuggestionLabel
from detection.core.local_models.process import InProcessModels
from detection.core.rewriting.recheck import Recheck
from detection.core.rewriting.rewrites import SourceConflict
from detection.core.rewriting.together import MAX_COMPANIONS, change_together
from detection.core.rules.alignment import conflicts_between
from detection.core.types import FindingKind, Suggestion

from ..conftest import Prepare

HALL = "The Harbour Hall was opened in 1962."
HALL_SOURCE = "The Harbour Hall was opened in 1967."
TRIAL = "The trial enrolled 412 patients in seven hospitals."
TRIAL_SOURCE = "The trial enrolled 312 patients in seven hospitals."
FEE = "The annual fee is 18,500 euros."
FEE_SOURCE = "The annual fee is 16,500 euros."


class Offering:
    """Offers changes; the detectors find a problem in the sentences that contain ``problem``."""

    def __init__(self, models: InProcessModels, prepare_all: Prepare) -> None:
        self._models = models
        self._prepare_all = prepare_all

    async def __call__(
        self,
        source: str,
        *texts: str,
        problem: str = "",
        kind: FindingKind = FindingKind.CROSS_CONTRADICTION,
        conflicting: Iterable[int] = (),
        doubtful: bool = False,
    ) -> Suggestion | None:
        sentences = self._prepare_all(" ".join(texts))
        assert [one.text for one in sentences] == list(texts)
        (given,) = self._prepare_all(source)
        conflict = next(iter(conflicts_between(given.clause, sentences[0].clause)))
        conflicting = frozenset(conflicting)

        async def find(index: int, wording: object, left_out: frozenset[int]) -> frozenset[FindingKind]:
            text = getattr(wording, "text", "")
            kinds = {kind} if problem and problem in text and "312" in text else set()
            if index in conflicting and text == texts[index]:
                kinds.add(FindingKind.CONFLICTS_WITH_SOURCE)
            return frozenset(kinds)

        return await change_together(
            sentences[0],
            texts[0].replace(conflict.hypothesis.text, conflict.premise.text),
            [SourceConflict(given, conflict)],
            sentences[1:],
            Recheck(self._models, find),
            is_doubtful=doubtful,
        )


@pytest.fixture
def offer(local_models: InProcessModels, prepare_all: Prepare) -> Offering:
    return Offering(local_models, prepare_all)


@pytest.mark.parametrize(
    ("source", "text", "repeat", "changed"),
    [
        (
            HALL_SOURCE,
            HALL,
            "Since its opening in 1962 the hall has hosted concerts.",
            "Since its opening in 1967 the hall has hosted concerts.",
        ),
        (
            HALL_SOURCE,
            HALL,
            "The mayor, who opened the hall in 1962, was fond of music.",
            "The mayor, who opened the hall in 1967, was fond of music.",
        ),
        (TRIAL_SOURCE, TRIAL, "The 412 patients were followed closely.", "The 312 patients were followed closely."),
        (
            FEE_SOURCE,
            FEE,
            "The annual fee of 18,500 euros is not refunded.",
            "The annual fee of 16,500 euros is not refunded.",
        ),
    ],
)
async def test_a_sentence_that_gives_the_same_value_of_the_same_thing_is_changed_too(
    offer: Offering, source: str, text: str, repeat: str, changed: str
) -> None:
    found = await offer(source, text, "It is well known.", repeat)
    assert found is not None
    assert [(one.sentence, one.replacement) for one in found.companions] == [(2, changed)]
    assert found.verified
    assert found.label == SuggestionLabel.CHANGE_TOGETHER.of(2)


@pytest.mark.parametrize(
    ("source", "text", "repeat"),
    [
        (HALL_SOURCE, HALL, "The hall lost its roof in 1962."),
        (HALL_SOURCE, HALL, "The library was opened in 1962, too."),
        (TRIAL_SOURCE, TRIAL, "The 412 patients of the earlier trial were older."),
        (TRIAL_SOURCE, TRIAL, "The 412 elderly patients felt well."),
        (TRIAL_SOURCE, TRIAL, "Another study had 412 patients."),
        (FEE_SOURCE, FEE, "The monthly fee of 18,500 euros is too high."),
        (FEE_SOURCE, FEE, "The fee of 18,500 euros for the second site is separate."),
        (FEE_SOURCE, FEE, "The penalty is 18,500 euros."),
    ],
)
async def test_a_value_that_may_be_of_another_thing_stays(offer: Offering, source: str, text: str, repeat: str) -> None:
    assert await offer(source, text, repeat) is None


async def test_a_date_of_another_event_that_stays_takes_the_mark_from_nobody(offer: Offering) -> None:
    repeat = "When the Harbour Hall opened in 1962, tickets were cheap."
    found = await offer(HALL_SOURCE, HALL, repeat, "The hall lost its roof in 1962.")
    assert found is not None
    assert ([one.sentence for one in found.companions], found.verified) == ([1], True)


async def test_what_may_still_be_the_old_value_takes_the_mark(offer: Offering) -> None:
    found = await offer(TRIAL_SOURCE, TRIAL, "The 412 patients were followed.", "Another study had 412 patients.")
    assert found is not None
    assert not found.verified


async def test_a_doubt_about_the_source_takes_the_mark(offer: Offering) -> None:
    found = await offer(TRIAL_SOURCE, TRIAL, "The 412 patients were followed.", doubtful=True)
    assert found is not None
    assert not found.verified


async def test_a_changed_sentence_that_the_detectors_refuse_is_left_out(offer: Offering) -> None:
    repeats = ("The 412 patients were followed.", "All 412 patients agreed.")
    found = await offer(TRIAL_SOURCE, TRIAL, *repeats, problem="312 patients agreed")
    assert found is not None
    assert ([one.sentence for one in found.companions], found.verified) == ([1], False)
    assert await offer(TRIAL_SOURCE, TRIAL, *repeats, problem="312 patients in") is None


async def test_the_source_may_be_silent_about_what_else_a_changed_sentence_says(offer: Offering) -> None:
    silent = FindingKind.NOT_IN_SOURCE
    found = await offer(TRIAL_SOURCE, TRIAL, "All 412 patients agreed.", problem="patients agreed", kind=silent)
    assert found is not None
    assert found.verified


async def test_a_sentence_with_the_same_conflict_needs_the_proof_of_a_single_rewrite(offer: Offering) -> None:
    repeat = "In seven hospitals the trial enrolled 412 patients."
    assert await offer(TRIAL_SOURCE, TRIAL, repeat, conflicting=(1,)) is not None
    assert await offer(HALL_SOURCE, HALL, "The Harbour Hall was renovated in 1962.", conflicting=(1,)) is None


async def test_a_value_in_very_many_sentences_is_not_changed(offer: Offering) -> None:
    assert await offer(TRIAL_SOURCE, TRIAL, *["The 412 patients agreed."] * MAX_COMPANIONS) is not None
    assert await offer(TRIAL_SOURCE, TRIAL, *["The 412 patients agreed."] * (MAX_COMPANIONS + 1)) is None
