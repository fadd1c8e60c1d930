"""Limits on connections: their number, their slowness, and the bytes of their bodies in memory.

Daphne has no such limits. A thousand sockets that send a byte now and then use up all file descriptors, and slow bodies
stay in memory until they are complete.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from twisted.web import http


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """0 is no limit."""

    connections: int
    connections_of_address: int
    header_seconds: float
    """From the first byte of a request, or the beginning of the connection, to the end of the headers."""
    body_seconds: float
    """The base time for a body; the time of its bytes at the minimum rate is added."""
    body_bytes_per_second: int
    bytes_under_way: int
    """The limit for all bodies in progress; the bodies of one address may take half of it."""


def limits_of_settings() -> ConnectionLimits:
    from django.conf import settings  # the applications are loaded with the ASGI application, after the server

    return ConnectionLimits(
        connections=settings.MAX_CONNECTIONS,
        # Behind a proxy all connections have its address.
        connections_of_address=0 if settings.PROXIES else settings.MAX_CONNECTIONS_OF_ADDRESS,
        header_seconds=settings.HEADER_SECONDS,
        body_seconds=settings.BODY_SECONDS,
        body_bytes_per_second=settings.BODY_BYTES_PER_SECOND,
        bytes_under_way=2 * settings.MAX_REQUEST_BYTES,
    )


class LimitedChannel(http.HTTPChannel):
    """A connection that records since when it waits for a request."""

    now: Callable[[], float] = staticmethod(time.monotonic)
    waiting_since: float | None = None
    body_since: float | None = None
    _has_request = False

    def connectionMade(self) -> None:  # noqa: N802  # Twisted's names
        super().connectionMade()  # type: ignore[no-untyped-call]
        self.waiting_since = self.now()

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        if self.waiting_since is None and not self._has_request:
            self.waiting_since = self.now()
        super().dataReceived(data)  # type: ignore[no-untyped-call]

    def allHeadersReceived(self) -> None:  # noqa: N802
        self.waiting_since, self.body_since, self._has_request = None, self.now(), True
        super().allHeadersReceived()  # type: ignore[no-untyped-call]

    def allContentReceived(self) -> None:  # noqa: N802
        self.body_since = None
        super().allContentReceived()  # type: ignore[no-untyped-call]

    def requestDone(self, request: Any) -> None:  # noqa: N802
        # Before the bytes received meanwhile are parsed: they may contain the next request.
        self._has_request = False
        super().requestDone(request)  # type: ignore[no-untyped-call]

    def is_too_slow(self, limits: ConnectionLimits, received: int) -> bool:
        if self.waiting_since is not None:
            return self.now() - self.waiting_since > limits.header_seconds
        if self.body_since is None:
            return False
        return self.now() - self.body_since > limits.body_seconds + received / limits.body_bytes_per_second


@dataclass(slots=True, eq=False)
class Connection:
    address: str
    channel: LimitedChannel
    transport: Any

    @property
    def is_open(self) -> bool:
        return bool(self.transport.connected)

    @property
    def is_websocket(self) -> bool:
        """Whether Daphne has passed the transport to the websocket protocol, which has Daphne's limits."""
        return getattr(self.transport.protocol, "_channel", None) is not self.channel

    def is_too_slow(self, limits: ConnectionLimits) -> bool:
        requests = self.channel.requests
        received = requests[-1].received if requests else 0
        return not self.is_websocket and self.channel.is_too_slow(limits, received)


@dataclass(slots=True)
class Connections:
    """The connections of one server."""

    limits: ConnectionLimits
    _open: list[Connection] = field(default_factory=list)

    def has_room(self, address: str) -> bool:
        self._open = [connection for connection in self._open if connection.is_open]
        same = sum(connection.address == address for connection in self._open)
        return _is_below(len(self._open), self.limits.connections) and _is_below(
            same, self.limits.connections_of_address
        )

    def add(self, connection: Connection) -> None:
        self._open.append(connection)

    def end_slow_ones(self) -> None:
        for connection in self._open:
            if connection.is_open and connection.is_too_slow(self.limits):
                connection.transport.abortConnection()


class BytesUnderWay:
    """The bytes of bodies in memory, by address."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: Counter[str] = Counter()

    def take(self, address: str, count: int) -> bool:
        """Count bytes if there is room for them, and return whether there was."""
        if self._held.total() + count > self._limit or self._held[address] + count > self._limit // 2:
            return False
        self._held[address] += count
        return True

    def give_back(self, address: str, count: int) -> None:
        self._held[address] -= count
        if not self._held[address]:
            del self._held[address]


def _is_below(count: int, limit: int) -> bool:
    return not limit or count < limit
