"""A thread of each worker that looks for abandoned work at intervals."""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import close_old_connections

from .lifecycle import stopping

logger = logging.getLogger(__name__)


def start() -> None:
    """Run upkeep at intervals until the process stops."""
    threading.Thread(target=_look, name="upkeep", daemon=True).start()


def _note_alive() -> None:
    """Touch the heartbeat file, for health checks of containers."""
    if settings.HEARTBEAT_FILE:
        settings.HEARTBEAT_FILE.touch()


def _look() -> None:
    from detection import services  # the applications are loaded after this module

    while not stopping.wait(settings.UPKEEP_SECONDS):
        _note_alive()
        try:
            close_old_connections()
            services.upkeep()
        except Exception:  # the database or the broker is unavailable: the next round retries
            logger.warning("upkeep: this round failed", exc_info=True)
        finally:
            close_old_connections()
