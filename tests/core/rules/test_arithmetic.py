"""Computed figures do not conflict with their operands."""

from __future__ import annotations

import pytest

from detection.core.rules.arithmetic import is_worked_out, is_worked_out_from

from ..conftest import Prepare


@pytest.mark.parametrize(
    ("given", "sentence", "words"),
    [
        ("Each portion costs EUR 6.90.", "A box of ten portions costs EUR 69.", "EUR 69"),
        ("About 11,400 packs were made, of which 7,900 had been sold.", "Some 3,500 packs were left.", "3,500"),
        ("The firm rents two halls of 640 square metres.", "It rents 1,280 square metres.", "1,280"),
        ("In the first year 18 pupils came and in the second 24.", "In two years 42 pupils came.", "42"),
    ],
)
def test_sums_differences_and_products(prepare_all: Prepare, given: str, sentence: str, words: str) -> None:
    (theirs,), (own,) = map(prepare_all, (given, sentence))
    (value,) = (value for value in own.clause.values if words in value.text)
    assert is_worked_out(value, own.clause, theirs.clause)


@pytest.mark.parametrize(
    ("given", "sentence", "words"),
    [
        ("Each portion costs EUR 6.90.", "A box of ten portions costs EUR 96.", "EUR 96"),
        ("Two of the five piers have cracks.", "Three of the five piers have cracks.", "Three"),
        ("The plant employs 95 people.", "The plant employs 85 people.", "85"),
        ("The plant was opened in 1974.", "The plant was opened in 1947.", "1947"),
    ],
)
def test_other_figures(prepare_all: Prepare, given: str, sentence: str, words: str) -> None:
    (theirs,), (own,) = map(prepare_all, (given, sentence))
    (value,) = (value for value in own.clause.values if words in value.text)
    assert not is_worked_out(value, own.clause, theirs.clause)


def test_both_ends_of_a_range_count(prepare_all: Prepare) -> None:
    (theirs,), (own,) = map(
        prepare_all, ("Accidents went up from 14 to 23 in the winter.", "There were nine more accidents.")
    )
    (value,) = (value for value in own.clause.values if "nine" in value.text)
    assert is_worked_out(value, own.clause, theirs.clause)


def test_small_results_count_for_one_operand(prepare_all: Prepare) -> None:
    (theirs,), (own,) = map(prepare_all, ("The interval is 5 minutes, formerly 15.", "It is three times as short."))
    (value,) = (value for value in own.clause.values if "three" in value.text)
    (operand,) = (value for value in theirs.clause.values if "15" in value.text)
    assert not is_worked_out(value, own.clause, theirs.clause)
    assert is_worked_out_from(operand, value, own.clause, theirs.clause)


def test_two_figures_beside_the_operand_do_not_count(prepare_all: Prepare) -> None:
    source = "Breakfast is served from 7 to 10 a.m. and costs 12 euros."
    (theirs,), (own,) = map(prepare_all, (source, "Travellers pay 17 euros for breakfast."))
    (value,) = (value for value in own.clause.values if "17" in value.text)
    (operand,) = (value for value in theirs.clause.values if "12" in value.text)
    assert not is_worked_out_from(operand, value, own.clause, theirs.clause)
