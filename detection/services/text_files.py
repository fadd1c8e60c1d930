"""Extract the text of a check from a file."""

from __future__ import annotations

from pathlib import PurePosixPath

from django.utils.translation import gettext as _

from .. import wiring
from ..core.documents import read_document
from ..core.documents.formats import KIND_OF_SUFFIX, DocumentKind
from ..core.errors import UnreadableDocument

#: Markdown stays unchanged: the page renders it, and exports are Markdown again.
_AS_IT_STANDS = "text/plain"


def text_of_file(*, name: str, data: bytes, media_type: str = "") -> str:
    """The text of an uploaded file. Stores nothing. Blocks.

    Raises:
        UnreadableDocument: the file is no document, has no text or exceeds the limits; the message names it.
    """
    is_markdown = KIND_OF_SUFFIX.get(PurePosixPath(name).suffix.lower()) is DocumentKind.MARKDOWN
    try:
        document = read_document(
            data,
            name="" if is_markdown else name,
            media_type=_AS_IT_STANDS if is_markdown else media_type,
            limits=wiring.text_file_limits(),
            progress=lambda _done, _total: None,
            stop=lambda: False,
        )
        if not document.text.strip():
            raise UnreadableDocument(_("There is no text in it."))
    except UnreadableDocument as error:
        raise UnreadableDocument(f"{name}: {error}") from error
    return document.text
