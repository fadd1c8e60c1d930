"""Daphne with limits on bodies and connections. It is started as Daphne is: ``python -m chatprotect_web.server``.

Daphne takes in the whole body before Django hears of the request, and then puts all of it into memory. No upload
handler or middleware can help there, so the limit stands here. What is over it is read and thrown away, not cut off:
a browser shows the answer of a server only once it has sent everything.
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
from .refusals import look_at_database, told_in_one_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")

#: How often it is looked for connections that are too slow.
_LOOK_S = 1.0


class LimitedRequest(WebRequest):  # type: ignore[misc]  # daphne is untyped
    """A request whose body is kept only as long as it is within the limits."""

    content: IO[bytes]
    received = 0
    _held = 0
    _refusal: _Refusal | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # Twisted would parse forms as well, as e-mail and in the event loop: seconds for a file of twenty megabytes.
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
        if self.transport is None:  # a websocket from now on: this request never finishes
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
    #: Twisted's own, around a channel of ours.
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
    """Daphne's log of requests without what its readers must not see: words that were searched, links that open."""

    def __call__(self, protocol: str, action: str, details: dict[str, Any]) -> None:
        if "path" in details:
            details = {**details, "path": without_links(str(details["path"]).partition("?")[0])}
        super().__call__(protocol, action, details)


class LimitedServer(daphne.server.Server):  # type: ignore[misc]
    """Daphne's server, with requests of ours."""

    def run(self) -> None:
        # Daphne has no setting for its factory of requests; it looks the name up here.
        daphne.server.HTTPFactory = LimitedFactory
        super().run()


class LimitedCommandLine(CommandLineInterface):  # type: ignore[misc]
    server_class = LimitedServer

    def __init__(self) -> None:
        super().__init__()
        # Daphne's five seconds are short for a full server: pages that are sent away come back, and fill it more.
        self.parser.set_defaults(websocket_connect_timeout=30)

    def run(self, args: list[str]) -> None:
        daphne.cli.AccessLogGenerator = AccessLog  # looked up there as well
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)  # the log is there when something happens
        super().run(args)


def main() -> None:
    with told_in_one_line():
        look_at_database()
        LimitedCommandLine.entrypoint()


if __name__ == "__main__":
    main()
