"""Bullets of a Word file.

Numbers stay text, as the user or the model typed them. If Word counted, accepting the removal of an item would renumber
the items after it, unlike the revised text.
"""

from __future__ import annotations

from docx.oxml.ns import nsdecls
from docx.oxml.numbering import CT_Numbering
from docx.oxml.parser import parse_xml

from .document import BULLET

#: Indentation of each level of a list, in twentieths of a point.
INDENT = 360
_LEVELS = 5
#: Different from the ids of the template.
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
    numbering.xpath("./w:abstractNum")[-1].addnext(definition)  # definitions must precede their uses
    return int(numbering.add_num(_DEFINITION_ID).numId)  # type: ignore[no-untyped-call]
