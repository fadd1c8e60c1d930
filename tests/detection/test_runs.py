"""A run of a check: the lease, the writer, every way to end, and resumption."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chatprotect_web.watchdog import Pulse
from detection import events, services
from detection.core import reports
from detection.core.errors import DetectionError
from detection.core.llm.budget import Spending
from detection.core.llm.types import CallOutcome, CallRecord, Purpose
from detection.core.reasons import Reason
from detection.core.types import Verdict
from detection.models import Check, CheckEvent, Finding, ModelCall, Sentence, Unit
from detection.selectors.detail import CheckDetail
from detection.services import runs
from detection.services.checks import MAX_ATTEMPTS
from detection.services.model_calls import CallLog
from detection.services.runs import CancelProbe, RunWriter
from detection.storage import leases
from tests.factories import DETECTOR, OWNER, checked, finding, segment, start_run

TEXT = (
    "Ada Lind was a Norwegian painter. She was born in Oslo in 1921. "
    "Lind studied in Paris. Ada Lind was born in Bergen in 1935."
)


def create(text: str = TEXT) -> Check:
    return services.check_create(owner=OWNER, text=text)


def log(check: Check) -> list[str]:
    return list(CheckEvent.objects.filter(parent_check=check).values_list("type", flat=True))


def settled_units(check: Check) -> Counter[tuple[int, str]]:
    rows = CheckEvent.objects.filter(parent_check=check, type__in=("unit.done", "unit.failed", "unit.skipped"))
    return Counter((row.payload["sentence"], row.payload["detector"]) for row in rows)


# --- With the real pipeline and the real models -----------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_run_checks_every_sentence_and_writes_each_unit_once() -> None:
    check = create()
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE
    assert [check.text[s.start : s.end] for s in check.sentences.all()] == [s.text for s in check.sentences.all()]
    assert set(settled_units(check).values()) == {1}
    assert len(settled_units(check)) == Unit.objects.filter(parent_check=check).count() == 4
    seqs = list(CheckEvent.objects.filter(parent_check=check).values_list("seq", flat=True))
    assert seqs == list(range(1, check.last_seq + 1))
    assert (log(check)[0], log(check)[-1]) == ("check.queued", "check.done")


@pytest.mark.django_db(transaction=True)
def test_a_task_delivered_twice_does_nothing_the_second_time() -> None:
    check = create()
    services.check_run(check_id=check.pk)
    before = log(check)
    services.check_run(check_id=check.pk)
    assert log(check) == before


@pytest.mark.django_db(transaction=True)
def test_a_check_that_another_run_holds_is_left_alone() -> None:
    check = create()
    run = start_run(check)
    Check.objects.filter(pk=check.pk).update(lease_until=timezone.now() + timedelta(minutes=1))
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert (check.state, check.run_token) == (Check.State.RUNNING, run.token)


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_lease_ran_out_is_taken_over_and_its_finished_units_stay() -> None:
    check = create()
    run = start_run(check)
    Check.objects.filter(pk=check.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.DONE
    with pytest.raises(events.LeaseLost):
        CancelProbe(run, Pulse()).ask()


@pytest.mark.django_db(transaction=True)
def test_a_stopped_check_is_taken_up_where_it_stopped() -> None:
    check = create()
    services.check_run(check_id=check.pk)
    # Simulates a process that died after two sentences of four.
    late = Unit.objects.filter(parent_check=check, sentence__index__gte=2)
    Finding.objects.filter(unit__in=late).delete()
    late.update(state=Unit.State.PENDING, verdict="")
    CheckEvent.objects.filter(parent_check=check, type="unit.done", payload__sentence__gte=2).delete()
    Check.objects.filter(pk=check.pk).update(state=Check.State.CANCELLED)
    first_half = settled_units(check)

    services.check_resume(check=check)
    services.check_run(check_id=check.pk)

    check.refresh_from_db()
    assert check.state == Check.State.DONE
    assert set(settled_units(check).values()) == {1}
    assert first_half.keys() < settled_units(check).keys()
    assert len(settled_units(check)) == 4


@pytest.mark.django_db(transaction=True)
def test_a_check_deleted_while_it_runs_ends_without_an_error(caplog: pytest.LogCaptureFixture) -> None:
    check = create()
    run = start_run(check)
    services.check_delete(check=check)
    with pytest.raises(events.LeaseLost):
        CancelProbe(run, Pulse()).ask()
    services.check_run(check_id=run.check_id)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


# --- Ways to end ------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_cancelling_a_queued_check_ends_it_at_once() -> None:
    check = create()
    services.check_cancel(check=check)
    check.refresh_from_db()
    assert check.state == Check.State.CANCELLED
    services.check_run(check_id=check.pk)
    assert log(check) == ["check.queued", "check.cancelled"]


@pytest.mark.django_db(transaction=True)
def test_cancelling_a_running_check_ends_the_run_and_shows_the_rest_as_not_checked() -> None:
    check = create()
    Check.objects.filter(pk=check.pk).update(cancel_requested=True)
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.CANCELLED
    assert log(check)[-1] == "check.cancelled"


@pytest.mark.django_db
def test_sentences_that_a_stopped_check_did_not_reach_are_shown_as_not_checked() -> None:
    text, sentences = segment("One is here.", "Two is here.")
    check = create(text)
    writer = RunWriter(start_run(check), detectors=("cross_contradiction.v1",))
    writer.write([reports.TextSegmented(sentences, None)])
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.NO_PROBLEM_FOUND)])
    Check.objects.filter(pk=check.pk).update(state=Check.State.CANCELLED)
    check.refresh_from_db()
    detail = CheckDetail(check)
    assert [(s.verdict, s.reason) for s in detail.sentences] == [
        (Verdict.NO_PROBLEM_FOUND, ""),
        (Verdict.NOT_CHECKED, "the check was stopped before"),
    ]
    assert (detail.progress.checked, detail.progress.skipped) == (1, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("process_stops")
def test_a_process_that_stops_gives_the_check_back_and_the_attempt_does_not_count() -> None:
    check = create()
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert (check.state, check.attempts, check.run_token) == (Check.State.QUEUED, 0, None)
    assert log(check)[-1] == "check.interrupted"


@pytest.mark.django_db(transaction=True)
def test_an_unexpected_error_ends_the_check_with_words_for_the_reader_and_the_details_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object, **options: object) -> None:
        raise RuntimeError("secret internals")

    monkeypatch.setattr("detection.wiring.open_ports", broken)
    check = create()
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert check.state == Check.State.FAILED
    assert check.error == Reason.CHECK_FAULT.of()
    assert "secret internals" in caplog.text


@pytest.mark.django_db
def test_a_check_whose_runs_keep_dying_is_given_up_and_can_be_tried_again() -> None:
    check = create()
    for attempt in range(1, MAX_ATTEMPTS + 1):
        start_run(check)
        Check.objects.filter(pk=check.pk).update(attempts=attempt)
        services.checks_recover()
    check.refresh_from_db()
    assert check.state == Check.State.FAILED
    assert check.error == Reason.CHECK_STOPPED.of(3)
    services.check_resume(check=check)
    check.refresh_from_db()
    assert (check.state, check.attempts, check.error) == (Check.State.QUEUED, 0, "")


@pytest.mark.django_db
def test_recovery_queues_what_was_queued_or_running_and_leaves_the_rest() -> None:
    queued, running, done = create(), create(), checked(["It is done."])
    start_run(running)
    assert services.checks_recover() == 2
    states = {check.pk: check.state for check in Check.objects.all()}
    assert states == {queued.pk: "queued", running.pk: "queued", done.pk: "done"}
    assert log(running)[-1] == "check.interrupted"


@pytest.mark.django_db
def test_a_cancelled_check_is_not_taken_up_by_recovery() -> None:
    check = create()
    start_run(check)
    services.check_cancel(check=check)
    services.checks_recover()
    check.refresh_from_db()
    assert check.state == Check.State.CANCELLED
    assert log(check)[-2:] == ["check.interrupted", "check.cancelled"]


# --- The writer -------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_result_reported_twice_is_stored_once() -> None:
    text, sentences = segment("It was founded in 1894.")
    check = create(text)
    writer = RunWriter(start_run(check), detectors=("cross_contradiction.v1",))
    found = finding(sentences, 0, "1894", "")
    writer.write([reports.TextSegmented(sentences, None)])
    for _ in range(2):
        writer.write([reports.UnitDone(DETECTOR, 0, Verdict.CONTRADICTED, (found,))])
    assert check.findings.count() == 1
    assert log(check).count("unit.done") == log(check).count("finding.added") == 1


@pytest.mark.django_db
def test_a_run_that_lost_its_lease_writes_nothing() -> None:
    text, sentences = segment("It was founded in 1894.")
    check = create(text)
    writer = RunWriter(start_run(check), detectors=("cross_contradiction.v1",))
    writer.write([reports.TextSegmented(sentences, None)])
    before = log(check)
    Check.objects.filter(pk=check.pk).update(run_token=uuid.uuid4())
    with pytest.raises(events.LeaseLost):
        writer.write([reports.UnitDone(DETECTOR, 0, Verdict.CONTRADICTED, (finding(sentences, 0, "1894", ""),))])
    assert log(check) == before
    assert not check.findings.exists()
    assert Unit.objects.get().state == Unit.State.PENDING


@pytest.mark.django_db
def test_a_failed_unit_says_why_and_is_tried_again_on_request() -> None:
    text, sentences = segment("One is here.", "Two is here.")
    check = create(text)
    run = start_run(check)
    writer = RunWriter(run, detectors=("cross_contradiction.v1",))
    writer.write([reports.TextSegmented(sentences, None)])
    writer.write([reports.UnitFailed(DETECTOR, 0, "the model died"), reports.UnitSkipped(DETECTOR, 1, "too long")])
    assert log(check)[-2:] == ["unit.failed", "unit.skipped"]
    runs._finish(run, Check.State.DONE, events.CheckDone())
    check.refresh_from_db()
    assert [(s.verdict, s.reason) for s in CheckDetail(check).sentences] == [
        (Verdict.FAILED, "the model died"),
        (Verdict.NOT_CHECKED, "too long"),
    ]
    services.check_resume(check=check)
    assert list(Unit.objects.values_list("state", flat=True)) == [Unit.State.PENDING, Unit.State.NOT_CHECKED]
    assert log(check)[-2:] == ["check.queued", "unit.reopened"]


@pytest.mark.django_db
def test_a_text_that_is_now_split_in_another_way_is_not_mixed_up_with_the_old_results() -> None:
    text, sentences = segment("One is here.", "Two is here.")
    check = create(text)
    run = start_run(check)
    RunWriter(run, detectors=("cross_contradiction.v1",)).write([reports.TextSegmented(sentences, None)])
    with pytest.raises(DetectionError, match="split_differently"):
        RunWriter(run, detectors=("cross_contradiction.v1",)).write([reports.TextSegmented(sentences[:1], None)])
    assert Sentence.objects.count() == 2


@pytest.mark.django_db
def test_a_finding_that_arrives_after_a_decision_knows_of_it() -> None:
    text, sentences = segment("It was founded in 1894 by monks.")
    check = create(text)
    writer = RunWriter(start_run(check), detectors=("cross_contradiction.v1", "grounding.v1"))
    writer.write([reports.TextSegmented(sentences, None)])
    removal = finding(sentences, 0, sentences[0].text, "")
    writer.write([reports.UnitDone("cross_contradiction.v1", 0, Verdict.CONTRADICTED, (removal,))])
    services.suggestion_accept(check=check, suggestion_id=check.findings.get().suggestions.get().pk)
    late = finding(sentences, 0, "1894", sentences[0].text.replace("1894", "1849"))
    writer.write([reports.UnitDone("grounding.v1", 0, Verdict.CONTRADICTED, (late,))])
    assert [f.state for f in check.findings.order_by("pk")] == [Finding.State.ACCEPTED, Finding.State.STALE]


# --- Leases -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_run_renews_its_lease_after_a_quarter_of_it_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    check = create()
    run = start_run(check)
    nearly_over = timezone.now() + timedelta(seconds=1)
    Check.objects.update(lease_until=nearly_over)
    now = 1_000.0
    monkeypatch.setattr(runs.time, "monotonic", lambda: now)
    probe = CancelProbe(run, Pulse())
    quarter = leases.LEASE.total_seconds() / 4
    now += quarter - 0.1
    assert probe.ask() is False
    assert Check.objects.get().lease_until == nearly_over
    now += 0.2
    assert probe.ask() is False
    renewed = Check.objects.get().lease_until
    assert renewed is not None
    assert timedelta(0) < timezone.now() + leases.LEASE - renewed < timedelta(seconds=30)
    # The next renewal is after the next quarter.
    Check.objects.update(lease_until=nearly_over)
    now += quarter - 0.1
    probe.ask()
    assert Check.objects.get().lease_until == nearly_over
    now += 0.2
    probe.ask()
    assert Check.objects.get().lease_until != nearly_over


@pytest.mark.django_db
def test_a_run_that_was_taken_over_renews_no_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    check = create()
    run = start_run(check)
    probe = CancelProbe(run, Pulse())
    Check.objects.update(run_token=uuid.uuid4(), lease_until=None)
    monkeypatch.setattr(runs, "_RENEW_LEASE_S", -1.0)
    with pytest.raises(events.LeaseLost):
        probe.ask()
    assert Check.objects.get().lease_until is None


@pytest.mark.django_db
def test_a_question_that_was_decided_on_has_all_its_attempts() -> None:
    check = services.check_create(owner=OWNER, prompt="Why was it founded in 1894?")
    Check.objects.filter(pk=check.pk).update(
        state=Check.State.WAITING, attempts=MAX_ATTEMPTS, finished_at=timezone.now()
    )
    services.premise_decide(check=check, question="Why was it founded?")
    check.refresh_from_db()
    assert (check.state, check.prompt) == (Check.State.QUEUED, "Why was it founded?")
    assert (check.attempts, check.finished_at) == (0, None)


@pytest.mark.django_db(transaction=True)
def test_what_an_endpoint_names_at_length_is_cut_and_not_refused() -> None:
    check = create()
    run = start_run(check)
    calls = CallLog(check_id=check.pk, run_token=run.token, payer="")
    record = CallRecord(
        key="k", purpose=Purpose.TRIGGER, prompt="p.v1", model="m" * 300, outcome=CallOutcome.FAILED, seconds=0.1,
        usage=None, cost_usd=None, reason="r" * 300,
    )  # fmt: skip
    async_to_sync(calls.called)(record, Spending())
    async_to_sync(calls.waiting)("w" * 300, 1.0)
    call, check = ModelCall.objects.get(), Check.objects.get(pk=check.pk)
    assert (len(call.model), len(call.reason), len(check.waiting_reason)) == (200, 200, 200)
    assert (call.prompt_tokens, call.cached_tokens, call.thinking_tokens) == (None, 0, 0)
