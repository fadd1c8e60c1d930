"""A hostile file ends only its own process."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from detection.core.documents import read_document
from detection.core.documents.protocol import Task
from detection.core.documents.reading import run_reader
from detection.core.documents.types import Document, DocumentLimits
from detection.core.errors import Cancelled, UnreadableDocument

from .files import LIMITS, pdf, read, replaced, word


def misbehave(how: str, limits: DocumentLimits = LIMITS, stop: threading.Event | None = None) -> Document:
    return run_reader(
        "tests.core.documents.hostile_reader",
        Task(suffix="", media_type="", charset="", limits=limits),
        how.encode(),
        progress=lambda _done, _total: None,
        stop=stop.is_set if stop else lambda: False,
    )


@pytest.mark.parametrize("how", ["sleep", "spin"])
def test_a_reader_that_does_not_end_is_ended(how: str) -> None:
    with pytest.raises(UnreadableDocument, match="longer than 1 seconds"):
        misbehave(how, replace(LIMITS, seconds=1))


def test_a_reader_that_eats_memory_is_refused_more() -> None:
    with pytest.raises(UnreadableDocument, match="more than 400 MB of memory"):
        misbehave("eat", replace(LIMITS, memory_bytes=400_000_000))


def test_a_file_that_eats_memory_is_refused() -> None:
    html = b"<html><body>" + b"<b>x</b>" * 600_000
    with pytest.raises(UnreadableDocument, match=r"more than 200 MB of memory|broke off"):
        read(html, limits=replace(LIMITS, memory_bytes=200_000_000))


def test_a_reader_that_crashes_is_an_unreadable_document() -> None:
    with pytest.raises(UnreadableDocument, match="broke off"):
        misbehave("crash")


def test_a_reader_that_reports_without_end_is_ended() -> None:
    with pytest.raises(UnreadableDocument, match="more pages and headings"):
        misbehave("flood", replace(LIMITS, characters=100))


@pytest.mark.parametrize("how", ["lie", "babble"])
def test_a_report_that_is_none_is_not_believed(how: str) -> None:
    with pytest.raises(UnreadableDocument, match="broke off"):
        misbehave(how)


def test_what_a_library_prints_is_no_report_and_the_reader_knows_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATPROTECT_LLM_API_KEY", "secret")
    assert "CHATPROTECT_LLM_API_KEY" not in misbehave("print").text


def test_who_cancels_does_not_wait_for_the_reader() -> None:
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    with pytest.raises(Cancelled):
        misbehave("sleep", LIMITS, stop)


@pytest.mark.parametrize(
    ("data", "limits", "message"),
    [
        pytest.param(b"x" * 2_000_001, replace(LIMITS, file_bytes=2_000_000), "2.0 MB; the limit is 2.0 MB", id="file"),
        pytest.param(
            b"x" * 101, replace(LIMITS, characters=100), "101 characters of text or more; the limit is 100", id="text"
        ),
        pytest.param(pdf(["One."] * 3), replace(LIMITS, pages=2), "has 3 pages; the limit is 2", id="pages"),
        pytest.param(
            pdf(["word " * 50]),
            replace(LIMITS, characters=100),
            "characters of text or more; the limit is 100",
            id="PDF",
        ),
        pytest.param(
            word(lambda document: [document.add_paragraph("word " * 9) for _ in range(9)]),
            replace(LIMITS, characters=100),
            "characters of text or more; the limit is 100",
            id="Word",
        ),
        pytest.param(
            b"<html><body><p>" + b"word " * 50,
            replace(LIMITS, characters=100),
            "characters of text or more; the limit is 100",
            id="HTML",
        ),
    ],
)
def test_what_is_too_large_is_refused_as_a_whole(data: bytes, limits: DocumentLimits, message: str) -> None:
    with pytest.raises(UnreadableDocument, match=message):
        read(data, limits=limits)


def test_pages_are_told_as_they_are_read() -> None:
    told: list[tuple[int, int]] = []
    read_document(
        pdf(["One.", "Two.", "Three."]),
        name="",
        limits=LIMITS,
        progress=lambda done, total: told.append((done, total)),
        stop=lambda: False,
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


LIBRARIES = {"pypdf", "docx", "lxml", "trafilatura", "markdown_it", "charset_normalizer", "spacy", "onnxruntime"}


@pytest.mark.parametrize(
    ("data", "suffix", "needed"),
    [
        (b"One.", ".txt", set()),
        (b"<html><p>One.", "", {"lxml"}),
        (b"<html><nav>Home</nav><p>One.", "", {"lxml", "trafilatura", "charset_normalizer"}),
        (pdf(["One."]), "", {"pypdf"}),
        (word(lambda document: document.add_paragraph("One.")), "", {"docx", "lxml"}),
    ],
    ids=["text", "HTML", "HTML of a site", "PDF", "Word"],
)
def test_a_child_loads_the_library_of_one_format(data: bytes, suffix: str, needed: set[str]) -> None:
    code = f"""
import sys
from detection.core.documents import child
from detection.core.documents.types import DocumentLimits
child.read({data!r}, suffix={suffix!r}, media_type="", charset="", limits=DocumentLimits(), progress=lambda *_: None)
print(*sys.modules)
"""
    completed = subprocess.run([sys.executable, "-"], input=code, capture_output=True, text=True, check=True)
    assert LIBRARIES & set(completed.stdout.split()) == needed


def test_a_word_file_that_eats_memory_is_refused() -> None:
    run = b"<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 400_000
    data = replaced(
        word(lambda document: document.add_paragraph("One.")),
        "word/document.xml",
        lambda xml: xml.replace(b"<w:body>", b"<w:body>" + run),
    )
    with pytest.raises(UnreadableDocument, match="more than 200 MB of memory"):
        read(data, limits=replace(LIMITS, memory_bytes=200_000_000))


@pytest.mark.parametrize(
    "element",
    ["<p " + "".join(f"a{number} " for number in range(5_000)) + ">", "<p " + 'a="1"' * 5_000 + ">",
     "<p " + "a/" * 5_000 + ">", '<p x=">"' + " a='>'" * 5_000 + ">"],
    ids=["names", "values", "slashes", "brackets in quotes"],
)  # fmt: skip
def test_an_element_with_thousands_of_attributes_is_refused_before_it_is_parsed(element: str) -> None:
    with pytest.raises(UnreadableDocument, match="more than 2,000 attributes"):
        read(f"<html><body>{element}Two gates.</p></body></html>".encode())


def test_long_values_and_scripts_are_no_attributes() -> None:
    html = (
        f"<html><body><script>if (a <b) {{ {'c / d; ' * 5_000} }}</script>"
        f'<img src="data:image/png;base64,{"ab/ " * 5_000}"><p>It has two gates.</p></body></html>'
    )
    assert "two gates" in read(html.encode()).text


def test_a_reader_that_computes_is_ended_by_the_time_of_the_processor() -> None:
    with pytest.raises(UnreadableDocument, match="longer than"):
        misbehave("spin", replace(LIMITS, seconds=120, processor_seconds=1))
