"""Taking decisions back, and bringing them back. A batch is one step either way."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from .. import events
from ..core.errors import StaleSuggestion
from ..decision_selectors import next_redo, next_undo
from ..models import Check, Decision, Finding, Suggestion
from .decisions import DecisionImpossible, find, open_review
from .review import Review

_MOVED_ON = "Something else was decided meanwhile, so nothing was {done}. The page is up to date now: look again."


@transaction.atomic
def decision_undo(*, check: Check, decision_id: int | None = None) -> None:
    """Take back the last decision that stands. ``decision_id`` is the one that the person means.

    Raises:
        DecisionImpossible: there is nothing to undo, or it would be another decision than the one that was meant.
    """
    review = open_review(check)
    decision = next_undo(check)
    if decision is None:
        raise DecisionImpossible("There is nothing to undo.")
    if decision_id not in (None, decision.pk):
        raise DecisionImpossible(_MOVED_ON.format(done="undone"))
    decision.undone_at = timezone.now()
    decision.save(update_fields=["undone_at"])
    for change in reversed(decision.changes.all()):
        _put(review, change.finding_id, change.state_before, change.accepted_before_id, change.reason_before)
    review.settle()
    events.append(check.pk, review.save())


@transaction.atomic
def decision_redo(*, check: Check, decision_id: int | None = None) -> None:
    """Bring back the decision that was undone last, as long as nothing else was decided since.

    Raises:
        DecisionImpossible: there is nothing to redo, or it would be another decision than the one that was meant.
    """
    review = open_review(check)
    decision = next_redo(check)
    if decision is None:
        raise DecisionImpossible("There is nothing to redo.")
    if decision_id not in (None, decision.pk):
        raise DecisionImpossible(_MOVED_ON.format(done="redone"))
    decision.undone_at = None
    decision.save(update_fields=["undone_at"])
    _carry_out(review, decision)
    events.append(check.pk, review.save())


def _carry_out(review: Review, decision: Decision) -> None:
    for change in decision.changes.all():
        try:
            _put(review, change.finding_id, change.state_after, change.accepted_after_id, change.reason_after)
        except StaleSuggestion as error:
            raise DecisionImpossible(f"{error} It cannot be redone.") from error
        review.settle()


def _put(review: Review, finding_id: int, state: str, accepted: int | None, reason: str) -> None:
    finding = find(review, finding_id)
    suggestion: Suggestion | None = next((s for s in review.suggestions_of(finding) if s.pk == accepted), None)
    review.choose(finding, Finding.State(state), suggestion, reason)
