from __future__ import annotations

import zlib
from dataclasses import replace

import pytest

from detection.core.documents.readers.pdf_lines import join_pages, page_lines
from detection.core.errors import UnreadableDocument
from detection.core.types import PlaceKind
from tests.bombs import zlib_bomb

from .files import LIMITS, labels, pdf, read

LONG = (
    "The harbour of Karsholm was opened by Ada Lind and her brother after three years of work on the moles, and it "
    "has been in use ever since, in peace and in war, by fishermen as well as by the navy of the small republic."
)


def test_pages_are_places_and_lines_of_a_paragraph_are_joined() -> None:
    document = read(pdf([f"{LONG}\nShort.\nAnother paragraph.", "", "The last page."]), "a.pdf")
    assert document.title == "The harbour of Karsholm"
    assert document.pages == 3
    first, last = labels(document, PlaceKind.PAGE)
    assert first == ("1", f"{LONG}\n\nShort.\n\nAnother paragraph.")
    assert last == ("3", "The last page.")


def test_a_sentence_goes_on_overleaf() -> None:
    first, second = LONG[:60].rsplit(" ", 1)[0], LONG[len(LONG[:60].rsplit(" ", 1)[0]) + 1 :]
    document = read(pdf([f"One.\n{first}", second]))
    assert document.text == f"One.\n\n{LONG}"
    assert labels(document, PlaceKind.PAGE) == [("1", f"One.\n\n{first}"), ("2", second)]


def test_headers_and_footers_do_not_stand_in_sentences() -> None:
    words = LONG.split()
    thirds = [" ".join(words[:14]), " ".join(words[14:28]), " ".join(words[28:])]
    data = pdf(thirds, header=lambda number: "Annual report", footer=lambda number: f"Page {number} of 3")
    assert read(data).text == f"Annual report\n\n{LONG}"


def test_page_numbers_of_two_pages_are_left_out() -> None:
    first, second = LONG[: LONG.index(" it has")], LONG[LONG.index("it has") :]
    data = pdf([first, second], header=str, footer=lambda number: f"Page {number} of 2")
    assert read(data).text == LONG


def test_a_short_line_that_ends_in_the_middle_of_a_sentence_goes_on() -> None:
    paged = join_pages([[LONG, "", "In 1960 the bridge was sold to"], ["Ada Lind of Holm."]])
    assert paged.text.endswith("In 1960 the bridge was sold to Ada Lind of Holm.")


def test_the_numbers_of_a_table_are_no_page_numbers() -> None:
    pages = [["Revenue", f"{year} {amount}"] for year, amount in [(1911, 5), (1912, 9), (1913, 2), (1914, 7)]]
    text = join_pages(pages).text
    assert all(f"{year} {amount}" in text for year, amount in [(1911, 5), (1912, 9), (1913, 2), (1914, 7)])


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("The harbour was built for the fisher-", "men of the town.", "the fishermen of"),
        ("The harbour was built for the fisher\u00ad", "men of the town.", "the fishermen of"),
        ("She was, says a well-known book, a well-", "known woman.", "a well-known woman"),
        ("It was built in the years 1911-", "1914 and later.", "1911-1914 and"),
        ("It is a work of the later Anglo-", "Saxon time.", "Anglo-Saxon time"),
        ("It was built by the firm of", "Lind and sons.", "of Lind and"),
        ("The of\ufb01ce of the harbour was in the", "town.", "The office of the harbour was in the town."),
    ],
)
def test_lines_are_joined_as_they_are_read(first: str, second: str, joined: str) -> None:
    for pages in ([[*page_lines(first), *page_lines(second)]], [page_lines(first), page_lines(second)]):
        assert joined in join_pages(pages).text


def test_a_word_that_is_broken_overleaf_belongs_to_both_pages() -> None:
    paged = join_pages([["It was built for the fisher-"], ["men of the town."]])
    assert [span.of(paged.text) for span in paged.spans] == ["It was built for the fisher", "men of the town."]


def test_what_stands_alone_in_a_line_stays_apart() -> None:
    text = join_pages([["Finances", "The harbour earned more than it cost in that year.", "• Rents", "• Duties"]]).text
    assert text.split("\n\n") == [
        "Finances",
        "The harbour earned more than it cost in that year.",
        "• Rents",
        "• Duties",
    ]


def test_headings_are_those_of_the_outline() -> None:
    document = read(pdf([f"Finances\n{LONG}", f"Staff\n{LONG}"], headings=["Finances", "Staff"]))
    (first, its_text), (second, rest) = labels(document, PlaceKind.HEADING)
    assert (first, second) == ("Finances", "Staff")
    assert its_text == f"Finances\n\n{LONG}\n\n"
    assert rest == f"Staff\n\n{LONG}"


def test_a_file_that_is_encrypted_without_a_password_is_read() -> None:
    assert read(pdf(["One."], password="")).text == "One."


def test_a_file_with_a_password_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="protected by a password"):
        read(pdf(["One."], password="secret"))


def test_pages_without_text_are_pictures() -> None:
    with pytest.raises(UnreadableDocument, match="OCR"):
        read(pdf(["", ""]))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"%PDF-1.7\n%%EOF", id="nothing in it"),
        pytest.param(pdf([LONG])[:600], id="cut"),
        pytest.param(b"%PDF-1.7\n" + bytes(range(256)) * 50, id="noise"),
    ],
)
def test_a_broken_file_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableDocument, match=r"damaged|no text"):
        read(data)


def with_contents(contents: bytes, filters: bytes) -> bytes:
    """A PDF of one page with this stream."""
    return (
        b"%%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n"
        b"2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n"
        b"3 0 obj <</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F <</Type /Font /Subtype /Type1 "
        b"/BaseFont /Helvetica>>>>>>>> endobj\n"
        b"4 0 obj <</Length %d /Filter [%s]>> stream\n%s\nendstream endobj\n"
        b"trailer <</Root 1 0 R>>\nstartxref\n0\n%%%%EOF" % (len(contents), filters, contents)
    )


TWICE = zlib.compress(zlib_bomb(b"\0", 300_000_000))


@pytest.mark.parametrize(
    ("contents", "filters", "told"),
    [
        pytest.param(zlib_bomb(b"q Q ", 120_000_000), b"/FlateDecode", "Page 1 of it is larger", id="once"),
        pytest.param(TWICE, b"/FlateDecode /FlateDecode", "Page 1 of it is larger", id="twice"),
        pytest.param(zlib_bomb(b"\x81 ", 6_000_000), b"/FlateDecode /RunLengthDecode", "larger", id="runs"),
        pytest.param(zlib_bomb(b"z", 60_000_000), b"/FlateDecode /ASCII85Decode", "memory|broke", id="ASCII"),
    ],
)
def test_a_page_that_unpacks_to_too_much_is_refused(contents: bytes, filters: bytes, told: str) -> None:
    limits = replace(LIMITS, memory_bytes=800_000_000)
    with pytest.raises(UnreadableDocument, match=told):
        read(with_contents(contents, filters), limits=limits)
