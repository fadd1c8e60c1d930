from __future__ import annotations

import pytest

from detection.core.rules.base import Relation
from detection.core.rules.names import Name
from detection.core.types import Span

from .conftest import Parse
from .support import COMPATIBLE, CONFLICT, SAME, UNRELATED, texts_of


def _name(text: str) -> Name:
    return Name(span=Span(0, len(text)), text=text)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("However, Ada Lind moved to Bergen in May.", ["Ada Lind", "Bergen"]),
        ("Ada Lind's father was a Norwegian farmer.", ["Ada Lind", "Norwegian"]),
        ("She studied at the University of Oslo.", ["University of Oslo"]),
        ("The house was sold in March.", []),
        ("He saw “The Quiet Harbour” twice.", ["The Quiet Harbour"]),
        ("She wrote the script of the film La terra lontana (1948).", ["La terra lontana"]),
        ("He made his One Day International debut in May.", ["One Day International"]),
        ("One Norwegian writer praised her.", ["Norwegian"]),
    ],
)
def test_names_are_found(parse: Parse, sentence: str, expected: list[str]) -> None:
    assert texts_of(Name, parse(sentence)) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Ada Lind", "Lind", SAME),
        ("Dr. Ada Lind", "Ada Lind", SAME),
        ("A. B. Lind", "Lind family", SAME),
        ("Zürich", "Zurich", SAME),
        ("UN", "United Nations", SAME),
        ("J. Berg", "John Berg", COMPATIBLE),
        ("Bill Berg", "William Berg", COMPATIBLE),
        ("Bob Berg", "Robert Berg", COMPATIBLE),
        ("Ada Lind", "Eva Lind", CONFLICT),
        ("K. Berg", "John Berg", CONFLICT),
        ("Ada Lind", "Jon Berg", CONFLICT),
        ("Oslo", "University of Oslo", UNRELATED),
        ("Oslo", "Bergen", CONFLICT),
        ("Oslo", "Norway", COMPATIBLE),
        ("Oslo", "Sweden", CONFLICT),
        ("Norwegian", "Norway", COMPATIBLE),
        ("Norwegian", "Swedish", CONFLICT),
        ("British", "Scottish", COMPATIBLE),
        ("Soviet", "Ukrainian", COMPATIBLE),
        ("West Africa", "Ghana", COMPATIBLE),
        ("northern Italy", "Milan", COMPATIBLE),
        ("Lillesand", "Norway", UNRELATED),
        ("Catherine Lind", "Katherine Lind", COMPATIBLE),
        ("Mr. Lind", "Ada Lind", SAME),
        ("Ludwig van Meer", "van Meer", SAME),
        ("Sorrel Ltd.", "Sorrel Limited", SAME),
        ("Sorrel Inc.", "Sorrel", SAME),
        ("Halden Univ.", "Halden University", SAME),
        ("Saint Petersburg", "St. Petersburg", SAME),
        ("Saint Petersburg", "Leningrad", SAME),
        ("Peking", "Beijing", SAME),
        ("Bombay", "India", COMPATIBLE),
        ("Mumbai", "Kolkata", CONFLICT),
        ("England", "UK", COMPATIBLE),
        ("U.S.", "America", SAME),
        ("The Halden Times", "Halden Times", SAME),
    ],
)
def test_names_are_compared_as_names(first: str, second: str, expected: Relation) -> None:
    assert _name(first).relation_to(_name(second)) is expected
    assert _name(second).relation_to(_name(first)) is expected


def test_a_form_of_address_alone_is_no_name() -> None:
    assert texts_of(Name, "He met Mr. Berg and Dr. Lind.") == ["Berg", "Lind"]
