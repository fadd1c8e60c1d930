"""Two limits of one kind are compared as numbers."""

from __future__ import annotations

import pytest

from detection.core.rules.amounts import Amount, Qualifier
from detection.core.rules.base import Relation


@pytest.mark.parametrize("qualifier", [Qualifier.AT_LEAST, Qualifier.AT_MOST])
def test_two_different_limits_exclude_each_other(qualifier: Qualifier) -> None:
    one, other = Amount(260, qualifier=qualifier), Amount(240, qualifier=qualifier)
    assert one.relation_to(other) is Relation.CONFLICT
    assert one.relation_to(one) is Relation.SAME


def test_a_lower_and_an_upper_limit_with_one_figure_exclude_each_other() -> None:
    least, most = Amount(30, qualifier=Qualifier.AT_LEAST), Amount(30, qualifier=Qualifier.AT_MOST)
    assert least.relation_to(most) is most.relation_to(least) is Relation.CONFLICT
    assert least.relation_to(Amount(40, qualifier=Qualifier.AT_MOST)) is Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("limit", "number", "relation"),
    [
        (Amount(260, qualifier=Qualifier.AT_MOST), Amount(240), Relation.COMPATIBLE),
        (Amount(260, qualifier=Qualifier.AT_MOST), Amount(280), Relation.CONFLICT),
        (Amount(18, qualifier=Qualifier.AT_LEAST), Amount(21), Relation.COMPATIBLE),
        (Amount(18, qualifier=Qualifier.MORE_THAN), Amount(21, qualifier=Qualifier.MORE_THAN), Relation.COMPATIBLE),
    ],
)
def test_a_number_may_lie_within_a_limit(limit: Amount, number: Amount, relation: Relation) -> None:
    assert limit.relation_to(number) is relation
