"""Check the origin of websockets."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import ParseResult, urlparse

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

logger = logging.getLogger(__name__)


class SameOriginValidator:
    """Refuse a websocket whose ``Origin`` is not the host it was opened on, or a trusted origin.

    Browsers send cookies with websockets and ask for no CSRF token, so any site could otherwise read a visitor's
    checks. Channels' own validator compares host names only: another program on another port of the same
    machine would pass.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        origin = _header(scope, b"origin")
        if _is_allowed(origin, host=_header(scope, b"host")):
            return await self.application(scope, receive, send)
        logger.warning("websocket refused: foreign origin %r", origin[:200])
        return await WebsocketDenier()(scope, receive, send)


def _is_allowed(origin: str, *, host: str) -> bool:
    parsed: ParseResult = urlparse(origin)
    if parsed.scheme not in ("http", "https") or not parsed.netloc:
        return False
    if origin.lower() in settings.CSRF_TRUSTED_ORIGINS:
        return True
    domain, _port = split_domain_port(host)
    return validate_host(domain, settings.ALLOWED_HOSTS) and parsed.netloc.lower() == host.lower()


def _header(scope: dict[str, Any], name: bytes) -> str:
    values = [value for key, value in scope.get("headers", []) if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else ""
