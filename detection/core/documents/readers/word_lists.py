"""Compute the numbers and dashes of list items, which Word does not store in the text of a paragraph."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from docx.document import Document as WordFile
from docx.oxml.ns import qn
from lxml.etree import _Element as Element

_VALUE = qn("w:val")
_DASH = "- "
_MAX_LEVELS = 9
_LARGEST = 100_000
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Level:
    """The numbering of one level; ``pattern`` has "%1" for the number of the first level."""

    kind: str
    pattern: str
    start: int


@dataclass(frozen=True, slots=True)
class _Place:
    """The list of a paragraph, and its level."""

    number: str
    level: int


class ListNumbers:
    """Counts the items of the lists of a file. Must be called once for each paragraph, in order."""

    def __init__(self, file: WordFile) -> None:
        self._levels = _levels_of_lists(file)
        self._places_of_styles = {
            style.style_id: place
            for style in file.styles
            if style.style_id and (place := _place_of_style(style)) is not None
        }
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)

    def mark_of(self, paragraph: Element) -> str:
        """The mark of a paragraph: "3. ", "- ", or "" if it is not a list item."""
        place = self._place_of(paragraph)
        if place is None or place.number not in self._levels:
            return ""
        levels = self._levels[place.number]
        level = levels.get(place.level)
        if level is None or level.kind == "none":
            return ""
        if level.kind == "bullet":
            return _DASH
        counts = self._counts[place.number]
        counts[place.level] = min(counts.get(place.level, level.start - 1) + 1, _LARGEST)
        for deeper in range(place.level + 1, _MAX_LEVELS):
            counts.pop(deeper, None)

        def number(found: re.Match[str]) -> str:
            above = int(found[1]) - 1
            of = levels.get(above, level)
            return _written(counts.get(above, of.start), of.kind)

        mark = re.sub(r"%([1-9])", number, level.pattern).strip()
        return f"{mark} " if mark else ""

    def _place_of(self, paragraph: Element) -> _Place | None:
        properties = paragraph.find(qn("w:pPr"))
        if properties is None:
            return None
        own = _place_in(properties)
        if own is not None:
            return own
        style = properties.find(qn("w:pStyle"))
        return self._places_of_styles.get(style.get(_VALUE, "")) if style is not None else None


def _levels_of_lists(file: WordFile) -> dict[str, dict[int, _Level]]:
    """The numbering of each list by id; empty for a file without lists."""
    if not any(relationship.reltype.endswith("/numbering") for relationship in file.part.rels.values()):
        return {}
    root: Element = file.part.numbering_part.element
    kinds = {
        kind.get(qn("w:abstractNumId"), ""): {
            _integer(level.get(qn("w:ilvl")), 0): _Level(
                kind=_value(level, "w:numFmt", "decimal"),
                pattern=_value(level, "w:lvlText", ""),
                start=_integer(_value(level, "w:start", "1"), 1),
            )
            for level in kind.findall(qn("w:lvl"))
        }
        for kind in root.findall(qn("w:abstractNum"))
    }
    return {
        number.get(qn("w:numId"), ""): kinds.get(_value(number, "w:abstractNumId", ""), {})
        for number in root.findall(qn("w:num"))
    }


def _place_of_style(style: object) -> _Place | None:
    """The list of a style or of a style that it is based on."""
    seen: set[int] = set()
    while style is not None and id(style) not in seen and len(seen) < _MAX_LEVELS:
        seen.add(id(style))  # styles of a damaged file can be based on each other
        properties = style.element.find(qn("w:pPr"))  # type: ignore[attr-defined]
        place = _place_in(properties) if properties is not None else None
        if place is not None:
            return place
        style = getattr(style, "base_style", None)
    return None


def _place_in(properties: Element) -> _Place | None:
    numbering = properties.find(qn("w:numPr"))
    if numbering is None:
        return None
    number = _value(numbering, "w:numId", "")
    return _Place(number, _integer(_value(numbering, "w:ilvl", "0"), 0)) if number else None


def _value(element: Element, child: str, otherwise: str) -> str:
    found = element.find(qn(child))
    return otherwise if found is None else found.get(_VALUE, otherwise)


def _integer(written: str | None, otherwise: int) -> int:
    return int(written) if written and re.fullmatch(r"\d{1,5}", written, re.ASCII) else otherwise


def _written(number: int, kind: str) -> str:
    match kind:
        case "lowerLetter" | "upperLetter":
            letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1) if 0 < number <= 260 else str(number)
            return letter.upper() if kind == "upperLetter" else letter
        case "lowerRoman" | "upperRoman":
            roman = _roman(number)
            return roman.upper() if kind == "upperRoman" else roman
    return str(number)


def _roman(number: int) -> str:
    if not 0 < number < 4_000:
        return str(number)
    written = ""
    for value, sign in _ROMAN:
        written += sign * (number // value)
        number %= value
    return written
