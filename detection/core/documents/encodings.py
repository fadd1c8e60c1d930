"""Decode bytes of unknown encoding."""

from __future__ import annotations

import codecs

from ..errors import UnreadableDocument
from ..plain_text import BYTE_ORDER_MARKS, find_unprintable, normalise_line_ends, remove_unprintable
from .formats import READABLE

#: Above this share of control characters the bytes are not text.
_MAX_UNPRINTABLE_SHARE = 0.01
#: Maximum share of non-ASCII bytes in a text in Latin script; in other scripts most bytes are non-ASCII.
_MAX_LATIN_SHARE = 0.25
#: In UTF-16 every ASCII character, and every space and full stop of any script, has one byte that is zero.
_MIN_ZERO_SHARE = 0.05

_NOT_TEXT = f"It is not text, and not a kind of file that can be read. {READABLE}"


def decode_bytes(data: bytes, *, declared: str | None = None) -> str:
    """Decode by byte order mark, else as ``declared``, else as UTF-8, UTF-16, or the likeliest 8-bit encoding.

    The result has line feeds as line ends and no control characters.

    Raises:
        UnreadableDocument: the bytes are not text.
    """
    text = _by_mark(data)
    if text is None and declared and not _says_nothing(declared):
        text = _strictly(data, declared)
    if text is None and b"\0" in data:
        text = _as_utf_16(data)
    elif text is None:
        text = _strictly(data, "utf-8")
        if text is None:
            text = _in_one_byte_or_more(data)
    if text is None:
        raise UnreadableDocument(_NOT_TEXT)
    return _printable(text)


def _by_mark(data: bytes) -> str | None:
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    return None


def _says_nothing(declared: str) -> bool:
    """Whether the declared encoding is Latin-1, a common server default for Windows-1252 and UTF-8."""
    try:
        return codecs.lookup(declared).name in ("iso8859-1", "ascii")
    except LookupError:
        return True


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (LookupError, ValueError):
        return None


def _as_utf_16(data: bytes) -> str | None:
    """Infer the byte order from the positions of zero bytes; None if they are ambiguous or too few."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    more, fewer = max(even, odd), min(even, odd)
    if more < _MIN_ZERO_SHARE * len(data) / 2 or fewer > more / 10:
        return None
    return _strictly(data, "utf-16-be" if even > odd else "utf-16-le")


def _in_one_byte_or_more(data: bytes) -> str | None:
    """Windows-1252 for Latin script: statistical guessing fails on texts with few accents."""
    outside_ascii = sum(byte > 0x7F for byte in data)
    if outside_ascii <= _MAX_LATIN_SHARE * len(data):
        return _strictly(data, "cp1252") or _strictly(data, "latin-1")

    from charset_normalizer import from_bytes  # only few files need it

    best = from_bytes(data).best()
    return str(best) if best is not None else None


def _printable(text: str) -> str:
    text = normalise_line_ends(text).replace("\f", "\n")
    unprintable = find_unprintable(text)
    if unprintable is None:
        return text
    if unprintable.count > _MAX_UNPRINTABLE_SHARE * len(text):
        raise UnreadableDocument(_NOT_TEXT)
    return remove_unprintable(text)
