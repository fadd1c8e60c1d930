"""The terms of a contract for its parties, and the names in their place."""

from __future__ import annotations

import pytest

from detection.core.rules.base import Family
from detection.core.sources.defined_terms import StatementOfParties, defined_terms, with_names
from tests.costs import measured

from ..conftest import Prepare

TERMS = {"Provider": "Brightwater Ltd", "Council": "Oakfield Council"}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('Brightwater Ltd ("the Provider") and Oakfield Council ("the Council") agree.', TERMS),
        ("Brightwater Ltd (the “Provider”) and Oakfield Council (“Council”) agree.", TERMS),
        ('between Bank of Sorrel (hereinafter referred to as "the Lender") and', {"Lender": "Bank of Sorrel"}),
        ('The hall (the largest in "Sorrel") was built in 1894.', {}),
        ('1. Parties. Brightwater Ltd ("the Owner") signs.', {"Owner": "Brightwater Ltd"}),
        ('St. Mary Hospital ("the Owner") signs.', {"Owner": "St. Mary Hospital"}),
        ('She called it "the Provider".', {}),
        ("Brightwater Ltd (Leeds) is old.", {}),
    ],
)
def test_terms_are_defined_in_brackets_and_quotation_marks(text: str, terms: dict[str, str]) -> None:
    assert defined_terms(text) == terms


def test_a_long_text_of_capitals_and_definitions_costs_little() -> None:
    with measured() as cost:
        defined_terms("A" * 20_000 + "A " * 100_000 + "Ab (" * 50_000)
        terms = defined_terms("".join(f'Firm{chr(97 + i % 26)} Ltd ("the Term{i}"). ' for i in range(5_000)))
    assert len(terms) == 20
    assert cost.processor_s < 2


def test_names_stand_in_place_of_the_terms() -> None:
    text = "The Provider's staff shall warn the Council; other providers and the Councillor need not."
    assert with_names(text, TERMS) == (
        "Brightwater Ltd's staff shall warn Oakfield Council; other providers and the Councillor need not."
    )
    assert with_names("The Provider pays.", {"Provider": r"A\1 & Co"}) == r"A\1 & Co pays."


def test_a_term_is_the_name_of_its_party(prepare_all: Prepare) -> None:
    (plain,) = prepare_all("The Provider shall inspect each playground in Leeds twice a month.")
    names = [value.text for value in plain.clause.values if value.family is Family.NAME]
    assert names == ["Provider", "Leeds"]
    clause = StatementOfParties(plain.parsed, TERMS).clause
    assert [value.text for value in clause.values if value.family is Family.NAME] == ["Brightwater Ltd", "Leeds"]
