"""Messages to the workers. They carry an id; what is to be done stands in the row."""

from __future__ import annotations

import logging
from functools import partial
from uuid import UUID

from celery import Task, current_app
from django.db import transaction

from chatprotect_web.queues import Queue

logger = logging.getLogger(__name__)


def ring(task: Task, row_id: UUID, queue: Queue | None = None) -> None:
    """Have ``task`` look at a row. If the broker cannot be reached the row still says what is to be done."""
    try:
        task.apply_async((str(row_id),), queue=queue)
    except task.OperationalError:
        logger.exception("%s %s: the broker cannot be reached; it stays queued", task.name, row_id)


def ring_on_commit(task: Task, row_id: UUID, queue: Queue | None = None) -> None:
    """The same, once the row can be seen."""
    transaction.on_commit(partial(ring, task, row_id, queue))


def messages_waiting(*queues: Queue) -> int:
    """How many messages no worker has taken yet."""
    with current_app.connection_for_read() as connection:
        # Not ``passive``: a queue without messages is unknown to Redis.
        declared = [connection.default_channel.queue_declare(queue=queue.value) for queue in queues]
    return sum(answer.message_count for answer in declared)
