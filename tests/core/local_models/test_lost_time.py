from __future__ import annotations

import time

from detection.core.local_models import lost_time
from detection.core.local_models.lost_time import LostTime, measuring

PAUSE_S = 0.05


def test_time_that_was_computed_is_not_lost() -> None:
    lost = LostTime()
    with lost.waiting():
        time.sleep(PAUSE_S)
    assert lost.seconds >= PAUSE_S
    lost.add_computed(lost.seconds)
    assert lost.seconds < PAUSE_S / 10


def test_calls_that_overlap_count_once() -> None:
    lost = LostTime()
    began = time.monotonic()
    with lost.waiting(), lost.waiting():
        time.sleep(PAUSE_S)
        assert lost.seconds >= PAUSE_S
    assert PAUSE_S <= lost.seconds <= time.monotonic() - began


def test_each_check_has_its_own() -> None:
    lost = LostTime()
    with measuring(lost):
        assert lost_time.current() is lost
    assert lost_time.current() is not lost
