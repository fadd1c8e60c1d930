from __future__ import annotations

import pytest

from detection.lab.evaluation.tallies import Tally, balanced_accuracy, f1, figures, measure, precision, share

FORMULAS = {
    "recall": share("found", "planted"),
    "precision": precision("found", "false"),
    "balanced": balanced_accuracy("found", "planted", "passed", "good"),
    "f1": f1("found", "called", "planted"),
    "unknown": share("nothing", "planted"),
}
TALLIES = [
    Tally("one", {"found": 1, "planted": 2, "false": 1, "called": 2}, ("news",)),
    Tally("two", {"found": 1, "planted": 2, "passed": 3, "good": 4}, ("news", "law")),
    Tally("two", {"false": 1, "called": 2}, ("law",)),
]


def test_figures_by_hand() -> None:
    named = figures(TALLIES, FORMULAS, intervals=False).values()
    assert named == {
        "recall": 50.0,
        "precision": 50.0,
        "balanced": pytest.approx((50 + 75) / 2),
        "f1": 50.0,
    }


def test_a_figure_without_counts_is_left_out_and_a_share_of_nothing_is_0() -> None:
    assert figures([Tally("one", {"found": 0, "planted": 0})], FORMULAS, intervals=False).values() == {"recall": 0.0}


def test_groups_count_their_own_cases() -> None:
    measured = measure(TALLIES, FORMULAS, rows=2)
    groups = {group.name: group for group in measured.groups}
    assert list(groups) == ["law", "news"]
    assert (groups["law"].rows, groups["law"].metrics.values()["precision"]) == (1, 50.0)
    assert groups["news"].metrics.values()["precision"] == pytest.approx(200 / 3)
    assert "balanced" in groups["news"].metrics.values()


def test_intervals_draw_whole_clusters() -> None:
    apart = [Tally("one", {"found": 1, "planted": 1}), Tally("two", {"found": 0, "planted": 1})]
    together = [Tally("one", tally.counts) for tally in apart]
    of_two, of_one = (figures(cases, FORMULAS).values() for cases in (apart, together))
    assert (of_two["recall_low"], of_two["recall"], of_two["recall_high"]) == (0.0, 50.0, 100.0)
    assert (of_one["recall_low"], of_one["recall_high"]) == (50.0, 50.0)
