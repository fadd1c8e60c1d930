"""Messages in hand when Redis goes away: a worker lets go of them, and does not end."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from kombu.transport import redis
from kombu.utils import functional

from chatprotect_web import broker
from chatprotect_web.celery import app
from detection.lab.benchmarks.server import free_port


class LostChannel:
    """As kombu leaves a channel whose connection broke: what asks for a client gets an AttributeError."""

    connection = None
    do_restore = True
    unacked_key = "unacked"

    @contextmanager
    def conn_or_acquire(self, client: Any = None) -> Any:
        yield self.connection.client  # type: ignore[attr-defined]


def lost(kind: type[redis.QoS]) -> Any:
    qos = kind(LostChannel())
    qos._delivered["tag"] = SimpleNamespace(delivery_tag="tag")
    return qos


def test_kombu_itself_breaks_down() -> None:
    """Should it not any more, ``chatprotect_web/broker.py`` can go."""
    qos = lost(redis.QoS)
    with pytest.raises(AttributeError):
        qos.restore_unacked_once()
    qos._on_collect.cancel()


def test_what_cannot_be_given_back_is_let_go() -> None:
    qos = lost(broker.LenientQoS)
    qos.restore_unacked_once()
    assert not qos._delivered
    qos.restore_unacked_once()  # also when it is collected


def test_a_message_of_a_lost_connection_is_done_with() -> None:
    qos = lost(broker.LenientQoS)
    qos.ack("tag")
    qos.reject("tag", requeue=True)
    qos._on_collect.cancel()


class Enough(Exception):
    """Asked often enough."""


def test_a_lost_redis_is_asked_for_at_short_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functional, "sleep", lambda _seconds: None)
    pauses: list[float] = []

    def note(_error: Exception, pause: float) -> None:
        pauses.append(pause)
        if len(pauses) == 20:
            raise Enough

    with app.connection_for_read(f"redis://127.0.0.1:{free_port()}/0") as connection, pytest.raises(Enough):
        connection.ensure_connection(note)
    assert 0 < max(pauses) <= broker.LONGEST_PAUSE_S


def test_workers_use_it() -> None:
    assert app.main
    assert redis.Channel.QoS is broker.LenientQoS
