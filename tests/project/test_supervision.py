"""A supervised thread that ends is restarted, and the readiness probe reports it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import OperationalError
from django.test import Client

from chatprotect_web import embedded, upkeep
from chatprotect_web.lifecycle import stopping
from chatprotect_web.supervision import Supervised
from detection import services, wiring

PATIENCE_S = 60


@pytest.fixture(autouse=True)
def _goes_on() -> Iterator[None]:
    yield
    stopping.set()
    for thread in threading.enumerate():
        if thread.name in ("fragile", "the embedded worker"):
            thread.join(PATIENCE_S)
    stopping.clear()


class Breaking:
    """Work that breaks down before it works."""

    def __init__(self, times: int, error: Exception | None) -> None:
        self.left = times
        self.error = error
        self.works = threading.Event()
        self.supervised = Supervised("fragile", self, first_pause_s=0.01)

    def __call__(self) -> None:
        if self.left:
            self.left -= 1
            if self.error:
                raise self.error
            return
        self.supervised.note_working()
        self.works.set()
        stopping.wait()


@pytest.mark.parametrize("error", [OperationalError("database is locked"), None], ids=["error", "end"])
def test_what_ends_is_started_again(error: Exception | None) -> None:
    work = Breaking(3, error)
    work.supervised.start()
    assert work.works.wait(PATIENCE_S)
    assert work.supervised.is_well


def test_between_two_starts_it_is_not_well() -> None:
    asked = threading.Event()
    work = Breaking(1, OperationalError("away"))
    work.supervised = Supervised("fragile", work, first_pause_s=PATIENCE_S)
    work.supervised.start()
    while work.left and not asked.wait(0.01):
        pass
    while work.supervised.is_well and not asked.wait(0.01):
        pass
    assert not work.works.is_set()


class FakeWorker:
    started: threading.Event

    def start(self) -> None:
        self.started.set()
        stopping.wait()


def _refuse_twice(then: Callable[[], int]) -> Callable[[], int]:
    answers = iter([OperationalError("database is locked"), OperationalError("database is locked")])

    def recover() -> int:
        if error := next(answers, None):
            raise error
        return then()

    return recover


@pytest.mark.django_db
def test_the_embedded_worker_outlives_a_database_that_is_locked_at_its_start(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    FakeWorker.started = threading.Event()
    recovered: list[str] = []
    monkeypatch.setattr(wiring, "local_models", lambda: type("Models", (), {"warm_up": lambda self: None})())
    monkeypatch.setattr(services, "sources_recover", lambda: 0)
    monkeypatch.setattr(services, "checks_recover", _refuse_twice(lambda: len(recovered.append("checks") or "")))
    monkeypatch.setattr(embedded, "EmbeddedWorker", FakeWorker)
    monkeypatch.setattr(embedded, "_is_recovered", False)
    supervised = Supervised("the embedded worker", embedded._work, first_pause_s=0.01)
    monkeypatch.setattr(embedded, "_supervised", supervised)
    assert client.get("/readyz").json()["worker"] is False  # its thread is not there
    supervised.start()
    assert FakeWorker.started.wait(PATIENCE_S)
    assert recovered == ["checks"]
    assert client.get("/readyz").json()["worker"] is True


def test_upkeep_does_not_wait_for_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(upkeep, "start", lambda: begun.append("upkeep"))
    monkeypatch.setattr(embedded, "_stop_with_server", lambda: None)
    monkeypatch.setattr(embedded, "_lock_data_folder", lambda: None)
    monkeypatch.setattr(embedded, "_lock_file", None)
    monkeypatch.setattr(embedded, "_supervised", None)
    monkeypatch.setattr(embedded, "Supervised", lambda name, work: type("Quiet", (), {"start": lambda self: None})())
    embedded.start()
    assert begun == ["upkeep"]
