"""For any bytes, a reader returns a document or a reason."""

from __future__ import annotations

import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detection.core.documents.protocol import report_from_line, report_to_line
from detection.core.documents.readers import read
from detection.core.errors import UnreadableDocument
from detection.core.plain_text import find_unprintable

from .files import LIMITS, pdf, word

_SEEDS = (
    pdf(["The harbour was founded in 1911.", "It is old."], headings=["It is old."]),
    word(lambda document: document.add_heading("Finances")),
    b"<!DOCTYPE html><html><body><h1>One</h1><table><tr><td>2<td><p>3</table><p>Four.",
    b"# One\n\n- two\n\n| a | b |\n| - | - |\n| c | d |\n\n<div>x</div>\n",
    "Åsa Lind – 1911".encode("utf-16"),
)


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """A file with a few bytes replaced, or truncated."""
    data = bytearray(draw(st.sampled_from(_SEEDS)))
    for _ in range(draw(st.integers(0, 6))):
        position = draw(st.integers(0, len(data) - 1))
        data[position : position + 1] = draw(st.binary(max_size=8)) or b"<"
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    data=st.one_of(st.binary(max_size=400), damaged_files()),
    suffix=st.sampled_from(["", ".txt", ".md", ".html", ".pdf", ".docx", ".exe"]),
    charset=st.sampled_from(["", "utf-16", "big5", "idna", "rot13", "unicode_escape", "?"]),
)
def test_any_bytes_are_a_document_or_unreadable(data: bytes, suffix: str, charset: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries about damaged files
        try:
            document = read(
                data, suffix=suffix, media_type="", charset=charset, limits=LIMITS, progress=lambda _done, _total: None
            )
        except UnreadableDocument:
            return
    assert document.text == document.text.strip("\n")
    assert not any(line.endswith(" ") for line in document.text.split("\n"))
    assert find_unprintable(document.text) is None
    assert all(place.span.end <= len(document.text) for place in document.places)
    assert report_from_line(report_to_line(document)) == document
