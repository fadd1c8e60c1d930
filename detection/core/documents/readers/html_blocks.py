"""Split an HTML tree into visible blocks: paragraphs, headings, list items, table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lxml.etree import _Element, iterwalk

from ...types import BlockKind
from ..assembly import table_row


class Block(NamedTuple):
    kind: BlockKind
    text: str


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The elements that begin each kind of block. Other elements that are not inline begin a paragraph."""

    headings: frozenset[str]
    items: frozenset[str]
    rows: frozenset[str]
    cells: frozenset[str]
    numbered: str
    """A numbered list: its element, or the value of ``rend``."""
    line_break: str
    hidden: frozenset[str] = frozenset()


_HTML = _Vocabulary(
    headings=frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}),
    items=frozenset({"li"}),
    rows=frozenset({"tr"}),
    cells=frozenset({"td", "th"}),
    numbered="ol",
    line_break="br",
    hidden=frozenset({
        "head", "script", "style", "noscript", "template", "svg", "math", "object", "iframe", "canvas", "button",
        "select", "textarea", "datalist",
    }),
)  # fmt: skip
# trafilatura returns the main text of a page in TEI elements.
_MAIN_TEXT = _Vocabulary(
    headings=frozenset({"head"}),
    items=frozenset({"item"}),
    rows=frozenset({"row"}),
    cells=frozenset({"cell"}),
    numbered="list",
    line_break="lb",
)
#: Elements around the main text of a page.
SURROUNDINGS = frozenset({"nav", "footer", "aside", "menu", "dialog"})

_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "graphic",
    "hi", "i", "img", "input", "ins", "kbd", "label", "mark", "q", "ref", "ruby", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
# A cell may contain one of these; several indicate a layout table.
_PARAGRAPHS = frozenset({"p", "div"})
_PREFORMATTED = "pre"
_NO_DISPLAY = re.compile(r"display\s*:\s*none", re.I)
_WHITE_SPACE = re.compile(r"\s+")
_ITEM_MARK = "- "
_SHORT_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def visible_blocks(tree: _Element, *, without: frozenset[str] = frozenset()) -> list[Block]:
    """All visible text of the page, except for the elements in ``without``."""
    return _Walk(_HTML, without).over(tree)


def main_text_blocks(body: _Element) -> list[Block]:
    """The blocks of the main text that trafilatura found."""
    return _Walk(_MAIN_TEXT, frozenset()).over(body)


def numbers_of_items(ordered: _Element, item: str = "li") -> Iterator[int]:
    """The numbers of the items of a numbered list, in order."""
    number = _number(ordered.get("start"), 1) - 1
    for element in ordered.iterchildren(item):
        number = _number(element.get("value"), number + 1)
        yield number


class _Walk:
    """Traverses a tree once, without recursion, because it may be very deep."""

    def __init__(self, vocabulary: _Vocabulary, without: frozenset[str]) -> None:
        self._vocabulary = vocabulary
        self._skipped = vocabulary.hidden | without
        self._blocks: list[Block] = []
        self._words: list[str] = []
        self._cells: list[str] = []
        self._kind = BlockKind.PARAGRAPH
        self._row: _Element | None = None
        self._preformatted = 0
        self._numbers: dict[_Element, dict[_Element, int]] = {}
        """The numbers of the items of each numbered list."""
        self._mark = _ITEM_MARK

    def over(self, root: _Element) -> list[Block]:
        walk = iterwalk(root, events=("start", "end"))
        skipped: _Element | None = None
        for event, element in walk:
            if event == "start":
                if element.tag in self._skipped or _is_hidden(element):
                    skipped = element
                    walk.skip_subtree()
                else:
                    self._begin(element)
                    self._add_text(element.text)
                continue
            if element is not skipped:
                self._end(element)
            if element is not root:
                self._add_text(element.tail)
        self._end_block()
        return self._blocks

    def _begin(self, element: _Element) -> None:
        tag = element.tag
        if tag == self._vocabulary.line_break:
            self._words.append("\n")
        elif tag in _INLINE:
            return
        elif self._row is not None:
            self._words.append(" ")
        else:
            self._end_block()
            self._kind = self._kind_of(str(tag))
            if tag in self._vocabulary.items:
                self._mark = self._mark_of(element)
            self._preformatted += tag == _PREFORMATTED
            if tag in self._vocabulary.rows and self._is_row_of_data(element):
                self._row = element

    def _end(self, element: _Element) -> None:
        tag = element.tag
        if element is self._row:
            self._row = None
            self._cells, self._words = [], [table_row(self._cells)] if any(self._cells) else []
            self._end_block(BlockKind.TABLE)
        elif self._row is not None:
            if tag in self._vocabulary.cells:
                self._cells.append("".join(self._words).strip())
                self._words = []
        elif tag not in _INLINE and tag != self._vocabulary.line_break:
            self._end_block()
            self._preformatted -= tag == _PREFORMATTED
            self._kind = BlockKind.PARAGRAPH

    def _kind_of(self, tag: str) -> BlockKind:
        if tag in self._vocabulary.headings:
            return BlockKind.HEADING
        # The paragraph in an item is the item.
        is_item = tag in self._vocabulary.items or (tag in _PARAGRAPHS and self._kind is BlockKind.LIST_ITEM)
        return BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH

    def _mark_of(self, item: _Element) -> str:
        """The mark of an item: its number, or a dash."""
        above = item.getparent()
        if above is None or above.tag != self._vocabulary.numbered or above.get("rend") == "ul":
            return _ITEM_MARK
        if above not in self._numbers:
            items = above.iterchildren(item.tag)
            self._numbers[above] = dict(zip(items, numbers_of_items(above, str(item.tag)), strict=True))
        return f"{self._numbers[above][item]}. "

    def _is_row_of_data(self, row: _Element) -> bool:
        cells = paragraphs = 0
        for element in row.iterdescendants():
            if element.tag in self._vocabulary.cells:
                cells += 1
            elif element.tag in _PARAGRAPHS:
                paragraphs += 1
            elif element.tag not in _INLINE and element.tag != self._vocabulary.line_break:
                return False
        return cells > 1 and paragraphs <= cells

    def _add_text(self, text: str | None) -> None:
        if text:
            self._words.append(text if self._preformatted else _WHITE_SPACE.sub(" ", text))

    def _end_block(self, kind: BlockKind | None = None) -> None:
        text = "".join(self._words).strip()
        self._words = []
        if not text:
            return
        kind = kind or self._kind
        self._blocks.append(Block(kind, self._mark + text if kind is BlockKind.LIST_ITEM else text))
        if kind is BlockKind.LIST_ITEM:
            self._kind = BlockKind.PARAGRAPH  # further blocks in the item have no mark


def _number(written: str | None, otherwise: int) -> int:
    return int(written) if written and _SHORT_NUMBER.fullmatch(written) else otherwise


def _is_hidden(element: _Element) -> bool:
    return element.get("hidden") is not None or _NO_DISPLAY.search(element.get("style") or "") is not None
