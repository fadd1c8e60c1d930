"""Record the model calls of a run: each attempt, each answer, and the usage on the page."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models import QuerySet
from django.utils import timezone

from chatprotect_web.metrics import MODEL_CALLS

from .. import events
from ..core.llm.budget import Spending
from ..core.llm.types import CallOutcome, CallRecord, ModelAnswer, TokenUsage
from ..models import Check, ModelCall
from ..storage.evidence import ANSWER
from .spending import note_spending

_SECONDS_BETWEEN_EVENTS = 1.0
_STORE_RETRY_PAUSES_S = (0.5, 1.0, 2.0, 4.0)


async def _uncancelled(work: Coroutine[Any, Any, None]) -> None:
    """Finish ``work`` even if the run is cancelled, so that a received answer is stored."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def _usage_of(row: ModelCall) -> TokenUsage:
    return TokenUsage(row.prompt_tokens or 0, row.completion_tokens or 0, row.cached_tokens, row.thinking_tokens)


class CallLog:
    """The cache and the listener of a run's client. Only later runs of the same check reuse its answers."""

    def __init__(self, *, check_id: UUID, run_token: UUID, payer: str) -> None:
        self._check_id = check_id
        self._run_token = run_token
        self._payer = payer
        self._reported_at = float("-inf")
        self._unreported: Spending | None = None

    async def find(self, key: str) -> ModelAnswer | None:
        return await sync_to_async(self._find)(key)

    async def keep(self, key: str, answer: ModelAnswer) -> None:
        await sync_to_async(self._keep)(key, answer)

    async def called(self, record: CallRecord, spending: Spending) -> None:
        MODEL_CALLS.labels(record.purpose, record.outcome).inc()
        await _uncancelled(self._store_with_retries(record))
        self._unreported = spending
        if time.monotonic() - self._reported_at >= _SECONDS_BETWEEN_EVENTS:
            await self.report_usage()

    async def _store_with_retries(self, record: CallRecord) -> None:
        """Retry: a short outage of the database must not lose an answer that is paid for."""
        for pause_s in _STORE_RETRY_PAUSES_S:
            try:
                return await sync_to_async(self._store)(record)
            except (OperationalError, InterfaceError):
                await sync_to_async(close_old_connections)()
                await asyncio.sleep(pause_s)
        await sync_to_async(self._store)(record)

    async def waiting(self, reason: str, seconds: float) -> None:
        await sync_to_async(self._store_wait)(reason, seconds)

    async def report_usage(self) -> None:
        """Append the usage since the last call to the event log."""
        spending, self._unreported = self._unreported, None
        if spending is None:
            return
        self._reported_at = time.monotonic()
        cost = None if spending.usd is None else str(spending.usd)
        event = events.UsageChanged(calls=spending.calls, tokens=spending.usage.total, cost_usd=cost)
        await sync_to_async(self._append)(event)

    def _find(self, key: str) -> ModelAnswer | None:
        row = self._answered(key).exclude(answers=None).first()
        if row is None or row.answers is None:
            return None
        is_counted = row.prompt_tokens is not None and row.completion_tokens is not None
        usage = _usage_of(row) if is_counted else None
        return replace(ANSWER.from_json(row.answers), usage=usage)

    def _keep(self, key: str, answer: ModelAnswer) -> None:
        newest = self._answered(key).filter(answers=None).last()  # others were stored with their call
        if newest is not None:
            newest.answers = ANSWER.to_json(answer)
            newest.save(update_fields=["answers"])

    def _answered(self, key: str) -> QuerySet[ModelCall]:
        return ModelCall.objects.filter(parent_check_id=self._check_id, key=key, outcome=CallOutcome.ANSWERED)

    @transaction.atomic
    def _store(self, record: CallRecord) -> None:
        if not Check.objects.filter(pk=self._check_id, run_token=self._run_token).exists():
            raise events.LeaseLost(str(self._check_id))
        note_spending(record, payer=self._payer)
        ModelCall.objects.create(
            parent_check_id=self._check_id,
            key=record.key,
            detector=record.attribution.detector,
            sentences=list(record.attribution.sentences),
            purpose=record.purpose,
            prompt=record.prompt,
            model=record.model[:200],
            outcome=record.outcome,
            reason=record.reason[:200],
            seconds=record.seconds,
            prompt_tokens=record.usage.prompt if record.usage else None,
            completion_tokens=record.usage.completion if record.usage else None,
            cached_tokens=record.usage.cached if record.usage else 0,
            thinking_tokens=record.usage.thinking if record.usage else 0,
            cost_usd=record.cost_usd,
            answers=ANSWER.to_json(record.answer) if record.answer else None,
        )

    @transaction.atomic
    def _store_wait(self, reason: str, seconds: float) -> None:
        until = timezone.now() + timedelta(seconds=seconds)
        Check.objects.filter(pk=self._check_id).update(waiting_reason=reason[:200], waiting_until=until)
        self._append(events.ModelThrottled(reason=reason, seconds=round(seconds, 1)))

    @transaction.atomic
    def _append(self, event: events.Event) -> None:
        events.append(self._check_id, [event], run_token=self._run_token)
