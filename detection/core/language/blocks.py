"""The blocks of a text: paragraphs, headings, list items, code and tables, found from its lines alone.

Block markers (``#``, the underline of a heading, ``-``, ``1.``, code fences, rules between parts) belong to no block,
so that a sentence never begins with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from detection.core.types import BlockKind, Span

from .vocabulary import words


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the text. ``span`` is its content: no marker, no outer white space, never empty."""

    kind: BlockKind
    span: Span


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the text; ``start`` and ``end`` leave out the white space at both ends."""

    start: int
    end: int
    indent: int
    text: str

    @property
    def is_blank(self) -> bool:
        return not self.text


_MAX_HEADING_WORDS = 12
_MAX_HEADING_LENGTH = 90
# Maximum width of hand-wrapped lines; a longer line is a whole paragraph.
_MAX_WRAP_WIDTH = 120
# A shorter line without a full stop above another line is a title, even if the other line is short too.
_MIN_WRAP_WIDTH = 25

_FENCE = re.compile(r"(`{3,}|~{3,})")
_ATX_HEADING = re.compile(r"(#{1,6})(?:\s+|$)")
_CLOSING_HASHES = re.compile(r"\s#+$")
_SETEXT_UNDERLINE = re.compile(r"(?:=+|-{2,})$")
_RULE = re.compile(r"(?:(?:\*\s?){3,}|(?:-\s?){3,}|(?:_\s?){3,}|(?:=\s?){3,})$")
_BULLET = re.compile(r"[-*+•‣◦▪●○–—·]\s+(?=\S)|[•‣◦▪●](?=\w)")
_ORDERED = re.compile(
    r"(?:\d{1,3}[.)]|\(\d{1,3}\)|[a-z][.)]|\([a-zA-Z]\)|[A-Z]\)|[ivx]{1,5}[.)]|\([ivx]{1,5}\))\s+(?=\S)"
)
_TABLE_RULE = re.compile(r"[\s:|-]+$")
_BARE_EDGE = " | "
_QUOTE_MARK = re.compile(r">\s?")
#: The end of a sentence, also with the mark of a note: "in 1932.[1]", and "in 1932.1" as a PDF file has it.
_FINISHED = re.compile(
    r"(?:[.!?…。！？]['\"”’»)\]*_]{0,4}(?:\s?\[\d{1,3}\]|[¹²³⁰⁴-⁹]){0,4}"
    r"|(?:(?<=[a-z]{4})|(?<=\d{4})|(?<=\)))[.!?]['\"”’»)]?\d{1,2})$"
)
#: In the lower case, in which titles in capitals do not have them, and no nouns.
_VERBS = frozenset(
    words(
        "is are was were has have had does did will would can could must may might carries weighs includes contains"
        " consists became began gave took went wrote says said"
    )
)
#: Nouns, too, unless a figure follows.
_VERB_OF_FIGURE = re.compile(
    r"\w (?:costs?|takes?|took|lasts?|lasted|measures?|holds?|seats?|employs?|covers?|opened|opens|closed|closes|began"
    r"|begins|ended|ends|leaves|arrives|started|starts|sold|earned|won|lost)(?: (?:in|on|at|about|from|for))? [$£€]?\d"
)
#: Before its verb, one of these makes a line a question or a part of a sentence.
_NO_STATEMENT = frozenset(words("what how why when where who whom whose which that if whether because while as than"))
_MIN_STATEMENT_WORDS = 4
_BOLD = ("**", "__")
_OPENING = "\"'“‘«([*_"


def split_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of ``text`` in order, not overlapping; text without a visible character has none."""
    return tuple(_Splitter(_lines(text)).blocks())


def _lines(text: str) -> list[_Line]:
    lines = []
    position = 0
    for raw in text.splitlines(keepends=True):
        content = raw.strip()
        indent = len(raw) - len(raw.lstrip()) if content else 0
        start = position + indent
        lines.append(_Line(start, start + len(content), indent, content))
        position += len(raw)
    return lines


class _Splitter:
    """Traverses the lines once; each method takes the position of a line and yields the block that begins there."""

    def __init__(self, lines: list[_Line]) -> None:
        self._lines = lines
        self._run = _Run(lines, 0, 0)

    def blocks(self) -> Iterator[Block]:
        position = 0
        while position < len(self._lines):
            line = self._lines[position]
            if line.is_blank:
                position += 1
            elif fence := _FENCE.match(line.text):
                block, position = self._code(position, fence.group())
                yield from block
            elif self._is_table(position):
                block, position = self._table(position)
                yield from block
            elif _RULE.match(line.text):
                position += 1
            elif heading := _ATX_HEADING.match(line.text):
                yield from _block(BlockKind.HEADING, line.start + heading.end(), _without_hashes(line))
                position += 1
            else:
                block, position = self._prose(position)
                yield from block

    def _code(self, position: int, fence: str) -> tuple[list[Block], int]:
        """Everything up to the closing fence, or to the end of the text without one."""
        first = position + 1
        end = first
        while end < len(self._lines) and not self._closes(end, fence):
            end += 1
        content = [line for line in self._lines[first:end] if not line.is_blank]
        blocks = _block(BlockKind.CODE, content[0].start, content[-1].end) if content else []
        return blocks, end + 1

    def _closes(self, position: int, fence: str) -> bool:
        text = self._lines[position].text
        return text.startswith(fence) and not text.strip(fence[0])

    def _is_table(self, position: int) -> bool:
        text = self._lines[position].text
        if text.startswith("|") and text.count("|") > 1:
            return True
        following = self._lines[position + 1].text if position + 1 < len(self._lines) else ""
        if "|" not in text or "|" not in following:
            return False
        return ("-" in following and _TABLE_RULE.match(following) is not None) or _are_bare_rows(text, following)

    def _table(self, position: int) -> tuple[list[Block], int]:
        first = position
        while position < len(self._lines) and "|" in self._lines[position].text:
            position += 1
        return _block(BlockKind.TABLE, self._lines[first].start, self._lines[position - 1].end), position

    def _prose(self, position: int) -> tuple[list[Block], int]:
        """A paragraph, list item or title line with the lines that continue it."""
        line = self._lines[position]
        marker = self._item_marker(position)
        if marker:
            end = self._last_line(position, in_item=True)
            return _block(BlockKind.LIST_ITEM, line.start + marker, self._lines[end].end), end + 1
        if quote := _QUOTE_MARK.match(line.text):
            end = self._last_line(position)
            return _block(BlockKind.PARAGRAPH, line.start + quote.end(), self._lines[end].end), end + 1
        if self._is_underlined(position):
            return _block(BlockKind.HEADING, line.start, line.end), position + 2
        end = self._last_line(position)
        kind = BlockKind.HEADING if end == position and self._is_title(position) else BlockKind.PARAGRAPH
        return _block(kind, line.start, self._lines[end].end), end + 1

    def _is_underlined(self, position: int) -> bool:
        if position + 1 == len(self._lines) or not _SETEXT_UNDERLINE.match(self._lines[position + 1].text):
            return False
        return len(self._lines[position].text) <= _MAX_HEADING_LENGTH

    def _item_marker(self, position: int) -> int:
        """The length of the list marker that the line begins with, or 0."""
        text = self._lines[position].text
        marker = _BULLET.match(text) or _ORDERED.match(text)
        return marker.end() if marker else 0

    def _begins_block(self, position: int) -> bool:
        """Whether the line begins a new block, regardless of the lines before it."""
        text = self._lines[position].text
        if _FENCE.match(text) or _ATX_HEADING.match(text) or _RULE.match(text):
            return True
        return self._is_table(position)

    def _last_line(self, first: int, *, in_item: bool = False) -> int:
        """The last of the lines that continue line ``first``."""
        run = self._run_of(first)
        end = first
        while end + 1 < run.end and self._reads_on(run, first, end, in_item=in_item):
            end += 1
        return end

    def _reads_on(self, run: _Run, first: int, end: int, *, in_item: bool) -> bool:
        if self._item_marker(end + 1):
            return run.reads_on_to_number(end)
        if in_item and self._lines[end + 1].indent > self._lines[first].indent:
            return True
        return run.reads_on(end)

    def _run_of(self, position: int) -> _Run:
        """The adjacent lines around ``position``, without blank lines or another kind of block between them.

        Cached until the traversal leaves the run, so that a long list is measured once.
        """
        if position >= self._run.end:
            end = position + 1
            while end < len(self._lines) and not self._lines[end].is_blank and not self._begins_block(end):
                end += 1
            self._run = _Run(self._lines, position, end)
        return self._run

    def _is_title(self, position: int) -> bool:
        """A separate short line without a full stop above something else."""
        text = self._lines[position].text
        if len(text) > _MAX_HEADING_LENGTH or len(text.split()) > _MAX_HEADING_WORDS:
            return False
        if text[-1] in ",;" or _FINISHED.search(text) or _is_statement(text):
            return False
        first = text.lstrip(_OPENING)[:1]
        if not (first.isupper() or first.isdigit()):
            return False
        return self._has_text_after(position) and (not text.endswith(":") or len(text.split()) <= 6)

    def _has_text_after(self, position: int) -> bool:
        following = next((line for line in self._lines[position + 1 : position + 4] if not line.is_blank), None)
        return following is not None


class _Run:
    """Adjacent lines, and whether their breaks come from a right margin or from the writer."""

    def __init__(self, lines: Sequence[_Line], start: int, end: int) -> None:
        self.end = end
        self._lines = lines
        texts = [line.text for line in lines[start:end]]
        self._width = max(map(len, texts), default=0)
        self._fits_a_page = self._width <= _MAX_WRAP_WIDTH
        self._is_wrapped = self._fits_a_page and any(
            not _FINISHED.search(text) and following[0].islower() for text, following in pairwise(texts)
        )

    def reads_on(self, position: int) -> bool:
        """Whether the line after ``position`` continues the same paragraph."""
        line, following = self._lines[position].text, self._lines[position + 1].text
        if _FINISHED.search(line):
            return self._is_wrapped and self._had_no_room(line, following)
        if line.endswith(":"):
            return following[0].islower() or (self._is_wrapped and self._had_no_room(line, following))
        if following[0].islower() or line[-1] in ",;-–—&(":
            return True
        return len(line) > _MIN_WRAP_WIDTH and self._fits_a_page and self._had_no_room(line, following)

    def reads_on_to_number(self, position: int) -> bool:
        """Whether an apparent item marker is a wrapped number ("in the year\\n12. He")."""
        line, following = self._lines[position].text, self._lines[position + 1].text
        unfinished = not _FINISHED.search(line)
        return self._is_wrapped and unfinished and following[0].isdigit() and self._had_no_room(line, following)

    def _had_no_room(self, line: str, following: str) -> bool:
        return len(line) + 1 + len(following.split(maxsplit=1)[0]) > self._width


def _are_bare_rows(text: str, following: str) -> bool:
    """Whether two lines are rows of a table without outer pipes and a rule: "Height | 54 cm"."""
    edges = text.count(_BARE_EDGE)
    if not edges or following.count(_BARE_EDGE) != edges:
        return False
    return not (_FINISHED.search(text) or _FINISHED.search(following))


def _is_statement(text: str) -> bool:
    """Whether a line without a full stop is a sentence: "The toll is $4 per car"."""
    if text.endswith(":") or text.startswith(_BOLD):
        return False
    said = text.split()
    if len(said) < _MIN_STATEMENT_WORDS or said[0].casefold() in _VERBS:
        return False
    verb = next((position for position, word in enumerate(said[:-1]) if word in _VERBS), None)
    if verb is None and _VERB_OF_FIGURE.search(text) is None:
        return False
    return not any(word.casefold().strip(_OPENING) in _NO_STATEMENT for word in said[:verb])


def _without_hashes(line: _Line) -> int:
    closing = _CLOSING_HASHES.search(line.text)
    return line.start + closing.start() if closing else line.end


def _block(kind: BlockKind, start: int, end: int) -> list[Block]:
    return [Block(kind, Span(start, end))] if start < end else []
