"""Read plain text of any encoding."""

from __future__ import annotations

from ..assembly import check_length
from ..encodings import decode_bytes
from ..types import Document, DocumentLimits


def read_plain(data: bytes, charset: str, limits: DocumentLimits) -> Document:
    """Read a text file and keep its line breaks: the segmenter recognises wrapped text, lists and poems."""
    lines = decode_bytes(data, declared=charset).split("\n")
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    check_length(len(text), limits)
    return Document(title="", text=text)
