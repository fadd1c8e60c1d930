"""A model writes the text that is then checked; the page shows it sentence by sentence."""

from __future__ import annotations

import re
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from .. import events
from ..core.control import CancelProbe, run_until_cancelled
from ..core.errors import EndpointRefused, ModelCallFailed
from ..core.plain_text import normalise_line_ends, remove_unprintable
from ..core.ports import Ports
from ..core.reasons import Reason
from ..models import Check

_END_OF_SENTENCE = re.compile(r"[.!?…][\"”’)\]]*\s|\n")


async def write_text(check_id: UUID, run_token: UUID, prompt: str, ports: Ports, cancelled: CancelProbe) -> str:
    """Have the generator answer ``prompt``, and store the growing text. A later run starts an incomplete text again.

    Raises:
        Cancelled: the text so far stays visible.
        DetectionError: the text is missing or incomplete.
    """
    if ports.contradictions is None:
        raise EndpointRefused(Reason.NO_WRITER.of())
    contradictions = ports.contradictions
    text = ""

    async def write() -> None:
        nonlocal text
        shown = 0
        async for piece in contradictions.write(prompt):
            text += remove_unprintable(normalise_line_ends(piece))
            if len(text) > settings.MAX_TEXT_CHARS:
                raise ModelCallFailed(Reason.WRITTEN_TOO_LONG.of())
            ends = [match.end() for match in _END_OF_SENTENCE.finditer(text, shown)]
            if ends:
                shown = ends[-1]
                await sync_to_async(_store)(check_id, run_token, text[:shown], is_whole=False)
        text = text.strip()
        await sync_to_async(_store)(check_id, run_token, text, is_whole=True)

    try:
        await run_until_cancelled(write(), cancelled)
    except ModelCallFailed:
        # The part before the failure is worth reading.
        await sync_to_async(_store)(check_id, run_token, text, is_whole=False)
        raise
    return text


@transaction.atomic
def _store(check_id: UUID, run_token: UUID, text: str, *, is_whole: bool) -> None:
    written_at = timezone.now() if is_whole else None
    Check.objects.filter(pk=check_id, run_token=run_token).update(text=text, written_at=written_at)
    events.append(check_id, [events.GenerationSentence(characters=len(text), state="held")], run_token=run_token)
