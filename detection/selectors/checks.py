"""Checks by owner, and the number of unfinished ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from ..models import Check, ShareLink, Source


def check_of_owner(check_id: UUID, owner: str) -> Check | None:
    """A check of this owner; None if another owner has it."""
    return Check.objects.filter(pk=check_id, owner=owner).first() if owner else None


def check_of_share_link(token: str) -> Check | None:
    """The check that holders of this token may read."""
    link = ShareLink.objects.select_related("parent_check").filter(token=token).first()
    return link.parent_check if link else None


@dataclass(frozen=True, slots=True)
class WaitingTotals:
    """The number of unfinished rows by kind and state, and how many seconds the oldest has waited."""

    unfinished: dict[tuple[str, str], int]
    oldest_s: float


def waiting_totals(now: datetime) -> WaitingTotals:
    checks = Check.objects.filter(state__in=(Check.State.QUEUED, Check.State.RUNNING))
    sources = Source.objects.exclude(state__in=Source.SETTLED)
    unfinished = {
        (kind, state): number
        for kind, rows in (("check", checks), ("source", sources))
        for state, number in rows.order_by().values_list("state").annotate(Count("pk"))
    }
    queued = checks.filter(state=Check.State.QUEUED).order_by("created_at").values_list("created_at", flat=True)
    oldest = queued.first()
    return WaitingTotals(unfinished, (now - oldest).total_seconds() if oldest else 0.0)
