"""What is too large is refused by the running server, and its memory stays as it is."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from detection.lab.benchmarks.server import Server

MEGABYTE = 1024**2
HUGE = 300 * MEGABYTE


def _forget_memory_peak(pid: int) -> None:
    """What the process has held so far counts no more: it may have served other tests."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def _memory_peak(pid: int) -> int:
    """The most memory that the process has held since, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def _post(server: Server, head: str, *, chunked: bool) -> bytes:
    """Send a huge body piece by piece, and return what the server answers."""
    piece = b"x" * MEGABYTE
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(f"POST /sources/add/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{head}\r\n\r\n".encode())
        for _ in range(HUGE // MEGABYTE):
            connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        if chunked:
            connection.sendall(b"0\r\n\r\n")
        return connection.recv(65_536)


@pytest.mark.parametrize("chunked", [False, True], ids=["length said before", "length not said"])
def test_a_body_of_300_megabytes_is_refused_and_never_held(server: Server, chunked: bool) -> None:
    _forget_memory_peak(server.pid)
    before = _memory_peak(server.pid)
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {HUGE}"
    answer = _post(server, f"Content-Type: multipart/form-data; boundary=b\r\n{length}", chunked=chunked)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"Send fewer or smaller files." in answer
    # The server keeps up to the limit of a request (a third of this body) until it knows that there is more.
    assert _memory_peak(server.pid) - before < 30 * MEGABYTE


def test_a_server_that_refused_a_body_goes_on(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(f"GET /help/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_a_server_starts_without_a_word_of_trouble(server: Server) -> None:
    before_any_request = server.log.read_text().split('"GET ')[0]
    assert not [line for line in before_any_request.splitlines() if " ERROR " in line or " WARNING " in line]


def test_the_log_has_neither_searched_words_nor_links_that_open(server: Server) -> None:
    for path in ("/checks/?words=Quetzalcoatl", "/shared/token-of-a-link/"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            connection.recv(65_536)
    log = server.log.read_text()
    assert '"GET /checks/" 200' in log
    assert "Quetzalcoatl" not in log
    assert "token-of-a-link" not in log
