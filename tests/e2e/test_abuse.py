"""Attacks of one visitor on a running server, and their effect on others. The sizes are small; ``manage.py benchmark
abuse`` has large ones."""

from __future__ import annotations

import socket

import pytest

from detection.lab.benchmarks import abuse
from detection.lab.benchmarks.client import PageClient
from detection.lab.benchmarks.server import Server, running_server

SCALE = abuse.Scale(
    loaded_bytes=3_000_000, files=2, attributes=20_000, sockets=150, bodies=2, body_bytes=3_000_000, sentences=25,
    quiet_checks=1, least_s=1,
)  # fmt: skip


def test_each_attack_leaves_the_others_their_pages_and_checks() -> None:
    result = abuse.run(SCALE)
    attacks = result["attacks"]
    assert set(attacks) == set(abuse.ATTACKS)
    assert attacks["load-errors"]["statuses"] == [422]
    assert attacks["slow-sockets"]["alive_at_the_end"] <= 100
    assert attacks["worst-text"]["page_bytes"] < 310_000
    assert result["peak_mib"] < 1_000


def _ends(server: Server, data: bytes) -> bool:
    """Whether the server closes a connection that sent this, and no more."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(data)
        try:
            return connection.recv(1) == b""
        except ConnectionResetError:
            return True


@pytest.mark.parametrize(
    "data",
    [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx"],
    ids=["nothing", "a byte", "half the headers", "a part of the body"],
)
def test_who_is_too_slow_is_sent_away(patient_server: Server, data: bytes) -> None:
    assert _ends(patient_server, data)


def test_the_others_are_answered_all_the_while(patient_server: Server) -> None:
    connections = [socket.create_connection(("127.0.0.1", patient_server.port)) for _ in range(20)]
    assert PageClient(patient_server.url, address="127.0.0.3").seconds_to_get("/") < 20
    for connection in connections:
        connection.close()


@pytest.fixture(scope="module")
def patient_server():  # type: ignore[no-untyped-def]
    with running_server(
        CHATPROTECT_HEADER_SECONDS="1", CHATPROTECT_BODY_SECONDS="1", CHATPROTECT_MAX_CONNECTIONS_OF_ADDRESS="10"
    ) as server:
        yield server
