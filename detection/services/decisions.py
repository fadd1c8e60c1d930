"""Decisions: accept, edit, reject, dismiss, accept all. Each is one step that ``undo`` reverts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..core.errors import StaleSuggestion
from ..core.labels import SuggestionLabel
from ..core.types import SuggestionMethod, text_hash
from ..models import Check, Decision, DecisionChange, Finding, Suggestion
from ..selectors.suggestions import for_accept_all
from .review import Review

MAX_WORDING_CHARS = 5_000

_OUTDATED = gettext_lazy(
    "This sentence or its warning has changed since this page showed it, so nothing was decided. "
    "It is up to date now: look again, and decide."
)


_OTHERS_OPEN = gettext_lazy(
    "Sentence %(number)s has another open warning, and merging would carry its words over. Decide on that one first."
)


class DecisionImpossible(Exception):
    """The present state does not allow the decision. The message is for the reader."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen outcome of one finding."""

    finding: Finding
    state: Finding.State
    suggestion: Suggestion | None = None
    reason: str = ""


@transaction.atomic
def suggestion_accept(*, check: Check, suggestion_id: int, seen: str = "", on_card: bool = False) -> None:
    """Accept one suggestion of a finding. It replaces a suggestion of the same finding that was accepted before.

    The same decision changes other sentences that repeat the changed value (``SameChanges``, ``companions``).

    ``seen``, here and below, is ``CardView.seen`` of the page; a decision on an outdated page is refused. ``on_card``
    is a decision of a reader, who sees all findings of a card: it settles those that the card shows as well. One of a
    whole sentence stays open, because the suggestion need not be about its words.

    Raises:
        DecisionImpossible: there is no such suggestion, or another change has replaced its words.
    """
    review = open_review(check)
    finding, suggestion = _find_suggestion(review, suggestion_id)
    _refuse_if_outdated(review, finding, seen)
    if suggestion.state == Suggestion.State.ACCEPTED:
        return
    if Suggestion.State.STALE in (suggestion.state, finding.state):
        raise DecisionImpossible(_("This no longer applies: another change has altered these words."))
    if suggestion.absorbed is not None and review.others_about(suggestion):
        raise DecisionImpossible(_OTHERS_OPEN % {"number": suggestion.absorbed.index + 1})
    choices = [Choice(finding, Finding.State.ACCEPTED, suggestion)]
    choices += [Choice(other, Finding.State.ACCEPTED, twin) for other, twin in review.beside(suggestion)]
    kept = _joined(review, finding, Finding.State.REJECTED) if on_card else []
    kept = [choice for choice in kept if not review.may_be_of_other_words(finding, choice.finding)]
    _decide(check, review, Decision.Kind.ACCEPT, choices, kept)


@transaction.atomic
def finding_edit(*, check: Check, finding_id: int, wording: str, seen: str = "", on_card: bool = False) -> None:
    """Accept the person's own wording of the sentence that a finding is about. White space is folded.

    Raises:
        DecisionImpossible: there is no such finding, or the wording is too long or changes nothing.
    """
    review = open_review(check)
    finding = find(review, finding_id)
    _refuse_if_outdated(review, finding, seen)
    wording = " ".join(wording.split())
    if len(wording) > MAX_WORDING_CHARS:
        raise DecisionImpossible(_("Your wording is longer than %s characters. Shorten it.") % f"{MAX_WORDING_CHARS:,}")
    if wording == finding.sentence.text:
        raise DecisionImpossible(_("Your wording is the same as the original. Change it, or keep the original."))
    last_position = Suggestion.objects.filter(finding=finding).aggregate(last=Max("position"))["last"]
    suggestion = Suggestion(
        finding=finding,
        sentence=finding.sentence,
        position=0 if last_position is None else last_position + 1,
        replacement=wording,
        base_hash=text_hash(finding.sentence.text),
        method=SuggestionMethod.PERSON,
        verified=False,
        label=SuggestionLabel.USE_OWN_WORDING,
    )
    review.add_suggestion(finding, suggestion)
    kept = _joined(review, finding, Finding.State.REJECTED) if on_card else []
    _decide(check, review, Decision.Kind.EDIT, [Choice(finding, Finding.State.ACCEPTED, suggestion)], kept)


@transaction.atomic
def finding_reject(*, check: Check, finding_id: int, reason: str = "", seen: str = "", on_card: bool = False) -> None:
    """Keep the original in this check.

    Raises:
        DecisionImpossible: there is no such finding, or the reason is too long.
    """
    _keep_original(check, finding_id, Decision.Kind.REJECT, Finding.State.REJECTED, reason, seen, on_card)


@transaction.atomic
def finding_dismiss(*, check: Check, finding_id: int, reason: str = "", seen: str = "", on_card: bool = False) -> None:
    """Keep the original, and do not ask again: later checks of the same owner show such a warning as dismissed.

    Raises:
        DecisionImpossible: there is no such finding, or the reason is too long.
    """
    _keep_original(check, finding_id, Decision.Kind.DISMISS, Finding.State.DISMISSED, reason, seen, on_card)


@transaction.atomic
def finding_reopen(*, check: Check, finding_id: int, seen: str = "", on_card: bool = False) -> None:
    """Revert the decision on one finding, whether made here or in an earlier check.

    Raises:
        DecisionImpossible: there is no such finding.
    """
    review = open_review(check)
    finding = find(review, finding_id)
    _refuse_if_outdated(review, finding, seen)
    about = review.of_card(finding) if on_card else (finding,)
    decided = [Choice(one, Finding.State.OPEN) for one in about if one.state in Finding.DECIDED]
    _decide(check, review, Decision.Kind.REOPEN, decided)


@transaction.atomic
def findings_accept_all(*, check: Check, suggestion_ids: Collection[int] | None = None) -> int:
    """Accept the value of the source for every open finding that a source decides; return the number of accepted ones.

    ``suggestion_ids`` limits this to the suggestions that the user was shown. It is one decision, so one step of undo.
    """
    review = open_review(check)
    choices = (
        choice
        for choice in choices_of_accept_all(review)
        if suggestion_ids is None or (choice.suggestion is not None and choice.suggestion.pk in suggestion_ids)
    )
    return _decide(check, review, Decision.Kind.ACCEPT_ALL, choices)


def choices_of_accept_all(review: Review) -> Iterable[Choice]:
    """The choices of accept all. Carry out or skip each one before asking for the next."""
    for finding in review.findings:
        # An earlier choice of this batch may have decided this finding or made it stale.
        suggestion = for_accept_all(finding, review.suggestions_of(finding))
        if suggestion is not None:
            yield Choice(finding, Finding.State.ACCEPTED, suggestion)


def _keep_original(
    check: Check, finding_id: int, kind: Decision.Kind, state: Finding.State, reason: str, seen: str, on_card: bool
) -> None:
    review = open_review(check)
    finding = find(review, finding_id)
    _refuse_if_outdated(review, finding, seen)
    reason = " ".join(reason.split())
    if len(reason) > Finding.REASON_CHARS:
        raise DecisionImpossible(_("Your reason is longer than %s characters. Shorten it.") % Finding.REASON_CHARS)
    if finding.state != state:
        joined = _joined(review, finding, state, reason) if on_card else []
        _decide(check, review, kind, [Choice(finding, state, reason=reason)], joined)


def _joined(review: Review, finding: Finding, state: Finding.State, reason: str = "") -> list[Choice]:
    """The same choice for the other findings of the card."""
    return [Choice(other, state, reason=reason) for other in review.of_card(finding) if other != finding]


def _refuse_if_outdated(review: Review, finding: Finding, seen: str) -> None:
    if seen and seen != review.seen_mark_of(finding):
        raise DecisionImpossible(str(_OUTDATED))


def _decide(
    check: Check,
    review: Review,
    kind: Decision.Kind,
    choices: Iterable[Choice],
    if_still_open: Iterable[Choice] = (),
) -> int:
    """Carry out ``choices`` as one decision, each settled before the next is asked for; return how many.

    ``if_still_open`` are for findings whose words these choices may have changed.
    """
    changes = []
    left = (choice for choice in if_still_open if choice.finding.state == Finding.State.OPEN)
    for choice in chain(choices, left):
        change = DecisionChange(
            finding=choice.finding,
            state_before=choice.finding.state,
            state_after=choice.state,
            accepted_before=review.accepted_of(choice.finding),
            accepted_after=choice.suggestion,
            reason_before=choice.finding.reason,
            reason_after=choice.reason,
        )
        try:
            review.choose(choice.finding, choice.state, choice.suggestion, choice.reason)
        except StaleSuggestion as error:
            raise DecisionImpossible(
                _("Another accepted change has altered the same words. Undo that one first.")
            ) from error
        review.settle()
        changes.append(change)
    if changes:
        Decision.objects.filter(parent_check=check).exclude(undone_at=None).update(is_abandoned=True)
        decision = Decision.objects.create(parent_check=check, kind=kind)
        for change in changes:
            change.decision = decision
        DecisionChange.objects.bulk_create(changes)
        review.store(check.pk)
    return len(changes)


def open_review(check: Check) -> Review:
    """Read the review with the check's row locked, so that decisions of two tabs come one after the other."""
    Check.objects.select_for_update().get(pk=check.pk)
    return Review(check.pk)


def find(review: Review, finding_id: int) -> Finding:
    """A finding of the review.

    Raises:
        DecisionImpossible: there is none of that id.
    """
    for finding in review.findings:
        if finding.pk == finding_id:
            return finding
    raise DecisionImpossible(_("This warning is no longer part of the check. Reload the page."))


def _find_suggestion(review: Review, suggestion_id: int) -> tuple[Finding, Suggestion]:
    for finding in review.findings:
        for suggestion in review.suggestions_of(finding):
            if suggestion.pk == suggestion_id:
                return finding, suggestion
    raise DecisionImpossible(_("This suggestion is no longer part of the check. Reload the page."))
