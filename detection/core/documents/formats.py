"""The formats that sources can have. A new one is a reader in ``readers/`` and an entry in ``FORMATS``.

This table defines the reader, the files that the form accepts, the media types of pages, and the formats that messages
and help texts list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from .types import Document, DocumentLimits, Progress


class DocumentKind(StrEnum):
    """The supported kinds of files, by the name that messages use."""

    PLAIN = "plain text"
    MARKDOWN = "Markdown"
    HTML = "HTML"
    PDF = "PDF"
    WORD = "Word"


#: Reads bytes with the declared character set ("" if there is none), within limits.
Reader = Callable[[bytes, str, DocumentLimits, Progress], Document]


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """``title`` is used in lists of formats. ``load`` imports the reader, so that a child process loads only one."""

    kind: DocumentKind
    title: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    load: Callable[[], Reader]


def _plain() -> Reader:
    from .readers.plain import read_plain

    return lambda data, charset, limits, _progress: read_plain(data, charset, limits)


def _markdown() -> Reader:
    from .readers.markdown import read_markdown

    return lambda data, charset, limits, _progress: read_markdown(data, charset, limits)


def _html() -> Reader:
    from .readers.html import read_html

    return lambda data, charset, limits, _progress: read_html(data, charset, limits)


def _pdf() -> Reader:
    from .readers.pdf import read_pdf

    return lambda data, _charset, limits, progress: read_pdf(data, limits, progress)


def _word() -> Reader:
    from .readers.word import read_word

    return lambda data, _charset, limits, _progress: read_word(data, limits)


_WORD_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

#: In the order of messages.
FORMATS: tuple[DocumentFormat, ...] = (
    DocumentFormat(DocumentKind.PLAIN, "text", (".txt",), ("text/plain",), _plain),
    DocumentFormat(DocumentKind.MARKDOWN, "Markdown", (".md", ".markdown"), ("text/markdown",), _markdown),
    DocumentFormat(
        DocumentKind.HTML, "HTML", (".html", ".htm", ".xhtml"), ("text/html", "application/xhtml+xml"), _html
    ),
    DocumentFormat(DocumentKind.PDF, "PDF", (".pdf",), ("application/pdf",), _pdf),
    DocumentFormat(DocumentKind.WORD, "Word (.docx)", (".docx",), (_WORD_MEDIA_TYPE,), _word),
)

FORMAT_OF: dict[DocumentKind, DocumentFormat] = {entry.kind: entry for entry in FORMATS}

#: The first media type of each suffix, and the kind of each suffix and media type.
MEDIA_TYPE_OF_SUFFIX: dict[str, str] = {suffix: entry.media_types[0] for entry in FORMATS for suffix in entry.suffixes}
KIND_OF_SUFFIX: dict[str, DocumentKind] = {suffix: entry.kind for entry in FORMATS for suffix in entry.suffixes}
KIND_OF_MEDIA_TYPE: dict[str, DocumentKind] = {name: entry.kind for entry in FORMATS for name in entry.media_types}


def listed(conjunction: str = "and") -> str:
    """The titles of all formats: "text, Markdown, HTML, PDF and Word (.docx)"."""
    titles = [entry.title for entry in FORMATS]
    return f"{', '.join(titles[:-1])} {conjunction} {titles[-1]}"


#: For messages about files that cannot be read.
READABLE = f"{listed()[0].upper()}{listed()[1:]} files can be read."
