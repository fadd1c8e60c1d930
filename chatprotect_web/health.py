"""What a load balancer or an orchestrator asks: is the process alive, and can it do its work?"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponseBase, JsonResponse

from .checks import missing_models

logger = logging.getLogger(__name__)

_REDIS_TIMEOUT_S = 2.0


class HealthMiddleware:
    """Answers ``/healthz`` and ``/readyz`` before anything looks at host, session or login."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == "/healthz":
            return JsonResponse({"alive": True})
        if request.path == "/readyz":
            parts = readiness()
            return JsonResponse(parts, status=200 if all(parts.values()) else 503)
        return self.get_response(request)


def readiness() -> dict[str, bool]:
    """Which of the parts that a check needs can be reached. Why one cannot is told to the log only."""
    parts: dict[str, Callable[[], None]] = {"database": _ask_database, "models": _look_for_models}
    if settings.REDIS_URL:
        parts["redis"] = _ask_redis
    return {name: _works(name, probe) for name, probe in parts.items()}


def _works(name: str, probe: Callable[[], None]) -> bool:
    try:
        probe()
    except Exception:  # whatever it was: the part does not work
        logger.warning("not ready: %s", name, exc_info=True)
        return False
    return True


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM detection_check LIMIT 1")


def _ask_redis() -> None:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=_REDIS_TIMEOUT_S, socket_connect_timeout=_REDIS_TIMEOUT_S
    )
    with client:
        client.ping()


def _look_for_models() -> None:
    missing = missing_models(Path(settings.NLI_MODEL), settings.SPACY_MODEL)
    if missing:
        raise FileNotFoundError(missing[0].msg)
