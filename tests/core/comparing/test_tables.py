"""Table rows read as cells with headings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.comparing.tables import MAX_CELLS, Row, read_row
from detection.core.language.pipeline import LanguagePipeline

RowsOf = Callable[[str], list[Row]]


@pytest.fixture
def rows_of(pipeline: LanguagePipeline) -> RowsOf:
    def read(text: str) -> list[Row]:
        sentences = [ComparableSentence(parsed) for parsed in pipeline.parse(text).sentences]
        return [read_row(sentences, index) for index in range(len(sentences))]

    return read


def test_each_cell_is_a_claim_of_its_row_and_heading(rows_of: RowsOf) -> None:
    text = "| Plan | Price | Users | Opened |\n|---|---|---|---|\n| **Pro** | $29 | 5 | 2019 |\n"
    head, row = rows_of(text)
    assert head.reason == "table_heading"
    assert [(cell.thing, cell.attribute, cell.claim) for cell in row.cells] == [
        ("Pro plan", "Price", "Pro plan costs $29."),
        ("Pro plan", "Users", "Pro plan has 5 users."),
        ("Pro plan", "Opened", "Pro plan was opened in 2019."),
    ]
    for cell in row.cells:
        assert cell.span.of("| **Pro** | $29 | 5 | 2019 |") == cell.text == cell.place.of(cell.claim)
    assert row.cells[0].label == "Pro, Price: $29"


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        ("| Feature | Arlo 5 |\n|---|---|\n| Weight | 172 g |", "The weight of Arlo 5 is 172 g."),
        ("| | Arlo 5 |\n|---|---|\n| Weight | 172 g |", "The weight of Arlo 5 is 172 g."),
        ("| Result | 2021 |\n|---|---|\n| Revenue | $4 million |", "In 2021 the revenue was $4 million."),
        ("| Year | Revenue |\n|---|---|\n| 2021 | $4 million |", "In 2021 the revenue was $4 million."),
        ("Tower | Height (m)\n--- | ---\nArn Tower | 120", "The height of Arn Tower is 120 m."),
        ("| Town | Income ($) |\n|---|---|\n| Holm | 120 |", "The income of Holm is $120."),
        ("| Stop | Arrival |\n|---|---|\n| Holm | 9:20 |", "The arrival of Holm is at 9:20."),
        ("| Object | Found in |\n|---|---|\n| Comb | Well |", "Comb is found in Well."),
        ("| Object | Now in |\n|---|---|\n| Comb | Well |", "Comb is now in Well."),
        ("| Bird | Returns in |\n|---|---|\n| Bittern | April |", "Bittern returns in April."),
        ("| Rack | Maintenance until |\n|---|---|\n| Storage | 2025 |", "The maintenance of Storage is until 2025."),
        ("| Colour | Fades in the sun |\n|---|---|\n| Red | No |", "Red does not fade in the sun."),
        ("| Cheese | Free of lactose |\n|---|---|\n| Rosk | Yes |", "Rosk is free of lactose."),
        ("| Phone | Wireless charging |\n|---|---|\n| Arlo | Yes |", "Arlo has wireless charging."),
        ("| Car | Speed |\n|---|---|\n| Norda | 90 km/h |", "The speed of Norda is 90 km/h."),
        # Without a rule, as the readers of Word and HTML files write it.
        ("| Stop | Arrival |\n| Holm | 9:20 |", "The arrival of Holm is at 9:20."),
    ],
)
def test_a_claim_is_worded_for_what_it_says(rows_of: RowsOf, table: str, claim: str) -> None:
    (cell,) = rows_of(table)[-1].cells
    assert cell.claim == claim


@pytest.mark.parametrize(
    ("name", "attribute", "claim"),
    [
        ("Range (km)", "Range", "The range is 40 km."),
        ("Range (winter)", "Range (winter)", "The range (winter) is 40."),
    ],
)
def test_brackets_hold_a_unit_or_a_case(rows_of: RowsOf, name: str, attribute: str, claim: str) -> None:
    (cell,) = rows_of(f"# Velo S\n\n| Property | Value |\n|---|---|\n| {name} | 40 |")[-1].cells
    assert (cell.attribute, cell.claim) == (attribute, claim)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("| Arn Tower | 31 |\n| Holm Tower | 24 |", "table_without_heading"),
        ("| Tower | Floors | Height |\n|---|---|---|\n| Arn Tower | 31 |", "table_ragged"),
        ("| Tower | Floors |\n|---|---|\n| Arn Tower | 31 | 120 m |", "table_ragged"),
        ("| Tower | Floors |\n|---|---|\n| 7 | 31 |", "table_unnamed"),
        ("| Tower | Floors |\n|---|---|\n| Arn Tower | - |", "table_empty"),
        ("| Tower | |\n|---|---|\n| Arn Tower | 31 |", "table_empty"),
    ],
)
def test_why_a_row_cannot_be_compared(rows_of: RowsOf, table: str, reason: str) -> None:
    row = rows_of(table)[-1]
    assert (row.reason, row.cells) == (reason, ())


def test_of_a_long_table_the_first_cells_are_compared(rows_of: RowsOf) -> None:
    body = "".join(f"| Tower {n} | {n} | {n} m |\n" for n in range(1, 1001))
    rows = rows_of(f"| Tower | Floors | Height |\n|---|---|---|\n{body}")
    assert len(rows) == 1001
    compared = [row for row in rows if row.cells]
    assert sum(len(row.cells) for row in compared) == MAX_CELLS
    assert {row.reason for row in rows[1 + len(compared) :]} == {f"table_too_long {MAX_CELLS}"}


def test_words_are_written_as_the_sentences_write_them(rows_of: RowsOf) -> None:
    table = "| Member | Instrument | Trained in |\n|---|---|---|\n| Nadia | Viola | Vienna |\n| Owen | Cello | Bern |"
    row = rows_of(table)[1].written_as_in(
        ["Nadia, who plays the viola, studied in Vienna.", "Bern is where Owen lives."]
    )
    viola, vienna = row.cells
    assert (viola.claim, viola.others) == ("The instrument of Nadia is viola.", ("cello",))
    assert vienna.claim == "Nadia is trained in Vienna."
    cello = viola.wordings_of("Owen", "cello")
    assert cello.sentence == "The instrument of the member Owen is cello."
    assert cello.entry == "Instrument of the member Owen: cello."


def test_the_other_answer_stands_beside_an_answer(rows_of: RowsOf) -> None:
    (cell,) = rows_of("| Lake | Boats |\n|---|---|\n| Long Water | Yes |\n| Mirror Lake | Yes |")[1].cells
    assert cell.others == ("no",)
