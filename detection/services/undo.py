"""Undo and redo decisions. A batch is one step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ..core.errors import StaleSuggestion
from ..models import Check, Decision, Finding, Suggestion
from ..selectors.decisions import next_redo, next_undo
from .decisions import DecisionImpossible, find, open_review
from .review import Review

_MOVED_ON = gettext_lazy(
    "Something else was decided meanwhile, so nothing was done. The page is up to date now: look again."
)


@transaction.atomic
def decision_undo(*, check: Check, decision_id: int | None = None) -> None:
    """Undo the last decision in force. ``decision_id`` is the decision that the user wants to undo.

    Raises:
        DecisionImpossible: there is nothing to undo, or the last decision is not ``decision_id``.
    """
    _step(check, _UNDO, decision_id)


@transaction.atomic
def decision_redo(*, check: Check, decision_id: int | None = None) -> None:
    """Redo the decision that was undone last, unless another decision was made since.

    Raises:
        DecisionImpossible: there is nothing to redo, or that decision is not ``decision_id``.
    """
    _step(check, _REDO, decision_id)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The effect of a step on one finding."""

    finding: int
    state: Finding.State
    accepted: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Direction:
    """Undo or redo."""

    nothing: str | Promise
    """The message if there is no such step."""
    impossible: str | Promise
    """The message if another change prevents it."""
    next_decision: Callable[[Check], Decision | None]
    outcomes: Callable[[Decision], Iterable[_Outcome]]


def _before(decision: Decision) -> Iterable[_Outcome]:
    for change in reversed(decision.changes.all()):
        state = Finding.State(change.state_before)
        yield _Outcome(change.finding_id, state, change.accepted_before_id, change.reason_before)


def _after(decision: Decision) -> Iterable[_Outcome]:
    for change in decision.changes.all():
        state = Finding.State(change.state_after)
        yield _Outcome(change.finding_id, state, change.accepted_after_id, change.reason_after)


_UNDO = _Direction(
    gettext_lazy("There is nothing to undo."),
    gettext_lazy("Another accepted change has altered the same words. So this cannot be undone."),
    next_undo,
    _before,
)
_REDO = _Direction(
    gettext_lazy("There is nothing to redo."),
    gettext_lazy("Another accepted change has altered the same words. So this cannot be redone."),
    next_redo,
    _after,
)


def _step(check: Check, direction: _Direction, decision_id: int | None) -> None:
    review = open_review(check)
    decision = direction.next_decision(check)
    if decision is None:
        raise DecisionImpossible(str(direction.nothing))
    if decision_id not in (None, decision.pk):
        raise DecisionImpossible(str(_MOVED_ON))
    decision.undone_at = timezone.now() if direction is _UNDO else None
    decision.save(update_fields=["undone_at"])
    try:
        for outcome in direction.outcomes(decision):
            _put(review, outcome)
        review.settle()
    except StaleSuggestion as error:
        # The transaction rolls back what was saved above.
        raise DecisionImpossible(str(direction.impossible)) from error
    review.store(check.pk)


def _put(review: Review, outcome: _Outcome) -> None:
    finding = find(review, outcome.finding)
    suggestions: list[Suggestion] = review.suggestions_of(finding)
    accepted = next((suggestion for suggestion in suggestions if suggestion.pk == outcome.accepted), None)
    review.choose(finding, outcome.state, accepted, outcome.reason)
