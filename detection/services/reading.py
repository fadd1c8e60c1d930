"""Read a source: claim it, fetch it if it is a web page, extract and store its text, and delete its bytes."""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import dataclass
from uuid import UUID

from asgiref.sync import async_to_sync, sync_to_async
from django.db import transaction
from django.db.models import F, Q

from chatprotect_web.lifecycle import stopping

from .. import wiring
from ..core.documents.background import read_in_background
from ..core.documents.types import Document
from ..core.errors import DetectionError
from ..core.reasons import Reason
from ..models import CheckSource, Source, SourceUpload
from ..storage import leases
from ..storage.evidence import PLACES
from .checks import MAX_ATTEMPTS
from .quotas import may_read, next_to_read
from .sources import clean_name
from .task_messages import TaskName, send

logger = logging.getLogger(__name__)

#: How often a reader stores its progress, checks whether it still holds the source, and renews its lease.
_TELL_INTERVAL_S = 1.0


class _ReaderLost(Exception):
    """The source was deleted or another reader has claimed it: this one must not write any more."""


class _ProcessStops(Exception):
    """The process has been asked to stop."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The claim on a source. Every write requires its token."""

    source_id: UUID
    token: UUID


@dataclass(frozen=True, slots=True)
class Material:
    """The bytes to read; ``name`` and ``media_type`` are hints about their format."""

    data: bytes
    name: str
    media_type: str


@dataclass(slots=True)
class PageCounter:
    """The progress of a reader, written by its thread and read by the event loop."""

    done: int = 0
    total: int = 0

    def note(self, done: int, total: int) -> None:
        self.done, self.total = done, total


def source_read(*, source_id: UUID) -> None:
    """Read a source, unless another reader has claimed it or it is already read or deleted."""
    async_to_sync(read_if_free)(source_id)


async def read_if_free(source_id: UUID) -> None:
    """As :func:`source_read`. Cancelling it requeues the source."""
    reader = await sync_to_async(_claim)(source_id)
    if reader is None:
        return
    try:
        document, size = await _read(reader)
        await sync_to_async(_store)(reader, document, size)
        await sync_to_async(_send_next)()
    except _ReaderLost:
        logger.info("source %s: deleted or taken over, this reader ends", source_id)
    except asyncio.CancelledError:
        await sync_to_async(_give_back)(reader)
        raise
    except Exception as error:
        # Any error counts while the process stops: parts of it end before this thread does.
        if stopping.is_set():
            await sync_to_async(_give_back)(reader)
        elif isinstance(error, DetectionError):
            await sync_to_async(_fail)(reader, str(error))
            await sync_to_async(_send_next)()
        else:
            logger.exception("source %s: reading failed", source_id)
            await sync_to_async(_fail)(reader, Reason.READING_FAULT.of())
            await sync_to_async(_send_next)()


async def _read(reader: Reader) -> tuple[Document, int]:
    """The text of the source, and its original size in bytes."""
    counter = PageCounter()
    task = asyncio.create_task(_work(reader, counter))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=_TELL_INTERVAL_S)
            if stopping.is_set():
                raise _ProcessStops
            await sync_to_async(_tell)(reader, counter)
        return task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _work(reader: Reader, counter: PageCounter) -> tuple[Document, int]:
    material = await _material(reader)
    document = await read_in_background(
        material.data,
        name=material.name,
        media_type=material.media_type,
        limits=wiring.document_limits(),
        progress=counter.note,
    )
    return document, len(material.data)


async def _material(reader: Reader) -> Material:
    sources = Source.objects.defer(*Source.LONG_FIELDS).select_related("upload")
    source = await sources.filter(pk=reader.source_id).afirst()
    if source is None:
        raise _ReaderLost(str(reader.source_id))
    if source.kind != Source.Kind.PAGE:
        return Material(bytes(source.upload.content), source.name, source.media_type)
    async with wiring.open_fetcher() as fetcher:
        page = await fetcher.fetch(source.url)
    return Material(page.body, page.url, page.content_type)


@transaction.atomic
def _claim(source_id: UUID) -> Reader | None:
    payer = Source.objects.select_for_update().filter(pk=source_id).values_list("payer", flat=True).first()
    if payer is None or not may_read(payer=payer):
        return None  # when another reading ends, ``_send_next`` sends a new message
    reader = Reader(source_id, token=uuid.uuid4())
    free = Q(state=Source.State.QUEUED) | Q(leases.is_over(), state=Source.State.READING)
    claimed = Source.objects.filter(free, pk=source_id).update(
        state=Source.State.READING,
        read_token=reader.token,
        lease_until=leases.until(),
        attempts=F("attempts") + 1,
        pages_done=0,
        pages_total=0,
    )
    if not claimed:
        return None
    if Source.objects.filter(pk=source_id, attempts__gt=MAX_ATTEMPTS).exists():
        _fail(reader, Reason.READING_STOPPED.of(MAX_ATTEMPTS))
        return None
    return reader


def _tell(reader: Reader, counter: PageCounter) -> None:
    _write(reader, pages_done=counter.done, pages_total=counter.total, lease_until=leases.until())


@transaction.atomic
def _store(reader: Reader, document: Document, size: int) -> None:
    _write(
        reader,
        state=Source.State.READY,
        text=document.text,
        places=PLACES.to_json(document.places),
        pages=document.pages,
        characters=len(document.text),
        byte_size=size,
        **_ended(),
    )
    # The title of a page replaces its address as name; a file keeps the name that its owner gave it.
    title = document.title.strip()
    if title and Source.objects.filter(pk=reader.source_id, kind=Source.Kind.PAGE).update(name=clean_name(title)):
        CheckSource.objects.filter(source_id=reader.source_id).update(name=clean_name(title))
    SourceUpload.objects.filter(source_id=reader.source_id).delete()


@transaction.atomic
def _fail(reader: Reader, reason: str) -> None:
    try:
        _write(reader, state=Source.State.FAILED, error=reason, **_ended())
    except _ReaderLost:
        return
    SourceUpload.objects.filter(source_id=reader.source_id).delete()


def _send_next() -> None:
    """A place is free. A worker may have dropped the message of a waiting source when there was none."""
    waiting = next_to_read()
    if waiting is not None:
        send(TaskName.READ_SOURCE, waiting.pk)


def _give_back(reader: Reader) -> None:
    """Requeue the source. An orderly end does not count as an attempt."""
    try:
        _write(reader, state=Source.State.QUEUED, attempts=F("attempts") - 1, **_ended())
    except _ReaderLost:
        return
    send(TaskName.READ_SOURCE, reader.source_id)


def _ended() -> dict[str, None]:
    return {"read_token": None, "lease_until": None}


def _write(reader: Reader, **changes: object) -> None:
    if not Source.objects.filter(pk=reader.source_id, read_token=reader.token).update(**changes):
        raise _ReaderLost(str(reader.source_id))
