"""Join the lines of PDF pages into running text, so that sentences can be found and quotes match."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ...types import Span
from ..assembly import BETWEEN_PARAGRAPHS, tidy_line

#: A line that ends a sentence well before the right margin ends a paragraph too.
_FULL_LINE = 0.75
#: A line without a full stop that ends before this is a heading, an item or a row, not a wrapped line.
_BROKEN_LINE = 0.6
#: Maximum lines of a header or footer, and the number of nearby pages that must repeat it (left and right pages may
#: differ).
_EDGE_LINES = 3
_NEAR_PAGES = 4
_MIN_REPETITIONS = 3
_MIN_OF_PAGE_NUMBERS = 2
_LONGEST_NUMBER = 9
_LONGEST_RUNNING_LINE = 200

_FINISHED = re.compile(r"[.!?…:][\"'”’»)\]\d]{0,4}$")
_HYPHENATED = re.compile(r"\w[-\u00ad\u2010]$")
#: A sentence never ends with one of these, and a heading hardly.
_LEFT_OPEN = re.compile(r"\w.*\b(?:a|an|the|of|by|from|with|to|and|or|is|are|was|were|has|had|its|their)$")
_PAGE_NUMBER = re.compile(r"(?:page|p\.)?[\s–-]*(?P<page>\d{1,4})(?:\s*(?:of|/)\s*\d{1,4})?[\s–-]*", re.I)
_BULLET = re.compile(r"[•‣◦▪●○–—*·-]\s|[•‣◦▪●]|\(?(?:\d{1,2}|[a-z])[.)]\s")
_COMPOUND = re.compile(r"\w+-\w+")
_LAST_WORD = re.compile(r"\w+(?=[-\u2010]$)")
_FIRST_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_SOFT_HYPHEN = "\u00ad"
_LIGATURES = str.maketrans({
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class PagedText:
    """Text of several pages; ``spans`` has the part of each page, empty for a page without text."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with text. ``is_apart``: a blank line precedes it. ``fullness``: its share of the page width."""

    page: int
    text: str
    is_apart: bool
    fullness: float

    @property
    def is_finished(self) -> bool:
        return _FINISHED.search(self.text) is not None


def page_lines(text: str) -> list[str]:
    """The lines of a page, with letters for ligatures; blank lines are ""."""
    return [tidy_line(line.translate(_LIGATURES)) for line in text.split("\n")]


def join_pages(pages: Sequence[Sequence[str]]) -> PagedText:
    """Join the lines of all pages: hyphenated words, lines of one paragraph, sentences that go on overleaf.

    An empty line separates paragraphs. Headers and footers, which nearby pages repeat except for the page number, are
    left out: they would interrupt sentences.
    """
    lines = [line for number, texts in enumerate(_without_running_lines(pages)) for line in _measured(number, texts)]
    compounds = {compound.lower() for line in lines for compound in _COMPOUND.findall(line.text)}
    parts: list[str] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    length = 0
    for line, following in zip_longest(lines, lines[1:]):
        text, joint = _joined(line, following, compounds) if following else (line.text, "")
        starts.setdefault(line.page, length)
        ends[line.page] = length + len(text)
        parts += text, joint
        length += len(text) + len(joint)
    spans = tuple(Span(starts.get(page, 0), ends.get(page, 0)) for page in range(len(pages)))
    return PagedText("".join(parts), spans)


def _measured(page: int, texts: Sequence[str]) -> Iterator[_Line]:
    lengths = sorted(len(text) for text in texts if text)
    # Not the maximum: a table row may extend into the margin.
    width = lengths[len(lengths) * 9 // 10] if lengths else 0
    is_apart = False
    for text in texts:
        if text:
            yield _Line(page, text, is_apart, len(text) / width)
        is_apart = not text


def _joined(line: _Line, following: _Line, compounds: set[str]) -> tuple[str, str]:
    """The text of ``line`` without a hyphenation mark, and the separator before ``following``."""
    if _HYPHENATED.search(line.text) and following.text[0].isalnum():
        return (line.text if _is_compound(line, following, compounds) else line.text[:-1]), ""
    return line.text, " " if _reads_on(line, following) else BETWEEN_PARAGRAPHS


def _is_compound(line: _Line, following: _Line, compounds: set[str]) -> bool:
    """Whether the hyphen belongs to the word: "Anglo-Saxon", "2010-2012", and "well-known" if it occurs elsewhere."""
    if line.text[-1] == _SOFT_HYPHEN:
        return False
    if not following.text[0].islower() or line.text[-2].isdigit():
        return True
    first, second = _LAST_WORD.search(line.text), _FIRST_WORD.match(following.text)
    return first is not None and second is not None and f"{first.group()}-{second.group()}".lower() in compounds


def _reads_on(line: _Line, following: _Line) -> bool:
    if _BULLET.match(following.text):
        return False
    if line.is_finished:
        return line.fullness >= _FULL_LINE and not following.is_apart
    if following.text[0].islower() or line.text[-1] in ",;" or _LEFT_OPEN.match(line.text):
        return True
    return line.fullness >= _BROKEN_LINE and not following.is_apart


def _without_running_lines(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages without their headers and footers.

    A header may be the title of a part: its first occurrence stays, unless it would split a sentence.
    """
    pages_with: dict[str, list[int]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for form in {form for line in _edges(lines) for form in _forms(number, line)}:
            pages_with[form].append(number)
    kept: list[list[str]] = []
    for number, lines in enumerate(pages):
        last = next((lines[-1] for lines in reversed(kept) if lines), "")
        starts_afresh = not last or _FINISHED.search(last) is not None
        kept.append(_without_edges(number, lines, pages_with, keep_new_header=starts_afresh))
    return kept


def _edges(lines: Sequence[str]) -> set[str]:
    filled = [line for line in lines if line]
    return {*filled[:_EDGE_LINES], *filled[-_EDGE_LINES:]}


def _forms(number: int, line: str) -> Iterator[str]:
    """The line itself, and the line with each number replaced by its distance from the page number."""
    if any(map(str.isalnum, line)):
        yield line
    for found in _NUMBER.finditer(line[:_LONGEST_RUNNING_LINE]):
        distance = int(found.group()[:_LONGEST_NUMBER]) - number
        yield f"{line[: found.start()]}\0{distance}\0{line[found.end() :]}"


def _without_edges(
    number: int, lines: Sequence[str], pages_with: Mapping[str, Sequence[int]], *, keep_new_header: bool
) -> list[str]:
    def repeated(line: str) -> Sequence[Sequence[int]]:
        """For each form of the line that is repeated, the pages near this one that have it."""
        near = [_near(pages_with.get(form, ()), number) for form in _forms(number, line)]
        enough = _MIN_OF_PAGE_NUMBERS if _is_page_number(number, line) else _MIN_REPETITIONS
        return [pages for pages in near if len(pages) >= enough]

    def is_dropped_header(line: str) -> bool:
        is_of_page = not keep_new_header or _is_page_number(number, line)
        return any(is_of_page or pages[0] < number for pages in repeated(line))

    start, end = 0, len(lines)
    while start < end and (not lines[start] or is_dropped_header(lines[start])):
        start += 1
    while end > start and (not lines[end - 1] or repeated(lines[end - 1])):
        end -= 1
    return list(lines[start:end])


def _is_page_number(number: int, line: str) -> bool:
    """Whether a line gives the number of its page, and nothing else: "Page 1 of 2"."""
    found = _PAGE_NUMBER.fullmatch(line)
    return found is not None and int(found["page"]) == number + 1


def _near(pages: Sequence[int], number: int) -> Sequence[int]:
    """Those of ``pages`` that are near page ``number``; they are in order."""
    return pages[bisect_left(pages, number - _NEAR_PAGES) : bisect_right(pages, number + _NEAR_PAGES)]
