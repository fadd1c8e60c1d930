"""Markdown on the page is formatted without losing characters."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from detection import services
from detection.core import reports
from detection.core.rewriting.revise import DiffKind, DiffPart, diff
from detection.core.types import BlockKind, Sentence, Span
from detection.models import Suggestion
from detection.selectors.markup import cells_of, parts_without_marks, rendered, without_marks
from detection.selectors.pieces import pieces
from detection.services.runs import RunWriter
from tests.factories import DETECTOR, OWNER, checked, finding, segment, start_run


def shown(text: str, *strong: Span) -> list[tuple[str, str]]:
    """The visible parts of a sentence with their styles."""
    return [(piece.text, piece.style) for piece in rendered(pieces(text, strong)) if not piece.is_syntax]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The **old mill** burned.", [("The ", ""), ("old mill", "bold"), (" burned.", "")]),
        ("The *old* mill.", [("The ", ""), ("old", "italic"), (" mill.", "")]),
        ("Run `make all` first.", [("Run ", ""), ("make all", "code"), (" first.", "")]),
        ("See [the report](https://example.org/a).", [("See ", ""), ("the report", "link"), (".", "")]),
        ("5 * 3 * 2 is 30.", [("5 * 3 * 2 is 30.", "")]),
        ("The snake_case_name stays.", [("The snake_case_name stays.", "")]),
        ("**Unclosed words.", [("**Unclosed words.", "")]),
        ("See [1](note).", [("See [1](note).", "")]),
    ],
)
def test_marks_are_not_seen_and_everything_else_is(text: str, expected: list[tuple[str, str]]) -> None:
    assert shown(text) == expected
    assert "".join(piece.text for piece in rendered(pieces(text, ()))) == text


def test_the_words_of_a_warning_within_marks_stay_marked() -> None:
    text = "It was **built in 1894**."
    found = rendered(pieces(text, [Span(18, 22)]))
    assert [piece.text for piece in found if piece.strong] == ["1894"]
    assert "".join(piece.text for piece in found if not piece.is_syntax) == "It was built in 1894."


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("| Wi-Fi | no | 2.4 GHz |", "Wi-Fi · no · 2.4 GHz"),
        ("| **Plan** | Price |\n| --- | ---: |", "Plan · Price"),
        ("| Warranty | | 10 years |", "Warranty · 10 years"),
        ("Either a | or b | is true.", "Either a | or b | is true."),
    ],
)
def test_the_quote_of_a_row_has_no_pipes(row: str, shown: str) -> None:
    assert "".join(piece.text for piece in without_marks(pieces(row, []))) == shown


def test_the_clashing_words_of_a_row_stay_marked() -> None:
    row = "| Warranty | 10 years |"
    start = row.index("10 years")
    marked = without_marks(pieces(row, [Span(start, start + len("10 years"))]))
    assert [piece.text for piece in marked if piece.strong] == ["10 years"]


def test_a_quote_has_the_words_without_their_marks() -> None:
    text = "**Alder**: it carries **320 passengers**, see [the list](https://example.org/a)."
    quote = without_marks(pieces(text, [Span(24, 27)]))
    assert "".join(piece.text for piece in quote) == "Alder: it carries 320 passengers, see the list."
    assert [piece.text for piece in quote if piece.strong] == ["320"]
    assert not any(piece.style for piece in quote)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("The **Alder** is old.", "The **Alder** is new.", "The Alder is [-old][+new]."),
        ("It is **45 cm** tall.", "It is **54 cm** tall.", "It is [-45][+54] cm tall."),
        ("It has **two** decks.", "It has two decks.", "It has two decks."),
        ("It has **two decks** now.", "It has **two** now.", "It has two[- decks] now."),
        ("5 * 3 is 15.", "5 * 3 is 16.", "5 * 3 is [-15][+16]."),
        ("| Orla | 19 euros | daily |", "| Orla | 17 euros | daily |", "Orla · [-19][+17] euros · daily"),
        ("| Orla | 19 |", "| Orla | 17 |", "Orla · [-19][+17]"),
        (r"| a\|b | 19 |", r"| a\|b | 17 |", r"a\|b · [-19][+17]"),
        ("It is |x| or 19.", "It is |x| or 17.", "It is |x| or [-19][+17]."),
    ],
)
def test_a_change_is_shown_without_the_marks_of_both_wordings(before: str, after: str, shown: str) -> None:
    signs = {DiffKind.DELETED: "[-{}]", DiffKind.INSERTED: "[+{}]", DiffKind.EQUAL: "{}"}
    assert "".join(signs[part.kind].format(part.text) for part in parts_without_marks(diff(before, after))) == shown


def test_a_mark_that_stays_alone_is_seen() -> None:
    change = (DiffPart(DiffKind.EQUAL, "It has **two"), DiffPart(DiffKind.DELETED, "** decks"))
    assert [part.text for part in parts_without_marks(change)] == ["It has **two", " decks"]


def test_the_template_of_a_change_shows_no_marks() -> None:
    parts = diff("The **Alder** is old.", "The **Alder** is new.")
    written = render_to_string("detection/partials/_diff.html", {"parts": parts})
    assert "*" not in written
    assert "Alder" in written


def test_many_marks_take_no_time() -> None:
    text = "*a _b `c [d" * 5_000
    assert "".join(piece.text for piece in rendered(pieces(text, ()))) == text


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| Item | Value |\n|---|:---:|", ["Item", "Value"]),
        ("Item | Value", ["Item", "Value"]),
        ("| x | | 3 |", ["x", "", "3"]),
        (r"| a \| b | **c** |", [r"a \| b", "c"]),
    ],
)
def test_a_row_of_a_table_is_cut_into_its_cells_without_losing_a_character(row: str, expected: list[str]) -> None:
    cells = cells_of(rendered(pieces(row, [Span(2, 4)])))
    assert ["".join(piece.text for piece in cell if not piece.is_syntax).strip() for cell in cells] == expected
    assert "".join(piece.text for cell in cells for piece in cell) == row


def test_a_change_within_a_cell_keeps_the_cells_and_one_of_the_cells_does_not() -> None:
    row = "| Pro | $29 |"
    (first, second) = cells_of(pieces(row, (), diff(row, row.replace("29", "39"))))
    assert [piece.change for piece in second if piece.change] == ["deleted", "inserted"]
    assert not any(piece.change for piece in first)
    assert cells_of(pieces(row, (), diff(row, "| Pro | $29 | 12 |"))) == ()


@pytest.mark.django_db
def test_a_table_a_quotation_and_a_list_are_shown_as_such(owner: Client) -> None:
    text = "| Item | Value |\n|---|---|\n| Length | 3 km |\n\n> The line is long.\n\n- It opened in 1894."
    parts = [
        ("| Item | Value |\n|---|---|", 0, BlockKind.TABLE),
        ("| Length | 3 km |", 0, BlockKind.TABLE),
        ("The line is long.", 1, BlockKind.PARAGRAPH),
        ("It opened in 1894.", 2, BlockKind.LIST_ITEM),
    ]
    starts = [text.index(words) for words, _, _ in parts]
    sentences = tuple(
        Sentence(index, start, start + len(words), words, block, kind)
        for index, (start, (words, block, kind)) in enumerate(zip(starts, parts, strict=True))
    )
    check = services.check_create(owner=OWNER, text=text)
    RunWriter(start_run(check), detectors=(DETECTOR,)).write([reports.TextSegmented(sentences, topic=None)])
    page = owner.get(f"/checks/{check.pk}/").content.decode()
    assert "block--columns-2" in page
    assert page.count('class="cell"') == 4
    assert "block--quotation" in page
    assert "block--bullet" in page


@pytest.mark.django_db
def test_the_page_hides_the_marks_and_keeps_numbers_of_items(owner: Client) -> None:
    check = checked(("It was **built** in 1894.",))
    page = owner.get(f"/checks/{check.pk}/").content.decode()
    assert '<span class="syntax">**</span><strong>built</strong><span class="syntax">**</span>' in page


@pytest.mark.django_db
def test_the_quotes_and_offers_of_a_card_have_no_marks_and_what_is_applied_has_them(owner: Client) -> None:
    texts = ("The **Alder** has 12 decks.", "The **Alder** has 14 decks.")
    _, sentences = segment(*texts)
    rewrite = "The **Alder** has 14 decks."
    check = checked(texts, [finding(sentences, 0, "12", rewrite, opposite=(1, "14"))])
    page = owner.get(f"/checks/{check.pk}/").content.decode()
    card = re.sub(r"<textarea.*?</textarea>", "", page[page.index('<article class="card') :], flags=re.DOTALL)
    card = card[: card.index("</article>")]
    assert "**" not in card
    assert card.count("Alder") >= 3
    assert Suggestion.objects.get(finding__parent_check=check).replacement == rewrite
