"""Celery tasks, as thin as views. The message carries an id; the row says what to do."""

from __future__ import annotations

import time
from uuid import UUID

from celery import shared_task
from celery.exceptions import Reject

from chatprotect_web.lifecycle import stopping
from chatprotect_web.log_lines import about

from .services import check_run, source_read
from .services.task_messages import TaskName

#: Without a pause, the broker may send the rejected message to the same worker before that worker leaves the queue.
_PAUSE_BEFORE_REJECT_S = 0.2


@shared_task(name=TaskName.RUN_CHECK.value)  # type: ignore[untyped-decorator]  # celery has no types
def run_check_task(check_id: str) -> None:
    _hand_over_when_stopping()
    with about(check_id):
        check_run(check_id=UUID(check_id))


@shared_task(name=TaskName.READ_SOURCE.value)  # type: ignore[untyped-decorator]
def read_source_task(source_id: str) -> None:
    _hand_over_when_stopping()
    with about(source_id):
        source_read(source_id=UUID(source_id))


def _hand_over_when_stopping() -> None:
    if stopping.is_set():
        time.sleep(_PAUSE_BEFORE_REJECT_S)
        raise Reject("this worker stops", requeue=True)
