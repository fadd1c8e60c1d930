"""Warnings that a person always ignores, and the effect on later checks."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from ..models import Check, Dismissal, Finding


class EarlierDecision(NamedTuple):
    """The initial state of a warning that was decided before."""

    state: Finding.State
    reason: str


def dismissal_follow(*, finding: Finding) -> None:
    """Store the dismissal of a finding, or delete it if the finding is no longer dismissed."""
    owner: str = Check.objects.values_list("owner", flat=True).get(pk=finding.parent_check_id)
    if finding.state == Finding.State.DISMISSED:
        Dismissal.objects.update_or_create(
            owner=owner, fingerprint=finding.fingerprint, defaults={"reason": finding.reason}
        )
    else:
        Dismissal.objects.filter(owner=owner, fingerprint=finding.fingerprint).delete()


def earlier_decision(*, check_id: UUID, fingerprint: str) -> EarlierDecision | None:
    """The owner's earlier decision on such a warning: always ignored, or rejected in the previous check."""
    # Not cached: a login during the run moves the check and the dismissals to the account.
    owner = Check.objects.filter(pk=check_id).values("owner")
    dismissal = Dismissal.objects.filter(owner__in=owner, fingerprint=fingerprint).first()
    if dismissal is not None:
        return EarlierDecision(Finding.State.DISMISSED, dismissal.reason)
    before = Finding.objects.filter(
        parent_check__next_checks=check_id, fingerprint=fingerprint, state=Finding.State.REJECTED
    ).first()
    return EarlierDecision(Finding.State.REJECTED, before.reason) if before else None
