"""What people decide: accept, edit, reject, accept all, undo. Each decision is one step that can be taken back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from .. import events
from ..core.errors import StaleSuggestion
from ..core.revise import suits_accept_all
from ..core.types import FindingKind, SuggestionMethod, text_hash
from ..models import Check, Decision, DecisionChange, Finding, Suggestion
from .review import Review

MAX_WORDING_CHARS = 5_000


class DecisionImpossible(Exception):
    """The decision cannot be made as things stand now. The message is for the reader."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to become of one finding."""

    finding: Finding
    state: Finding.State
    suggestion: Suggestion | None = None


@transaction.atomic
def suggestion_accept(*, check: Check, suggestion_id: int) -> None:
    """Accept one suggestion of a finding; one that was accepted for the same finding before gives way.

    Raises:
        DecisionImpossible: there is no such suggestion, or another change has taken its words away.
    """
    review = _open_review(check)
    finding, suggestion = _find_suggestion(review, suggestion_id)
    if suggestion.state == Suggestion.State.ACCEPTED:
        return
    if Suggestion.State.STALE in (suggestion.state, finding.state):
        raise DecisionImpossible("This no longer applies: another change has altered these words.")
    _decide(check, review, Decision.Kind.ACCEPT, [Choice(finding, Finding.State.ACCEPTED, suggestion)])


@transaction.atomic
def finding_edit(*, check: Check, finding_id: int, wording: str) -> None:
    """Accept the person's own wording of the sentence that a finding is about. White space is folded.

    Raises:
        DecisionImpossible: there is no such finding, or the wording is too long or changes nothing.
    """
    review = _open_review(check)
    finding = _find(review, finding_id)
    wording = " ".join(wording.split())
    if len(wording) > MAX_WORDING_CHARS:
        raise DecisionImpossible(f"Your wording is longer than {MAX_WORDING_CHARS:,} characters. Shorten it.")
    if wording == finding.sentence.text:
        raise DecisionImpossible("Your wording is the same as the original. Change it, or keep the original.")
    last_position = Suggestion.objects.filter(finding=finding).aggregate(last=Max("position"))["last"]
    suggestion = Suggestion(
        finding=finding,
        sentence=finding.sentence,
        position=0 if last_position is None else last_position + 1,
        replacement=wording,
        base_hash=text_hash(finding.sentence.text),
        method=SuggestionMethod.PERSON,
        verified=False,
        label="Use your wording",
    )
    review.add_suggestion(finding, suggestion)
    _decide(check, review, Decision.Kind.EDIT, [Choice(finding, Finding.State.ACCEPTED, suggestion)])


@transaction.atomic
def finding_reject(*, check: Check, finding_id: int) -> None:
    """Keep the original: the warning is not a problem.

    Raises:
        DecisionImpossible: there is no such finding.
    """
    review = _open_review(check)
    finding = _find(review, finding_id)
    if finding.state != Finding.State.REJECTED:
        _decide(check, review, Decision.Kind.REJECT, [Choice(finding, Finding.State.REJECTED)])


@transaction.atomic
def finding_reopen(*, check: Check, finding_id: int) -> None:
    """Take back what was decided on one finding, whenever that was.

    Raises:
        DecisionImpossible: there is no such finding.
    """
    review = _open_review(check)
    finding = _find(review, finding_id)
    if finding.state in Finding.DECIDED:
        _decide(check, review, Decision.Kind.REOPEN, [Choice(finding, Finding.State.OPEN)])


@transaction.atomic
def findings_accept_all(*, check: Check) -> int:
    """Accept the first suggestion of every open finding that suits (``suits_accept_all``) and fits; say how many.

    One decision, and so one step to undo.
    """
    review = _open_review(check)
    return _decide(check, review, Decision.Kind.ACCEPT_ALL, _for_accept_all(review))


@transaction.atomic
def decision_undo(*, check: Check) -> None:
    """Take back the last decision that stands; a batch is taken back whole.

    Raises:
        DecisionImpossible: there is nothing to undo.
    """
    review = _open_review(check)
    decision = check.decisions.filter(undone_at=None).first()
    if decision is None:
        raise DecisionImpossible("There is nothing to undo.")
    decision.undone_at = timezone.now()
    decision.save(update_fields=["undone_at"])
    for change in reversed(decision.changes.all()):
        finding = _find(review, change.finding_id)
        before = [s for s in review.suggestions_of(finding) if s.pk == change.accepted_before_id]
        review.choose(finding, Finding.State(change.state_before), next(iter(before), None))
    review.settle()
    events.append(check.pk, review.save())


def _decide(check: Check, review: Review, kind: Decision.Kind, choices: Iterable[Choice]) -> int:
    """Carry out ``choices`` as one decision, each settled before the next is asked for; return how many."""
    changes = []
    for choice in choices:
        change = DecisionChange(
            finding=choice.finding,
            state_before=choice.finding.state,
            state_after=choice.state,
            accepted_before=review.accepted_of(choice.finding),
            accepted_after=choice.suggestion,
        )
        try:
            review.choose(choice.finding, choice.state, choice.suggestion)
        except StaleSuggestion as error:
            raise DecisionImpossible(f"{error} Undo that one first.") from error
        review.settle()
        changes.append(change)
    if changes:
        decision = Decision.objects.create(parent_check=check, kind=kind)
        for change in changes:
            change.decision = decision
        DecisionChange.objects.bulk_create(changes)
        events.append(check.pk, review.save())
    return len(changes)


def _for_accept_all(review: Review) -> Iterable[Choice]:
    for finding in review.findings:
        if finding.state != Finding.State.OPEN:
            continue  # decided, or made stale by an earlier choice of this batch
        for suggestion in review.suggestions_of(finding):
            if suggestion.state == Suggestion.State.OPEN and suits_accept_all(
                FindingKind(finding.kind), SuggestionMethod(suggestion.method), verified=suggestion.verified
            ):
                yield Choice(finding, Finding.State.ACCEPTED, suggestion)
                break


def _open_review(check: Check) -> Review:
    """Read the review with the check's row locked, so that decisions of two tabs come one after the other."""
    Check.objects.select_for_update().get(pk=check.pk)
    return Review(check.pk)


def _find(review: Review, finding_id: int) -> Finding:
    for finding in review.findings:
        if finding.pk == finding_id:
            return finding
    raise DecisionImpossible("This warning is no longer part of the check. Reload the page.")


def _find_suggestion(review: Review, suggestion_id: int) -> tuple[Finding, Suggestion]:
    for finding in review.findings:
        for suggestion in review.suggestions_of(finding):
            if suggestion.pk == suggestion_id:
                return finding, suggestion
    raise DecisionImpossible("This suggestion is no longer part of the check. Reload the page.")
