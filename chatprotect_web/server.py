"""Daphne with limits on bodies and connections. Start it like Daphne: ``python -m chatprotect_web.server``.

Daphne receives the whole body into memory before Django gets the request, so upload handlers and middleware come too
late for a limit. A body beyond the limit is read and discarded, because a browser only shows the answer of a server
after it has sent everything.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import IO, Any

import daphne.cli
import daphne.server
from daphne.access import AccessLogGenerator
from daphne.cli import CommandLineInterface
from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.internet import reactor
from twisted.web import http

from .addresses import network_of
from .connections import BytesUnderWay, Connection, Connections, LimitedChannel, limits_of_settings
from .log_lines import without_links
from .refusals import errors_in_one_line, probe_database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")

#: Interval of the search for slow connections.
_LOOK_S = 1.0


class LimitedRequest(WebRequest):  # type: ignore[misc]  # daphne is untyped
    """A request whose body is discarded when it exceeds a limit."""

    content: IO[bytes]
    received = 0
    _held = 0
    _refusal: _Refusal | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # Otherwise Twisted parses forms as e-mail in the event loop: seconds for a file of twenty megabytes.
        super().__init__(*arguments, **options, parsePOSTFormSubmission=False)
        self._under_way: BytesUnderWay = self.channel.factory.under_way
        self._address = network_of(str(getattr(self.client, "host", "")))

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # Twisted's name
        super().gotLength(length)
        if length is not None and length > self._limit:
            self._refuse_body(_TOO_LARGE)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self.received += len(data)
        if self._refusal is None:
            self._keep(data)

    def process(self) -> Any:
        if self._refusal is None:
            return self._process_or_upgrade()
        megabytes = self._limit // 1_000_000
        self.basic_error(self._refusal.status, self._refusal.reason, self._refusal.text.format(megabytes=megabytes))
        return None

    def _process_or_upgrade(self) -> Any:
        answer = super().process()
        if self.transport is None:  # upgraded to a websocket: this request never finishes
            self._let_go()
        return answer

    def finish(self) -> None:
        self._let_go()
        super().finish()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        self._let_go()
        super().connectionLost(reason)

    def _keep(self, data: bytes) -> None:
        if self.received > self._limit:
            self._refuse_body(_TOO_LARGE)
        elif not self._under_way.take(self._address, len(data)):
            self._refuse_body(_BUSY)
        else:
            self._held += len(data)
            super().handleContentChunk(data)

    @property
    def _limit(self) -> int:
        from django.conf import settings  # the applications are loaded with the ASGI application, after this module

        limit: int = settings.MAX_REQUEST_BYTES
        return limit

    def _refuse_body(self, refusal: _Refusal) -> None:
        self._refusal = refusal
        self.content.close()
        self.content = BytesIO()
        self._let_go()

    def _let_go(self) -> None:
        self._under_way.give_back(self._address, self._held)
        self._held = 0


@dataclass(frozen=True, slots=True)
class _Refusal:
    status: int
    reason: bytes
    text: str


_TOO_LARGE = _Refusal(413, b"Too large", "More than {megabytes} MB were sent at once. Send fewer or smaller files.")
_BUSY = _Refusal(
    503, b"Busy", "The server is receiving as many files as it can. Nothing was changed; try again in a minute."
)


class LimitedFactory(HTTPFactory):  # type: ignore[misc]
    #: Twisted's protocol, with our channel.
    protocol = staticmethod(lambda: http._GenericHTTPChannelProtocol(LimitedChannel()))  # type: ignore[no-untyped-call]

    def __init__(self, server: daphne.server.Server) -> None:
        super().__init__(server)
        limits = limits_of_settings()
        self.connections = Connections(limits)
        self.under_way = BytesUnderWay(limits.bytes_under_way)
        self._look()

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        address = network_of(str(getattr(addr, "host", "")))
        if not self.connections.has_room(address):
            return None  # Twisted closes it
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = LimitedRequest
        connect = protocol.makeConnection

        def count_and_connect(transport: Any) -> None:
            self.connections.add(Connection(address, protocol._channel, transport))
            connect(transport)

        protocol.makeConnection = count_and_connect
        return protocol

    def _look(self) -> None:
        self.connections.end_slow_ones()
        reactor.callLater(_LOOK_S, self._look)  # type: ignore[arg-type]


class AccessLog(AccessLogGenerator):  # type: ignore[misc]
    """Daphne's access log without search words and working share links."""

    def __call__(self, protocol: str, action: str, details: dict[str, Any]) -> None:
        if "path" in details:
            details = {**details, "path": without_links(str(details["path"]).partition("?")[0])}
        super().__call__(protocol, action, details)


class LimitedServer(daphne.server.Server):  # type: ignore[misc]
    """Daphne's server, with our request class."""

    def run(self) -> None:
        # Daphne has no setting for its request factory; it looks up this name.
        daphne.server.HTTPFactory = LimitedFactory
        super().run()


class LimitedCommandLine(CommandLineInterface):  # type: ignore[misc]
    server_class = LimitedServer

    def __init__(self) -> None:
        super().__init__()
        # Daphne's five seconds are too short for a full server: refused pages retry and add to the load.
        self.parser.set_defaults(websocket_connect_timeout=30)

    def run(self, args: list[str]) -> None:
        daphne.cli.AccessLogGenerator = AccessLog  # Daphne looks up this name, too
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)  # write log lines at once
        super().run(args)


def main() -> None:
    with errors_in_one_line():
        probe_database()
        LimitedCommandLine.entrypoint()


if __name__ == "__main__":
    main()
