"""Messages to the workers. They carry an id; the row says what to do."""

from __future__ import annotations

import logging
from enum import StrEnum
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from chatprotect_web.queues import Queue

from ..models import Check, Source
from ..storage import leases

logger = logging.getLogger(__name__)


class Bell(StrEnum):
    """The names of the tasks. Tasks import services, so services send them by name."""

    RUN_CHECK = "detection.run_check"
    READ_SOURCE = "detection.read_source"


def ring(bell: Bell, row_id: UUID, queue: Queue | None = None) -> None:
    """Send a worker to a row. If the broker cannot be reached, the row stays queued."""
    try:
        current_app.send_task(bell.value, (str(row_id),), queue=queue, ignore_result=True)
    except OperationalError as error:
        logger.error("%s %s: the broker cannot be reached (%s); it stays queued", bell, row_id, error)
        # The message was never sent, so the next round of upkeep need not wait for a reaction.
        _rows_of(bell).filter(pk=row_id).update(rung_at=Now() - leases.LEASE)


def _rows_of(bell: Bell) -> QuerySet[Check] | QuerySet[Source]:
    return Check.objects.all() if bell is Bell.RUN_CHECK else Source.objects.all()


def ring_on_commit(bell: Bell, row_id: UUID, queue: Queue | None = None) -> None:
    """Call ``ring`` after the commit, when the row is visible."""
    transaction.on_commit(partial(ring, bell, row_id, queue))


def messages_waiting(*queues: Queue) -> int:
    """The number of messages that no worker has taken."""
    with current_app.connection_for_read() as connection:
        # Not ``passive``: a queue without messages is unknown to Redis.
        declared = [connection.default_channel.queue_declare(queue=queue.value) for queue in queues]
    return sum(answer.message_count for answer in declared)
