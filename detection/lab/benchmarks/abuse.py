"""Scenario ``abuse``: the effect of an attack on an honest visitor and on the resources of the server.

The attacker has its own address (127.0.0.2), as on a network. Sizes, counts and the time of each attack are limited.
"""

from __future__ import annotations

import json
import resource
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2

from .client import PageClient
from .processes import family, memory_share
from .server import Server, running_server
from .texts import TEXT, TOPIC, as_new

ATTACKER = "127.0.0.2"
_PAUSE_S = 0.2
_MEGABYTE = 1024**2
_BYTE_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of the attacks. A test uses a smaller one."""

    loaded_bytes: int = 20 * _MEGABYTE
    files: int = 6
    attributes: int = 500_000
    sockets: int = 1_100
    bodies: int = 6
    body_bytes: int = 20 * _MEGABYTE
    sentences: int = 837
    quiet_checks: int = 3
    least_s: float = 15.0
    """An attack lasts this long, and until the check of the honest visitor has ended."""


@dataclass
class Noticed:
    """The measurements of the honest visitor during one attack."""

    page_s: list[float] = field(default_factory=list)
    check_s: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)
    """The outcome of the attack itself."""


Attack = Callable[[Server, Scale, threading.Event], dict[str, Any]]


def run(scale: Scale | None = None, attacks: Sequence[str] = ()) -> dict[str, Any]:
    """Start a server and run one attack after the other."""
    scale = scale or Scale()
    chosen = {name: attack for name, attack in ATTACKS.items() if not attacks or name in attacks}
    with running_server() as server, _watched_memory(server) as peak:
        honest = PageClient(server.url)
        _time_check(server, honest)  # the models are loaded with it
        quiet = statistics.median(_time_check(server, honest) for _ in range(scale.quiet_checks))
        noticed = {name: _under(server, honest, attack, scale) for name, attack in chosen.items()}
        peak_mib = max(peak)
        unsettled = _unsettled(server)
    pages = [seconds for seen in noticed.values() for seconds in seen.page_s]
    slowest = max(seen.check_s for seen in noticed.values())
    return {
        "quiet_check_s": round(quiet, 2),
        "start_page_p95_s": round(_p95(pages), 3),
        "slowest_check_s": round(slowest, 2),
        "slowest_check_in_quiet_checks": round(slowest / quiet, 2),
        "peak_mib": round(peak_mib),
        # If more than 0, checks hit their time limit: the machine is too busy to measure.
        "sentences_not_reached_of_honest_checks": unsettled,
        "attacks": {
            name: {"start_page_p95_s": round(_p95(seen.page_s), 3), "check_s": round(seen.check_s, 2), **seen.facts}
            for name, seen in noticed.items()
        },
    }


def _unsettled(server: Server) -> int:
    """How many sentences of the honest visitor's checks failed, mostly for the time limit."""
    ((count,),) = server.rows(
        "SELECT count(*) FROM detection_unit unit JOIN detection_check sent ON sent.id = unit.parent_check_id "
        "WHERE unit.state = 'failed' AND sent.topic = ?",
        TOPIC,
    )
    return int(str(count))


def _under(server: Server, honest: PageClient, attack: Attack, scale: Scale) -> Noticed:
    seen, over = Noticed(), threading.Event()

    def attack_until_over() -> None:
        seen.facts = attack(server, scale, over)

    def read() -> None:
        while not over.wait(_PAUSE_S):
            seen.page_s.append(_seconds_to_get(honest))

    threads = [threading.Thread(target=attack_until_over), threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    over.wait(1.0)  # the attack comes first
    seen.check_s = _time_check(server, PageClient(server.url))
    over.wait(max(0.0, scale.least_s - (time.monotonic() - began)))
    over.set()
    for thread in threads:
        thread.join()
    return seen


def _seconds_to_get(visitor: PageClient) -> float:
    began = time.monotonic()
    with suppress(httpx2.HTTPError):  # a failed request also counts with its time
        visitor.get("/")
    return time.monotonic() - began


def _time_check(server: Server, visitor: PageClient) -> float:
    began = time.monotonic()
    (text,) = as_new(TEXT)
    server.wait_for_check(visitor.send_check(text=text, topic=TOPIC))
    return time.monotonic() - began


# --- Attacks --------------------------------------------------------------------------------------------------------


def load_errors(server: Server, scale: Scale, over: threading.Event) -> dict[str, Any]:
    """A saved check full of errors, uploaded repeatedly."""
    attacker = PageClient(server.url, address=ATTACKER)
    small = _errors(_MEGABYTE)
    statuses = [_status(lambda: attacker.load_file("a.json", _errors(scale.loaded_bytes)))]
    while not over.wait(_PAUSE_S):
        statuses.append(_status(lambda: attacker.load_file("a.json", small)))
    return {"sent": len(statuses), "statuses": sorted(set(statuses))}


def send_wide_elements(server: Server, scale: Scale, over: threading.Event) -> dict[str, Any]:
    """HTML files with one element that has too many attributes for a parser."""
    attacker = PageClient(server.url, address=ATTACKER)
    for number in range(scale.files):
        names = " ".join(f"a{attribute}" for attribute in range(scale.attributes))
        attacker.add_file(f"{number}.html", f"<html><body><p {names}>{number}</p></body></html>".encode())
    over.wait()
    states = server.rows("SELECT state, count(*) FROM detection_source GROUP BY state")
    return {"sources": {str(state): count for state, count in states}}


def open_slow_sockets(server: Server, scale: Scale, over: threading.Event) -> dict[str, Any]:
    """Connections that send a byte of a request now and then."""
    _allow_open_files(scale.sockets + 100)
    with ExitStack() as stack:
        opened = [stack.enter_context(one) for _ in range(scale.sockets) if (one := _connect(server)) is not None]
        while True:
            for connection in opened:
                _sends(connection, b"G")
            if over.wait(_BYTE_EVERY_S):
                return {"opened": len(opened), "alive_at_the_end": _alive(server, opened)}


def send_slow_bodies(server: Server, scale: Scale, over: threading.Event) -> dict[str, Any]:
    """Bodies that are sent without their end."""
    head = f"POST /sources/add/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: {scale.body_bytes}\r\n\r\n"
    piece = bytes(_MEGABYTE)
    with ExitStack() as stack:
        opened = [stack.enter_context(one) for _ in range(scale.bodies) if (one := _connect(server)) is not None]
        for connection in opened:
            _sends(connection, head.encode())
        for _ in range(scale.body_bytes // _MEGABYTE - 1):
            for connection in opened:
                _sends(connection, piece)
        while True:
            for connection in opened:
                _sends(connection, b"x")
            if over.wait(_BYTE_EVERY_S):
                return {"opened": len(opened), "alive_at_the_end": _alive(server, opened)}


def send_worst_text(server: Server, scale: Scale, over: threading.Event) -> dict[str, Any]:
    """A text in which every sentence clashes with others."""
    attacker = PageClient(server.url, address=ATTACKER)
    sentences = [f"Bo has {number} red cats." for number in range(scale.sentences)]
    began = time.monotonic()
    check_id = attacker.send_check(text=" ".join(sentences)[:20_000])
    times = server.wait_for_check(check_id)
    seconds = time.monotonic() - began
    page = attacker.get(f"/checks/{check_id}/")
    over.wait()
    findings = server.rows(
        "SELECT count(*) FROM detection_finding WHERE parent_check_id = ?", check_id.replace("-", "")
    )
    return {
        "seconds": round(seconds, 1),
        "page_bytes": len(page.encode()),
        "findings": findings[0][0],
        "events": len(times),
    }


ATTACKS: dict[str, Attack] = {
    "load-errors": load_errors,
    "wide-elements": send_wide_elements,
    "slow-sockets": open_slow_sockets,
    "slow-bodies": send_slow_bodies,
    "worst-text": send_worst_text,
}


def _errors(size: int) -> bytes:
    """A file of about this size with a field in two hundred bytes that no check has."""
    fields = {f"unknown_{number}": "x" * 180 for number in range(size // 200)}
    return json.dumps({"format": "chatprotect-check", "version": 1, **fields}).encode()


def _status(send: Callable[[], object]) -> int:
    try:
        send()
    except httpx2.HTTPStatusError as error:
        return int(error.response.status_code)
    except httpx2.HTTPError:
        return 0
    return 200


def _connect(server: Server) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", server.port), timeout=2, source_address=(ATTACKER, 0))
    except OSError:
        return None


def _sends(connection: socket.socket, data: bytes) -> bool:
    try:
        connection.sendall(data)
    except OSError:
        return False
    return True


def _alive(server: Server, opened: Sequence[socket.socket]) -> int:
    """How many connections the server has left open, once it has decided on all of them.

    It accepts connections in the order in which they come: with the answer to a later one all of these are decided.
    """
    _seconds_to_get(PageClient(server.url))
    return sum(map(_is_open, opened))


def _is_open(connection: socket.socket) -> bool:
    """Whether the server has left this connection open. It sends nothing before a request is whole."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _allow_open_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(count, hard)), hard))


# --- Figures --------------------------------------------------------------------------------------------------------


@contextmanager
def _watched_memory(server: Server) -> Iterator[list[float]]:
    """Samples the memory of the server and its children."""
    held = [0.0]
    over = threading.Event()

    def look() -> None:
        while not over.wait(_PAUSE_S):
            held.append(sum(map(memory_share, family(server.pid))))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield held
    finally:
        over.set()
        thread.join()


def _p95(seconds: Sequence[float]) -> float:
    ordered = sorted(seconds)
    return ordered[int(len(ordered) * 0.95)] if ordered else 0.0
