"""Requeue abandoned work, prune old data, and enforce limits per user."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from chatprotect_web.queues import Queue
from detection import events, services
from detection.models import Check, CheckEvent, Source
from detection.services import retention, runs
from detection.services.task_messages import messages_waiting
from detection.storage import leases
from detection.web.owners import SESSION_KEY
from tests.factories import OWNER, checked, start_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_messages_of_other_tests() -> None:
    """Clear the in-memory broker, which all tests of a process share."""
    with current_app.connection_for_write() as connection:
        for queue in Queue:
            connection.default_channel.queue_declare(queue=queue.value)
            connection.default_channel.queue_purge(queue.value)


TEXTS = ("It was founded in 1894.", "It has two gates.")


def _queued(owner: str = OWNER) -> Check:
    return services.check_create(owner=owner, text=" ".join(TEXTS))


def test_a_check_whose_run_is_dead_is_queued_again_and_once() -> None:
    check = _queued()
    run = start_run(check)
    Check.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert services.requeue_stalled() == (1, 0)
    check.refresh_from_db()
    assert check.state == Check.State.QUEUED
    assert CheckEvent.objects.filter(type="check.interrupted").count() == 1
    with pytest.raises(events.LeaseLost):
        events.append(check.pk, [events.CheckDone()], run_token=run.token)
    assert services.requeue_stalled() == (0, 0)


def test_a_run_that_is_alive_is_left_alone() -> None:
    start_run(_queued())
    Check.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert services.requeue_stalled() == (0, 0)
    assert Check.objects.get().state == Check.State.RUNNING


def test_what_waits_without_a_message_is_sent_one() -> None:
    _queued()  # its message is sent on commit, which a test never reaches
    source = services.source_add_file(owner=OWNER, name="a.txt", data=b"It was founded in 1849.")
    assert services.requeue_stalled() == (0, 0), "a message may be on its way"
    long_ago = timezone.now() - 2 * leases.LEASE
    Check.objects.update(message_sent_at=long_ago)
    Source.objects.update(message_sent_at=long_ago)
    assert services.requeue_stalled() == (1, 1)
    assert services.requeue_stalled() == (0, 0)
    source.refresh_from_db()
    assert source.state == Source.State.QUEUED


def test_what_is_queued_again_is_sent_to_a_worker() -> None:
    unanswered = services.source_add_file(owner=OWNER, name="a.txt", data=b"It was founded in 1849.")
    abandoned = services.source_add_file(owner=OWNER, name="b.txt", data=b"It was founded in 1894.")
    _queued()
    long_ago = timezone.now() - 2 * leases.LEASE
    Check.objects.update(message_sent_at=long_ago)
    Source.objects.filter(pk=unanswered.pk).update(message_sent_at=long_ago)
    Source.objects.filter(pk=abandoned.pk).update(state=Source.State.READING, lease_until=long_ago)
    assert services.requeue_stalled() == (1, 2)
    assert messages_waiting(Queue.CHECKS) == 1
    assert messages_waiting(Queue.SOURCES) == 2


def test_a_source_whose_reader_is_dead_is_queued_again() -> None:
    services.source_add_file(owner=OWNER, name="a.txt", data=b"It was founded in 1849.")
    Source.objects.update(state=Source.State.READING, lease_until=timezone.now() - timedelta(seconds=1))
    assert services.requeue_stalled() == (0, 1)
    assert Source.objects.get().state == Source.State.QUEUED


def test_nobody_has_more_checks_running_than_may_be(settings: Settings) -> None:
    settings.MAX_RUNNING = 2
    mine = [_queued() for _ in range(3)]
    assert [runs._claim(check.pk) is not None for check in mine] == [True, True, False]
    assert runs._claim(_queued("somebody else").pk) is not None
    Check.objects.filter(pk=mine[0].pk).update(state=Check.State.DONE)
    assert runs._claim(mine[2].pk) is not None


def test_a_check_too_many_is_refused_with_a_reason(client: Client, settings: Settings) -> None:
    settings.MAX_WAITING = 1
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    assert client.post("/checks/new/", {"text": TEXTS[0]}).status_code == 302
    refused = client.post("/checks/new/", {"text": TEXTS[0]})
    assert refused.status_code == 429
    assert "1 of your checks are not finished yet" in refused.content.decode()
    settings.MAX_WAITING, settings.MAX_WAITING_ALL = 10, 1
    refused = Client().post("/checks/new/", {"text": TEXTS[0]})
    assert "Too many checks are waiting on this server" in refused.content.decode()
    assert Check.objects.count() == 1


def test_what_is_too_old_goes_and_what_runs_or_is_kept_stays(capsys: pytest.CaptureFixture[str]) -> None:
    old = checked(TEXTS)
    running = _queued()
    recent = checked(TEXTS)
    source = services.source_add_text(owner=OWNER, text="It was founded in 1849.", is_kept=True)
    long_ago = timezone.now() - timedelta(days=40)
    Check.objects.filter(pk__in=[old.pk, running.pk]).update(created_at=long_ago, finished_at=None)
    Source.objects.update(created_at=long_ago)
    call_command("prune")
    assert Check.objects.count() == 3, "by default nothing is too old"
    call_command("prune", "--days", "30")
    assert "deleted: 1 checks, 1 sources, 0 keys" in capsys.readouterr().out
    assert set(Check.objects.all()) == {running, recent}
    assert not Source.objects.filter(pk=source.pk).exists()


def test_old_data_is_pruned_once_an_hour(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RETENTION_DAYS = 30
    now = [1_000.0]
    monkeypatch.setattr(retention, "_pruned_at", float("-inf"))
    monkeypatch.setattr(retention.time, "monotonic", lambda: now[0])
    long_ago = timezone.now() - timedelta(days=40)
    left = []
    for later_s in (0, 1_800, 1_800):
        now[0] += later_s
        checked(TEXTS)
        Check.objects.update(finished_at=long_ago)
        services.upkeep()
        left.append(Check.objects.count())
    assert left == [0, 1, 0]


# --- A clock that was set back ------------------------------------------------------------------------------------


def test_a_lease_from_before_the_clock_was_set_back_is_over() -> None:
    start_run(_queued())
    Check.objects.update(lease_until=timezone.now() + 1.9 * leases.LEASE)
    assert services.requeue_stalled() == (0, 0), "a lease that a run renews may last that long"
    Check.objects.update(lease_until=timezone.now() + 2.1 * leases.LEASE)
    assert services.requeue_stalled() == (1, 0)
    assert Check.objects.get().state == Check.State.QUEUED


def test_a_run_with_a_lease_from_before_the_clock_was_set_back_is_taken_over() -> None:
    check = _queued()
    old = start_run(check)
    Check.objects.update(lease_until=timezone.now() + 2.1 * leases.LEASE)
    run = runs._claim(check.pk)
    assert run is not None
    assert run.token != old.token


def test_a_message_from_before_the_clock_was_set_back_is_sent_again() -> None:
    _queued()
    Check.objects.update(message_sent_at=timezone.now() + 0.9 * leases.LEASE)
    assert services.requeue_stalled() == (0, 0)
    Check.objects.update(message_sent_at=timezone.now() + 1.1 * leases.LEASE)
    assert services.requeue_stalled() == (1, 0)


# --- Room for the next check --------------------------------------------------------------------------------------


def test_dead_runs_take_no_room(settings: Settings) -> None:
    settings.MAX_RUNNING = 1
    dead, waiting = _queued(), _queued()
    start_run(dead)
    Check.objects.filter(pk=dead.pk).update(lease_until=timezone.now() + timedelta(seconds=30))
    assert runs._claim(waiting.pk) is None, "the run before is alive"
    Check.objects.filter(pk=dead.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert runs._claim(waiting.pk) is not None


@pytest.mark.parametrize("end", ["done", "deleted"])
def test_the_end_of_a_check_sends_a_worker_to_the_one_that_waits_longest(
    end: str, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    running, first, second = _queued(), _queued(), _queued()
    _queued("somebody else")
    run = start_run(running)
    hour = timedelta(hours=1)
    Check.objects.filter(pk=second.pk).update(created_at=timezone.now() - hour)
    Check.objects.filter(pk=first.pk).update(created_at=timezone.now() - 2 * hour)
    sent: list[object] = []
    monkeypatch.setattr("detection.services.task_messages.send", lambda task, row_id, queue=None: sent.append(row_id))
    with django_capture_on_commit_callbacks(execute=True):
        if end == "done":
            runs._finish(run, Check.State.DONE, events.CheckDone())
        else:
            services.check_delete(check=running)
    assert sent == [first.pk]
