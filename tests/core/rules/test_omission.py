"""Words are removed only if a sentence remains, and nothing else changes."""

from __future__ import annotations

import pytest

from detection.core.rules.omission import omit
from detection.core.types import Span

from .conftest import Parse


@pytest.mark.parametrize(
    ("sentence", "words", "rest"),
    [
        ("The mill, built in 1912, is a museum.", "1912", "The mill is a museum."),
        ("The mill (built in 1912) is a museum.", "1912", "The mill is a museum."),
        ("Ada Lind, a native of Oslo, moved to London.", "Oslo", "Ada Lind moved to London."),
        ("The house was sold, which pleased Tom Berg.", "Tom Berg", "The house was sold."),
        ("The mill was bought in 1912.", "1912", "The mill was bought."),
        ("In 1912, the mill was bought by the town.", "1912", "The mill was bought by the town."),
        ("The house was sold and later rented to Tom Berg.", "Tom Berg", "The house was sold."),
    ],
)
def test_what_is_set_off_can_be_left_out(parse: Parse, sentence: str, words: str, rest: str) -> None:
    assert omit(parse(sentence), _place(sentence, words)) == rest


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Ada Lind was born in Oslo.", "Ada Lind"),
        ("The mill employs 34 people.", "34"),
        ("The prize went to Tom Berg.", "Tom Berg"),
        ("They visited Oslo, Bergen and Malmö.", "Bergen"),
        ("Tom Berg, Ada Lind and Jon Holm founded the firm.", "Ada Lind"),
        ("She left.", "left"),
    ],
)
def test_what_a_sentence_needs_stays(parse: Parse, sentence: str, words: str) -> None:
    assert omit(parse(sentence), _place(sentence, words)) is None


def _place(sentence: str, words: str) -> Span:
    start = sentence.index(words)
    return Span(start, start + len(words))
