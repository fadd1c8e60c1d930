"""One file per format, listed in ``..formats``. Each reads untrusted bytes, so all run in a child process only."""

from __future__ import annotations

from ...errors import UnreadableDocument
from ..formats import FORMAT_OF
from ..kinds import kind_of
from ..types import Document, DocumentLimits, Progress


def read(
    data: bytes, *, suffix: str, media_type: str, charset: str, limits: DocumentLimits, progress: Progress
) -> Document:
    """Read a file in this process; ``charset`` is the encoding that the sender declared, or "".

    Raises:
        UnreadableDocument: the file is invalid in any way.
        MemoryError: it needs more memory than this process may use.
    """
    kind = kind_of(data, suffix=suffix, media_type=media_type)
    try:
        document = FORMAT_OF[kind].load()(data, charset, limits, progress)
    except (UnreadableDocument, MemoryError):
        raise
    except Exception as error:
        # The parsers of the libraries raise many kinds of errors, from KeyError to RecursionError.
        raise UnreadableDocument(
            f"It is damaged, or not quite a {kind} file ({type(error).__name__}). Save it again and try once more."
        ) from error
    if not document.text.strip():
        raise UnreadableDocument("There is no text in it.")
    return document
