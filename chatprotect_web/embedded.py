"""The worker of the embedded mode: a Celery worker in a thread of the server process.

Messages of the ``memory://`` broker die with the process, which is why the database row is the job: at start
every unfinished check is queued again. Exactly one server process may use a data folder; a lock sees to that.
"""

from __future__ import annotations

import fcntl
import logging
import sys
import threading
from typing import IO, Any

from celery.worker import WorkController
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.autoreload import file_changed

from . import upkeep
from .celery import app
from .lifecycle import stopping

logger = logging.getLogger(__name__)

_lock_file: IO[str] | None = None  # kept open as long as the process lives: closing it gives the lock up


class EmbeddedWorker(WorkController):  # type: ignore[misc]  # celery is untyped
    """A Celery worker that installs no signal handlers: those belong to the server."""

    is_embedded = True

    def __init__(self) -> None:
        super().__init__(
            app=app,
            hostname="embedded@localhost",
            pool="threads",
            concurrency=settings.EMBEDDED_CONCURRENCY,
            loglevel="WARNING",
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )


def start() -> None:
    """Take the data folder, and start the worker thread. Does nothing the second time."""
    global _lock_file
    if _lock_file is not None:
        return
    _lock_file = _lock_data_folder()
    _stop_with_server()
    threading.Thread(target=_work, name="embedded-worker", daemon=True).start()


def _work() -> None:
    # Imported late: this module is imported while the applications are still being loaded.
    from detection import services, wiring

    wiring.local_models().warm_up()
    # Database work stays out of asgi.py, which some servers import inside a running event loop.
    # Sources first: what a check needs is then mostly read when the check begins.
    sources, checks = services.sources_recover(), services.checks_recover()
    if sources or checks:
        logger.info("taking up %d unread sources and %d unfinished checks", sources, checks)
    upkeep.start()
    EmbeddedWorker().start()


def _lock_data_folder() -> IO[str]:
    path = settings.DATA_DIR / "server.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock_file = path.open("w")
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ImproperlyConfigured(
            f"Another server is already using {settings.DATA_DIR}. Stop it, or give this one a folder of its own with "
            "CHATPROTECT_DATA_DIR. To run several processes on the same data, set CHATPROTECT_REDIS_URL."
        ) from None
    return lock_file


def _stop_with_server() -> None:
    """Let running checks end when the server does: Python would wait for their threads otherwise."""
    if "twisted.internet.reactor" in sys.modules:
        sys.modules["twisted.internet.reactor"].addSystemEventTrigger("before", "shutdown", _stop)
    file_changed.connect(_stop_on_code_change, dispatch_uid="embedded-worker")


def _stop_on_code_change(sender: object, file_path: Any, **kwargs: object) -> None:
    if file_path.suffix == ".py":
        _stop()


def _stop() -> None:
    from detection import wiring

    stopping.set()
    wiring.local_models().close()
