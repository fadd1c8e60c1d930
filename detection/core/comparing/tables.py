"""Read tables cell by cell: each cell is a claim about the thing that its row (or column) is named after.

"| Pro | $29 |" under "| Plan | Price |" claims that the price of Pro is $29. Cells of one table are never compared with
each other, because they are about different things or different attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ..language.vocabulary import words as vocabulary
from ..reasons import Reason
from ..rules.phrases import without_markup
from ..types import BlockKind, Span
from .cell_claims import entry_of, is_year, kind_of, other_answer, with_kind, without_unit, worded, written_as_in
from .properties import names_thing
from .sections import headings_above
from .sentence import ComparableSentence

#: Maximum number of cells compared in one table; the rows below are reported as not compared.
MAX_CELLS = 300

#: So many cells of other things are kept for a cell.
_MOST_OTHERS = 6

#: A longer table without headings lists things, not the properties of one.
_MAX_PROPERTIES = 40

_RULE = re.compile(r"[\s:|]*-[\s:|-]*$")
_EDGE = re.compile(r"(?<!\\)\|")
_EMPTY = frozenset({"", "-", "–", "—", "n/a", "N/A", "/", "?"})
#: Headings of a column of attributes; like an empty corner, they mean that the things head the other columns.
_ATTRIBUTES = frozenset(
    vocabulary(
        "feature features property attribute criterion criteria aspect specification spec specs metric metrics"
        " parameter characteristic measure detail details indicator"
    )
)
#: Headings of the second of two columns that say nothing of what its cells are: the first column says it.
_VALUES = frozenset(
    vocabulary(
        "value values detail details amount amounts figure figures data specification spec specs info information"
    )
)
#: Headings of the first column of such a table, besides those of attributes.
_PROPERTIES = _ATTRIBUTES | frozenset(
    vocabulary("item items field key fact facts property properties term terms cost costs")
)
_VALUE = "value"
#: What the rows of a table without headings may give of one thing.
_KNOWN_PROPERTIES = frozenset(
    vocabulary(
        "height length width depth thickness diameter weight mass area size volume capacity speed range power output"
        " voltage consumption temperature storage memory resolution warranty guarantee price cost fee rent toll deposit"
        " age duration time distance elevation altitude population founded opened built released established launched"
        " born died floors rooms seats passengers employees members pages dimensions"
    )
)
#: Headings that belong to the names of the things below: "Pro" under "Plan" is the Pro plan.
_KINDS = frozenset(vocabulary("plan group tier edition package version route line model"))


@dataclass(frozen=True, slots=True)
class CellWordings:
    """The claim of a cell in the two forms that the NLI model reads."""

    sentence: str
    """"The rind of the cheese Tarvo is ash-coated.": the model judges it better beside one sentence."""
    entry: str
    """"Rind of the cheese Tarvo: ash-coated.": better beside a passage."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its thing and heading. ``span`` is relative to the row's sentence."""

    span: Span
    text: str
    thing: str
    heading: str
    """What the cell gives of its thing, with the unit: "Weight (kg)"."""
    label: str
    """The cell as shown to readers: "Pro, Price: $29"."""
    kind: str = ""
    """What the things of the table are, if its first heading says it: "museum"."""
    is_property: bool = False
    """Whether the row names what the cell gives. Then ``thing`` is what the whole table is about; "" if unknown."""
    words: str = ""
    """The words of the cell as they are written inside a sentence; "" for those of ``text``."""
    others: tuple[str, ...] = ()
    """What the table says of its other things under the same heading."""

    @property
    def attribute(self) -> str:
        """What the cell gives of its thing, without a unit."""
        return without_unit(self.heading)

    @property
    def said(self) -> str:
        """The words of the cell inside a sentence."""
        return self.words or self.text

    @property
    def claim(self) -> str:
        """The cell as a sentence."""
        return "".join(self._worded)

    @property
    def place(self) -> Span:
        """The span of the cell's words in ``claim``."""
        before, words, _ = self._worded
        return Span(len(before), len(before) + len(words))

    @property
    def _worded(self) -> tuple[str, str, str]:
        return worded("" if self.is_property else self.thing, self.heading, self.said)

    def wordings_of(self, thing: str, words: str) -> CellWordings:
        """The claim that a cell with these words would make about a thing of the table."""
        of_kind = with_kind(thing, self.kind)
        sentence = "".join(worded(of_kind, self.attribute, words))
        return CellWordings(sentence, entry_of(of_kind, self.heading, words))

    def written_as_in(self, text: str) -> Cell:
        """The cell with its words as they are written inside a sentence of ``text``."""
        others = tuple(written_as_in(text, other) for other in self.others)
        return replace(self, words=written_as_in(text, self.text), others=others)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. ``reason`` says why none of its cells can be compared; "" if some can."""

    cells: tuple[Cell, ...] = ()
    things: tuple[str, ...] = ()
    """All things that the table is about; a statement about one of them is not about the others."""
    reason: str = ""
    place: int = 0
    """The number of cells of the table down to this row."""

    def written_as_in(self, sentences: Iterable[str]) -> Row:
        """The row with the words of its cells as they are written inside these sentences."""
        text = "\n".join(sentences)
        return replace(self, cells=tuple(cell.written_as_in(text) for cell in self.cells))


def unit_in(words: str) -> str:
    """The letters and signs of a unit in a cell; "" for a figure without a unit."""
    return "".join(character for character in words if character.isalpha() or character in "$£€¥%")


def is_row(sentence: ComparableSentence) -> bool:
    return sentence.parsed.sentence.block_kind is BlockKind.TABLE


def read_row(
    sentences: Sequence[ComparableSentence],
    index: int,
    wording: ComparableSentence | None = None,
    *,
    topic: str | None = None,
) -> Row:
    """Read the cells of the row at ``index`` of the text, or of another ``wording`` of it, with the headings above.

    ``topic`` is what the whole text is about.
    """
    text = (wording or sentences[index]).text
    block = sentences[index].parsed.sentence.block
    first = index
    while first > 0 and is_row(sentences[first - 1]) and sentences[first - 1].parsed.sentence.block == block:
        first -= 1
        if index - first > MAX_CELLS:
            return Row(reason=Reason.TABLE_TOO_LONG.of(MAX_CELLS))
    head, *ruled = sentences[first].text.splitlines()
    headings = [_plain(span.of(head)) for span in _spans(head)]
    if not ruled and _is_bare_list(sentences, first, block):
        headings = ["", _VALUE]
    elif first == index:
        return Row(reason=Reason.TABLE_HEADING.of() if ruled or _names_columns(headings) else _NO_HEADING)
    elif not (any(map(_RULE.match, ruled)) or (not ruled and _names_columns(headings))):
        return Row(reason=_NO_HEADING)
    spans = _spans(text)
    if len(spans) != len(headings) or "\n" in text:
        return Row(reason=Reason.TABLE_RAGGED.of())
    place = (index - first) * max(1, len(headings) - 1)
    if place > MAX_CELLS:
        return Row(reason=Reason.TABLE_TOO_LONG.of(MAX_CELLS))
    name = _plain(spans[0].of(text))
    if not _names_something(name):
        return Row(reason=Reason.TABLE_UNNAMED.of())
    if _lists_properties(headings):
        return _row_of_property(text, spans[1], name, _subject(sentences, first, topic), place)
    grid = _grid(sentences, first, block)
    cells = tuple(_cells(text, spans[1:], headings, name, grid))
    if not cells:
        return Row(reason=Reason.TABLE_EMPTY.of())
    is_turned = any(_is_turned(headings[0], heading) for heading in headings[1:])
    things = headings[1:] if is_turned else [_named(headings[0], line[0]) for line in grid]
    return Row(cells, tuple(dict.fromkeys(filter(None, things))), place=place)


_NO_HEADING = Reason.TABLE_WITHOUT_HEADING.of()


def _lists_properties(headings: Sequence[str]) -> bool:
    """Whether each row of the table gives one property, with its value, of one thing that the table is about."""
    first, *others = (heading.casefold() for heading in headings)
    return len(others) == 1 and others[0] in _VALUES and (not first or first in _PROPERTIES)


def _is_bare_list(sentences: Sequence[ComparableSentence], first: int, block: int) -> bool:
    """Whether a table without headings gives one property in each row: "Height | 54 cm"."""
    sentences_of_rows = _rows_from(sentences, first, block)
    if not 0 < len(sentences_of_rows) <= _MAX_PROPERTIES:
        return False
    rows = [[_plain(span.of(one.text)) for span in _spans(one.text)] for one in sentences_of_rows]
    if any(len(cells) != 2 for cells in rows) or not any(map(str.isdigit, rows[0][1])):
        return False
    return 2 * sum(_is_property(cells[0].casefold()) for cells in rows) > len(rows)


def _is_property(name: str) -> bool:
    words = without_unit(name).split()
    return bool(words) and words[-1] in _KNOWN_PROPERTIES


def _rows_from(sentences: Sequence[ComparableSentence], first: int, block: int) -> list[ComparableSentence]:
    """The rows of the table that begins at ``first``, as many as are compared."""
    rows = takewhile(
        lambda one: is_row(one) and one.parsed.sentence.block == block, sentences[first : first + 1 + MAX_CELLS]
    )
    return list(rows)


def _row_of_property(text: str, span: Span, name: str, subject: str | None, row_place: int) -> Row:
    words = _plain(span.of(text))
    if subject is None:
        return Row(reason=Reason.TABLE_UNNAMED.of())
    if words in _EMPTY:
        return Row(reason=Reason.TABLE_EMPTY.of())
    cell = Cell(span, words, subject, name, f"{name}: {words}", is_property=True)
    return Row((cell,), (subject,), place=row_place)


def _subject(sentences: Sequence[ComparableSentence], first: int, topic: str | None) -> str | None:
    """What a table of properties is about: the name in the heading above it, or the text's topic; None if unknown."""
    name = _name_in(headings_above(sentences)[first])
    if name:
        return name
    return None if _has_another_list(sentences, first) else topic


def _name_in(heading: str) -> str:
    """The name that a heading consists of, without a title such as "Specifications of the"; "" without one."""
    words = _plain(heading.lstrip("# ")).split()
    while words and (words[0].islower() or words[0].rstrip(":").casefold() in _TITLE_WORDS):
        words = words[1:]
    if len(words) == 1 and words[0].casefold() in _PARTS_OF_TEXT:
        return ""
    is_name = bool(words) and words[0][0].isupper() and any(word[0].isupper() and len(word) > 1 for word in words)
    if not is_name or any(word.islower() or word.casefold() in _TITLE_WORDS for word in words):
        return ""
    return " ".join(words)


def is_under_another(heading: str, thing: str) -> bool:
    """Whether the heading above a sentence names something else than the thing: "Norda 30", "Battery"."""
    name = _name_in(heading)
    words = [word.casefold() for word in name.split()]
    if not name or names_thing(thing, name):
        return False
    is_part = words[-1] in _PARTS_OF_TEXT or (len(words) == 1 and words[0] in _KNOWN_PROPERTIES)
    return not is_part or any(word in thing.casefold().split() for word in words)


#: Headings of parts of a text that are about its topic.
_PARTS_OF_TEXT = frozenset(
    vocabulary(
        "introduction summary conclusion overview about description design performance dimensions measurements features"
        " specification specifications specs data details facts figures background history pricing product general"
        " information instructions steps usage use installation setup operation maintenance care safety notes benefits"
        " advantages applications materials construction comparison service support contents questions"
    )
)
#: Words of headings that are no names.
_TITLE_WORDS = (
    _PROPERTIES
    | _VALUES
    | frozenset(
        vocabulary(
            "technical key main overview summary table at a the glance quick product general basic numbers budget"
        )
    )
)


def _has_another_list(sentences: Sequence[ComparableSentence], first: int) -> bool:
    """Whether the text has a second table of properties, which may be about another thing."""
    heads: dict[int, int] = {}
    for index, sentence in enumerate(sentences):
        if is_row(sentence):
            heads.setdefault(sentence.parsed.sentence.block, index)
    return any(index != first and _is_list(sentences, index, block) for block, index in heads.items())


def _is_list(sentences: Sequence[ComparableSentence], first: int, block: int) -> bool:
    head = sentences[first].text.splitlines()[0]
    is_headed = _lists_properties([_plain(span.of(head)) for span in _spans(head)])
    return is_headed or _is_bare_list(sentences, first, block)


def _grid(sentences: Sequence[ComparableSentence], first: int, block: int) -> list[list[str]]:
    """The words of the cells of each row below the headings."""
    rows = _rows_from(sentences, first, block)[1:]
    return [[_plain(span.of(row.text)) for span in spans] for row in rows if (spans := _spans(row.text))]


def _others(cells: Iterable[str], words: str) -> tuple[str, ...]:
    """What other cells say under the heading; of an answer, the other answer."""
    if answer := other_answer(words):
        return (answer,)
    others = (cell for cell in cells if cell not in _EMPTY and cell.casefold() != words.casefold())
    return tuple(dict.fromkeys(others))[:_MOST_OTHERS]


def _spans(line: str) -> list[Span]:
    """The spans of the cells of a line, without outer white space."""
    edges = [found.start() for found in _EDGE.finditer(line)]
    starts = [0, *(edge + 1 for edge in edges)]
    ends = [*edges, len(line)]
    spans = [_stripped(line, start, end) for start, end in zip(starts, ends, strict=True)]
    if line.lstrip().startswith("|"):
        spans = spans[1:]
    if line.rstrip().endswith("|") and edges:
        spans = spans[:-1]
    return spans


def _stripped(line: str, start: int, end: int) -> Span:
    words = line[start:end]
    if not words.strip():
        return Span(start, start)
    return Span(start + len(words) - len(words.lstrip()), start + len(words.rstrip()))


def _plain(words: str) -> str:
    return without_markup(words).replace("\\|", "|")


def _names_columns(headings: Sequence[str]) -> bool:
    """Whether a first row without a rule below it has only names; a row of values has at least one figure."""
    return len(headings) > 1 and not any(map(str.isdigit, "".join(headings))) and all(headings[1:])


def _names_something(name: str) -> bool:
    return any(map(str.isalpha, name)) or is_year(name)


def _cells(
    text: str, spans: Sequence[Span], headings: Sequence[str], name: str, grid: Sequence[Sequence[str]]
) -> Iterator[Cell]:
    of_row = [_plain(span.of(text)) for span in spans]
    corner = headings[0]
    for number, (span, words) in enumerate(zip(spans, of_row, strict=True), start=1):
        heading = headings[number]
        if words in _EMPTY or not heading:
            continue
        label = f"{name}, {heading}: {words}"
        if _is_turned(corner, heading):
            yield Cell(span, words, heading, name, label, others=_others(of_row, words))
        else:
            of_column = [line[number] for line in grid if number < len(line)]
            thing, kind = _named(corner, name), kind_of(corner)
            yield Cell(span, words, thing, heading, label, kind, others=_others(of_column, words))


def _is_turned(corner: str, heading: str) -> bool:
    """Whether the things head the columns, and the attributes head the rows."""
    return not corner or corner.casefold() in _ATTRIBUTES or is_year(heading)


def _named(corner: str, name: str) -> str:
    kind = corner.casefold()
    return f"{name} {kind}" if kind in _KINDS and kind not in name.casefold().split() else name
