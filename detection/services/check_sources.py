"""The sources of a check in a run: the run reads unread ones first, with progress on the page."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import transaction

from .. import events
from ..core.control import CancelProbe, run_until_cancelled
from ..core.types import SourceText
from ..models import CheckSource, Source
from ..storage.evidence import PLACES
from .reading import read_if_free

_LOOK_INTERVAL_S = 0.5


async def read_sources(check_id: UUID, run_token: uuid.UUID, cancelled: CancelProbe) -> tuple[SourceText, ...]:
    """The readable sources of a check, named by the ids of their uses. The page reports the unreadable ones.

    Raises:
        Cancelled: sources that were read stay read.
    """
    uses = await sync_to_async(_uses)(check_id)

    async def settle_all() -> None:
        for use in uses:
            await _settle(_SourceProgress(check_id, run_token, use.pk), use.source_id)

    await run_until_cancelled(settle_all(), cancelled)
    return await sync_to_async(_texts)(check_id)


async def _settle(progress: _SourceProgress, source_id: UUID | None) -> None:
    """Read a source, or wait for its present reader and take over if that reader dies."""
    if source_id is None:
        return
    reading: asyncio.Task[None] | None = None
    try:
        while not await sync_to_async(progress.report)():
            if reading is not None and reading.done():
                reading.result()
                await asyncio.sleep(_LOOK_INTERVAL_S)
                reading = None
            reading = reading or asyncio.create_task(read_if_free(source_id))
            await asyncio.wait({reading}, timeout=_LOOK_INTERVAL_S)
    finally:
        if reading is not None and not reading.done():
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


@dataclass(slots=True)
class _SourceProgress:
    """Reports changes in the state of a source to the pages of its check."""

    check_id: UUID
    run_token: uuid.UUID
    use_id: int
    _last_event: events.Event | None = None

    def report(self) -> bool:
        """Append an event if the state has changed; return True once the source is settled.

        Raises:
            LeaseLost: the run must not write any more.
        """
        uses = CheckSource.objects.select_related("source").defer("source__text", "source__places")
        use = uses.filter(pk=self.use_id).first()
        if use is None:
            raise events.LeaseLost(str(self.check_id))
        if use.source is None:
            return True  # deleted: its own event has reported that
        event = _event(use.pk, use.source)
        if event != self._last_event:
            with transaction.atomic():
                events.append(self.check_id, [event], run_token=self.run_token)
            self._last_event = event
        return use.source.is_settled


def _event(use_id: int, source: Source) -> events.Event:
    if source.state == Source.State.READY:
        return events.SourceReady(source=use_id)
    if source.state == Source.State.FAILED:
        return events.SourceFailed(source=use_id, reason=source.error)
    return events.SourceReading(source=use_id, done=source.pages_done, total=source.pages_total)


def _uses(check_id: UUID) -> list[CheckSource]:
    return list(CheckSource.objects.filter(parent_check_id=check_id))


def _texts(check_id: UUID) -> tuple[SourceText, ...]:
    ready = CheckSource.objects.filter(parent_check_id=check_id, source__state=Source.State.READY)
    return tuple(
        SourceText(str(use.pk), use.name, use.source.text, PLACES.from_json(use.source.places))
        for use in ready.select_related("source")
        if use.source is not None
    )
