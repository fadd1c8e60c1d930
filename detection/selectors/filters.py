"""The filters for warnings and sentences of a check, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .. import wording
from ..core.types import FindingKind, Verdict
from ..models import Finding


class CountedSentence(Protocol):
    @property
    def verdict(self) -> Verdict: ...
    @property
    def label(self) -> str: ...
    @property
    def look(self) -> str: ...


@dataclass(frozen=True, slots=True)
class FilterOption:
    """``value`` is what js/filters.js compares with a card, such as ``kind:not_in_source``."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Filters:
    total: int
    open: int
    decided: int
    kinds: tuple[FilterOption, ...]
    detectors: tuple[FilterOption, ...]


@dataclass(frozen=True, slots=True)
class SentenceCount:
    """The number of sentences with ``label``, and their style in the overview."""

    label: str
    look: str
    sentences: int


def filters_of(cards: Sequence[Sequence[Finding]], found_by: Callable[[Finding], str]) -> Filters:
    """``cards`` are the findings that each card shows, ``found_by`` gives the id of the detector of one."""
    kinds = Counter(kind for card in cards for kind in {finding.kind for finding in card})
    detectors = Counter(detector for card in cards for detector in set(map(found_by, card)))
    opened = sum(card[0].state == Finding.State.OPEN for card in cards)
    return Filters(
        total=len(cards),
        open=opened,
        decided=len(cards) - opened,
        kinds=tuple(
            FilterOption(f"kind:{kind}", str(wording.KIND_TITLES[kind]), kinds[kind])
            for kind in FindingKind
            if kinds[kind]
        ),
        detectors=tuple(
            FilterOption(f"detector:{detector}", wording.detector_label(detector), count)
            for detector, count in sorted(detectors.items())
        ),
    )


def counts_of(sentences: Iterable[CountedSentence]) -> tuple[SentenceCount, ...]:
    """Count the sentences by their label on the page, worst first."""
    sentences = sorted(sentences, key=lambda sentence: sentence.verdict.rank)
    looks = {sentence.label: sentence.look for sentence in reversed(sentences)}
    counts = Counter(sentence.label for sentence in sentences)
    return tuple(SentenceCount(label, looks[label], count) for label, count in counts.items())
