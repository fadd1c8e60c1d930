"""Statements that the other sentence denies."""

from __future__ import annotations

import pytest

from detection.core.rules.alignment import prepare
from detection.core.rules.denial import conflicts_of_denial

from .conftest import Parse


@pytest.mark.parametrize(
    ("premise", "hypothesis", "words"),
    [
        ("Grants are not given to companies.", "Grants are also given to companies.", ("not given", "given")),
        ("The firm owns no shares.", "The firm owns shares.", ("owns no", "owns")),
        ("Its founder was a lawyer.", "Its founder was not a lawyer.", ("lawyer", "not a lawyer")),
        ("She never won the prize.", "She won the prize.", ("never won", "won")),
    ],
)
def test_a_denial_clashes_with_the_statement(
    parse: Parse, premise: str, hypothesis: str, words: tuple[str, str]
) -> None:
    (clash,) = conflicts_of_denial(prepare(parse(premise)), prepare(parse(hypothesis)))
    assert (clash.premise.text, clash.hypothesis.text) == words
    assert not clash.is_strong


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Grants are not given to companies.", "Grants are given to students."),
        ("Grants are not given to companies.", "Grants are not given to companies abroad."),
        ("She never won the prize.", "She accepted the prize."),
        ("Its founder was not a lawyer.", "Its founder was a painter."),
        ("He played 312 games for the club.", "He never played for another club."),
    ],
)
def test_other_objects_and_other_predicates_are_other_matters(parse: Parse, premise: str, hypothesis: str) -> None:
    assert conflicts_of_denial(prepare(parse(premise)), prepare(parse(hypothesis))) == ()
