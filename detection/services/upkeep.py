"""Requeue work of dead workers and work whose message was lost. Any number of workers may run this at once."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from chatprotect_web.metrics import STALLED
from chatprotect_web.queues import Queue

from ..models import Check, Source
from ..storage import leases
from .checks import check_interrupt, check_send
from .retention import prune_if_due
from .task_messages import TaskName, messages_waiting, send

logger = logging.getLogger(__name__)

#: A message that no worker has taken after this time may be lost. The time is short, so that checks continue soon after
#: an outage of Redis; a superfluous message does nothing.
_LOST_AFTER = min(leases.LEASE / 2, timedelta(seconds=8))


def upkeep() -> None:
    """One round of upkeep."""
    checks, sources = requeue_stalled()
    if checks or sources:
        logger.info("queued again: %d checks and %d sources", checks, sources)
    prune_if_due()


def requeue_stalled() -> tuple[int, int]:
    """Requeue abandoned work; return the number of checks and of sources."""
    checks = _requeue_abandoned_checks() + _send_lost_checks()
    sources = _requeue_abandoned_sources() + _send_lost_sources()
    STALLED.labels("check").inc(checks)
    STALLED.labels("source").inc(sources)
    return checks, sources


def _requeue_abandoned_checks() -> int:
    dead = Check.objects.filter(leases.is_over(), state=Check.State.RUNNING)
    return sum(_interrupt_if_dead(check_id) for check_id in dead.values_list("pk", flat=True))


@transaction.atomic
def _interrupt_if_dead(check_id: UUID) -> bool:
    """Check again with the row locked: its run may be alive, or another worker may have requeued it."""
    rows = Check.objects.select_for_update().filter(pk=check_id)
    if not rows.filter(leases.is_over(), state=Check.State.RUNNING).exists():
        return False
    check_interrupt(check_id=check_id)
    return True


def _requeue_abandoned_sources() -> int:
    dead = Source.objects.filter(leases.is_over(), state=Source.State.READING)
    requeued = 0
    for source_id in dead.values_list("pk", flat=True):
        if dead.filter(pk=source_id).update(state=Source.State.QUEUED, read_token=None, lease_until=None):
            send(TaskName.READ_SOURCE, source_id)
            requeued += 1
    return requeued


def _send_lost_checks() -> int:
    ours = _without_message(Check.objects.filter(state=Check.State.QUEUED), Queue.CHECKS, Queue.LONG)
    for check in Check.objects.filter(pk__in=ours):
        check_send(check)
    return len(ours)


def _send_lost_sources() -> int:
    ours = _without_message(Source.objects.filter(state=Source.State.QUEUED), Queue.SOURCES)
    for source_id in ours:
        send(TaskName.READ_SOURCE, source_id)
    return len(ours)


def _without_message(queued: QuerySet[Any], *queues: Queue) -> list[UUID]:
    """The rows with the oldest messages, as many as there are rows without a message.

    The worker that first stores the new time sends the message.
    """
    without_message = max(0, queued.count() - messages_waiting(*queues))
    waiting = queued.filter(leases.message_was_sent_before(_LOST_AFTER)).order_by("message_sent_at")
    found = list(waiting.values_list("pk", "message_sent_at")[:without_message])
    return [
        row_id
        for row_id, message_sent_at in found
        if queued.filter(pk=row_id, message_sent_at=message_sent_at).update(message_sent_at=Now())
    ]
