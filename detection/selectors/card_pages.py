"""The warnings that a page shows: at most fifty, and a few of each sentence until its reader asks for more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.core.paginator import Page, Paginator

from ..core.types import SILENT_KINDS
from ..models import Finding

#: Each card is some kilobytes.
CARDS_OF_PAGE = 50
CARDS_OF_SENTENCE = 5
#: Cards that only say "not in your source" come after this place in the list, below the head of their group.
_SILENT_ORDER = 10_000_000
#: The place of that head.
SILENT_GROUP_ORDER = _SILENT_ORDER - 1


def order_of(finding: Finding) -> int:
    """The place of a card in the list: conflicts, then "not in your source", each in the order of the text."""
    return finding.start + (_SILENT_ORDER if finding.kind in SILENT_KINDS else 0)


@dataclass(frozen=True, slots=True)
class AskedPage:
    """The page that an address names: by its number, or by a warning on it."""

    number: int = 1
    is_whole: bool = False
    """Whether all warnings of each sentence are shown."""
    finding: int | None = None


@dataclass(frozen=True, slots=True)
class MoreCards:
    """The warnings of a sentence that are shown on demand only."""

    index: int
    """Of the sentence."""
    total: int
    """All of the sentence, with those that are shown."""
    first: int
    """Id of the first that is not shown."""
    order: int
    """Its place among the cards: after the shown ones of its sentence."""

    @property
    def number(self) -> int:
        return self.index + 1


class CardPages:
    """The warnings of one check, page by page; a page number beyond the end gives the last page."""

    def __init__(self, findings: Sequence[Finding], index_of: Callable[[Finding], int], asked: AskedPage) -> None:
        self._findings = findings
        self._index_of = index_of
        self._asked = asked

    @cached_property
    def is_whole(self) -> bool:
        """Whether the reader asked for all warnings of each sentence."""
        return self._asked.is_whole or any(finding.pk == self._asked.finding for finding in self._held_back)

    @cached_property
    def page(self) -> Page[Finding]:
        listed = self._findings if self.is_whole else self._first_few
        paginator = Paginator(listed, CARDS_OF_PAGE)
        ids = [finding.pk for finding in listed]
        if self._asked.finding in ids:
            return paginator.page(ids.index(self._asked.finding) // CARDS_OF_PAGE + 1)
        return paginator.get_page(self._asked.number)

    @cached_property
    def shown(self) -> frozenset[int]:
        """The ids of the warnings of this page."""
        return frozenset(finding.pk for finding in self.page.object_list)

    def more_of(self, index: int) -> MoreCards | None:
        """The hidden warnings of a sentence; None if all are shown."""
        if self.is_whole:
            return None
        held_back = [finding for finding in self._held_back if self._index_of(finding) == index]
        if not held_back:
            return None
        last = max(order_of(finding) for finding in self._first_few if self._index_of(finding) == index)
        return MoreCards(index, CARDS_OF_SENTENCE + len(held_back), held_back[0].pk, last)

    @cached_property
    def _held_back(self) -> tuple[Finding, ...]:
        return tuple(finding for finding, is_held_back in self._sorted_out if is_held_back)

    @cached_property
    def _first_few(self) -> tuple[Finding, ...]:
        return tuple(finding for finding, is_held_back in self._sorted_out if not is_held_back)

    @cached_property
    def _sorted_out(self) -> tuple[tuple[Finding, bool], ...]:
        counted: Counter[int] = Counter()
        sorted_out = []
        for finding in self._findings:
            index = self._index_of(finding)
            counted[index] += 1
            sorted_out.append((finding, counted[index] > CARDS_OF_SENTENCE))
        return tuple(sorted_out)
