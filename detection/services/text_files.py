"""The text of a check out of a file."""

from __future__ import annotations

from pathlib import PurePosixPath

from django.utils.translation import gettext as _

from .. import wiring
from ..core.documents import read_document
from ..core.documents.formats import KIND_OF_SUFFIX, DocumentKind
from ..core.errors import UnreadableDocument

#: Read as it stands: the page shows Markdown rendered, and what is taken away from here is Markdown again.
_AS_IT_STANDS = "text/plain"


def text_of_file(*, name: str, data: bytes, media_type: str = "") -> str:
    """The text of a file that somebody wants to have checked. Nothing of the file is stored. Blocks.

    Raises:
        UnreadableDocument: it is no document, has no text, or is beyond the limits. The message begins with its name.
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
