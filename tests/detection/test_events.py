from __future__ import annotations

import asyncio
import re
import threading
from dataclasses import fields
from pathlib import Path
from typing import ClassVar

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.db import connection, transaction

from detection import events, services
from detection.models import CheckEvent
from detection.web.live import fragments
from tests.factories import OWNER
from tests.waiting import PATIENCE_S

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "events.md"


@pytest.mark.parametrize("event_type", events.EVENT_TYPES.values(), ids=lambda event_type: event_type.type)
def test_every_type_of_event_has_a_renderer_and_a_line_in_the_documentation(event_type: type[events.Event]) -> None:
    assert event_type in fragments.TARGETS
    line = next((line for line in DOCUMENT.read_text().splitlines() if f"`{event_type.type}`" in line), "")
    assert line, f"{event_type.type} is not in {DOCUMENT.name}"
    for field in fields(event_type):
        assert f"`{field.name}`" in line


def test_every_class_that_is_exported_is_registered_under_its_name() -> None:
    classes = [value for value in vars(events).values() if isinstance(value, type) and issubclass(value, events.Event)]
    named = [cls for cls in classes if "type" in cls.__dict__]
    assert len(named) > 30
    assert {cls.type: cls for cls in named} == events.EVENT_TYPES


def test_two_events_cannot_have_one_name() -> None:
    with pytest.raises(TypeError, match=r"check\.done"):

        class Another(events.Event):
            type: ClassVar[str] = "check.done"

    assert events.EVENT_TYPES["check.done"] is events.CheckDone


def test_the_documentation_names_no_event_that_does_not_exist() -> None:
    named = set(re.findall(r"^\| `([a-z]+\.[a-z]+)` \|", DOCUMENT.read_text(), flags=re.MULTILINE))
    assert named == set(events.EVENT_TYPES)


@pytest.mark.django_db
def test_events_come_back_as_they_were_appended() -> None:
    check = services.check_create(owner=OWNER, text="One.")
    appended = [events.CheckStarted(attempt=2), events.TextRevised(sentences=(0, 3)), events.CheckFailed(reason="é")]
    last = events.append(check.pk, appended)
    rows = events.since(check.pk, last - 3)
    assert [events.load(row) for row in rows] == appended
    assert [row.seq for row in rows] == [last - 2, last - 1, last]


@pytest.mark.parametrize(
    ("type_name", "payload"),
    [
        pytest.param("check.exploded", {}, id="unknown type"),
        pytest.param("check.started", {}, id="missing field"),
        pytest.param("check.started", {"attempt": 1, "colour": "red"}, id="undeclared field"),
    ],
)
def test_what_is_not_declared_is_not_loaded(type_name: str, payload: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=re.escape(type_name)):
        events.load(CheckEvent(type=type_name, payload=payload))


@pytest.mark.django_db(transaction=True)
def test_numbers_are_gapless_when_many_write_at_once() -> None:
    check = services.check_create(owner=OWNER, text="One.")
    errors: list[Exception] = []

    def write() -> None:
        try:
            for number in range(15):
                with transaction.atomic():
                    events.append(check.pk, [events.CheckStarted(attempt=number)])
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    seqs = list(CheckEvent.objects.filter(parent_check=check).values_list("seq", flat=True))
    assert seqs == list(range(1, 1 + 1 + 8 * 15))


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_rolled_back_leaves_no_gap() -> None:
    check = services.check_create(owner=OWNER, text="One.")

    def fail() -> None:
        with transaction.atomic():
            events.append(check.pk, [events.CheckStarted(attempt=1)])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert events.append(check.pk, [events.CheckStarted(attempt=1)]) == 2


@pytest.mark.django_db(transaction=True)
def test_a_write_that_outlasts_the_event_loop_of_its_run_holds_up_no_thread() -> None:
    """A run may end during its last write; a message on the run's event loop would then never be sent."""
    check = services.check_create(owner=OWNER, text="The harbour of Karsholm was founded in 1911.")
    has_begun, is_ending, has_written = threading.Event(), threading.Event(), threading.Event()

    def write() -> None:
        has_begun.set()
        is_ending.wait(timeout=PATIENCE_S)
        events.nudge(check.pk)
        has_written.set()

    async def run() -> None:
        task = asyncio.create_task(sync_to_async(write)())
        while not has_begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        is_ending.set()
        # A write that sends its message on this loop would wait for a task that never starts.
        has_written.wait(timeout=1)

    thread = threading.Thread(target=async_to_sync(run), daemon=True)
    thread.start()
    thread.join(timeout=PATIENCE_S)
    assert not thread.is_alive()
