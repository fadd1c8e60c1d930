"""Daphne with a limit on the body of a request. It is started as Daphne is: ``python -m chatprotect_web.server``.

Daphne takes in the whole body before Django hears of the request, and then puts all of it into memory. No upload
handler or middleware can help there, so the limit stands here. What is over it is read and thrown away, not cut off:
a browser shows the answer of a server only once it has sent everything.
"""

from __future__ import annotations

import os
import sys
from io import BytesIO, TextIOWrapper
from typing import IO, Any

import daphne.cli
import daphne.server
from daphne.access import AccessLogGenerator
from daphne.cli import CommandLineInterface
from daphne.http_protocol import HTTPFactory, WebRequest

from .log_lines import without_links

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")


class LimitedRequest(WebRequest):  # type: ignore[misc]  # daphne is untyped
    """A request whose body is kept only as long as it is within the limit."""

    content: IO[bytes]
    _received = 0
    _is_too_large = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # Twisted would parse forms as well, as e-mail and in the event loop: seconds for a file of twenty megabytes.
        super().__init__(*arguments, **options, parsePOSTFormSubmission=False)

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # Twisted's name
        super().gotLength(length)
        if length is not None and length > self._limit:
            self._refuse_body()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self._received += len(data)
        if self._received > self._limit and not self._is_too_large:
            self._refuse_body()
        if not self._is_too_large:
            super().handleContentChunk(data)

    def process(self) -> Any:
        if not self._is_too_large:
            return super().process()
        megabytes = self._limit // 1_000_000
        self.basic_error(413, b"Too large", f"More than {megabytes} MB were sent at once. Send fewer or smaller files.")
        return None

    @property
    def _limit(self) -> int:
        from django.conf import settings  # the applications are loaded with the ASGI application, after this module

        limit: int = settings.MAX_REQUEST_BYTES
        return limit

    def _refuse_body(self) -> None:
        self._is_too_large = True
        self.content.close()
        self.content = BytesIO()


class LimitedFactory(HTTPFactory):  # type: ignore[misc]
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = LimitedRequest
        return protocol


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
    LimitedCommandLine.entrypoint()


if __name__ == "__main__":
    main()
