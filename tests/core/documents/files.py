"""Build test files of every format."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence

import docx
from fpdf import FPDF

from detection.core.documents import read_document
from detection.core.documents.types import Document, DocumentLimits
from detection.core.types import PlaceKind

LIMITS = DocumentLimits()


def read(data: bytes, name: str = "file", *, limits: DocumentLimits = LIMITS, media_type: str = "") -> Document:
    """Read a file in a child process, as the program does."""
    return read_document(
        data, name=name, media_type=media_type, limits=limits, progress=lambda _done, _total: None, stop=lambda: False
    )


def labels(document: Document, kind: PlaceKind) -> list[tuple[str, str]]:
    """The places of a kind: their labels and texts."""
    return [(place.label, place.span.of(document.text)) for place in document.places if place.kind is kind]


def pdf(
    pages: Iterable[str],
    *,
    headings: Sequence[str] = (),
    header: Callable[[int], str] | None = None,
    footer: Callable[[int], str] | None = None,
    password: str | None = None,
) -> bytes:
    """A PDF with a page for each text; lines in ``headings`` are also in its outline."""
    file = FPDF()
    file.set_auto_page_break(auto=False)
    if password is not None:
        file.set_encryption(owner_password="owner", user_password=password)
    file.set_title("The harbour of Karsholm")
    for number, text in enumerate(pages, start=1):
        file.add_page()
        file.set_font("Helvetica", size=11)
        if header:
            file.text(10, 10, header(number))
        file.set_y(20)
        for line in text.split("\n"):
            if line in headings:
                file.start_section(line)
            if line:
                file.multi_cell(0, 6, line, new_x="LMARGIN", new_y="NEXT", align="L")
        if footer:
            file.text(10, 285, footer(number))
    return bytes(file.output())


def word(build: Callable[[docx.document.Document], object]) -> bytes:
    """A Word file with the content that ``build`` adds."""
    document = docx.Document()
    build(document)
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def replaced(archive: bytes, member: str, change: Callable[[bytes], bytes]) -> bytes:
    """A zip archive with one member changed."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            target.writestr(name, change(data) if name == member else data)
    return output.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return output.getvalue()
