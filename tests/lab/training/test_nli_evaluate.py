"""Figures of a model, and how they are printed."""

import numpy as np

from detection.lab.training.nli import evaluate


def test_two_sided_accuracy_counts_the_same_sentence_on_both_sides():
    row = {"a": "A", "b": "B", "only_a": ["fits a"], "only_b": ["fits b"]}

    def scorer(pairs):
        # "fits a" contradicts B; the model wrongly contradicts "fits b" and B as well.
        return np.array([[0, 1 - ("B" in pair), "B" in pair] for pair in pairs], float)

    assert evaluate.two_sided_figures(scorer, [row]) == {"accuracy": 50, "rows": 2}


def test_contradictions_of_texts_are_counted_above_the_first_false_pairs():
    row = {"sentences": ["a", "b", "c", "d"], "pairs": [{"a": 3, "b": 0}, {"a": 1, "b": 2}]}
    scores = {"ad": 0.9, "ac": 0.8, "bc": 0.4, "ab": 0.3, "bd": 0.1, "cd": 0.1}

    def scorer(pairs):
        return np.array([[0, 1 - (score := scores["".join(sorted(pair))]), score] for pair in pairs], float)

    figures = evaluate.text_figures(scorer, [row])

    assert (figures["contradictions"], figures["other_pairs"]) == (2, 4)
    assert figures["found_with_5_false"] == 2
    # Of the 8 pairs of a contradiction and another pair, the contradiction scores higher in 4 and 3.
    assert figures["area_under_roc"] == 87.5


def test_wrong_cells_are_counted_above_a_share_of_the_others():
    cells = [{"t": "7", "l": "s"}, {"t": "8", "l": "c"}, {"t": "9", "l": "u"}]
    tables = [{"source": "Sill: 7.", "head": ["Ferry", "A", "B", "C"], "rows": [{"name": "Sill", "cells": cells}]}]
    scores = {
        "A of the ferry Sill: 7.": (0.8, 0.1),
        "B of the ferry Sill: 8.": (0.3, 0.6),
        "C of the ferry Sill: 9.": (0.5, 0.7),
    }

    def scorer(pairs):
        return np.array(
            [[support, 1 - support - against, against] for _, claim in pairs for support, against in [scores[claim]]]
        )

    figures = evaluate.cell_figures(scorer, tables)

    assert (figures["cells"], figures["wrong"], figures["area_under_roc"]) == (3, 1, 100)
    assert figures["wrong_found_with_1_percent_false"] == 0


def test_figures_are_printed_as_one_table():
    printed = evaluate.table({"sides": {"own": {"accuracy": 61.234}}, "anli": {"rows": 3.0}})

    assert printed.splitlines() == [
        "set    figure           value",
        "sides  own.accuracy     61.23",
        "anli   rows                 3",
    ]
