"""The worker of the embedded mode: a Celery worker in a thread of the server process.

Messages of the ``memory://`` broker die with the process, which is why the database row is the job: at start
every unfinished check is queued again. The thread is supervised: what breaks it (a database that is locked or away)
must not leave checks queued for ever. Exactly one server process may use a data folder; a lock sees to that.
"""

from __future__ import annotations

import faulthandler
import fcntl
import logging
import sys
from functools import partial
from typing import IO, Any

from celery.worker import WorkController
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections
from django.utils.autoreload import file_changed

from . import upkeep
from .celery import app
from .lifecycle import stopping
from .secret_key import private_folder
from .supervision import Supervised

logger = logging.getLogger(__name__)

#: How long the threads of a server that has closed its doors may take to end.
_LAST_S = 20.0

_lock_file: IO[str] | None = None  # kept open as long as the process lives: closing it gives the lock up
_supervised: Supervised | None = None
_is_recovered = False


class EmbeddedWorker(WorkController):  # type: ignore[misc]  # celery is untyped
    """A Celery worker without signal handlers: those belong to the server."""

    is_embedded = True

    def __init__(self) -> None:
        super().__init__(
            app=app,
            hostname="embedded@localhost",
            pool="threads",
            concurrency=settings.CHECK_PLACES + settings.READING_PLACES,
            loglevel="WARNING",
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )


def start() -> None:
    """Take the data folder, and start the worker thread. Does nothing the second time."""
    global _lock_file, _supervised
    if _lock_file is not None:
        return
    _lock_file = _lock_data_folder()
    _stop_with_server()
    upkeep.start()
    _supervised = Supervised("the embedded worker", _work)
    _supervised.start()


def is_well() -> bool:
    """Whether the worker of this process works or is about to; true where there is none."""
    return _supervised is None or _supervised.is_well


def _work() -> None:
    # Imported late: this module is imported while the applications are still being loaded.
    from detection import wiring

    wiring.local_models().warm_up()
    close_old_connections()  # the one that broke is not used again
    _recover_once()
    worker = EmbeddedWorker()
    if _supervised is not None:
        _supervised.note_working()
    worker.start()


def _recover_once() -> None:
    """At the first start no run can be alive. Later ones may be: what they hold is for the upkeep to find."""
    global _is_recovered
    from detection import services

    if _is_recovered:
        return
    # Database work stays out of asgi.py, which some servers import inside a running event loop.
    # Sources first: what a check needs is then mostly read when the check begins.
    sources, checks = services.sources_recover(), services.checks_recover()
    _is_recovered = True
    if sources or checks:
        logger.info("taking up %d unread sources and %d unfinished checks", sources, checks)


def _lock_data_folder() -> IO[str]:
    path = settings.DATA_DIR / "server.lock"
    try:
        private_folder(path.parent)
        lock_file = path.open("w")
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data folder {settings.DATA_DIR} cannot be written to ({error.strerror}). Set CHATPROTECT_DATA_DIR to "
            "one that can."
        ) from error
    try:
        fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock_file.close()
        raise ImproperlyConfigured(
            f"Another server is already using {settings.DATA_DIR}. Stop it, or give this one a folder of its own with "
            "CHATPROTECT_DATA_DIR. To run several processes on the same data, set CHATPROTECT_REDIS_URL."
        ) from None
    return lock_file


def _stop_with_server() -> None:
    """Let running checks end when the server does: Python would wait for their threads otherwise."""
    if "twisted.internet.reactor" in sys.modules:
        reactor = sys.modules["twisted.internet.reactor"]
        reactor.addSystemEventTrigger("before", "shutdown", _stop)
        # Python waits for threads without end. The next start takes up what they were doing.
        last = partial(faulthandler.dump_traceback_later, _LAST_S, exit=True)
        reactor.addSystemEventTrigger("after", "shutdown", last)
    file_changed.connect(_stop_on_code_change, dispatch_uid="embedded-worker")


def _stop_on_code_change(sender: object, file_path: Any, **kwargs: object) -> None:
    if file_path.suffix == ".py":
        _stop()


def _stop() -> None:
    from detection import wiring

    stopping.set()
    wiring.local_models().close()
