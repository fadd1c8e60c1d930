import numpy as np
import pytest

from detection.lab.training.nli import calibrate, metrics
from detection.lab.training.nli.labels import Label


def test_detection_counts_hits_misses_and_false_alarms():
    found = metrics.detection(np.array([True, True, False, False]), np.array([True, False, True, False]))

    assert (found.precision, found.recall, found.f1) == (50, 50, 50)
    assert (found.rows, found.positives) == (4, 2)


def test_thresholds_separate_what_can_be_separated():
    scores, truths = np.array([0.1, 0.2, 0.7, 0.9]), np.array([False, False, True, True])

    assert metrics.detection(scores > metrics.best_f1_threshold(scores, truths), truths).f1 == 100
    assert metrics.macro_f1(scores > metrics.best_macro_f1_threshold(scores, truths), truths) == 100
    assert metrics.average_precision(scores, truths) == 100


def test_recall_threshold_finds_its_share():
    scores = np.linspace(0, 1, 101)
    truths = np.ones(101, np.bool_)

    threshold = metrics.threshold_at_recall(scores, truths, 0.6)

    assert (scores > threshold).mean() == pytest.approx(0.6, abs=0.02)


def test_each_half_is_judged_with_the_other_halfs_threshold():
    scores = np.array([0.1, 0.9, 0.3, 0.8])
    truths = np.array([False, True, False, True])

    assert metrics.cross_fitted(scores, truths, [0, 0, 1, 1]).tolist() == truths.tolist()


def test_an_overconfident_model_gets_a_temperature_above_one():
    generator = np.random.default_rng(2)
    labels = [list(Label)[generator.integers(3)] for _ in range(3000)]
    logits = generator.normal(0, 4, (3000, 3)).astype(np.float32)
    for row, label in enumerate(labels):
        logits[row, label.allowed.index(True)] += 4

    assert calibrate.fit_temperature(logits, labels) > 1.5


def test_rows_above_all_but_a_few_others_are_found():
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    truths = np.array([True, False, True, False, True])

    assert [metrics.found_with_false(scores, truths, false) for false in (0, 1, 2)] == [1, 2, 3]


def test_equal_scores_count_half_in_the_area_under_the_curve():
    scores = np.array([0.5, 0.5, 0.9])

    assert metrics.area_under_roc(scores, np.array([True, False, False])) == 25
