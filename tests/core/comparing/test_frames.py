"""Sentences that differ only in a value."""

from __future__ import annotations

import pytest

from detection.core.comparing.frames import conflicts_in_frame, mentions_words

from ..conftest import Prepare


@pytest.mark.parametrize(
    ("premise", "hypothesis", "clash"),
    [
        ("The hall seats 180 people.", "The hall now seats 210 people.", ("180", "210")),
        ("Entry costs 5 euros for adults.", "For adults entry costs 8 euros.", ("5 euros", "8 euros")),
        ("The shop is closed on Sundays.", "The shop is closed on Mondays.", ("Sundays", "Mondays")),
    ],
)
def test_one_value_differs(prepare_all: Prepare, premise: str, hypothesis: str, clash: tuple[str, str]) -> None:
    first, second = prepare_all(f"{premise} {hypothesis}")
    (found,) = conflicts_in_frame(first, second)
    assert (found.premise.text, found.hypothesis.text) == clash
    assert 0.5 < found.strength < 1


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The hall seats 180 people.", "The 210 workers went home."),
        ("The hall seats 180 people.", "The hall seats about 180 people."),
        ("Ada Lind visited Oslo.", "Lind visited Oslo."),
        ("It rained.", "It snowed on 3 May."),
        ("The fund was founded by Karl Werner in 1987.", "Karl Werner died in 1994."),
    ],
)
def test_no_common_frame_or_no_clash(prepare_all: Prepare, premise: str, hypothesis: str) -> None:
    first, second = prepare_all(f"{premise} {hypothesis}")
    assert conflicts_in_frame(first, second) == ()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Students pay 10 euros a year, other members 20 euros.", "Members pay 20 euros a year."),
        ("The second branch has 22 desks, the first 14.", "The first branch has 14 desks."),
        ("The main room has 120 seats, the small room has 45.", "The main room has 120 seats."),
    ],
)
def test_a_value_that_the_premise_gives_as_well_is_no_clash(
    prepare_all: Prepare, premise: str, hypothesis: str
) -> None:
    first, second = prepare_all(f"{premise} {hypothesis}")
    assert conflicts_in_frame(first, second) == ()


def test_two_differences_are_rather_another_occasion(prepare_all: Prepare) -> None:
    first, one, two = prepare_all(
        "In May 1990 the firm sold 180 cars. In May 1990 the firm sold 210 cars. In May 1991 the firm sold 210 cars."
    )
    strongest = [max(clash.strength for clash in conflicts_in_frame(first, other)) for other in (one, two)]
    assert strongest[1] < strongest[0]


def test_the_sentence_before_tells_what_a_pronoun_stands_for(prepare_all: Prepare) -> None:
    before, premise, hypothesis = prepare_all(
        "The Sallow bridge was opened in 1932. It carries 400 cars a day. The Sallow bridge carries 600 cars a day."
    )
    alone = conflicts_in_frame(premise, hypothesis)
    (with_before,) = conflicts_in_frame(premise, hypothesis, before)
    assert all(clash.strength < with_before.strength for clash in alone)


def test_parts_of_a_name_are_no_other_name() -> None:
    assert mentions_words("Ada Lind of Oslo", "lind")
    assert not mentions_words("Ada Lindberg of Oslo", "Lind")
