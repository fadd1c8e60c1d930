"""A web site on a socket of this machine that sends pages by a script, well or badly, and remembers who came."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Page:
    """What the site sends. A body that is a function is sent piece by piece, until it ends or the visitor is gone."""

    body: bytes | Callable[[], Iterator[bytes]] = b""
    content_type: str | None = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    declared_length: int | None = None
    """The Content-Length, where it is not that of the body."""
    seconds_per_piece: float = 0.0
    hangs: bool = False
    """Nothing is ever sent."""


def redirect(location: str, status: int = 302) -> Page:
    return Page(status=status, headers={"Location": location})


@dataclass(frozen=True)
class Visit:
    """One request that the site got."""

    path: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def parameters(self) -> dict[str, str]:
        """Those of the address."""
        return dict(parse_qsl(urlsplit(self.path).query))


#: What is sent for an address: always the same page, or one that depends on what was asked.
Site = Page | Callable[[Visit], Page]


class PageServer:
    """Runs in a thread. ``pages`` may grow at any time; ``visits`` and ``connections`` do by themselves."""

    def __init__(self, pages: Mapping[str, Site], tls: ssl.SSLContext | None = None) -> None:
        self.pages = dict(pages)
        self.visits: list[Visit] = []
        self.connections = 0
        self.left_while_hanging = threading.Event()
        self._ended = threading.Event()
        self._scheme = "https" if tls else "http"
        self._server = self._make_server()
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def host(self) -> str:
        """Host and port, as an allowed host is written."""
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"{self._scheme}://{self.host}{path}"

    @contextmanager
    def running(self) -> Iterator[PageServer]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._ended.set()
            self._server.shutdown()
            self._server.server_close()

    def _make_server(self) -> ThreadingHTTPServer:
        server = self

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def get_request(self) -> tuple[Any, Any]:
                server.connections += 1
                return super().get_request()

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # the visitor went away, as they may

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                visit = Visit(self.path, dict(self.headers.items()), body)
                server.visits.append(visit)
                site = server.pages.get(self.path.partition("?")[0], Page(b"nothing here", status=404))
                page = site if isinstance(site, Page) else site(visit)
                self.close_connection = True
                if page.hangs:
                    self._hang()
                    return
                self.send_response(page.status)
                self._send_headers(page)
                for piece in [page.body] if isinstance(page.body, bytes) else page.body():
                    self.wfile.write(piece)
                    if server._ended.wait(page.seconds_per_piece):
                        return

            def _send_headers(self, page: Page) -> None:
                if page.content_type is not None:
                    self.send_header("Content-Type", page.content_type)
                if page.declared_length is not None:
                    self.send_header("Content-Length", str(page.declared_length))
                elif isinstance(page.body, bytes):
                    self.send_header("Content-Length", str(len(page.body)))
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def _hang(self) -> None:
                self.connection.settimeout(0.05)
                while not server._ended.is_set():
                    try:
                        if not self.connection.recv(1):
                            server.left_while_hanging.set()
                            return
                    except TimeoutError:
                        continue

            def log_message(self, *args: object) -> None:
                pass

        return Server(("127.0.0.1", 0), Handler)
