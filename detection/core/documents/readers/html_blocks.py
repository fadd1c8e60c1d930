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
    items=frozenset({"li", "dt"}),
    rows=frozenset({"tr"}),
    cells=frozenset({"td", "th"}),
    numbered="ol",
    line_break="br",
    hidden=frozenset({
        "title", "script", "style", "noscript", "template", "svg", "math", "object", "iframe", "canvas", "button",
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
#: Elements around the main text of a page, by tag, by role, and by the words of their class or id.
_AROUND = frozenset({"nav", "footer", "aside", "menu", "dialog"})
_ROLES_AROUND = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar"})
_FOOTERS = frozenset({"footer", "site-footer", "page-footer", "colophon"})
#: "menu" may be what a restaurant offers: these count if most of their words are links.
_NAVIGATION = frozenset({
    "nav", "navbar", "navigation", "menu", "header", "site-header", "masthead", "topbar", "breadcrumb", "breadcrumbs",
    "sidebar", "related", "pagination",
})  # fmt: skip
_MAIN_TEXTS = ("main", "article")
_PAGE = frozenset({"html", "body", *_MAIN_TEXTS})
_LINKS_OF_NAVIGATION = 0.5
_LINKS_OF_DOCUMENT = 0.2

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
_TERM, _DESCRIPTION = "dt", "dd"
_SHORT_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def visible_blocks(tree: _Element, *, without_surroundings: bool = False) -> list[Block]:
    """All visible text of the page, or all except for its navigation and what else surrounds the main text."""
    return _Walk(_HTML, without_surroundings=without_surroundings).over(tree)


def is_document(tree: _Element) -> bool:
    """Whether a page is a saved document, without the scripts and the surroundings of a site: all is main text."""
    if next(tree.iter("script"), None) is not None or _share_of_links(tree) >= _LINKS_OF_DOCUMENT:
        return False
    return not any(isinstance(element.tag, str) and _is_around_main_text(element) for element in tree.iter())


def main_text_blocks(body: _Element) -> list[Block]:
    """The blocks of the main text that trafilatura found; without elements, each piece of text is a line of them."""
    return _Walk(_MAIN_TEXT, keeps_lines=True).over(body)


def _numbers_of_items(ordered: _Element, item: str) -> Iterator[int]:
    """The numbers of the items of a numbered list, in order."""
    number = _number(ordered.get("start"), 1) - 1
    for element in ordered.iterchildren(item):
        number = _number(element.get("value"), number + 1)
        yield number


class _Walk:
    """Traverses a tree once, without recursion, because it may be very deep."""

    def __init__(
        self, vocabulary: _Vocabulary, *, without_surroundings: bool = False, keeps_lines: bool = False
    ) -> None:
        self._vocabulary = vocabulary
        self._without_surroundings = without_surroundings
        self._blocks: list[Block] = []
        self._words: list[str] = []
        self._cells: list[str] = []
        self._kind = BlockKind.PARAGRAPH
        self._row: _Element | None = None
        self._preformatted = int(keeps_lines)
        self._numbers: dict[_Element, dict[_Element, int]] = {}
        """The numbers of the items of each numbered list."""
        self._mark = _ITEM_MARK
        self._is_open_term = False
        """Whether the words so far are a term whose description follows."""

    def over(self, root: _Element) -> list[Block]:
        walk = iterwalk(root, events=("start", "end"))
        skipped: _Element | None = None
        for event, element in walk:
            if event == "start":
                if self._is_skipped(element):
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

    def _is_skipped(self, element: _Element) -> bool:
        if element.tag in self._vocabulary.hidden or _is_hidden(element):
            return True
        return self._without_surroundings and _is_around_main_text(element)

    def _begin(self, element: _Element) -> None:
        tag = element.tag
        if tag == self._vocabulary.line_break:
            self._words.append("\n")
        elif tag in _INLINE or (self._is_open_term and (tag == _DESCRIPTION or tag in _PARAGRAPHS)):
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
        elif tag == _TERM and _is_described(element):
            self._words.append(": ")
            self._is_open_term = True
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
            self._numbers[above] = dict(zip(items, _numbers_of_items(above, str(item.tag)), strict=True))
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
            self._is_open_term = self._is_open_term and not text.strip()
            self._words.append(text if self._preformatted else _WHITE_SPACE.sub(" ", text))

    def _end_block(self, kind: BlockKind | None = None) -> None:
        text = "".join(self._words).strip()
        self._words = []
        self._is_open_term = False
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


def _is_described(term: _Element) -> bool:
    following = term.getnext()
    return following is not None and following.tag == _DESCRIPTION


def _is_around_main_text(element: _Element) -> bool:
    if element.tag in _PAGE:
        return False
    if element.tag in _AROUND or element.get("role") in _ROLES_AROUND:
        return True
    names = {*(element.get("class") or "").lower().split(), (element.get("id") or "").lower()}
    if element.tag == "header" and next(element.iterancestors(*_MAIN_TEXTS), None) is None:
        names.add("header")  # another one has the title of an article, which may be a link
    return bool(names & _FOOTERS) or (bool(names & _NAVIGATION) and _share_of_links(element) >= _LINKS_OF_NAVIGATION)


def _share_of_links(element: _Element) -> float:
    words = _letters_of(element)
    return sum(map(_letters_of, element.iter("a"))) / words if words else 1.0


def _letters_of(element: _Element) -> int:
    """The number of letters and digits."""
    return sum(1 for text in element.itertext() for character in str(text) if character.isalnum())
