"""Recognise the format of a file by its content, then by name or media type."""

from __future__ import annotations

import io
import json
import re
import zipfile

from ..errors import UnreadableDocument
from .formats import KIND_OF_MEDIA_TYPE, KIND_OF_SUFFIX, READABLE, DocumentKind

# The first bytes of other files, and their kinds.
_OTHER_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF87a", "a picture (GIF)"),
    (b"GIF89a", "a picture (GIF)"),
    (b"II*\x00", "a picture (TIFF)"),
    (b"MM\x00*", "a picture (TIFF)"),
    (b"RIFF", "a picture, a film or a sound"),
    (b"ID3", "a sound (MP3)"),
    (b"OggS", "a sound (Ogg)"),
    (b"fLaC", "a sound (FLAC)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office file of the old kind, or one with a password"),
    (b"{\\rtf", "a rich text file (RTF)"),
    (b"%!PS", "a PostScript file"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program (Windows)"),
    (b"\xcf\xfa\xed\xfe", "a program (macOS)"),
    (b"SQLite format 3\x00", "a database (SQLite)"),
    (b"\x1f\x8b", "a packed file (gzip)"),
    (b"BZh", "a packed file (bzip2)"),
    (b"\xfd7zXZ\x00", "a packed file (xz)"),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7-Zip)"),
    (b"Rar!\x1a\x07", "an archive (RAR)"),
    (b"#!/", "a program (script)"),
    (b"<?php", "a program (PHP)"),
    (b"-----BEGIN ", "a key or a certificate"),
)
# Magic bytes that ordinary text may also begin with.
_ONLY_WITH_ZERO_BYTES = (b"MZ", b"ID3", b"BZh", b"RIFF", b"OggS", b"fLaC")

# Members by which a zip archive is recognised as a more specific kind of file.
_ZIPPED_KINDS = (
    ("xl/", "a spreadsheet (Excel)"),
    ("ppt/", "a presentation (PowerPoint)"),
    ("META-INF/container.xml", "an e-book (EPUB)"),
    ("META-INF/manifest.xml", "an OpenDocument file"),
)
_WORD_MEMBERS = "word/"

_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
#: Markup that is not a page: a drawing, a feed, settings.
_XML = re.compile(rb"\s*<(?:\?xml|svg|rss|feed)\b", re.I)
_JSON_BEGINNINGS = (b"{", b"[")
_SNIFFED_BYTES = 4096
# Some programs write a few bytes before the header of a PDF; readers accept it in the first kilobyte.
_PDF_HEADER_WITHIN = 1024

# Only text formats are distinguished by name or media type; the content identifies the others.
_TEXTS = (DocumentKind.PLAIN, DocumentKind.MARKDOWN, DocumentKind.HTML)


def kind_of(data: bytes, *, suffix: str, media_type: str) -> DocumentKind:
    """Recognise the kind of ``data``; ``suffix`` (".md") and ``media_type`` ("text/html") only distinguish text
    formats.

    Raises:
        UnreadableDocument: it is of another kind. The message names it.
    """
    if not data.strip():
        raise UnreadableDocument("It is empty.")
    if b"%PDF-" in data[:_PDF_HEADER_WITHIN]:
        return DocumentKind.PDF
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped_kind(data)
    _refuse_other_kinds(data)
    if _HTML.match(data[:_SNIFFED_BYTES].removeprefix(b"\xef\xbb\xbf")):
        return DocumentKind.HTML
    _refuse_data(data)
    named = [KIND_OF_SUFFIX.get(suffix), KIND_OF_MEDIA_TYPE.get(media_type)]
    # Servers send "text/plain" for everything, so a more specific name comes first.
    return next((kind for kind in named if kind in _TEXTS and kind is not DocumentKind.PLAIN), DocumentKind.PLAIN)


def _zipped_kind(data: bytes) -> DocumentKind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise UnreadableDocument(
            "It is a damaged zip archive or Word file. Save it again and try once more."
        ) from error
    if any(member.flag_bits & 1 for member in members):
        raise UnreadableDocument("It is protected by a password. Save it without one and try again.")
    if any(member.filename.startswith(_WORD_MEMBERS) for member in members):
        return DocumentKind.WORD
    for beginning, kind in _ZIPPED_KINDS:
        if any(member.filename.startswith(beginning) for member in members):
            raise _unreadable(kind)
    raise _unreadable("a zip archive")


def _refuse_other_kinds(data: bytes) -> None:
    for beginning, kind in _OTHER_KINDS:
        if data.startswith(beginning) and (beginning not in _ONLY_WITH_ZERO_BYTES or b"\0" in data):
            raise _unreadable(kind)
    if data[4:8] == b"ftyp":
        raise _unreadable("a film or a picture (MP4, HEIC)")


def _refuse_data(data: bytes) -> None:
    """Refuse machine-readable text, whose values would pass as sentences."""
    beginning = data[:_SNIFFED_BYTES].removeprefix(b"\xef\xbb\xbf")
    if _XML.match(beginning):
        raise _unreadable("data or a drawing (XML)")
    if beginning.lstrip().startswith(_JSON_BEGINNINGS) and _is_json(data):
        raise _unreadable("data (JSON)")


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return False
    return True


def _unreadable(kind: str) -> UnreadableDocument:
    return UnreadableDocument(f"It is {kind}. {READABLE}")
