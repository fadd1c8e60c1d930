"""Word (.docx): paragraphs, headings, tables, notes and text boxes, in the order of the document."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import docx
from docx.document import Document as WordFile
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.styles.style import BaseStyle
from lxml.etree import ErrorTypes, XMLSyntaxError
from lxml.etree import _Element as Element

from ...errors import UnreadableDocument
from ...types import BlockKind
from ..assembly import TextBuilder, table_row
from ..types import Document, DocumentLimits
from .word_lists import ListNumbers

_MAX_MEMBERS = 10_000
_CHUNK_BYTES = 1_000_000
_LOWEST_HEADING = 8  # outline levels count from 0; 9 is body text

_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_PROPERTIES, _STYLE, _LEVEL = qn("w:pPr"), qn("w:pStyle"), qn("w:outlineLvl")
_VALUE, _ID = qn("w:val"), qn("w:id")
_TEXT_BOX = qn("w:txbxContent")
_TEXTS = frozenset({qn("w:t"), "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"})
_SIGNS = {qn("w:tab"): " ", qn("w:ptab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_NOTES = {qn("w:footnoteReference"): "footnotes", qn("w:endnoteReference"): "endnotes"}
# Tracked deletions and moves, and fallback versions of drawings.
_LEFT_OUT = frozenset({
    qn("w:del"), qn("w:moveFrom"), "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
})  # fmt: skip


def read_word(data: bytes, limits: DocumentLimits) -> Document:
    """Read a Word file with all tracked changes accepted, without page headers and footers."""
    _check_unpacked_size(data, limits)
    try:
        file = docx.Document(io.BytesIO(data))
    except XMLSyntaxError as error:
        if error.code == ErrorTypes.ERR_NO_MEMORY:  # type: ignore[attr-defined]  # the stubs lack it
            raise MemoryError from error
        raise
    _refuse_entities(file.element)
    builder = TextBuilder(limits)
    _Walk(file, builder).over(file.element.body)
    return builder.document(title=file.core_properties.title)


def _check_unpacked_size(data: bytes, limits: DocumentLimits) -> None:
    """Unpack everything once and count the bytes, because sizes in the archive may be false."""
    unpacked = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > _MAX_MEMBERS:
            raise UnreadableDocument(f"It is packed of {len(members):,} parts; the limit is {_MAX_MEMBERS:,}.")
        for member in members:
            with archive.open(member) as part:
                while chunk := part.read(_CHUNK_BYTES):
                    unpacked += len(chunk)
                    if unpacked > limits.unpacked_bytes:
                        raise UnreadableDocument(
                            f"Unpacked it is larger than {limits.unpacked_bytes / 1e6:,.0f} MB, which is the limit."
                        )


def _refuse_entities(root: Element) -> None:
    """Refuse XML entities: valid Word files have none, and the parser would drop their text."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise UnreadableDocument("It is not quite a Word file: it declares entities. Save it again with Word.")


class _Walk:
    """Traverses the body of a document and adds its blocks. The parser limits the nesting depth."""

    def __init__(self, file: WordFile, builder: TextBuilder) -> None:
        self._builder = builder
        self._heading_styles = frozenset(
            style.style_id for style in file.styles if style.style_id and _is_heading_style(style)
        )
        self._numbers = ListNumbers(file)
        self._notes = {kind: _notes(file, kind) for kind in _NOTES.values()}

    def over(self, container: Element) -> None:
        for element in container:
            if element.tag == _PARAGRAPH:
                self._paragraph(element)
            elif element.tag == _TABLE:
                self._table(element)
            elif element.tag not in _LEFT_OUT:
                self.over(element)  # a content control, an insertion

    def _paragraph(self, paragraph: Element) -> None:
        words = _words(paragraph)
        mark = self._numbers.mark_of(paragraph) if words.strip() else ""
        own = self._kind(paragraph)
        self._builder.add(BlockKind.LIST_ITEM if mark and own is BlockKind.PARAGRAPH else own, mark + words)
        for element in _kept(paragraph):
            if element.tag == _TEXT_BOX:
                self.over(element)
            elif kind_of_note := _NOTES.get(element.tag):
                note = self._notes[kind_of_note].pop(element.get(_ID, ""), None)
                if note is not None:
                    self.over(note)

    def _kind(self, paragraph: Element) -> BlockKind:
        properties = paragraph.find(_PROPERTIES)
        if properties is None:
            return BlockKind.PARAGRAPH
        style, level = properties.find(_STYLE), properties.find(_LEVEL)
        if level is not None:
            is_heading = level.get(_VALUE, "") in {str(number) for number in range(_LOWEST_HEADING + 1)}
        else:
            is_heading = style is not None and style.get(_VALUE) in self._heading_styles
        return BlockKind.HEADING if is_heading else BlockKind.PARAGRAPH

    def _table(self, table: Element) -> None:
        for row in _children(table, _ROW):
            cells = list(_children(row, _CELL))
            if len(cells) == 1:
                self.over(cells[0])  # a frame around text
            elif any(words := [_cell_words(cell) for cell in cells]):
                self._builder.add(BlockKind.TABLE, table_row(words))


def _is_heading_style(style: BaseStyle | None) -> bool:
    """Whether a style is, or is based on, a built-in heading style of Word in any display language."""
    seen: set[str] = set()
    while style is not None and style.style_id not in seen:
        if (style.name or "").lower() == "title" or (style.name or "").lower().startswith("heading "):
            return True
        seen.add(style.style_id)  # styles of a damaged file can be based on each other
        style = getattr(style, "base_style", None)  # a numbering style has none
    return False


def _notes(file: WordFile, kind: str) -> dict[str, Element]:
    """The footnotes or endnotes by id, including separators, to which nothing refers."""
    for relationship in file.part.rels.values():
        if relationship.reltype.endswith(f"/{kind}") and not relationship.is_external:
            root = parse_xml(relationship.target_part.blob)
            _refuse_entities(root)
            return {note.get(_ID, ""): note for note in root}
    return {}


def _words(paragraph: Element) -> str:
    words = []
    for element in _kept(paragraph):
        if element.tag in _TEXTS:
            words.append(element.text or "")
        else:
            words.append(_SIGNS.get(element.tag, ""))
    return "".join(words)


def _cell_words(cell: Element) -> str:
    return " ".join(filter(None, map(_words, _children(cell, _PARAGRAPH))))


def _kept(element: Element) -> Iterator[Element]:
    """The descendants of ``element`` in order, without deleted ones and those in a text box."""
    for child in element:
        if child.tag in _LEFT_OUT or child.tag == _PROPERTIES:
            continue
        yield child
        if child.tag != _TEXT_BOX:
            yield from _kept(child)


def _children(element: Element, tag: str) -> Iterator[Element]:
    """The nearest descendants of ``element`` of a kind, through any wrappers."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag not in _LEFT_OUT:
            yield from _children(child, tag)
