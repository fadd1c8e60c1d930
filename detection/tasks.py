"""Celery tasks: as thin as a view. The message carries an id; what is to be done stands in the row."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task


@shared_task(name="detection.run_check")  # type: ignore[untyped-decorator]  # celery has no types
def run_check_task(check_id: str) -> None:
    from .services import check_run  # a service imports this module

    check_run(check_id=UUID(check_id))


@shared_task(name="detection.read_source")  # type: ignore[untyped-decorator]
def read_source_task(source_id: str) -> None:
    from .services import source_read

    source_read(source_id=UUID(source_id))
