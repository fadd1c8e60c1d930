"""A slow search service and the slow sites that it finds, on this machine."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from .texts import SOURCE

SITES = 10


@dataclass(slots=True)
class SlowWeb:
    """The sites by their ports; the first one is the search service (a SearXNG). ``pages`` were sent so far."""

    ports: list[int]
    pages: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports[0]}"

    @property
    def hosts(self) -> list[str]:
        return [f"127.0.0.1:{port}" for port in self.ports]


@contextmanager
def slow_web(seconds: float) -> Iterator[SlowWeb]:
    """Sites whose answers take ``seconds``. Each query finds another page on each site, in another order."""
    web = SlowWeb([])
    with ExitStack() as stack:
        for _ in range(SITES):
            server = _Site(("127.0.0.1", 0), _handler(web, seconds))
            stack.callback(server.server_close)
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
            stack.callback(server.shutdown)
            web.ports.append(server.server_address[1])
        yield web


class _Site(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        pass  # the client has left: it does not need the prefetched page any more


def _handler(web: SlowWeb, seconds: float) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(seconds)
            parts = urlsplit(self.path)
            if parts.path == "/search":
                self._send("application/json", json.dumps({"results": _results(web, parse_qs(parts.query)["q"][0])}))
            elif parts.path == "/robots.txt":
                self._send("text/plain", "User-agent: *\nDisallow: /private\n")
            else:
                web.pages += 1
                self._send("text/plain; charset=utf-8", _page(parts.path))

        def _send(self, content_type: str, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def _results(web: SlowWeb, query: str) -> list[dict[str, str]]:
    digest = hashlib.sha256(query.encode())
    name, first = digest.hexdigest()[:12], digest.digest()[0] % SITES
    hosts = [*web.hosts[first:], *web.hosts[:first]]
    return [{"title": f"Page {i}", "url": f"http://{host}/{name}/{i}", "content": ""} for i, host in enumerate(hosts)]


def _page(path: str) -> str:
    """Two paragraphs of the source, which two depends on the address."""
    paragraphs = SOURCE.strip().split("\n\n")
    first = int(path.rpartition("/")[2]) % len(paragraphs)
    chosen = [paragraphs[first], paragraphs[(first + 1) % len(paragraphs)]]
    return "\n\n".join([*chosen, f"Address {path}."])
