"""Figures of a model, and how they are printed."""

import numpy as np

from detection.lab.training.nli import evaluate


def test_two_sided_accuracy_counts_the_same_sentence_on_both_sides():
    row = {"a": "A", "b": "B", "only_a": ["fits a"], "only_b": ["fits b"]}

    def scorer(pairs):
        # "fits a" contradicts B; the model wrongly contradicts "fits b" and B as well.
        return np.array([[0, 1 - ("B" in pair), "B" in pair] for pair in pairs], float)

    assert evaluate.two_sided_figures(scorer, [row]) == {"accuracy": 50, "rows": 2}


def test_figures_are_printed_as_one_table():
    printed = evaluate.table({"sides": {"own": {"accuracy": 61.234}}, "anli": {"rows": 3.0}})

    assert printed.splitlines() == [
        "set    figure           value",
        "sides  own.accuracy     61.23",
        "anli   rows                 3",
    ]
