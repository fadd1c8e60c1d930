"""Preview of accept all: the steps of the service, run in memory and not stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .. import wording
from ..core.errors import StaleSuggestion
from ..core.rewriting import revise
from ..core.rewriting.revise import DiffPart
from ..core.types import FindingKind
from ..models import Check, Finding, Suggestion
from .decisions import choices_of_accept_all
from .review import Review


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One suggestion that would be accepted."""

    suggestion: int
    sentence: int
    title: str
    before: str
    parts: tuple[DiffPart, ...]
    removes: bool

    @property
    def number(self) -> int:
        return self.sentence + 1


@dataclass(frozen=True, slots=True)
class KindCount:
    value: str
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class AcceptAllPreview:
    """The changes of one kind of warnings, or of all; and how many each kind has."""

    kind: str
    """"" for all."""
    changes: tuple[PlannedChange, ...]
    kinds: tuple[KindCount, ...]
    total: int


def preview_of(check: Check, kind: str = "") -> AcceptAllPreview:
    """Preview accept all for warnings of ``kind``; "" and unknown kinds mean all of them."""
    kind = kind if kind in list(FindingKind) else ""
    chosen = _choices(check, kind)
    counts = Counter(finding.kind for finding, _ in (_choices(check, "") if kind else chosen))
    return AcceptAllPreview(
        kind=kind,
        changes=tuple(_planned(finding, suggestion) for finding, suggestion in chosen),
        kinds=tuple(
            KindCount(member.value, str(wording.KIND_TITLES[member]), counts[member])
            for member in FindingKind
            if counts[member]
        ),
        total=counts.total(),
    )


def _choices(check: Check, kind: str) -> list[tuple[Finding, Suggestion]]:
    review = Review(check.pk)
    chosen = []
    for choice in choices_of_accept_all(review):
        if choice.suggestion is None or kind not in ("", choice.finding.kind):
            continue
        try:
            review.choose(choice.finding, choice.state, choice.suggestion)
        except StaleSuggestion:
            continue
        review.settle()
        chosen.append((choice.finding, choice.suggestion))
    return chosen


def _planned(finding: Finding, suggestion: Suggestion) -> PlannedChange:
    before = suggestion.sentence.text
    return PlannedChange(
        suggestion=suggestion.pk,
        sentence=suggestion.sentence.index,
        title=str(wording.KIND_TITLES[FindingKind(finding.kind)]),
        before=before,
        parts=revise.diff(before, suggestion.replacement),
        removes=not suggestion.replacement,
    )
