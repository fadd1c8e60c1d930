"""One run of a check: claim the lease, run the pipeline, store its reports, finish."""

from __future__ import annotations

import contextlib
import logging
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from asgiref.sync import async_to_sync, sync_to_async
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from chatprotect_web.lifecycle import stopping
from chatprotect_web.metrics import RUN_SECONDS, RUNNING, RUNS, UNITS
from chatprotect_web.watchdog import Pulse, watched

from .. import events, wiring
from ..core import control, reports
from ..core.active_generation.findings import FoundWhileWriting
from ..core.active_generation.types import ValidationMode
from ..core.errors import Cancelled, DetectionError
from ..core.evidence.plan import DEFAULT_PLAN
from ..core.llm.budget import Budget, Spending
from ..core.ports import Ports
from ..core.reasons import Reason
from ..core.run import pipeline
from ..core.types import Engine, Strictness
from ..core.types import Finding as FoundProblem
from ..models import Check, Finding, Sentence, Suggestion, Unit
from ..selectors.costs import spending_of
from ..storage import leases
from ..storage.evidence import EVIDENCE, PLAN, SEARCH
from .active_generation import Assignment, AwaitsDecision, findings_while_writing, write_checked_text
from .check_sources import read_sources
from .checks import MAX_ATTEMPTS, check_interrupt, check_send_next
from .decisions import finding_reject
from .dismissals import earlier_decision
from .earlier import earlier_results
from .generation import write_text
from .keys import api_key_of, user_key_of
from .model_calls import CallLog
from .quotas import may_run
from .review import Review
from .spending import within_day

logger = logging.getLogger(__name__)

_RENEW_LEASE_S = leases.LEASE.total_seconds() / 4


@dataclass(frozen=True, slots=True)
class Run:
    """The claim on a check. Every write of the run requires its token."""

    check_id: UUID
    token: UUID


def check_run(*, check_id: UUID) -> None:
    """Run a check. Do nothing if another run holds it, or if it is finished or deleted."""
    run = _claim(check_id)
    if run is None:
        return
    logger.info("check %s: a run begins", check_id)
    with RUNNING.track_inprogress(), RUN_SECONDS.time(), watched() as pulse:
        _execute_and_settle(run, pulse)
    logger.info("check %s: the run has ended", check_id)


def _execute_and_settle(run: Run, pulse: Pulse) -> None:
    check_id = run.check_id
    try:
        async_to_sync(_execute)(run, pulse)
        _finish(run, Check.State.DONE, events.CheckDone())
    except events.LeaseLost:
        logger.info("check %s: deleted or taken over, this run ends", check_id)
    except Exception as error:
        if stopping.is_set():
            # Any error counts while the process stops: parts of it end before this thread does.
            with contextlib.suppress(events.LeaseLost):
                check_interrupt(check_id=check_id, run_token=run.token)
        elif isinstance(error, OperationalError | InterfaceError):
            _hand_over(run, error)
        elif isinstance(error, Cancelled):
            _finish(run, Check.State.CANCELLED, events.CheckCancelled())
        elif isinstance(error, AwaitsDecision):
            _finish(run, Check.State.WAITING, events.CheckWaiting())
        elif isinstance(error, DetectionError):
            _fail(run, str(error))
        else:
            logger.exception("check %s: the run failed", check_id)
            _fail(run, Reason.CHECK_FAULT.of())


def _hand_over(run: Run, error: Exception) -> None:
    """Requeue the check after a failure of the database or its disk. Stored results stay; a later run continues."""
    logger.error("check %s: nothing can be stored: %s", run.check_id, str(error).partition("\n")[0])
    close_old_connections()
    # If the database is still unreachable, the lease expires and upkeep requeues the check.
    with contextlib.suppress(OperationalError, InterfaceError, events.LeaseLost):
        check_interrupt(check_id=run.check_id, run_token=run.token)


@transaction.atomic
def _claim(check_id: UUID) -> Run | None:
    run = Run(check_id, token=uuid.uuid4())
    whose = Check.objects.filter(pk=check_id).values("owner", "payer").first()
    if whose is None or not may_run(**whose):
        return None  # when another check ends, ``check_send_next`` sends a new message
    free = Q(state=Check.State.QUEUED) | Q(leases.is_over(), state=Check.State.RUNNING)
    claimed = Check.objects.filter(free, pk=check_id).update(
        state=Check.State.RUNNING,
        run_token=run.token,
        lease_until=leases.until(),
        attempts=F("attempts") + 1,
        started_at=Coalesce("started_at", Now()),
    )
    if not claimed:
        return None
    attempt: int = Check.objects.values_list("attempts", flat=True).get(pk=check_id)
    if attempt > MAX_ATTEMPTS:
        _fail(run, Reason.CHECK_WITHOUT_END.of(MAX_ATTEMPTS))
        return None
    events.append(check_id, [events.CheckStarted(attempt=attempt)], run_token=run.token)
    return run


@dataclass(frozen=True, slots=True)
class Order:
    """The work of a run and its means. ``spent`` is the cost of earlier runs of the check."""

    request: pipeline.CheckRequest
    has_sources: bool
    """Whether the check has sources, readable or not."""
    engine: Engine
    is_unwritten: bool
    validation: ValidationMode
    """What validates the sentences while they are written."""
    is_premise_checked: bool
    api_key: str
    spent: Spending
    budget: Budget
    """The limits of its spending, within the rest of the daily budget."""
    payer: str
    retriever: str
    """The retriever of the evidence search; "" for no search."""
    search_key: str
    """The owner's key for the retriever; "" for none."""
    language_model: dict[str, str]
    """The chosen language model; empty for that of the settings."""


async def _execute(run: Run, pulse: Pulse) -> None:
    order = await sync_to_async(_read_order)(run)
    cancelled = sync_to_async(CancelProbe(run, pulse).ask)
    sources = await read_sources(run.check_id, run.token, cancelled)
    order = replace(order, request=replace(order.request, sources=sources))
    calls = CallLog(check_id=run.check_id, run_token=run.token, payer=order.payer)
    async with wiring.open_ports(
        order.engine,
        wiring.remembering_models(),
        cache=calls,
        listener=calls,
        spent=order.spent,
        budget=order.budget,
        api_key=order.api_key,
        retriever=order.retriever if order.retriever in wiring.retrievers() or order.search_key else "",
        search_key=order.search_key,
        sources=sources,
        chosen=order.language_model,
    ) as ports:
        try:
            await _check(run, order, ports, cancelled)
        finally:
            await calls.report_usage()


async def _check(run: Run, order: Order, ports: Ports, cancelled: control.CancelProbe) -> None:
    request = order.request
    if order.is_unwritten:
        request = replace(request, text=await _write(run, order, ports, cancelled))
    # Without a readable source or a configured search, the comparison stays part of the check, as not checked.
    detectors = request.detectors or pipeline.applicable_detectors(
        has_sources=order.has_sources,
        has_llm=ports.contradictions is not None,
        has_retriever=bool(order.retriever),
    )
    request = replace(request, detectors=detectors)
    writer = RunWriter(run, detectors=detectors)
    await pipeline.run(request, ports, sync_to_async(writer.write), cancelled=cancelled)


async def _write(run: Run, order: Order, ports: Ports, cancelled: control.CancelProbe) -> str:
    prompt = order.request.prompt or ""
    if order.validation is ValidationMode.NONE:
        return await write_text(run.check_id, run.token, prompt, ports, cancelled)
    assignment = Assignment(
        run.check_id, run.token, prompt, order.request.topic, order.validation, order.is_premise_checked
    )
    return await write_checked_text(assignment, ports, cancelled)


def _read_order(run: Run) -> Order:
    check = Check.objects.get(pk=run.check_id)
    units = Unit.objects.filter(parent_check=check, state__in=Unit.FINAL)
    request = pipeline.CheckRequest(
        text=check.text,
        topic=check.topic or None,
        prompt=check.prompt or None,
        strictness=Strictness(check.strictness),
        detectors=tuple(check.detectors or ()),
        finished=frozenset(units.values_list("detector", "sentence__index")),
        flagged=frozenset(Finding.objects.filter(parent_check=check).values_list("unit__detector", "sentence__index")),
        search=PLAN.from_json(check.search_plan) if check.search_plan else DEFAULT_PLAN,
        earlier=earlier_results(check),
        seconds=wiring.seconds_of_check(Engine(check.engine), check.retriever),
    )
    spent, payer = spending_of(check), check.payer or check.owner
    return Order(
        request,
        has_sources=check.sources.exists(),
        engine=Engine(check.engine),
        is_unwritten=check.is_unwritten,
        validation=ValidationMode(check.validation),
        is_premise_checked=check.premise is not None,
        api_key=api_key_of(check.owner, check.language_model),
        spent=spent,
        budget=within_day(wiring.budget_of_check(), spent, payer=payer),
        payer=payer,
        retriever=check.retriever,
        search_key=user_key_of(check.owner, check.retriever) if check.retriever else "",
        language_model=check.language_model or {},
    )


class CancelProbe:
    """Asks whether the run must end, by cancellation or end of the process. Renews the lease and beats the pulse."""

    def __init__(self, run: Run, pulse: Pulse) -> None:
        self._run = run
        self._pulse = pulse
        self._renewed = time.monotonic()

    def ask(self) -> bool:
        if stopping.is_set():
            return True
        held = Check.objects.filter(pk=self._run.check_id, run_token=self._run.token)
        cancel_requested: bool | None = held.values_list("cancel_requested", flat=True).first()
        if cancel_requested is None:
            raise events.LeaseLost(str(self._run.check_id))
        if time.monotonic() - self._renewed > _RENEW_LEASE_S:
            held.update(lease_until=leases.until())
            self._renewed = time.monotonic()
        self._pulse.beat()
        return cancel_requested


class RunWriter:
    """Stores the reports of the pipeline: rows and events in one transaction, the result of each unit once."""

    def __init__(self, run: Run, *, detectors: Sequence[str]) -> None:
        self._run = run
        self._detectors = detectors
        self._sentence_ids: dict[int, int] = {}
        self._kept: list[str] = []
        """Fingerprints of the findings that the reader decided during the writing."""

    def write(self, pipeline_events: Sequence[reports.PipelineEvent]) -> None:
        """Store reports that belong together.

        Raises:
            LeaseLost: the run must not write any more; nothing was stored.
        """
        with transaction.atomic():
            log = [event for report in pipeline_events for event in self._store(report)]
            if any(isinstance(event, events.FindingAdded) for event in log) and self._is_text_changed():
                # Users decide while the check runs, so a new finding may be about changed words.
                review = Review(self._run.check_id)
                review.settle()
                log += review.save()
            if log:
                events.append(self._run.check_id, log, run_token=self._run.token)
            if self._kept:
                self._store_choices_of_writing()

    def _is_text_changed(self) -> bool:
        """A cheap test first: settling all findings for each new one takes minutes if there are hundreds."""
        accepted = Suggestion.objects.filter(state=Suggestion.State.ACCEPTED)
        return accepted.filter(finding__parent_check_id=self._run.check_id).exists()

    def _store(self, report: reports.PipelineEvent) -> Iterable[events.Event]:
        match report:
            case reports.TextSegmented():
                return self._store_sentences(report)
            case reports.UnitStarted():
                return self._start_unit(report)
            case reports.UnitDone():
                return self._store_result(report)
            case reports.UnitFailed():
                return self._settle(report, Unit.State.FAILED, events.UnitFailed)
            case reports.UnitSkipped():
                return self._settle(report, Unit.State.NOT_CHECKED, events.UnitSkipped)

    def _store_sentences(self, report: reports.TextSegmented) -> Iterable[events.Event]:
        stored = list(Sentence.objects.filter(parent_check_id=self._run.check_id))
        is_new = not stored
        if is_new:
            stored = Sentence.objects.bulk_create(
                Sentence(
                    parent_check_id=self._run.check_id,
                    index=sentence.index,
                    start=sentence.start,
                    end=sentence.end,
                    text=sentence.text,
                    block=sentence.block,
                    block_kind=sentence.block_kind,
                )
                for sentence in report.sentences
            )
            Unit.objects.bulk_create(
                Unit(parent_check_id=self._run.check_id, sentence=sentence, detector=detector)
                for sentence in stored
                for detector in self._detectors
            )
            Check.objects.filter(pk=self._run.check_id).update(topic_found=(report.topic or "")[:200])
        elif [(s.start, s.end) for s in stored] != [(s.start, s.end) for s in report.sentences]:
            raise DetectionError(Reason.SPLIT_DIFFERENTLY.of())
        self._sentence_ids = {sentence.index: sentence.pk for sentence in stored}
        if not is_new:
            return []
        repairs = findings_while_writing(self._run.check_id, report.sentences)
        return [events.CheckSegmented(sentences=len(stored)), *self._store_repairs(repairs)]

    def _store_repairs(self, repairs: Sequence[FoundWhileWriting]) -> Iterable[events.Event]:
        """Store corrections made while writing as units of their sentences."""
        for repair in repairs:
            found = repair.finding
            if repair.is_kept:
                self._kept.append(found.fingerprint())
            unit, _ = Unit.objects.get_or_create(
                parent_check_id=self._run.check_id,
                sentence_id=self._sentence_ids[found.sentence],
                detector=found.detector,
                defaults={"state": Unit.State.DONE, "verdict": found.verdict, "finished_at": timezone.now()},
            )
            yield from self._store_finding(unit, found)

    def _store_choices_of_writing(self) -> None:
        """Turn the choices that the reader made during the writing into decisions, which undo can revert."""
        kept = Finding.objects.filter(
            parent_check_id=self._run.check_id, fingerprint__in=self._kept, state=Finding.State.OPEN
        )
        for finding in kept.select_related("parent_check"):
            finding_reject(check=finding.parent_check, finding_id=finding.pk, reason=Reason.KEPT_WHILE_WRITING.of())
        self._kept.clear()

    def _start_unit(self, report: reports.UnitStarted) -> Iterable[events.Event]:
        if not self._unit(report).filter(state=Unit.State.PENDING).update(state=Unit.State.RUNNING):
            return []
        return [events.UnitStarted(sentence=report.sentence, detector=report.detector)]

    def _settle(
        self,
        report: reports.UnitFailed | reports.UnitSkipped,
        state: Unit.State,
        event_type: type[events.UnitFailed] | type[events.UnitSkipped],
    ) -> Iterable[events.Event]:
        if not self._open_unit(report).update(state=state, reason=report.reason[:200], finished_at=timezone.now()):
            return []
        UNITS.labels(report.detector, state).inc()
        return [event_type(sentence=report.sentence, detector=report.detector, reason=report.reason)]

    def _store_result(self, report: reports.UnitDone) -> Iterable[events.Event]:
        settled = self._open_unit(report).update(
            state=Unit.State.DONE,
            verdict=report.verdict,
            evidence=EVIDENCE.to_json(report.evidence),
            passages_read=report.read.read if report.read else None,
            passages_total=report.read.total if report.read else None,
            search=SEARCH.to_json(report.search) if report.search else None,
            basis=report.basis,
            is_carried=report.is_carried,
            finished_at=timezone.now(),
        )
        if not settled:
            return []
        UNITS.labels(report.detector, Unit.State.DONE).inc()
        unit = self._unit(report).get()
        done = events.UnitDone(sentence=report.sentence, detector=report.detector, verdict=report.verdict)
        return [*(event for found in report.findings for event in self._store_finding(unit, found)), done]

    def _store_finding(self, unit: Unit, found: FoundProblem) -> Iterable[events.Event]:
        finding, is_new = Finding.objects.get_or_create(
            parent_check_id=self._run.check_id,
            fingerprint=found.fingerprint(),
            defaults={
                "unit": unit,
                "sentence_id": self._sentence_ids[found.sentence],
                "kind": found.kind,
                "verdict": found.verdict,
                "score": found.score,
                "start": found.span.start,
                "end": found.span.end,
                "message": found.message.stored,
                "explanation": found.explanation,
                "evidence": EVIDENCE.to_json(found.evidence),
                "prompt": found.prompt or "",
            },
        )
        if not is_new:
            return
        yield events.FindingAdded(sentence=found.sentence, finding=finding.pk)
        yield from self._apply_earlier_decision(finding, found.sentence)
        for position, offered in enumerate(found.suggestions):
            suggestion = Suggestion.objects.create(
                finding=finding,
                sentence_id=self._sentence_ids[offered.sentence],
                position=position,
                replacement=offered.replacement,
                base_hash=offered.base_hash,
                method=offered.method,
                verified=offered.verified,
                label=offered.label,
                absorbed_id=None if offered.absorbed is None else self._sentence_ids[offered.absorbed],
                companions=[[self._sentence_ids[one.sentence], one.replacement] for one in offered.companions] or None,
            )
            yield events.SuggestionAdded(sentence=found.sentence, finding=finding.pk, suggestion=suggestion.pk)

    def _apply_earlier_decision(self, finding: Finding, sentence: int) -> Iterable[events.Event]:
        """Give a warning the owner's earlier decision on it; the owner can reopen it."""
        earlier = earlier_decision(check_id=self._run.check_id, fingerprint=finding.fingerprint)
        if earlier is None:
            return
        Finding.objects.filter(pk=finding.pk).update(state=earlier.state, reason=earlier.reason)
        is_dismissed = earlier.state == Finding.State.DISMISSED
        event_type = events.FindingDismissed if is_dismissed else events.FindingRejected
        yield event_type(sentence=sentence, finding=finding.pk)

    def _unit(self, report: reports.UnitStarted | reports.UnitResult) -> QuerySet[Unit]:
        return Unit.objects.filter(sentence_id=self._sentence_ids[report.sentence], detector=report.detector)

    def _open_unit(self, report: reports.UnitResult) -> QuerySet[Unit]:
        return self._unit(report).exclude(state__in=Unit.FINAL)


@transaction.atomic
def _finish(run: Run, state: Check.State, event: events.Event, *, error: str = "") -> None:
    try:
        events.append(run.check_id, [event], run_token=run.token)
    except events.LeaseLost:
        logger.info("check %s: another run took over before the end", run.check_id)
        return
    Unit.objects.filter(parent_check_id=run.check_id, state=Unit.State.RUNNING).update(state=Unit.State.PENDING)
    Check.objects.filter(pk=run.check_id).update(
        state=state, error=error, run_token=None, lease_until=None, finished_at=timezone.now()
    )
    owner, payer, engine = Check.objects.values_list("owner", "payer", "engine").get(pk=run.check_id)
    check_send_next(owner, payer)
    RUNS.labels(engine, state).inc()


def _fail(run: Run, reason: str) -> None:
    _finish(run, Check.State.FAILED, events.CheckFailed(reason=reason), error=reason)
