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


class TaskName(StrEnum):
    """The names of the tasks. Tasks import services, so services send them by name."""

    RUN_CHECK = "detection.run_check"
    READ_SOURCE = "detection.read_source"


def send(task: TaskName, row_id: UUID, queue: Queue | None = None) -> None:
    """Send a worker to a row. If the broker cannot be reached, the row stays queued."""
    try:
        current_app.send_task(task.value, (str(row_id),), queue=queue, ignore_result=True)
    except OperationalError as error:
        logger.error("%s %s: the broker cannot be reached (%s); it stays queued", task, row_id, error)
        # The message was never sent, so the next round of upkeep need not wait for a reaction.
        _rows_of(task).filter(pk=row_id).update(message_sent_at=Now() - leases.LEASE)


def _rows_of(task: TaskName) -> QuerySet[Check] | QuerySet[Source]:
    return Check.objects.all() if task is TaskName.RUN_CHECK else Source.objects.all()


def send_on_commit(task: TaskName, row_id: UUID, queue: Queue | None = None) -> None:
    """Call ``send`` after the commit, when the row is visible."""
    transaction.on_commit(partial(send, task, row_id, queue))


def messages_waiting(*queues: Queue) -> int:
    """The number of messages that no worker has taken."""
    with current_app.connection_for_read() as connection:
        # Not ``passive``: a queue without messages is unknown to Redis.
        declared = [connection.default_channel.queue_declare(queue=queue.value) for queue in queues]
    return sum(answer.message_count for answer in declared)
