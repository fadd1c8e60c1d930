"""Bullets of a Word file.

Numbers are no part of this: they are typed, as the person or the model typed them. Were Word to count, to accept the
removal of an item would renumber those after it, which the revised text does not.
"""

from __future__ import annotations

from docx.oxml.ns import nsdecls
from docx.oxml.numbering import CT_Numbering
from docx.oxml.parser import parse_xml

from .document import BULLET

#: How far each level of a list is indented, in twentieths of a point.
INDENT = 360
_LEVELS = 5
#: Far from the ids of the template.
_DEFINITION_ID = 1000


def add_bullets(numbering: CT_Numbering) -> int:
    """Define a list with bullets, and return the id that its items name."""
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="{BULLET}"/>'
        f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{INDENT * (level + 1)}" w:hanging="{INDENT}"/></w:pPr></w:lvl>'
        for level in range(_LEVELS)
    )
    definition = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{_DEFINITION_ID}"><w:nsid w:val="43500001"/>'
        f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>'
    )
    numbering.xpath("./w:abstractNum")[-1].addnext(definition)  # definitions stand before what uses them
    return int(numbering.add_num(_DEFINITION_ID).numId)  # type: ignore[no-untyped-call]
