"""Relatives that one sentence denies and the other mentions."""

from __future__ import annotations

import pytest

from detection.core.rules.alignment import prepare
from detection.core.rules.kinship import conflicts_of_kinship

from .conftest import Parse


@pytest.mark.parametrize(
    ("premise", "hypothesis", "words"),
    [
        ("Berg never married.", "His wife was a painter.", ("never married", "His wife")),
        ("She remained unmarried.", "Her second husband died in 1960.", ("remained unmarried", "Her second husband")),
        ("He had no children.", "He had two daughters.", ("had no children", "had two daughters")),
        ("He was childless.", "His eldest son became a judge.", ("childless", "His eldest son")),
        ("She was an only child.", "She was the youngest of four children.", ("an only child", "the youngest of four")),
    ],
)
def test_ties_that_are_denied_and_mentioned_clash(
    parse: Parse, premise: str, hypothesis: str, words: tuple[str, str]
) -> None:
    (clash,) = conflicts_of_kinship(prepare(parse(premise)), prepare(parse(hypothesis)))
    assert clash.premise.text == words[0]
    assert clash.hypothesis.text.startswith(words[1])


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Berg never married.", "He had two daughters."),
        ("She had no children.", "Her brother was a judge."),
        ("She was an only child.", "Her only child became a judge."),
        ("She married in 1930.", "Her husband died in 1960."),
    ],
)
def test_ties_of_two_kinds_go_together(parse: Parse, premise: str, hypothesis: str) -> None:
    assert conflicts_of_kinship(prepare(parse(premise)), prepare(parse(hypothesis))) == ()
