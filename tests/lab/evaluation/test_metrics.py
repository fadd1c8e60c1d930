from __future__ import annotations

import pytest

from detection.lab.evaluation.metrics import (
    Counts,
    best_threshold,
    expected_calibration_error,
    f1_interval,
    pearson,
    precision_recall_area,
    reliability,
    spearman,
    thresholds_of_others,
)

TRUTH = [True, True, True, False, False, False, False, False]
PREDICTED = [True, True, False, True, False, False, False, False]


def test_precision_recall_and_f1_by_hand() -> None:
    counts = Counts.of(TRUTH, PREDICTED)
    assert counts == Counts(true_positives=2, false_positives=1, false_negatives=1, true_negatives=4)
    assert counts.precision == pytest.approx(200 / 3)
    assert counts.recall == pytest.approx(200 / 3)
    assert counts.f1 == pytest.approx(200 / 3)


def test_figures_of_the_other_answer_by_hand() -> None:
    other = Counts.of(TRUTH, PREDICTED).of_no
    assert (other.precision, other.recall) == (80.0, 80.0)
    assert other == Counts.of([not value for value in TRUTH], [not value for value in PREDICTED])


def test_a_share_of_nothing_is_0() -> None:
    counts = Counts.of([False, False], [False, False])
    assert (counts.precision, counts.recall, counts.f1) == (0.0, 0.0, 0.0)
    assert counts.of_no.f1 == 100.0


def test_truth_and_answers_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="shorter"):
        Counts.of([True, False], [True])


def test_the_interval_holds_the_f1_and_is_the_same_each_time() -> None:
    groups = ["a", "a", "b", "c", "a", "b", "c", "d"]
    interval = f1_interval(TRUTH, PREDICTED, groups)
    assert interval.low < 200 / 3 < interval.high
    assert interval == f1_interval(TRUTH, PREDICTED, groups)


def test_the_interval_draws_whole_groups() -> None:
    # One group is all correct (F1 100), the other all wrong (F1 0); both together have 50.
    interval = f1_interval([True, True], [True, False], ["right", "wrong"])
    assert (interval.low, interval.high) == (0.0, 100.0)
    assert f1_interval([True, True, True], [True, True, False], ["one"] * 3).low == pytest.approx(80.0)


def test_the_best_threshold_parts_the_scores() -> None:
    assert best_threshold([True, True, False, False], [0.9, 0.7, 0.3, 0.1]) == pytest.approx(0.5)


def test_equal_scores_are_not_parted() -> None:
    # "yes" from 0.5 on: F1 2*2/(3+2) = 0.8; from 0.9 on: 2*1/(1+2) = 0.67.
    assert best_threshold([True, True, False, False], [0.9, 0.5, 0.5, 0.1]) == pytest.approx(0.3)


def test_the_best_threshold_of_the_lowest_score_is_that_score() -> None:
    assert best_threshold([True, True], [0.4, 0.2]) == pytest.approx(0.2)


def test_thresholds_are_chosen_on_the_other_groups() -> None:
    truth, scores = [True, False, True, False], [0.9, 0.5, 0.3, 0.1]
    thresholds = thresholds_of_others(truth, scores, ["high", "high", "low", "low"])
    assert thresholds == {"high": pytest.approx(0.2), "low": pytest.approx(0.7)}


def test_a_single_group_has_no_others() -> None:
    assert thresholds_of_others([True, False], [0.9, 0.1], ["one", "one"]) == {}


def test_calibration_by_hand() -> None:
    table = reliability([True, False, True, True], [0.62, 0.68, 0.95, 1.0])
    assert [(row.low, row.high, row.answers) for row in table] == [(0.6, 0.7, 2), (0.9, 1.0, 2)]
    assert [row.confidence for row in table] == [pytest.approx(65.0), pytest.approx(97.5)]
    assert [row.accuracy for row in table] == [50.0, 100.0]
    # (2 * |50 - 65| + 2 * |100 - 97.5|) / 4
    assert expected_calibration_error(table) == pytest.approx(8.75)


def test_a_bin_holds_its_upper_bound() -> None:
    assert [row.high for row in reliability([True, True], [0.5, 0.51])] == [0.5, 0.6]
    assert [row.low for row in reliability([False], [0.0])] == [0.0]


def test_the_area_under_precision_and_recall_by_hand() -> None:
    # Points (recall, precision): (0, 1), (1/2, 1), (1/2, 1/2), (1, 2/3), (1, 1/2).
    # Area: 1/2 * 1 + 0 + 1/2 * (1/2 + 2/3) / 2 + 0 = 1/2 + 7/24.
    area = precision_recall_area([True, False, True, False], [0.9, 0.8, 0.7, 0.1])
    assert area == pytest.approx(100 * (1 / 2 + 7 / 24))


def test_equal_scores_are_one_point_of_the_curve() -> None:
    # A line from (0, 1) to (1, 1/2).
    assert precision_recall_area([True, False], [0.5, 0.5]) == pytest.approx(75.0)
    assert precision_recall_area([False, True], [0.5, 0.5]) == pytest.approx(75.0)


def test_the_area_of_scores_that_part_all_is_whole() -> None:
    assert precision_recall_area([False, True, True], [0.1, 0.2, 0.3]) == 100.0
    assert precision_recall_area([False, False], [0.1, 0.2]) == 0.0


def test_correlations_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-2, -1, 3): 5 / sqrt(2 * 14).
    assert pearson([1, 2, 3], [0, 1, 5]) == pytest.approx(100 * 5 / 28**0.5)
    assert spearman([1, 2, 3], [0, 1, 5]) == pytest.approx(100.0)
    assert spearman([1, 2, 3], [5, 1, 0]) == pytest.approx(-100.0)


def test_equal_values_share_their_rank() -> None:
    # Ranks (1.5, 1.5, 3) and (1, 2, 3): deviations (-.5, -.5, 1) and (-1, 0, 1): 1.5 / sqrt(1.5 * 2).
    assert spearman([4, 4, 9], [1, 2, 3]) == pytest.approx(100 * 1.5 / 3**0.5)


def test_what_does_not_vary_correlates_with_nothing() -> None:
    assert pearson([1, 1, 1], [1, 2, 3]) == 0.0
    assert spearman([0.2], [0.5]) == 0.0
