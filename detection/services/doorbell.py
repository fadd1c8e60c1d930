"""Messages to the workers. They carry an id; what is to be done stands in the row."""

from __future__ import annotations

import logging
from functools import partial
from uuid import UUID

from celery import Task
from django.db import transaction

logger = logging.getLogger(__name__)


def ring(task: Task, row_id: UUID) -> None:
    """Have ``task`` look at a row. If the broker cannot be reached the row still says what is to be done."""
    try:
        task.delay(str(row_id))
    except task.OperationalError:
        logger.exception("%s %s: the broker cannot be reached; it stays queued", task.name, row_id)


def ring_on_commit(task: Task, row_id: UUID) -> None:
    """The same, once the row can be seen."""
    transaction.on_commit(partial(ring, task, row_id))
