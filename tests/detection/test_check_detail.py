"""What the page of a check says about how far it is, and what was not checked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from detection import services, wording
from detection.core import reports
from detection.core.reasons import Reason
from detection.core.types import BlockKind, Sentence, Verdict
from detection.models import Check
from detection.selectors.detail import CheckDetail, NotChecked
from detection.services.runs import RunWriter
from tests.factories import DETECTOR, OWNER, segment, start_run

pytestmark = pytest.mark.django_db


def running(done: int, seconds: float) -> CheckDetail:
    """A check of 20 sentences that has run for some time."""
    text, sentences = segment(*(f"The mill opened in {year}." for year in range(1900, 1920)))
    check = services.check_create(owner=OWNER, text=text)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=None)])
    for index in range(done):
        writer.write([reports.UnitDone(DETECTOR, index, Verdict.NO_PROBLEM_FOUND, ())])
    Check.objects.filter(pk=check.pk).update(started_at=timezone.now() - timedelta(seconds=seconds))
    check.refresh_from_db()
    return CheckDetail(check)


def test_the_time_left_follows_from_the_speed_so_far() -> None:
    assert 30 <= running(done=10, seconds=30).seconds_left <= 32


@pytest.mark.parametrize(("done", "seconds"), [(0, 30), (2, 30), (10, 0.5), (20, 30)])
def test_no_time_is_named_before_it_can_be_told_or_when_nothing_is_left(done: int, seconds: float) -> None:
    assert running(done, seconds).seconds_left == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "about 10 s left"), (37, "about 40 s left"), (55, "about 1 min left"), (61, "about 2 min left")],
)
def test_an_estimate_is_no_more_precise_than_it_is(seconds: int, words: str) -> None:
    assert wording.time_left(seconds) == words


def test_headings_are_named_apart_from_what_states_no_fact() -> None:
    text = "Growth\n\nPlease check this. Is it so?"
    spans = [(0, 6, 0, BlockKind.HEADING), (8, 26, 1, BlockKind.PARAGRAPH), (27, 36, 1, BlockKind.PARAGRAPH)]
    sentences = tuple(
        Sentence(index, start, end, text[start:end], block, kind)
        for index, (start, end, block, kind) in enumerate(spans)
    )
    check = services.check_create(owner=OWNER, text=text)
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=None)])
    writer.write([reports.UnitSkipped(DETECTOR, index, Reason.STATES_NO_FACT.of()) for index in range(3)])
    assert CheckDetail(check).not_checked == (
        NotChecked("no statement of fact, for example instructions and questions", (1, 2)),
        NotChecked("headings", (0,)),
    )
