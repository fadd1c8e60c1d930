"""The life of a worker process: load the models, look for abandoned work, stop cleanly.

Started as ``celery -A chatprotect_web worker``; ``embedded.py`` has the embedded worker. Any number of workers may run,
on any number of machines.
"""

from __future__ import annotations

import logging
import sys

from celery.signals import worker_init, worker_ready, worker_shutting_down
from celery.worker import WorkController
from django.conf import settings
from prometheus_client import start_http_server

from . import upkeep, watchdog
from .lifecycle import stopping
from .queues import Queue

logger = logging.getLogger(__name__)


@worker_init.connect(dispatch_uid="worker")  # type: ignore[untyped-decorator]  # celery has no types
def prepare(sender: WorkController, **kwargs: object) -> None:
    """Load the models before the first message; refuse to run without a broker."""
    from detection import wiring  # the applications are loaded after this module

    if getattr(sender, "is_embedded", False):
        return  # the server has loaded them
    if settings.EMBEDDED:
        # No exception: Celery would log it and continue.
        sys.exit("A worker of its own needs CHATPROTECT_REDIS_URL. Without it the server is its own worker.")
    if set(sender.app.amqp.queues.consume_from) != {Queue.SOURCES.value}:
        wiring.local_models().warm_up()
    if settings.WORKER_METRICS_PORT:
        start_http_server(settings.WORKER_METRICS_PORT, settings.WORKER_METRICS_HOST)


@worker_ready.connect(dispatch_uid="worker")  # type: ignore[untyped-decorator]
def start_upkeep_and_watchdog(**kwargs: object) -> None:
    """Report readiness, and start the upkeep and watchdog threads."""
    logger.info("worker ready")
    upkeep.start()
    watchdog.start()


@worker_shutting_down.connect(dispatch_uid="worker")  # type: ignore[untyped-decorator]
def stop(**kwargs: object) -> None:
    """Let running checks release their leases: Celery waits for its threads, and these may wait for the models."""
    from detection import wiring

    stopping.set()
    wiring.local_models().close()
