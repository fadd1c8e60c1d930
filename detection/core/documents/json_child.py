"""The process that parses one JSON file (``reading.read_json_file``)."""

from __future__ import annotations

from .child import serve
from .readers.json_shape import JsonLimits, canonical_json
from .types import Document, DocumentLimits, Progress


def read(
    data: bytes, *, suffix: str, media_type: str, charset: str, limits: DocumentLimits, progress: Progress
) -> Document:
    return Document(title="", text=canonical_json(data, JsonLimits()))


if __name__ == "__main__":
    serve(read)
