"""The Word file: what accepting and rejecting all changes gives, read by LibreOffice and by a reader of our own."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from detection.core.rewriting.revise import DiffKind
from detection.core.types import BlockKind
from detection.exports.document import Block, Document, Stretch
from detection.exports.word import write, write_document
from detection.models import Finding
from tests.exports.documents import TEXT, decided, sample
from tests.exports.libreoffice import settle

_MARKS = re.compile(r"(?m)^\s*(?:#+|[-*•>]|```\w*)(?:\s+|$)")


def words(text: str) -> list[str]:
    """The words of a text without what only marks its headings, bullets, quotations and code."""
    return _MARKS.sub("", text).split()


def settled(data: bytes, *, accept: bool) -> str:
    """The text of a Word file when all changes are accepted, or rejected: an independent reading of the XML."""
    body = etree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml"))
    gone, text = qn("w:del") if accept else qn("w:ins"), ""
    for paragraph in body.iter(qn("w:p")):
        for element in paragraph.iter(qn("w:t"), qn("w:delText"), qn("w:tab"), qn("w:br")):
            if not any(ancestor.tag == gone for ancestor in element.iterancestors()):
                text += {qn("w:tab"): "\t", qn("w:br"): "\n"}.get(element.tag, element.text or "")
        is_removed = paragraph.find(f"{qn('w:pPr')}/{qn('w:rPr')}/{qn('w:del')}") is not None
        text += "" if accept and is_removed else "\n"
    return text


@pytest.mark.django_db
def test_libreoffice_accepts_to_the_revised_text_and_rejects_to_the_original(tmp_path: Path) -> None:
    detail = sample()
    hostile = decided(HOSTILE, {0: "It is ]]> <w:p/> 1936 &amp;."})
    whole = decided("One sentence.", {0: ""})
    files = settle([write(each) for each in (detail, hostile, whole)], tmp_path)
    for each, file in zip((detail, hostile, whole), files, strict=True):
        accepted, rejected = ("\n".join(p.text for p in version) for version in (file.accepted, file.rejected))
        assert words(accepted) == words(each.revised_text)
        assert words(rejected) == words(each.check.text)
    kept = [paragraph for paragraph in files[0].rejected if paragraph.text]
    assert [paragraph.style for paragraph in kept] == [
        "Heading 1", "Standard", "Heading 2", *["List Paragraph"] * 5, "Quote", "Standard", "Code", "Standard",
    ]  # fmt: skip
    assert kept[6].label == kept[7].label == ""
    assert len(files[0].comments) == len(detail.cards)
    assert sum("1967" in comment and "Two sentences contradict" in comment for comment in files[0].comments) == 1


HOSTILE = 'It is "]]>" & <w:p/> &amp; 1932. ' + "x" * 30_000 + "\u202e dehsarhp \u2028 שלום."


@pytest.mark.django_db
def test_every_finding_is_a_comment_at_its_words_and_every_change_has_an_author() -> None:
    detail = sample()
    file = docx.Document(io.BytesIO(write(detail)))
    comments = {comment.comment_id: comment.text for comment in file.comments}
    assert len(comments) == Finding.objects.count() == 5
    body = file.element.body
    for tag in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert sorted(int(e.get(qn("w:id"))) for e in body.iter(qn(f"w:{tag}"))) == sorted(comments)
    changes = list(body.iter(qn("w:ins"), qn("w:del")))
    assert {change.get(qn("w:author")) for change in changes} == {"ChatProtect"}
    assert len({change.get(qn("w:id")) for change in changes}) == len(changes)
    assert any("Not decided yet." in text and "southern" in text for text in comments.values())


@pytest.mark.django_db
def test_changes_are_made_word_by_word() -> None:
    data = write(sample())
    body = etree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml"))
    assert "".join(body.find(f".//{qn('w:ins')}").itertext()) == "1967"
    assert "1971" in ["".join(change.itertext()) for change in body.iter(qn("w:del"))]


@pytest.mark.django_db
def test_numbers_of_items_are_those_of_the_text_and_bullets_are_those_of_word() -> None:
    file = docx.Document(io.BytesIO(write(sample())))
    items = [p for p in file.paragraphs if p.style is not None and p.style.name == "List Paragraph"]
    assert [paragraph.text.split("\t")[0] for paragraph in items[:3:2]] == ["1.", "3."]
    bullets = [p for p in items if p._p.pPr is not None and p._p.pPr.numPr is not None]
    assert [paragraph.text for paragraph in bullets] == ["with a tower", "with two bells"]


@pytest.mark.django_db
def test_what_xml_cannot_hold_is_shown_as_a_sign() -> None:
    detail = decided("It was founded in 1894.", {}, left_open={0: "It was\x08 founded\x0b in\ud7ff 1849."})
    file = docx.Document(io.BytesIO(write(detail)))
    assert "It was\ufffd founded  in\ud7ff 1849." in next(iter(file.comments)).text


@pytest.mark.django_db
def test_a_text_that_was_never_split_is_written_as_it_is() -> None:
    detail = decided(TEXT, {})
    detail.check.sentences.all().delete()
    assert words(settled(write(type(detail)(detail.check)), accept=True)) == words(TEXT)


ANY_TEXT = st.text(
    st.characters(exclude_categories=("Cs",)) | st.sampled_from("<>&]\"'\t\n \u0000\u0008\ufffe\u202eשا"), max_size=40
)
STRETCHES = st.lists(st.builds(Stretch, ANY_TEXT.filter(bool), st.sampled_from(DiffKind), st.just(frozenset())))
BLOCKS = st.lists(
    st.builds(Block, st.sampled_from(BlockKind), st.just(""), st.just(1), STRETCHES.map(tuple), st.just(False)),
    max_size=4,
)


@given(BLOCKS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_with_any_changes_can_be_settled_both_ways(blocks: list[Block]) -> None:
    data = write_document(Document(tuple(blocks), ()))
    for accept, gone in ((True, DiffKind.DELETED), (False, DiffKind.INSERTED)):
        expected = "".join(
            "".join(stretch.text for stretch in block.stretches if stretch.kind is not gone) + "\n" for block in blocks
        )
        assert printable(settled(data, accept=accept)).split() == printable(expected).split()


def printable(text: str) -> str:
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff\r]", " ", text)
