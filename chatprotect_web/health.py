"""Health probes: is the process alive, and is it ready?"""

from __future__ import annotations

import errno
import logging
import tempfile
from collections.abc import Callable
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponseBase, JsonResponse

from . import embedded
from .checks import missing_models

logger = logging.getLogger(__name__)

_REDIS_TIMEOUT_S = 2.0
#: Free disk space required: several times what a text of usual length with its results takes.
_ROOM_BYTES = 1024**2
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class HealthMiddleware:
    """Answers ``/healthz`` and ``/readyz`` before host, session or login are checked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == "/healthz":
            return JsonResponse({"alive": True})
        if request.path == "/readyz":
            wrong = readiness()
            parts = {name: not told for name, told in wrong.items()}
            told = [sentence for sentence in wrong.values() if sentence]
            return JsonResponse({**parts, "wrong": told}, status=503 if told else 200)
        return self.get_response(request)


class _NotReady(Exception):
    """A part does not work. The message contains no addresses, paths and names."""


def readiness() -> dict[str, str]:
    """The problem of each part that a check needs; "" for a part that works. The log has the details."""
    parts: dict[str, Callable[[], None]] = {
        "database": _ask_database,
        "disk": _write_to_disk,
        "models": _look_for_models,
    }
    if settings.REDIS_URL:
        parts["redis"] = _ask_redis
    else:
        parts["worker"] = _look_at_worker
    return {name: _wrong_with(name, probe) for name, probe in parts.items()}


def _wrong_with(name: str, probe: Callable[[], None]) -> str:
    try:
        probe()
    except _NotReady as error:
        logger.warning("not ready: %s", name, exc_info=True)
        return str(error)
    return ""


def _ask_database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM detection_check LIMIT 1")
    except Exception as error:  # any error: nothing can be stored
        raise _NotReady("The database cannot be read: it does not answer, or has no tables yet.") from error


def _write_to_disk() -> None:
    """Test the folder of SQLite and the temporary folder, which holds uploads while they are read."""
    folders = {"the temporary folder": Path(tempfile.gettempdir())}
    if connection.vendor == "sqlite":
        folders["the folder of the database"] = Path(connection.settings_dict["NAME"]).parent
    for name, folder in folders.items():
        try:
            # The file is deleted before its bytes reach the disk, as long as there is space.
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(_ROOM_BYTES))
                file.flush()
        except OSError as error:
            reason = "is full" if error.errno in _FULL else "cannot be written to"
            raise _NotReady(f"The disk with {name} {reason}.") from error


def _ask_redis() -> None:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=_REDIS_TIMEOUT_S, socket_connect_timeout=_REDIS_TIMEOUT_S
    )
    try:
        with client:
            client.ping()
    except Exception as error:  # any error: no notifications are delivered
        raise _NotReady("Redis does not answer.") from error


def _look_at_worker() -> None:
    if not embedded.is_well():
        raise _NotReady("The worker of this server has broken down and is started again.")


def _look_for_models() -> None:
    if missing_models(Path(settings.NLI_MODEL), settings.SPACY_MODEL):
        raise _NotReady("A local model is missing, or not complete.")
