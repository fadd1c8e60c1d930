"""The event log of a check as server-sent events, from any number on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from channels.db import aclose_old_connections
from channels.layers import get_channel_layer
from django.http import StreamingHttpResponse

from ... import events
from ...models import Check, CheckEvent

#: Interval of reading the log without a nudge, because a nudge may be lost.
_LOOK_S = 2.0
_HEARTBEAT_S = 15.0
_BATCH = 500
_ENDED = (Check.State.DONE, Check.State.FAILED, Check.State.CANCELLED, Check.State.WAITING)


def follow(check_id: UUID, since: int) -> StreamingHttpResponse:
    """Every event after number ``since``, until the check has ended."""
    response = StreamingHttpResponse(_stream(check_id, since), content_type="text/event-stream")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"  # otherwise a proxy would buffer the events
    return response


async def _stream(check_id: UUID, seq: int) -> AsyncIterator[bytes]:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    group = events.group_name(check_id)
    await layer.group_add(group, channel)
    try:
        async for chunk in _events(check_id, seq, lambda: layer.receive(channel)):
            yield chunk
    finally:
        await layer.group_discard(group, channel)


async def _events(check_id: UUID, seq: int, nudge: Callable[[], Awaitable[Any]]) -> AsyncIterator[bytes]:
    written_at = time.monotonic()
    while True:
        rows, has_ended = await sync_to_async(_after)(check_id, seq)
        await aclose_old_connections()
        for number, kind, payload in rows:
            seq = number
            written_at = time.monotonic()
            yield f"id: {number}\nevent: {kind}\ndata: {json.dumps(payload)}\n\n".encode()
        if rows:
            continue
        if has_ended:
            yield b"event: end\ndata: {}\n\n"
            return
        if time.monotonic() - written_at >= _HEARTBEAT_S:
            written_at = time.monotonic()
            yield b": still there\n\n"
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(nudge(), _LOOK_S)


def _after(check_id: UUID, seq: int) -> tuple[list[tuple[int, str, object]], bool]:
    """The events after a number, and whether the check has ended. A deleted check has ended."""
    state = Check.objects.filter(pk=check_id).values_list("state", flat=True).first()
    rows = CheckEvent.objects.filter(parent_check_id=check_id, seq__gt=seq).values_list("seq", "type", "payload")
    return list(rows[:_BATCH]), state is None or state in _ENDED
