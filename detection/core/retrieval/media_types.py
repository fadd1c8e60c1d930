"""Determine the media type of a page, and refuse types without readable text."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ..documents.formats import KIND_OF_MEDIA_TYPE, MEDIA_TYPE_OF_SUFFIX
from ..errors import PageRefused

HTML = "text/html"
PDF = "application/pdf"

_READABLE = frozenset(KIND_OF_MEDIA_TYPE) | {"application/xml"}
_UNSPECIFIC = frozenset({"", "application/octet-stream", "binary/octet-stream"})

_TOKEN = re.compile(r"[a-z0-9!#$&^_.+-]{1,100}/[a-z0-9!#$&^_.+-]{1,100}")
_HTML_START = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype\s+html|html)[\s>]", re.IGNORECASE)


def declared_media_type(content_type: str, path: str) -> str:
    """The media type by the Content-Type header or, if that is missing, by the suffix of the path; else "".

    Raises:
        PageRefused: the type has no readable text.
    """
    media_type = re.split("[;,]", content_type, maxsplit=1)[0].strip().lower()
    if media_type in _UNSPECIFIC:
        return MEDIA_TYPE_OF_SUFFIX.get(PurePosixPath(path).suffix.lower(), "")
    if media_type.startswith("text/") or media_type in _READABLE:
        return media_type
    name = media_type if _TOKEN.fullmatch(media_type) else "an unknown type"
    raise PageRefused(
        f"The address holds no text that can be read ({name}). Give the address of a web page, a PDF or a Word file."
    )


def sniffed_media_type(body: bytes) -> str:
    """The media type by the first bytes, for a page without a declared type.

    Raises:
        PageRefused: the type is unknown.
    """
    if body.startswith(b"%PDF-"):
        return PDF
    if _HTML_START.match(body):
        return HTML
    raise PageRefused(
        "The site does not say what kind of file this is. Download it and upload the file instead, if it holds text."
    )


def known_charset(name: str | None) -> str | None:
    """The name of a character set, if Python can decode it."""
    if name is None:
        return None
    try:
        b" ".decode(name, errors="ignore")
    except (LookupError, ValueError):
        return None
    return name
