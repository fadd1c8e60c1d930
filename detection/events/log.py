"""The event log of a check, in order.

Events are appended in the transaction that changes the state they describe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from ..models import Check, CheckEvent
from ..storage import leases
from . import nudges
from .types import EVENT_TYPES, Event


@dataclass(slots=True)
class _Answered:
    """The page whose request is being handled: the response contains its changes."""

    page: str
    changed: set[UUID] = field(default_factory=set)
    """The checks whose other pages need a nudge."""


_answered: ContextVar[_Answered | None] = ContextVar("answered", default=None)


@contextmanager
def answered_to(page: str) -> Iterator[None]:
    """Events appended inside reach ``page`` by the response to its request, and other pages by a nudge at the end."""
    answered = _Answered(page)
    token = _answered.set(answered)
    try:
        yield
    finally:
        _answered.reset(token)
        for check_id in answered.changed:
            _send(check_id, page)


class LeaseLost(Exception):
    """The check was deleted, cancelled or taken over by another run: this run must not write any more."""


def load(row: CheckEvent) -> Event:
    """The typed event of a row.

    Raises:
        ValueError: this version does not know the type or a field of the row. An undeclared field is a bug of the
            writer, which dropping the field would hide.
    """
    event_type = EVENT_TYPES.get(row.type)
    if event_type is None:
        raise ValueError(f"unknown event type {row.type!r}")
    expected = {field.name for field in fields(event_type)}
    if set(row.payload) != expected:
        raise ValueError(f"{row.type} has fields {sorted(row.payload)}, expected {sorted(expected)}")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.payload.items()
    }
    return event_type(**values)


def append(check_id: UUID, new_events: Iterable[Event], *, run_token: UUID | None = None) -> int:
    """Append events, and return the number of the last one. Call it inside a transaction.

    The numbers come from one UPDATE of the check's row, which also serialises writers: they are gapless and in the
    order of commits on every database. A run passes its token, which renews its lease.

    Raises:
        LeaseLost: the run no longer holds the lease, or the check was deleted.
    """
    new_events = list(new_events)
    rows = Check.objects.filter(pk=check_id)
    changes: dict[str, Any] = {"last_seq": F("last_seq") + len(new_events)}
    if run_token is not None:
        rows = rows.filter(run_token=run_token)
        changes["lease_until"] = leases.until()
    if not rows.update(**changes):
        raise LeaseLost(str(check_id))
    last_seq: int = Check.objects.values_list("last_seq", flat=True).get(pk=check_id)
    first_seq = last_seq - len(new_events) + 1
    CheckEvent.objects.bulk_create(
        CheckEvent(parent_check_id=check_id, seq=seq, type=event.type, payload=asdict(event))
        for seq, event in enumerate(new_events, start=first_seq)
    )
    transaction.on_commit(partial(nudge, check_id))
    return last_seq


def group_name(check_id: UUID) -> str:
    """The channel group that follows a check."""
    return f"check.{check_id.hex}"


def nudge(check_id: UUID) -> None:
    """Tell the pages that follow a check to read its log. Polling covers a lost nudge."""
    answered = _answered.get()
    if answered is None:
        _send(check_id, "")
    else:
        answered.changed.add(check_id)


def _send(check_id: UUID, answered_to: str) -> None:
    nudges.send(group_name(check_id), {"type": "check.changed", "answered_to": answered_to})


def since(check_id: UUID, seq: int) -> Sequence[CheckEvent]:
    """The events after ``seq``, in order."""
    return list(CheckEvent.objects.filter(parent_check_id=check_id, seq__gt=seq))
