"""Whether two sentences can be about the same thing and occasion."""

from __future__ import annotations

import pytest

from detection.core.comparing.reference import speak_of_two_things, tell_of_two_occasions

from ..conftest import Prepare


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The old stadium held 8,000 people.", "The stadium holds 12,000 people."),
        ("The east wing was added in 1901.", "The west wing was added in 1934."),
        ("His father was born in Oslo.", "He was born in Bergen."),
        ("He was born in Oslo.", "She was born in Bergen."),
        ("The bridge is 80 metres long.", "The road is 12 km long."),
        ("Ada Lind was born in Oslo.", "Tom Berg was born in Bergen."),
        ("The harbour of Sallow handled 300,000 tonnes.", "The harbour of Lunde handled 410,000 tonnes."),
        ("In 2022 Sorrel's museum had 900 visitors.", "In 2022 Harwick's museum had 1,200 visitors."),
        ("The smaller tent sleeps two people.", "The tent sleeps four people."),
        ("The pump moves 40 litres a minute.", "The more powerful pump moves 65 litres a minute."),
        ("The bigger Nomad XL holds 65 litres.", "The Nomad holds 40 litres."),
        ("The larger Breeze Max has twelve speeds.", "With six speeds, there is a breeze for every season."),
        ("The Nomad weighs 3 kg.", "The Nomad Pro weighs 4 kg."),
        ("It weighs 1.3 kg.", "The larger Kestrel 60 weighs 1.7 kg."),
        ("It sleeps four people.", "The smaller tent sleeps two."),
    ],
)
def test_two_things(prepare_all: Prepare, first: str, second: str) -> None:
    one, other = prepare_all(f"{first} {second}")
    assert speak_of_two_things(one.clause, other.clause)
    assert speak_of_two_things(other.clause, one.clause)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The bridge was opened in 1932.", "It was opened in 1936."),
        ("The firm employs 340 people.", "The company employs 430 people."),
        ("Sorrel has 900 inhabitants.", "The village has 1,200 inhabitants."),
        ("Ada Lind was born in Oslo.", "Lind was born in Bergen."),
        ("She was born in Oslo.", "Ada Lind was born in Bergen."),
        ("The harbour of Sallow handled 300,000 tonnes.", "The harbour handled 410,000 tonnes."),
        ("The harbour of Sallow handled 300,000 tonnes.", "Sallow's harbour handled 410,000 tonnes."),
    ],
)
def test_perhaps_one_thing(prepare_all: Prepare, first: str, second: str) -> None:
    one, other = prepare_all(f"{first} {second}")
    assert not speak_of_two_things(one.clause, other.clause)
    assert not speak_of_two_things(other.clause, one.clause)


def test_dates_tell_occasions_apart(prepare_all: Prepare) -> None:
    won, lost, again, undated = prepare_all(
        "Sorrel won the cup in 1978. Sorrel lost the cup in 1990. In 1978 Sorrel lost the cup. Sorrel lost the cup."
    )
    assert tell_of_two_occasions(won.clause, lost.clause)
    assert not tell_of_two_occasions(won.clause, again.clause)
    assert not tell_of_two_occasions(won.clause, undated.clause)


def test_sides_tell_occasions_apart(prepare_all: Prepare) -> None:
    club, nation, undated, again = prepare_all(
        "For the club he scored 98 goals. For the national team he scored 12 goals. He scored 89 goals in ten years. "
        "He scored 89 goals for the club."
    )
    assert tell_of_two_occasions(club.clause, nation.clause)
    assert not tell_of_two_occasions(club.clause, undated.clause)
    assert not tell_of_two_occasions(club.clause, again.clause)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Six members voted for the plan.", "Four members voted against the plan."),
        ("In summer the hotel has 40 cooks.", "In winter the hotel has 12 cooks."),
        ("The village had 300 inhabitants in 1900.", "The village has 500 inhabitants today."),
        ("At first the ship had three engines.", "Later the ship had four engines."),
        ("The village once had 300 inhabitants.", "The village now has 500 inhabitants."),
    ],
)
def test_votes_seasons_and_phases_tell_occasions_apart(prepare_all: Prepare, first: str, second: str) -> None:
    one, other = prepare_all(f"{first} {second}")
    assert tell_of_two_occasions(one.clause, other.clause)
    assert tell_of_two_occasions(other.clause, one.clause)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Six members voted for the plan.", "Four members voted for the plan."),
        ("The village now has 300 inhabitants.", "Today the village has 500 inhabitants."),
        ("The ferry runs once a day.", "The ferry now runs twice a day."),
        ("In summer the hotel has 40 cooks.", "In summer the hotel has 12 cooks."),
    ],
)
def test_one_side_and_one_phase_are_one_occasion(prepare_all: Prepare, first: str, second: str) -> None:
    one, other = prepare_all(f"{first} {second}")
    assert not tell_of_two_occasions(one.clause, other.clause)
    assert not tell_of_two_occasions(other.clause, one.clause)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("In its fourth year the fund reached 6,300 children.", "In the year before it had reached 4,900 children."),
        ("The clinic treated 1,820 patients.", "In the previous quarter it had treated 1,640 patients."),
        ("The festival sold 12,400 tickets.", "Last year it sold 9,800 tickets."),
        ("A year earlier it had lent 74,500 books.", "The library lent 81,000 books."),
        ("Quarterly revenue came to £381 million.", "Analysts had expected revenue of £310 million."),
        ("The bridge cost 14 million euros.", "The council had planned a bridge that cost 9 million euros."),
        ("The race drew 3,200 runners.", "The organisers had hoped that the race would draw 5,000 runners."),
        ("Simmer the sauce for 20 minutes.", "Rest the sauce for 5 minutes."),
        ("Heat the solution to 60 °C for 10 minutes.", "Cool the solution to 4 °C for 30 minutes."),
        ("Pellet the cells at 4,000 g for 10 minutes.", "Then centrifuge at 13,000 g for 10 minutes."),
    ],
)
def test_two_periods_a_plan_and_its_outcome_and_two_steps(prepare_all: Prepare, first: str, second: str) -> None:
    one, other = prepare_all(f"{first} {second}")
    assert tell_of_two_occasions(one.clause, other.clause)
    assert tell_of_two_occasions(other.clause, one.clause)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Last year the festival sold 12,400 tickets.", "It sold 9,800 tickets last year."),
        ("The plant is planned to employ 95 people.", "The plant will employ 120 people."),
        ("Simmer the sauce for 20 minutes.", "Simmer the sauce for 35 minutes."),
        ("The festival sold 12,400 tickets.", "It sold 9,800 tickets."),
        ("The rent is due on the first day of each month.", "The rent is due on the last day of each month."),
    ],
)
def test_one_period_one_plan_and_one_step_are_one_occasion(prepare_all: Prepare, first: str, second: str) -> None:
    one, other = prepare_all(f"{first} {second}")
    assert not tell_of_two_occasions(one.clause, other.clause)
    assert not tell_of_two_occasions(other.clause, one.clause)
