"""Preview of accept all: the steps of the service, run in memory and not stored."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.errors import StaleSuggestion
from ..core.rewriting import revise
from ..core.rewriting.revise import DiffPart
from ..models import Check, Finding, Suggestion
from ..selectors.quotes import QuoteReader, QuoteView
from ..selectors.rows import CheckRows
from .decisions import choices_of_accept_all
from .review import Review


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One suggestion that would be accepted, and the source passages that support it."""

    suggestion: int
    sentence: int
    parts: tuple[DiffPart, ...]
    quotes: tuple[QuoteView, ...]

    @property
    def number(self) -> int:
        return self.sentence + 1


def preview_of(check: Check) -> tuple[PlannedChange, ...]:
    """The changes that accept all would make."""
    rows = CheckRows(check)
    quotes = QuoteReader(rows)
    return tuple(_planned(finding, suggestion, rows, quotes) for finding, suggestion in _choices(check))


def _choices(check: Check) -> list[tuple[Finding, Suggestion]]:
    review = Review(check.pk)
    chosen = []
    for choice in choices_of_accept_all(review):
        if choice.suggestion is None:
            continue
        try:
            review.choose(choice.finding, choice.state, choice.suggestion)
        except StaleSuggestion:
            continue
        review.settle()
        chosen.append((choice.finding, choice.suggestion))
    return chosen


def _planned(finding: Finding, suggestion: Suggestion, rows: CheckRows, quotes: QuoteReader) -> PlannedChange:
    return PlannedChange(
        suggestion=suggestion.pk,
        sentence=suggestion.sentence.index,
        parts=revise.diff(suggestion.sentence.text, suggestion.replacement),
        quotes=tuple(quotes.of_evidence(item) for item in rows.evidence_of(finding) if item.source is not None),
    )
