"""The text as a Word file: every change tracked, every finding a comment at its words.

python-docx supports the package, styles and comments, but no tracked changes: this module creates their elements.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from io import BytesIO
from itertools import count
from typing import cast

import docx
from django.utils.translation import gettext as _
from docx.document import Document as WordFile
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Mm, Pt, RGBColor, Twips
from docx.styles.style import ParagraphStyle

from ..core.plain_text import replace_unprintable
from ..core.rewriting.revise import DiffKind
from ..core.types import BlockKind
from ..selectors.detail import CheckDetail
from .document import BULLET, Block, Document, Stretch, document_of
from .notes import Note, words_of
from .summary import DISCLAIMER, Summary, summary_of
from .word_lists import INDENT, add_bullets

AUTHOR = "ChatProtect"
_INITIALS = "CP"
_TEXT_FONT, _CODE_FONT = "Georgia", "Consolas"
_TEXT_COLOUR = RGBColor(0x1F, 0x23, 0x28)
_CODE_STYLE = "Code"
_MAX_PROPERTY_CHARS = 255
_CONTROL = re.compile(r"([\t\n])")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


def write(detail: CheckDetail) -> bytes:
    """A file in which accepting all changes gives the revised text, and rejecting all of them the original."""
    return write_document(document_of(detail), summary_of(detail))


def write_document(document: Document, summary: Summary | None = None) -> bytes:
    """The document as a file; a summary goes into its footer and its properties."""
    writer = _Writer(document)
    for block in document.blocks:
        writer.add_block(block)
    if summary is not None:
        _set_properties(writer.file, summary)
    file = BytesIO()
    writer.file.save(file)
    return file.getvalue()


class _Writer:
    """Fills one file, block by block."""

    def __init__(self, document: Document) -> None:
        self.file: WordFile = docx.Document()
        _set_styles(self.file)
        self._bullets = add_bullets(self.file.part.numbering_part.element)
        self._notes = {note.number: note for note in document.notes}
        self._change_ids = count(1)
        self._date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def add_block(self, block: Block) -> None:
        paragraph = self.file.add_paragraph(style=_style_of(block))._p
        properties = paragraph.get_or_add_pPr()
        if block.marker == BULLET:
            item = _element("w:numPr")
            item.append(_element("w:ilvl", val=block.level))
            item.append(_element("w:numId", val=self._bullets))
            properties.insert_element_before(item, *_AFTER_NUMBERING)
        elif block.kind is BlockKind.LIST_ITEM:
            indent = properties.get_or_add_ind()
            indent.left, indent.hanging = Twips(INDENT * (block.level + 1)), Twips(INDENT)
        if _is_right_to_left("".join(stretch.text for stretch in block.stretches)):
            properties.insert_element_before(_element("w:bidi"), *_AFTER_BIDI)
        if block.is_removed:
            # Delete the paragraph mark too: otherwise accepting would leave an empty line.
            mark = _element("w:rPr")
            mark.append(self._change("w:del"))
            properties.append(mark)
        if block.kind is BlockKind.LIST_ITEM and block.marker != BULLET:
            kind = DiffKind.DELETED if block.is_removed else DiffKind.EQUAL
            paragraph.append(self._stretch(Stretch(f"{block.marker}\t", kind, frozenset())))
        self._add_stretches(paragraph, block)

    def _add_stretches(self, paragraph: BaseOxmlElement, block: Block) -> None:
        begun: dict[int, int] = {}  # the open comments by the numbers of their notes
        for stretch in block.stretches:
            for number in sorted(stretch.notes - begun.keys()):
                begun[number] = self._comment(self._notes[number])
                paragraph.append(_element("w:commentRangeStart", id=begun[number]))
            paragraph.append(self._stretch(stretch))
            for number in stretch.ends:
                comment_id = begun.pop(number)
                paragraph.append(_element("w:commentRangeEnd", id=comment_id))
                reference = _comment_reference(comment_id)
                paragraph.append(self._deleted(reference) if block.is_removed else reference)

    def _stretch(self, stretch: Stretch) -> BaseOxmlElement:
        if stretch.kind is DiffKind.EQUAL:
            return _text_run(stretch.text, "w:t")
        if stretch.kind is DiffKind.DELETED:
            return self._deleted(_text_run(stretch.text, "w:delText"))
        inserted = self._change("w:ins")
        inserted.append(_text_run(stretch.text, "w:t"))
        return inserted

    def _deleted(self, run: BaseOxmlElement) -> BaseOxmlElement:
        deleted = self._change("w:del")
        deleted.append(run)
        return deleted

    def _change(self, tag: str) -> BaseOxmlElement:
        return _element(tag, id=next(self._change_ids), author=AUTHOR, date=self._date)

    def _comment(self, note: Note) -> int:
        """Add the comment of a note, and return its id."""
        card = note.card
        comment = self.file.comments.add_comment(author=AUTHOR, initials=_INITIALS)
        comment.paragraphs[0].add_run(f"{card.title} ({card.sure}, {card.score:.2f})").bold = True
        comment.add_paragraph(_clean(card.message))
        for quote in card.quotes:
            paragraph = comment.add_paragraph()
            paragraph.add_run(_clean(f"{quote.label}: ")).italic = True
            paragraph.add_run(_clean(f"“{words_of(quote)}”"))
            if quote.site:
                paragraph.add_run(_clean(f" {quote.href}"))
        for offer in note.offers:
            comment.add_paragraph(_clean(offer.told))
        comment.add_paragraph(_clean(note.outcome))
        return comment.comment_id


# --- Runs -------------------------------------------------------------------------------------------------------

#: The order of properties that the format prescribes, as far as they are set here.
_AFTER_NUMBERING = ("w:bidi", "w:spacing", "w:ind", "w:jc", "w:rPr")
_AFTER_BIDI = _AFTER_NUMBERING[1:]


def _text_run(text: str, tag: str) -> BaseOxmlElement:
    """A run of the text; ``tag`` is ``w:t``, or ``w:delText`` for what was deleted."""
    run = _element("w:r")
    if _is_right_to_left(text):
        properties = _element("w:rPr")
        properties.append(_element("w:rtl"))
        run.append(properties)
    for part in _CONTROL.split(_clean(text)):
        if part == "\t":
            run.append(_element("w:tab"))
        elif part == "\n":
            run.append(_element("w:br"))
        elif part:
            words = _element(tag)
            words.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            words.text = part
            run.append(words)
    return run


def _comment_reference(comment_id: int) -> BaseOxmlElement:
    run = _element("w:r")
    properties = _element("w:rPr")
    properties.append(_element("w:rStyle", val="CommentReference"))
    run.append(properties)
    run.append(_element("w:commentReference", id=comment_id))
    return run


def _element(tag: str, **attributes: object) -> BaseOxmlElement:
    element = OxmlElement(tag, attrs={qn(f"w:{name}"): str(value) for name, value in attributes.items()})
    return cast(BaseOxmlElement, element)


def _clean(text: str) -> str:
    """The text without characters that XML does not allow."""
    return replace_unprintable(text)


def _is_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction is written from right to left."""
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((d for d in directions if d == "L" or d in _RIGHT_TO_LEFT), "L") != "L"


# --- The file ---------------------------------------------------------------------------------------------------


def _style_of(block: Block) -> str:
    match block.kind:
        case BlockKind.HEADING:
            return f"Heading {block.level}"
        case BlockKind.LIST_ITEM:
            return "List Paragraph"
        case BlockKind.CODE | BlockKind.TABLE:
            return _CODE_STYLE
        case BlockKind.PARAGRAPH:
            return "Quote" if block.is_quotation else "Normal"


def _set_styles(file: WordFile) -> None:
    section = file.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Mm(25)
    normal = _paragraph_style(file, "Normal")
    normal.font.name, normal.font.size = _TEXT_FONT, Pt(11)
    normal.paragraph_format.line_spacing = 1.3
    normal.paragraph_format.space_after = Pt(8)
    for level in range(1, 7):
        heading = _paragraph_style(file, f"Heading {level}")
        heading.font.name, heading.font.size = _TEXT_FONT, Pt(max(11, 20 - 3 * level))
        heading.font.color.rgb = _TEXT_COLOUR
        _forget_theme_font(heading)
    _paragraph_style(file, "List Paragraph").paragraph_format.space_after = Pt(4)
    code = file.styles.add_style(_CODE_STYLE, WD_STYLE_TYPE.PARAGRAPH)
    code.base_style = normal
    code.font.name, code.font.size = _CODE_FONT, Pt(9.5)


def _paragraph_style(file: WordFile, name: str) -> ParagraphStyle:
    return cast(ParagraphStyle, file.styles[name])


def _forget_theme_font(style: ParagraphStyle) -> None:
    """Remove the theme font of the template's headings, which takes precedence over a font name."""
    for fonts in style.element.xpath("./w:rPr/w:rFonts"):
        for attribute in [name for name in fonts.attrib if name.endswith("Theme")]:
            del fonts.attrib[attribute]


def _set_properties(file: WordFile, summary: Summary) -> None:
    properties = file.core_properties
    properties.title = _clean(summary.title)[:_MAX_PROPERTY_CHARS]
    properties.author = AUTHOR
    properties.comments = ""
    footer = file.sections[0].footer.paragraphs[0]
    told = _("Checked with %(author)s: %(coverage)s; %(warnings)s.") % {
        "author": AUTHOR,
        "coverage": summary.coverage,
        "warnings": summary.warnings,
    }
    footer.add_run(f"{told} {DISCLAIMER}").font.size = Pt(8)
