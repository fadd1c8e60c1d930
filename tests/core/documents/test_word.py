from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import replace

import docx
import pytest

from detection.core.errors import UnreadableDocument
from detection.core.types import PlaceKind

from .files import LIMITS, labels, read, replaced, word, zipped

BODY = "word/document.xml"
_NAMESPACES = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def with_body(xml: str) -> bytes:
    """A Word file whose body begins with ``xml``."""
    return replaced(
        word(lambda document: document.add_paragraph("Last.")),
        BODY,
        lambda data: data.replace(b"<w:body>", b"<w:body>" + xml.encode(), 1),
    )


def test_paragraphs_headings_and_tables_come_in_order() -> None:
    def build(document: docx.document.Document) -> None:
        document.core_properties.title = "Annual report"
        document.add_heading("Karsholm", level=1)
        document.add_paragraph("The harbour was founded in 1911\tby Ada Lind.")
        document.add_heading("Finances", level=2)
        table = document.add_table(rows=2, cols=2)
        for cell, text in zip(table._cells, ["Year", "Revenue", "1911", "5"], strict=True):
            cell.text = text
        document.add_paragraph("The end.")

    document = read(word(build), "a.docx")
    assert document.title == "Annual report"
    assert document.text.split("\n\n") == [
        "Karsholm",
        "The harbour was founded in 1911 by Ada Lind.",
        "Finances",
        "| Year | Revenue |\n| 1911 | 5 |",
        "The end.",
    ]
    (first, its_text), (second, rest) = labels(document, PlaceKind.HEADING)
    assert (first, second) == ("Karsholm", "Finances")
    assert its_text + rest == document.text
    assert document.pages is None


def test_a_style_of_ones_own_is_a_heading_when_it_is_based_on_one() -> None:
    def build(document: docx.document.Document) -> None:
        style = document.styles.add_style("Chapter", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles["Heading 1"]
        document.add_paragraph("Finances", style="Chapter")
        document.add_paragraph("Text.")

    assert labels(read(word(build)), PlaceKind.HEADING) == [("Finances", "Finances\n\nText.")]


def test_tracked_changes_are_read_as_accepted() -> None:
    xml = (
        "<w:p><w:r><w:t xml:space='preserve'>It has </w:t></w:r>"
        "<w:del><w:r><w:delText>ninety</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>forty</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t>old</w:t></w:r></w:moveFrom>"
        "<w:r><w:t xml:space='preserve'> ships.</w:t></w:r></w:p>"
    )
    assert read(with_body(xml)).text == "It has forty ships.\n\nLast."


def test_content_controls_links_and_text_boxes_are_read() -> None:
    xml = (
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        "<w:p><w:hyperlink><w:r><w:t>A link.</w:t></w:r></w:hyperlink>"
        "<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>"
    )
    assert read(with_body(xml)).text == "In a control.\n\nA link.\n\nIn a box.\n\nLast."


def test_a_footnote_follows_its_paragraph() -> None:
    data = with_body("<w:p><w:r><w:t>A claim.</w:t><w:footnoteReference w:id='2'/></w:r></w:p>")
    note = (
        b"<w:footnotes %s><w:footnote w:id='2'><w:p><w:r><w:t>Its proof.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    kind = b"application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    relation = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    data = replaced(
        data,
        "[Content_Types].xml",
        lambda xml: xml.replace(
            b"</Types>", b'<Override PartName="/word/footnotes.xml" ContentType="%s"/></Types>' % kind
        ),
    )
    data = replaced(
        data,
        "word/_rels/document.xml.rels",
        lambda xml: xml.replace(
            b"</Relationships>",
            b'<Relationship Id="n1" Type="%s" Target="footnotes.xml"/></Relationships>' % relation,
        ),
    )
    output = io.BytesIO(data)
    with zipfile.ZipFile(output, "a") as archive:
        archive.writestr("word/footnotes.xml", note % _NAMESPACES)
    assert read(output.getvalue()).text == "A claim.\n\nIts proof.\n\nLast."


def bomb() -> bytes:
    data = io.BytesIO(word(lambda document: document.add_paragraph("One.")))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/picture.bmp", bytes(30_000_000))
    return data.getvalue()


def test_what_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="larger than 10 MB"):
        read(bomb(), limits=replace(LIMITS, unpacked_bytes=10_000_000))


def test_an_archive_that_lies_about_its_size_is_refused() -> None:
    data = bomb()
    for size in (30_000_000, 1):
        lie = data.replace(struct.pack("<I", 30_000_000), struct.pack("<I", size))
        with pytest.raises(UnreadableDocument, match=r"larger than 10 MB|damaged"):
            read(lie, limits=replace(LIMITS, unpacked_bytes=10_000_000))


def test_an_archive_of_very_many_parts_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="packed of 10,002 parts; the limit is 10,000"):
        read(zipped({"word/document.xml": b"", **{f"word/{number}": b"" for number in range(10_001)}}))


@pytest.mark.parametrize("system", [b"file:///etc/hostname", b"http://127.0.0.1:9/x"])
def test_entities_are_refused_and_not_looked_up(system: bytes) -> None:
    def declare(xml: bytes) -> bytes:
        start = xml.index(b"<w:document")
        xml = xml[:start] + b'<!DOCTYPE d [<!ENTITY e SYSTEM "%s">]>' % system + xml[start:]
        return xml.replace(b"One.", b"One. &e;")

    with pytest.raises(UnreadableDocument, match="declares entities"):
        read(replaced(word(lambda document: document.add_paragraph("One.")), BODY, declare))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda xml: xml[: len(xml) // 2], id="cut"),
        pytest.param(lambda xml: b"", id="empty"),
        pytest.param(lambda xml: xml.replace(b"<w:p>", b"<w:ins>" * 3000, 1), id="nested"),
    ],
)
def test_a_damaged_file_is_refused(change: object) -> None:
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(replaced(word(lambda document: document.add_paragraph("One.")), BODY, change))


def test_a_file_that_ends_too_soon_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="damaged"):
        read(word(lambda document: document.add_paragraph("One."))[:5000])


def test_a_file_with_a_password_is_refused() -> None:
    data = bytearray(zipped({"word/document.xml": b"x"}))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1
    with pytest.raises(UnreadableDocument, match="protected by a password"):
        read(bytes(data))


def test_a_file_without_a_word_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="no text"):
        read(word(lambda document: document.add_paragraph("")))


def test_items_of_lists_keep_the_numbers_that_word_draws() -> None:
    def build(document: docx.document.Document) -> None:
        document.add_heading("Rules", level=1)
        for words in ("Open the door.", "Close it."):
            document.add_paragraph(words, style="List Number")
        document.add_paragraph("A pause.")
        document.add_paragraph("Lock it.", style="List Number")
        document.add_paragraph("A lamp.", style="List Bullet")

    document = read(word(build), "a.docx")
    assert document.text.split("\n\n") == [
        "Rules",
        "1. Open the door.\n2. Close it.",
        "A pause.",
        "3. Lock it.\n- A lamp.",
    ]
