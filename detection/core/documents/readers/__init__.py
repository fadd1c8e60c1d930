"""One file a format. Each reads untrusted bytes, so all of them run in a child process only (``..child``)."""

from __future__ import annotations

from ...errors import UnreadableDocument
from ..kinds import DocumentKind, kind_of
from ..types import Document, DocumentLimits, Progress


def read(
    data: bytes, *, suffix: str, media_type: str, charset: str, limits: DocumentLimits, progress: Progress
) -> Document:
    """Read a file in this process; ``charset`` is the encoding that whoever sent the file declared, or "".

    Raises:
        UnreadableDocument: whatever is wrong with the file.
        MemoryError: it needs more memory than this process may use.
    """
    kind = kind_of(data, suffix=suffix, media_type=media_type)
    try:
        document = _read_as(kind, data, charset=charset, limits=limits, progress=progress)
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        # The libraries raise whatever their parsers stumble over, from KeyError to RecursionError.
        raise UnreadableDocument(
            f"It is damaged, or not quite a {kind} file ({type(error).__name__}). Save it again and try once more."
        ) from error
    if not document.text.strip():
        raise UnreadableDocument("There is no text in it.")
    return document


def _read_as(kind: DocumentKind, data: bytes, *, charset: str, limits: DocumentLimits, progress: Progress) -> Document:
    # Imported here: the child loads the library of one format, not of all.
    match kind:
        case DocumentKind.PDF:
            from .pdf import read_pdf

            return read_pdf(data, limits, progress)
        case DocumentKind.WORD:
            from .word import read_word

            return read_word(data, limits)
        case DocumentKind.HTML:
            from .html import read_html

            return read_html(data, charset, limits)
        case DocumentKind.MARKDOWN:
            from .markdown import read_markdown

            return read_markdown(data, charset, limits)
        case DocumentKind.PLAIN:
            from .plain import read_plain

            return read_plain(data, charset, limits)
