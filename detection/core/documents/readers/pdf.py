"""Read the text of each PDF page in the order of the file, as running text."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from pypdf import PdfReader, apply_configuration
from pypdf.errors import LimitReachedError, PdfReadError, PyPdfError

from ...errors import UnreadableDocument
from ...plain_text import normalise_line_ends, remove_unprintable
from ...types import Place, PlaceKind, Span
from ..assembly import BETWEEN_PARAGRAPHS, check_length, heading_places, tidy_line, tidy_title
from ..types import Document, DocumentLimits, Progress
from .pdf_lines import PagedText, join_pages, page_lines

#: A line with a title of the outline in it may have a number before it ("2.1 Finances"), but not much more.
_MAX_AROUND_TITLE = 12
#: Limit for an unpacked stream; no page of text is larger.
_MAX_STREAM_BYTES = 75_000_000


def read_pdf(data: bytes, limits: DocumentLimits, progress: Progress) -> Document:
    stream_bytes = min(limits.unpacked_bytes, _MAX_STREAM_BYTES)
    with apply_configuration(
        zlib_maximum_output_length=stream_bytes,
        lzw_maximum_output_length=stream_bytes,
        run_length_maximum_output_length=stream_bytes,
    ):
        reader = _open(data)
        paged = join_pages(_pages(reader, limits, progress))
        if not paged.text:
            raise UnreadableDocument(
                "There is no text in it: its pages are pictures, as from a scanner. "
                "Run a text recognition (OCR) over it first."
            )
        return Document(
            title=_title(reader),
            text=paged.text,
            places=(*_page_places(paged.spans), *_outline_places(reader, paged)),
            pages=len(paged.spans),
        )


def _open(data: bytes) -> PdfReader:
    try:
        reader = PdfReader(io.BytesIO(data))
    except PdfReadError as error:
        raise UnreadableDocument(f"It is a damaged PDF file ({tidy_line(str(error))}). Save it again.") from error
    # Many PDFs have an empty password, only to forbid printing or editing.
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableDocument("It is protected by a password. Save it without one and try again.")
    return reader


def _pages(reader: PdfReader, limits: DocumentLimits, progress: Progress) -> list[list[str]]:
    total = len(reader.pages)
    if total > limits.pages:
        raise UnreadableDocument(f"It has {total:,} pages; the limit is {limits.pages:,}.")
    pages: list[list[str]] = []
    characters = 0
    for number, page in enumerate(reader.pages, start=1):
        try:
            text = remove_unprintable(normalise_line_ends(page.extract_text()))
        except (UnreadableDocument, MemoryError):
            raise
        except LimitReachedError as error:
            raise UnreadableDocument(f"Page {number:,} of it is larger than a page of text can be.") from error
        except Exception as error:
            raise UnreadableDocument(f"Page {number:,} of it is damaged ({type(error).__name__}).") from error
        characters += len(text)
        check_length(characters, limits)
        pages.append(page_lines(text))
        progress(number, total)
    return pages


def _title(reader: PdfReader) -> str:
    try:
        return tidy_title((reader.metadata.title if reader.metadata else None) or "")
    except PyPdfError:
        return ""


def _page_places(spans: Sequence[Span]) -> Iterator[Place]:
    for number, span in enumerate(spans, start=1):
        if len(span) > 0:
            yield Place(PlaceKind.PAGE, str(number), span)


def _outline_places(reader: PdfReader, paged: PagedText) -> tuple[Place, ...]:
    """The headings of the outline that occur on their page as separate paragraphs."""
    headings: dict[int, str] = {}
    for title, page in _outline(reader):
        if title and 0 <= page < len(paged.spans):
            start = _find_heading(title, paged, page, taken=headings)
            if start is not None:
                headings[start] = title
    return heading_places(sorted(headings.items()), paged.text)


def _outline(reader: PdfReader) -> list[tuple[str, int]]:
    """Titles of the outline with the index of their page. A malformed outline is ignored."""
    try:
        entries = [(entry.title or "", reader.get_destination_page_number(entry)) for entry in _flat(reader.outline)]
    except Exception:
        return []
    return [(tidy_title(title), page) for title, page in entries if page is not None]


def _flat(outline: Sequence[Any]) -> Iterator[Any]:
    for entry in outline:
        if isinstance(entry, list):
            yield from _flat(entry)
        else:
            yield entry


def _find_heading(title: str, paged: PagedText, page: int, *, taken: dict[int, str]) -> int | None:
    """The start of the paragraph with ``title`` on its page; None if there is no separate paragraph."""
    span = paged.spans[page]
    position = span.start
    for paragraph in span.of(paged.text).split(BETWEEN_PARAGRAPHS):
        if title in paragraph and len(paragraph) <= len(title) + _MAX_AROUND_TITLE and position not in taken:
            return position
        position += len(paragraph) + len(BETWEEN_PARAGRAPHS)
    return None
