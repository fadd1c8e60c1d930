"""The decisions on a check with their times, and the next steps of undo and redo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import wording
from ..models import Check, Decision, DecisionChange, Finding


@dataclass(frozen=True, slots=True)
class ChangeView:
    """The effect of a decision on one warning."""

    finding: int
    sentence: int
    """Index of the sentence that the warning is about."""
    what: str
    reason: str

    @property
    def number(self) -> int:
        return self.sentence + 1


@dataclass(frozen=True, slots=True)
class DecisionView:
    """One step of the review."""

    id: int
    title: str
    """The decision, in a few words that can follow "Undo:"."""
    made_at: datetime
    undone_at: datetime | None
    changes: tuple[ChangeView, ...]


def next_undo(check: Check) -> Decision | None:
    """The decision that undo would revert."""
    return Decision.objects.filter(parent_check=check, undone_at=None).first()


def next_redo(check: Check) -> Decision | None:
    """The decision that redo would restore."""
    undone = Decision.objects.filter(parent_check=check, is_abandoned=False).exclude(undone_at=None)
    return undone.order_by("id").first()


def decisions_of_check(check: Check) -> list[DecisionView]:
    """All decisions, newest first, including undone ones."""
    decisions = Decision.objects.filter(parent_check=check)
    return [_view(decision, decision.changes.all()) for decision in decisions.prefetch_related(*_CHANGES)]


def decided_here(check: Check) -> frozenset[int]:
    """The ids of the findings with a decision of this check that is in force."""
    changes = DecisionChange.objects.filter(decision__parent_check=check, decision__undone_at=None)
    return frozenset(changes.values_list("finding_id", flat=True))


def decision_view(decision: Decision) -> DecisionView:
    return _view(decision, decision.changes.select_related(*_OF_CHANGE))


def _view(decision: Decision, changes: Iterable[DecisionChange]) -> DecisionView:
    changes = list(changes)
    return DecisionView(
        id=decision.pk,
        title=_title(decision, changes),
        made_at=decision.created_at,
        undone_at=decision.undone_at,
        changes=tuple(
            ChangeView(
                change.finding_id,
                change.finding.sentence.index,
                _what(change),
                wording.reason_words(change.reason_after),
            )
            for change in changes
        ),
    )


_OF_CHANGE = ("finding__sentence", "accepted_after__sentence", "accepted_after__absorbed")
_CHANGES = tuple(f"changes__{name}" for name in _OF_CHANGE)


def _title(decision: Decision, changes: Sequence[DecisionChange]) -> str:
    if decision.kind == Decision.Kind.ACCEPT_ALL:
        return ngettext("%d change accepted together", "%d changes accepted together", len(changes)) % len(changes)
    number = changes[0].finding.sentence.index + 1 if changes else 0
    match decision.kind:
        case Decision.Kind.ACCEPT:
            return _("sentence %d: a suggestion accepted") % number
        case Decision.Kind.EDIT:
            return _("sentence %d: your wording") % number
        case Decision.Kind.REJECT:
            return _("sentence %d: kept as it is") % number
        case Decision.Kind.DISMISS:
            return _("sentence %d: ignored") % number
        case _:
            return _("sentence %d: reopened") % number


def _what(change: DecisionChange) -> str:
    accepted = change.accepted_after
    if accepted is not None:
        is_own = accepted.sentence_id == change.finding.sentence_id
        if not accepted.replacement:
            return _("removed") if is_own else _("sentence %d removed") % (accepted.sentence.index + 1)
        if accepted.absorbed is not None:
            return _("sentences %(first)d and %(second)d became “%(wording)s”") % {
                "first": accepted.sentence.index + 1,
                "second": accepted.absorbed.index + 1,
                "wording": accepted.replacement,
            }
        if is_own and accepted.companions:
            return _("now reads “%(wording)s”; %(count)d other sentences changed with it") % {
                "wording": accepted.replacement,
                "count": len(accepted.companions),
            }
        if is_own:
            return _("now reads “%s”") % accepted.replacement
        return _("sentence %(number)d now reads “%(wording)s”") % {
            "number": accepted.sentence.index + 1,
            "wording": accepted.replacement,
        }
    match change.state_after:
        case Finding.State.REJECTED:
            return _("kept as it is")
        case Finding.State.DISMISSED:
            return _("always ignored")
        case _:
            return _("open again")
