"""The filters for warnings and sentences of a check, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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


def filters_of(findings: Sequence[Finding], found_by: Iterable[str]) -> Filters:
    """``found_by`` are the ids of the detectors, one for each finding."""
    kinds = Counter(finding.kind for finding in findings)
    detectors = Counter(found_by)
    opened = sum(finding.state == Finding.State.OPEN for finding in findings)
    return Filters(
        total=len(findings),
        open=opened,
        decided=len(findings) - opened,
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
