"""Invariants of the values of any text."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from detection.core.rules import compare, extract
from detection.core.rules.base import Relation
from detection.core.rules.statement import states
from detection.core.rules.substitution import substitute

_PIECES = st.sampled_from(
    [
        *"0123456789",
        *" ,.–-/'’\"()$€%°",
        " and ", " to ", " of ", " the ", " a ", " in ", " since ", " between ", " more than ", " about ",
        "12", "1957", "44 BC", "March", "May 3", "12 March 1957", "19th century", "1950s", "3:45 p.m.", "noon",
        "three", "hundred", "million", "half", "two thirds", "first", "last", "largest", "No. 1",
        " km", " miles", " years", "-year-old", " later", " percent", " points", "£", " euros", " people",
        "Ada Lind", "Oslo", "Norway", "Norwegian", "Dr.", "“Quiet Harbour”", "naïve", "Łódź", "東京", "👩‍🔬",
        "\u00a0", "\n", "ſix", "ſecond", "Auguſt", "sıx", "fİve", "5 \N{KELVIN SIGN}g", "ſeconds",
    ]
)  # fmt: skip
_texts = st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=14).map("".join))


def test_old_and_foreign_letters_are_read_like_the_common_ones() -> None:
    values = extract("The mill opened on 3 Auguſt 1894 and has ſix wheels.")

    assert [value.text for value in values] == ["3 Auguſt 1894", "ſix"]
    assert extract("3 August 1894")[0].relation_to(values[0]) is Relation.SAME
    assert extract("sıx wheels")[0].relation_to(values[1]) is Relation.SAME


@settings(max_examples=300, deadline=None)
@given(_texts)
@example("١٢ ")
@example("½")
@example("2²")
@example("from 12 to 12 to 14")
@example("on the ſixth of Auguſt it took ſeven seconds")
def test_values_stand_in_the_text_in_order_and_apart(text: str) -> None:
    values = extract(text)

    assert all(value.span.of(text) == value.text and value.text for value in values)
    assert all(first.span.end <= second.span.start for first, second in pairwise(values))


@settings(max_examples=300, deadline=None)
@given(_texts, _texts)
def test_the_relation_is_symmetric_and_a_value_is_the_same_as_itself(first: str, second: str) -> None:
    values = (*extract(first), *extract(second))

    assert all(compare(value, value) in (Relation.SAME, Relation.UNRELATED) for value in values)
    assert all(compare(one, other) is compare(other, one) for one, other in combinations(values, 2))


@settings(max_examples=300, deadline=None)
@given(_texts)
def test_a_value_states_itself_and_what_it_states_does_not_conflict(text: str) -> None:
    values = extract(text)

    for one in values:
        assert states(one, one) or compare(one, one) is Relation.UNRELATED
        assert not any(states(one, other) and compare(one, other) is Relation.CONFLICT for other in values)


@settings(max_examples=300, deadline=None)
@given(_texts, _texts)
def test_a_substitution_changes_the_text(first: str, second: str) -> None:
    for premise in extract(first):
        for hypothesis in extract(second):
            result = substitute(premise, first, hypothesis, second)
            assert result is None or result not in ("", second)


_REPEATED = [
    "7",
    "7 ",
    "7,",
    "1,234",
    "twenty ",
    "and ",
    "a ",
    "Ada ",
    "Ada’s ",
    "of the ",
    "-",
    "May ",
    "19th ",
    "“",
    "($",
]


@pytest.mark.parametrize("piece", _REPEATED)
def test_long_input_is_read_in_linear_time(piece: str) -> None:
    text = (piece * 20_000)[:20_000]

    assert all(value.span.of(text) == value.text for value in extract(text))
