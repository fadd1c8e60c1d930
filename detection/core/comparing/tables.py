"""Read tables cell by cell: each cell is a claim about the thing that its row (or column) is named after.

"| Pro | $29 |" under "| Plan | Price |" claims that the price of Pro is $29. Cells of one table are never compared with
each other, because they are about different things or different attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..language.vocabulary import words as vocabulary
from ..reasons import Reason
from ..rules.date_wording import MONTHS
from ..rules.phrases import without_markup
from ..types import BlockKind, Span
from .properties import names_thing
from .sections import headings_above
from .sentence import ComparableSentence

#: Maximum number of cells compared in one table; the rows below are reported as not compared.
MAX_CELLS = 300

#: A longer table without headings lists things, not the properties of one.
_MAX_PROPERTIES = 40

_RULE = re.compile(r"[\s:|]*-[\s:|-]*$")
_EDGE = re.compile(r"(?<!\\)\|")
_EMPTY = frozenset({"", "-", "–", "—", "n/a", "N/A", "/", "?"})
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")
_UNIT = re.compile(r"^(?P<name>.*\S)\s*[(\[](?P<unit>[^()\[\]]{1,12})[)\]]$")
_CURRENCY = frozenset("$£€¥")
#: In brackets behind a name, other words say in which case the value holds: "Range (winter)".
_UNITS = _CURRENCY | frozenset(
    vocabulary(
        "% m cm mm km ft feet in inches mi miles yd kg g mg lb lbs oz t tons tonnes l ml litres liters gal s sec"
        " seconds min mins minutes h hr hrs hours days weeks months years w kw mw gw v a hz khz mhz ghz mah wh kwh mwh"
        " kb mb gb tb km/h kph mph m/s °c °f c f k m² m2 km² km2 ha acres m³ m3 usd eur gbp thousands millions billions"
        " thousand million billion people persons"
    )
)
_NUMBER = re.compile(r"[\d.,\s]*\d$")
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
_PRICE = re.compile(r"\b(?:price|cost|costs)$", re.IGNORECASE)
#: With a full stop, only if it can be no price: "9.30 am".
_TIME = re.compile(r"\d{1,2}(?::[0-5]\d(?!\d)|(?:[:.][0-5]\d)?\s*[ap]\.?m\b)")
_VERBS_OF_TIME = frozenset(vocabulary("opens closes starts begins ends finishes leaves departs arrives"))
#: What a cell says of its thing that only says whether it has something.
_YES_AND_NO = {**dict.fromkeys(("yes", "✓", "✔", "✅"), "has"), **dict.fromkeys(("no", "✗", "✘", "❌"), "has no")}
#: A column may be named after a period: "May", "This year".
_PERIOD = re.compile(
    rf"(?:in )?(?P<named>{'|'.join(MONTHS)}|Q[1-4])$|(?:this|last|next|current) (?:year|month|week)$", re.I
)
_PARTICIPLE = re.compile(r"(?:[a-z]{2,}ed|built|born|begun|sold|won|made|set up)$")
_PLURAL = re.compile(r"[a-z][a-z-]+[^su]s$|people$|children$|staff$")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its thing and attribute. ``span`` is relative to the row's sentence."""

    span: Span
    text: str
    thing: str
    attribute: str
    claim: str
    """The cell as a sentence."""
    place: Span
    """The span of the cell's words in ``claim``."""
    label: str
    """The cell as shown to readers: "Pro, Price: $29"."""
    is_property: bool = False
    """Whether the row names what the cell gives. Then ``thing`` is what the whole table is about; "" if unknown."""

    def claim_of(self, thing: str, words: str) -> str:
        """The claim that a cell with these words would make about a thing of the table."""
        return _claim(thing, self.attribute, words)[0]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. ``reason`` says why none of its cells can be compared; "" if some can."""

    cells: tuple[Cell, ...] = ()
    things: tuple[str, ...] = ()
    """All things that the table is about; a statement about one of them is not about the others."""
    reason: str = ""
    place: int = 0
    """The number of cells of the table down to this row."""


def unit_in(words: str) -> str:
    """The letters and signs of a unit in a cell; "" for a figure without a unit."""
    return "".join(character for character in words if character.isalpha() or character in "$£€¥%")


def is_row(sentence: ComparableSentence) -> bool:
    return sentence.parsed.sentence.block_kind is BlockKind.TABLE


def is_year(words: str) -> bool:
    """Whether a row or a column is named after a year."""
    return _YEAR.match(words) is not None


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
    cells = tuple(_cells(text, spans[1:], headings, name))
    if not cells:
        return Row(reason=Reason.TABLE_EMPTY.of())
    return Row(cells, _things(sentences, first, block, headings), place=place)


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
    words = _without_unit(name).split()
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
    claim, place = _claim("", name, words)
    attribute = _without_unit(name)
    cell = Cell(span, words, subject, attribute, claim, place, f"{name}: {words}", is_property=True)
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


def _cells(text: str, spans: Sequence[Span], headings: Sequence[str], name: str) -> Iterator[Cell]:
    for span, heading in zip(spans, headings[1:], strict=True):
        words = _plain(span.of(text))
        if words in _EMPTY or not heading:
            continue
        thing, attribute = (heading, name) if _is_turned(headings[0], heading) else (_named(headings[0], name), heading)
        claim, place = _claim(thing, attribute, words)
        yield Cell(span, words, thing, _without_unit(attribute), claim, place, f"{name}, {heading}: {words}")


def _unit_of(attribute: str) -> re.Match[str] | None:
    found = _UNIT.match(attribute)
    return found if found is not None and found["unit"].casefold() in _UNITS else None


def _without_unit(attribute: str) -> str:
    found = _unit_of(attribute)
    return attribute if found is None else found["name"]


def _is_turned(corner: str, heading: str) -> bool:
    """Whether the things head the columns, and the attributes head the rows."""
    return not corner or corner.casefold() in _ATTRIBUTES or is_year(heading)


def _named(corner: str, name: str) -> str:
    kind = corner.casefold()
    return f"{name} {kind}" if kind in _KINDS and kind not in name.casefold().split() else name


def _claim(thing: str, attribute: str, words: str) -> tuple[str, Span]:
    before, value, after = _worded(thing, attribute, words)
    start = len(before)
    return before + value + after, Span(start, start + len(value))


def _worded(thing: str, attribute: str, words: str) -> tuple[str, str, str]:
    unit = ""
    if (found := _unit_of(attribute)) is not None:
        attribute = found["name"]
        unit = found["unit"] if _NUMBER.match(words) else ""
    if thing and words.casefold() in _YES_AND_NO:
        return f"{thing} ", _YES_AND_NO[words.casefold()], f" {attribute[:1].lower()}{attribute[1:]}."
    value = f"{unit}{words}" if unit in _CURRENCY else f"{words}{unit}" if unit == "%" else f"{words} {unit}".rstrip()
    said = attribute if attribute.isupper() else attribute[:1].lower() + attribute[1:]
    if not thing:
        return _worded_alone(said, value)
    if is_year(thing):
        return f"In {thing} the {said} was ", value, "."
    if (period := _PERIOD.match(attribute)) is not None:
        when = f"In {period['named']}" if period["named"] else attribute
        return f"{when}, {thing} had ", value, "."
    if _PARTICIPLE.match(said):
        return f"{thing} was {said} in ", value, "."
    if _PRICE.search(said) and not _NUMBER.match(value):
        return f"{thing} costs ", value, "."
    if _TIME.match(value):
        at = f"{thing} {said}" if said in _VERBS_OF_TIME else f"The {said} of {thing} is"
        return f"{at} at ", value, "."
    if _NUMBER.match(value) and _PLURAL.match(said):
        return f"{thing} has ", value, f" {said}."
    return f"The {said} of {thing} is ", value, "."


def _worded_alone(said: str, value: str) -> tuple[str, str, str]:
    """The claim of a cell about a thing that is not named."""
    if _PARTICIPLE.match(said):
        return f"It was {said} in ", value, "."
    if _PRICE.search(said) and not _NUMBER.match(value):
        return "It costs ", value, "."
    if _TIME.match(value):
        return f"The {said} is at ", value, "."
    if _NUMBER.match(value) and _PLURAL.match(said):
        return "It has ", value, f" {said}."
    return f"The {said} is ", value, "."


def _things(
    sentences: Sequence[ComparableSentence], first: int, block: int, headings: Sequence[str]
) -> tuple[str, ...]:
    if any(_is_turned(headings[0], heading) for heading in headings[1:]):
        return tuple(filter(None, headings[1:]))
    names: dict[str, None] = {}
    for sentence in _rows_from(sentences, first, block)[1:]:
        spans = _spans(sentence.text)
        names[_named(headings[0], _plain(spans[0].of(sentence.text))) if spans else ""] = None
    return tuple(filter(None, names))
