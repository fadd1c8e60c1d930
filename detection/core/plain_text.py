"""Decode bytes; reject unprintable text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from .errors import DetectionError

# C0 and C1 controls except tab, line feed and carriage return; surrogates and non-characters.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is a prefix of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class NotText(DetectionError):
    """The bytes are not text in any encoding that is recognised."""


@dataclass(frozen=True, slots=True)
class Unprintable:
    """Characters of a text that cannot be shown: how many, and where the first one stands."""

    count: int
    first: str
    line: int

    def __str__(self) -> str:
        noun = "character" if self.count == 1 else "characters"
        return f"{self.count:,} {noun} that cannot be shown (the first, U+{ord(self.first):04X}, in line {self.line})"


def find_unprintable(text: str) -> Unprintable | None:
    """Control characters and the like; None if there are none."""
    found = list(_UNPRINTABLE.finditer(text))
    if not found:
        return None
    return Unprintable(len(found), found[0].group(), text.count("\n", 0, found[0].start()) + 1)


def remove_unprintable(text: str) -> str:
    return _UNPRINTABLE.sub("", text)


def replace_unprintable(text: str) -> str:
    """Replace every unprintable character by a sign, and unprintable white space by a space."""
    return _UNPRINTABLE.sub(lambda found: " " if found.group().isspace() else "\ufffd", text)


def normalise_line_ends(text: str) -> str:
    """Line ends as a browser shows them. A form sends CR LF for each line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, *, name: str) -> str:
    """Decode the bytes of a file by its byte order mark, else as UTF-8.

    Raises:
        NotText: neither fits, or the decoded text has control characters. The message names the file.
    """
    encoding = next((encoding for mark, encoding in BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(f"{name} is not text in UTF-8 (byte {error.start:,}). Save it as UTF-8 text.") from error
    unprintable = find_unprintable(text)
    if unprintable is not None:
        raise NotText(f"{name} is not plain text: it holds {unprintable}.")
    return normalise_line_ends(text)
