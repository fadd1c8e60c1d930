"""Plain text in several encodings, Markdown, and binary data."""

from __future__ import annotations

import pytest

from detection.core.errors import UnreadableDocument
from detection.core.types import PlaceKind

from .files import labels, read, zipped

TEXT = "Karsholm’s café was opened by Åsa Lind – in 1911."


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"],
)
def test_text_is_read_in_whatever_encoding(encoding: str) -> None:
    assert read(TEXT.encode(encoding), "a.txt").text == TEXT


def test_latin_1_is_read_where_the_accents_are_few() -> None:
    assert read("Malmö".encode("latin-1") + b" is a town.", "a.txt").text == "Malmö is a town."


def test_other_scripts_are_told_by_their_letters() -> None:
    text = "Фирма основана в 1911 году в Москве и занимается судостроением."
    assert read(text.encode("cp1251"), "a.txt").text == text


def test_the_sender_may_say_which_encoding_it_is() -> None:
    data = "Zażółć gęślą jaźń".encode("cp1250")
    assert read(data, media_type="text/plain; charset=windows-1250").text == "Zażółć gęślą jaźń"


@pytest.mark.parametrize("charset", ["zip", "nonsense", "utf-8", "iso-8859-1"])
def test_a_wrong_word_about_the_encoding_does_no_harm(charset: str) -> None:
    assert read(TEXT.encode("cp1252"), media_type=f"text/plain; charset={charset}").text == TEXT


def test_lines_stay_and_what_nobody_sees_goes() -> None:
    assert read(b"\n\nOne.  \r\n\r\n  Two.\x07\x0cThree.\n" + b"Word. " * 40).text.startswith(
        "One.\n\n  Two.\nThree.\n"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (b"\xef\xbb\xbf", "no text"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", r"a picture \(PNG\)"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", r"a picture \(JPEG\)"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "a program"),
        (b"MZ\x90\x00\x03\x00\x00\x00", "a program"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "of the old kind, or one with a password"),
        (b"{\\rtf1\\ansi Text}", "rich text"),
        (b"\x1f\x8b\x08\x00\x00", "gzip"),
        (b"#!/bin/sh\necho The station closed in 1967.\n", "a program"),
        (b"<?php echo 'The station closed in 1967.';", "a program"),
        (b"-----BEGIN CERTIFICATE-----\nb3BlbnNz\n", "a key or a certificate"),
        (b'\xef\xbb\xbf{"station": "It closed in 1967."}', "data"),
        (b'[["It closed in 1967."]]\n', "data"),
        (b'<?xml version="1.0"?>\n<svg><text>It closed in 1967.</text></svg>', "data or a drawing"),
        (bytes(range(256)) * 20, "not text"),
        (zipped({"[Content_Types].xml": b"", "xl/workbook.xml": b""}), "a spreadsheet"),
        (zipped({"ppt/presentation.xml": b""}), "a presentation"),
        (zipped({"inner.zip": zipped({"word/document.xml": b"<x/>"})}), "a zip archive"),
        (b"PK\x03\x04" + b"\x14" * 40, "damaged zip archive"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value[:20],
)
def test_what_is_no_text_is_refused_by_name_whatever_it_is_called(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableDocument, match=message):
        read(data, "report.txt")


def test_text_that_begins_like_something_else_is_text() -> None:
    for text in ("MZ is a sign. RIFF too.", "[1] The station closed in 1967. [2] {sic}", "<3 is a heart."):
        assert read(text.encode()).text == text


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.md", "a\x00b\n.txt", "\ud800.html", "x." + "y" * 5000, "", "/", "."]
)
def test_a_name_is_only_a_name(name: str) -> None:
    assert read(b"One paragraph.", name).text == "One paragraph."


MARKDOWN = """\
# Karsholm

The **harbour** was [founded](https://example.org/1999) in
1911 by `Ada` Lind &amp; sons.

Finances
--------

1. One *item*
2. Two items

| Year | Revenue |
| ---- | ------: |
| 1911 | 5 |

```
x  =  1
```

<div>A <b>box</b><script>no()</script></div>
"""


def test_markdown_is_read_as_a_reader_sees_it() -> None:
    document = read(MARKDOWN.encode(), "notes.md")
    assert document.text.split("\n\n") == [
        "Karsholm",
        "The harbour was founded in 1911 by Ada Lind & sons.",
        "Finances",
        "1. One item\n2. Two items",
        "| Year | Revenue |\n| 1911 | 5 |",
        "x  =  1",
        "A box",
    ]
    (first, its_text), (second, _) = labels(document, PlaceKind.HEADING)
    assert (first, second) == ("Karsholm", "Finances")
    assert its_text.startswith("Karsholm\n\nThe harbour")
    assert its_text.endswith("sons.\n\n")


def test_without_the_name_or_the_type_markdown_is_text_as_it_stands() -> None:
    assert read(b"# One").text == "# One"
    assert read(b"# One", media_type="text/markdown").text == "One"


def test_front_matter_is_no_heading() -> None:
    document = read(b"---\ntitle: Ships\n---\n# One\n\nText.", "a.md")
    assert document.text == "title: Ships\n\nOne\n\nText."
    assert [label for label, _ in labels(document, PlaceKind.HEADING)] == ["One"]
