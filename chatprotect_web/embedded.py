"""The worker of the embedded mode: a Celery worker in a thread of the server process.

Messages of the ``memory://`` broker are lost with the process, so the database row is the job: every start requeues
all unfinished checks. The thread is restarted when it fails, for example because the database is locked or unavailable;
otherwise checks would stay queued forever. A lock ensures that only one server process uses a data folder.
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

#: Time for the threads to end after the server has stopped.
_LAST_S = 20.0

_lock_file: IO[str] | None = None  # stays open while the process lives: closing it releases the lock
_supervised: Supervised | None = None
_is_recovered = False


class EmbeddedWorker(WorkController):  # type: ignore[misc]  # celery is untyped
    """A Celery worker without signal handlers, which belong to the server."""

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
    """Lock the data folder and start the worker thread. Later calls do nothing."""
    global _lock_file, _supervised
    if _lock_file is not None:
        return
    _lock_file = _lock_data_folder()
    _stop_with_server()
    upkeep.start()
    _supervised = Supervised("the embedded worker", _work)
    _supervised.start()


def is_well() -> bool:
    """Whether the worker of this process runs or is starting; true if there is none."""
    return _supervised is None or _supervised.is_well


def _work() -> None:
    # Imported late: this module is imported while the applications are still being loaded.
    from detection import wiring

    wiring.local_models().warm_up()
    close_old_connections()  # drop the broken connection
    _recover_once()
    worker = EmbeddedWorker()
    if _supervised is not None:
        _supervised.note_working()
    worker.start()


def _recover_once() -> None:
    """Requeue unfinished work at the first start, when no run can be alive. Upkeep does it after a restart."""
    global _is_recovered
    from detection import services

    if _is_recovered:
        return
    # Database work stays out of asgi.py, which some servers import inside a running event loop.
    # Sources first, so that most of them are read when their check starts.
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
    """End running checks with the server: otherwise Python would wait for their threads."""
    if "twisted.internet.reactor" in sys.modules:
        reactor = sys.modules["twisted.internet.reactor"]
        reactor.addSystemEventTrigger("before", "shutdown", _stop)
        # Python waits for threads without a timeout. The next start continues their work.
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
