"""What a run asks language models: each attempt is recorded, each answer kept, and the page told of it."""

from __future__ import annotations

import time
from datetime import timedelta
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from chatprotect_web.metrics import MODEL_CALLS

from .. import codec, events
from ..core.llm.budget import Spending
from ..core.llm.types import CallOutcome, CallRecord, ModelAnswer, TokenUsage
from ..models import Check, ModelCall

_SECONDS_BETWEEN_EVENTS = 1.0


class CallLog:
    """The cache and the listener of a run's client. Answers are found again by later runs of the same check only."""

    def __init__(self, *, check_id: UUID, run_token: UUID) -> None:
        self._check_id = check_id
        self._run_token = run_token
        self._told_at = float("-inf")
        self._untold: Spending | None = None

    async def find(self, key: str) -> ModelAnswer | None:
        return await sync_to_async(self._find)(key)

    async def keep(self, key: str, answer: ModelAnswer) -> None:
        await sync_to_async(self._keep)(key, answer)

    async def called(self, record: CallRecord, spending: Spending) -> None:
        MODEL_CALLS.labels(record.purpose, record.outcome).inc()
        await sync_to_async(self._store)(record)
        self._untold = spending
        if time.monotonic() - self._told_at >= _SECONDS_BETWEEN_EVENTS:
            await self.tell()

    async def waiting(self, reason: str, seconds: float) -> None:
        await sync_to_async(self._store_wait)(reason, seconds)

    async def tell(self) -> None:
        """Put what was spent since the last time into the event log."""
        spending, self._untold = self._untold, None
        if spending is None:
            return
        self._told_at = time.monotonic()
        cost = None if spending.usd is None else str(spending.usd)
        event = events.UsageChanged(calls=spending.calls, tokens=spending.usage.total, cost_usd=cost)
        await sync_to_async(self._append)(event)

    def _find(self, key: str) -> ModelAnswer | None:
        row = self._answered(key).exclude(answers=None).first()
        if row is None or row.answers is None:
            return None
        is_counted = row.prompt_tokens is not None and row.completion_tokens is not None
        usage = TokenUsage(row.prompt_tokens or 0, row.completion_tokens or 0) if is_counted else None
        return codec.answer_from_json(row.answers, usage)

    def _keep(self, key: str, answer: ModelAnswer) -> None:
        newest = self._answered(key).filter(answers=None).last()  # others were stored with their call
        if newest is not None:
            newest.answers = codec.answer_to_json(answer)
            newest.save(update_fields=["answers"])

    def _answered(self, key: str) -> QuerySet[ModelCall]:
        return ModelCall.objects.filter(parent_check_id=self._check_id, key=key, outcome=CallOutcome.ANSWERED)

    def _store(self, record: CallRecord) -> None:
        if not Check.objects.filter(pk=self._check_id, run_token=self._run_token).exists():
            raise events.LeaseLost(str(self._check_id))
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
            cost_usd=record.cost_usd,
            answers=codec.answer_to_json(record.answer) if record.answer else None,
        )

    @transaction.atomic
    def _store_wait(self, reason: str, seconds: float) -> None:
        until = timezone.now() + timedelta(seconds=seconds)
        Check.objects.filter(pk=self._check_id).update(waiting_reason=reason[:200], waiting_until=until)
        self._append(events.ModelThrottled(reason=reason, seconds=round(seconds, 1)))

    @transaction.atomic
    def _append(self, event: events.Event) -> None:
        events.append(self._check_id, [event], run_token=self._run_token)
