"""The reverse proxy configuration of ``docs/deploy.md``, run by nginx in front of a server that tells what it got."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from detection.lab.benchmarks.server import free_port
from tests.fakes.certificates import CertificateAuthority

ROOT = Path(__file__).resolve().parents[2]
HOST = "chat.example"
START_S = 60


class Upstream(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        names = ("X-Forwarded-Proto", "X-Forwarded-For", "Host", "Upgrade")
        told = "\n".join(f"{name}: {self.headers.get(name, '')}" for name in names).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *arguments: object) -> None:
        pass


class Proxy:
    def __init__(self, port: int, plain_port: int, context: ssl.SSLContext) -> None:
        self.port, self.plain_port, self._context = port, plain_port, context

    def connect(self) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return self._context.wrap_socket(plain, server_hostname=HOST)

    def ask(self, head: str) -> tuple[int, str]:
        """The status and the body."""
        with self.connect() as connection:
            connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
            with http.client.HTTPResponse(connection) as answer:
                answer.begin()
                return answer.status, answer.read().decode()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("nginx")
    authority = CertificateAuthority()
    authority.server_context(HOST, folder)
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    port, plain_port = free_port(), free_port()
    path = folder / "nginx.conf"
    path.write_text(_configuration(folder, port, plain_port, upstream.server_address[1]))
    subprocess.run([nginx, "-t", "-c", str(path), "-p", str(folder)], check=True, capture_output=True)
    with subprocess.Popen([nginx, "-c", str(path), "-p", str(folder), "-g", "daemon off;"]) as process:
        running = Proxy(port, plain_port, authority.client_context())
        _wait_for(running.port)
        yield running
        process.terminate()
    upstream.shutdown()
    upstream.server_close()


def _configuration(folder: Path, port: int, plain_port: int, upstream: int) -> str:
    """As the page has it, with ports and files of this test, and a deadline that a test can wait for."""
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    block = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)
    assert block
    site = block[1]
    for pattern, replacement in (
        (r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        (r"listen \[::\]:443 ssl[^;]*;", ""),
        (r"listen 80", f"listen 127.0.0.1:{plain_port}"),
        (r"listen \[::\]:80[^;]*;", ""),
        (r"/etc/letsencrypt/live/chat\.example/\w+\.pem", str(folder / f"{HOST}.pem")),
        (r"127\.0\.0\.1:8000", f"127.0.0.1:{upstream}"),
        (r"client_header_timeout \d+s", "client_header_timeout 1s"),
    ):
        site, count = re.subn(pattern, replacement, site)
        assert count, f"the page has no {pattern}"
    temporary = "".join(f"{name}_temp_path {folder};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return (
        f"pid {folder}/pid; error_log {folder}/error.log; events {{}} http {{ access_log off; {temporary}\n{site}\n}}\n"
    )


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_what_is_passed_on_says_who_asked_and_how(proxy: Proxy) -> None:
    _status, told = proxy.ask(f"GET / HTTP/1.1\nHost: {HOST}\nX-Forwarded-For: 198.51.100.1")
    assert "X-Forwarded-Proto: https" in told
    assert "X-Forwarded-For: 198.51.100.1, 127.0.0.1" in told
    assert f"Host: {HOST}" in told


def test_websockets_are_passed_on(proxy: Proxy) -> None:
    _status, told = proxy.ask(f"GET /ws/checks/x/ HTTP/1.1\nHost: {HOST}\nUpgrade: websocket\nConnection: Upgrade")
    assert "Upgrade: websocket" in told


def test_a_body_that_is_too_large_is_not_passed_on(proxy: Proxy) -> None:
    status, _body = proxy.ask(f"POST / HTTP/1.1\nHost: {HOST}\nContent-Length: 500000000")
    assert status == 413


def test_headers_that_do_not_come_are_not_waited_for(proxy: Proxy) -> None:
    with proxy.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        received = connection.recv(1000)
    assert received == b"" or b" 408 " in received


def test_without_tls_one_is_led_to_it(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=60)
    connection.request("GET", "/help/", headers={"Host": HOST})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/help/")
    connection.close()
