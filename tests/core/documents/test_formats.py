"""The table of formats, its users, and that no other module names a format."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from detection.core.documents import formats
from detection.core.documents.formats import FORMATS, DocumentKind
from detection.core.documents.kinds import kind_of
from detection.core.retrieval.media_types import declared_media_type
from detection.web.forms.sources import ACCEPTED_FILES

PACKAGE = Path(formats.__file__).parents[2]


def test_every_kind_has_one_format() -> None:
    assert [entry.kind for entry in FORMATS] == list(DocumentKind)


def test_no_suffix_and_no_media_type_belongs_to_two_formats() -> None:
    for names in (
        [s for entry in FORMATS for s in entry.suffixes],
        [m for entry in FORMATS for m in entry.media_types],
    ):
        assert len(names) == len(set(names))


@pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.kind.name)
def test_a_format_is_offered_accepted_and_listed(entry: formats.DocumentFormat) -> None:
    assert set(entry.suffixes) <= set(ACCEPTED_FILES.split(","))
    assert entry.title.lower() in formats.READABLE.lower()
    for media_type in entry.media_types:
        assert declared_media_type(media_type, "") == media_type
    for suffix in entry.suffixes:
        assert declared_media_type("", f"/files/report{suffix.upper()}") == entry.media_types[0]
    assert callable(entry.load())


@pytest.mark.parametrize(
    ("suffix", "media_type", "kind"),
    [
        (".md", "text/plain", DocumentKind.MARKDOWN),
        (".txt", "text/html", DocumentKind.HTML),
        ("", "text/markdown", DocumentKind.MARKDOWN),
        (".pdf", "", DocumentKind.PLAIN),  # its content is not a PDF
        (".docx", "application/pdf", DocumentKind.PLAIN),
    ],
)
def test_names_only_tell_texts_apart(suffix: str, media_type: str, kind: DocumentKind) -> None:
    assert kind_of(b"Just words.", suffix=suffix, media_type=media_type) is kind


def test_nothing_else_lists_the_formats() -> None:
    repeated = re.compile(r"PDF (?:and|or) Word \(")
    found = [path for path in PACKAGE.rglob("*.py") if repeated.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in found] == ["formats.py"]  # its own example
