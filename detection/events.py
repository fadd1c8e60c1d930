"""The event log: what happened to a check, in order, as the pages need to hear it.

An event names what changed, by ids; a page that hears of it renders the present state of those things again.
Events are appended in the transaction that changes the state they describe.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.db.models import F

from . import leases
from .models import Check, CheckEvent

logger = logging.getLogger(__name__)


#: After a nudge that could not be sent: a run would otherwise wait in vain after each of its steps.
_QUIET_S = 3.0
_quiet_until = float("-inf")


#: The open page whose request is being carried out, "" for none: its answer tells it what changed.
_asking_page: ContextVar[str] = ContextVar("asking_page", default="")


@contextmanager
def answered_to(page: str) -> Iterator[None]:
    """What is appended in here is told to ``page`` by the answer to its request, and to others by a nudge."""
    token = _asking_page.set(page)
    try:
        yield
    finally:
        _asking_page.reset(token)


class LeaseLost(Exception):
    """The check was deleted, cancelled for good or taken over by another run: this one must write nothing more."""


# --- The types of events (docs/events.md has a line for each) ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    type: ClassVar[str]


@dataclass(frozen=True, slots=True)
class CheckQueued(Event):
    type: ClassVar[str] = "check.queued"


@dataclass(frozen=True, slots=True)
class CheckStarted(Event):
    type: ClassVar[str] = "check.started"
    attempt: int


@dataclass(frozen=True, slots=True)
class CheckSegmented(Event):
    type: ClassVar[str] = "check.segmented"
    sentences: int


@dataclass(frozen=True, slots=True)
class CheckRenamed(Event):
    type: ClassVar[str] = "check.renamed"


@dataclass(frozen=True, slots=True)
class CheckedAgain(Event):
    """A later version of the text is being checked, by the check of that id."""

    type: ClassVar[str] = "check.again"
    check: str


@dataclass(frozen=True, slots=True)
class CheckDone(Event):
    type: ClassVar[str] = "check.done"


@dataclass(frozen=True, slots=True)
class CheckFailed(Event):
    type: ClassVar[str] = "check.failed"
    reason: str


@dataclass(frozen=True, slots=True)
class CheckCancelled(Event):
    type: ClassVar[str] = "check.cancelled"


@dataclass(frozen=True, slots=True)
class CheckInterrupted(Event):
    type: ClassVar[str] = "check.interrupted"


@dataclass(frozen=True, slots=True)
class SourceReading(Event):
    """Pages ``done`` of ``total`` were read; 0 of 0 as long as that is not known."""

    type: ClassVar[str] = "source.reading"
    source: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SourceReady(Event):
    type: ClassVar[str] = "source.ready"
    source: int


@dataclass(frozen=True, slots=True)
class SourceFailed(Event):
    type: ClassVar[str] = "source.failed"
    source: int
    reason: str


@dataclass(frozen=True, slots=True)
class SourceDeleted(Event):
    """Its owner deleted it. ``findings`` quote it, and can no longer lead to the passage."""

    type: ClassVar[str] = "source.deleted"
    source: int
    findings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnitStarted(Event):
    type: ClassVar[str] = "unit.started"
    sentence: int
    detector: str


@dataclass(frozen=True, slots=True)
class UnitDone(Event):
    type: ClassVar[str] = "unit.done"
    sentence: int
    detector: str
    verdict: str


@dataclass(frozen=True, slots=True)
class UnitFailed(Event):
    type: ClassVar[str] = "unit.failed"
    sentence: int
    detector: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnitSkipped(Event):
    type: ClassVar[str] = "unit.skipped"
    sentence: int
    detector: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnitReopened(Event):
    """A failed unit is to be tried again."""

    type: ClassVar[str] = "unit.reopened"
    sentence: int
    detector: str


@dataclass(frozen=True, slots=True)
class FindingAdded(Event):
    type: ClassVar[str] = "finding.added"
    sentence: int
    finding: int


@dataclass(frozen=True, slots=True)
class FindingRejected(Event):
    type: ClassVar[str] = "finding.rejected"
    sentence: int
    finding: int


@dataclass(frozen=True, slots=True)
class FindingDismissed(Event):
    type: ClassVar[str] = "finding.dismissed"
    sentence: int
    finding: int


@dataclass(frozen=True, slots=True)
class FindingReopened(Event):
    type: ClassVar[str] = "finding.reopened"
    sentence: int
    finding: int


@dataclass(frozen=True, slots=True)
class FindingStale(Event):
    type: ClassVar[str] = "finding.stale"
    sentence: int
    finding: int


@dataclass(frozen=True, slots=True)
class SuggestionAdded(Event):
    type: ClassVar[str] = "suggestion.added"
    sentence: int
    finding: int
    suggestion: int


@dataclass(frozen=True, slots=True)
class SuggestionAccepted(Event):
    type: ClassVar[str] = "suggestion.accepted"
    sentence: int
    finding: int
    suggestion: int


@dataclass(frozen=True, slots=True)
class SuggestionReopened(Event):
    type: ClassVar[str] = "suggestion.reopened"
    sentence: int
    finding: int
    suggestion: int


@dataclass(frozen=True, slots=True)
class SuggestionStale(Event):
    type: ClassVar[str] = "suggestion.stale"
    sentence: int
    finding: int
    suggestion: int


@dataclass(frozen=True, slots=True)
class TextRevised(Event):
    """The revised text of these sentences changed."""

    type: ClassVar[str] = "text.revised"
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckWaiting(Event):
    """The run has ended until the owner of the check has decided something."""

    type: ClassVar[str] = "check.waiting"


@dataclass(frozen=True, slots=True)
class PremiseChecked(Event):
    """Whether what the question takes for granted is right: ``yes``, ``no`` or ``unknown``."""

    type: ClassVar[str] = "premise.checked"
    answer: str


@dataclass(frozen=True, slots=True)
class PremiseDecided(Event):
    """Its owner has said which question is to be answered."""

    type: ClassVar[str] = "premise.decided"


@dataclass(frozen=True, slots=True)
class GenerationDropped(Event):
    """The sentences from ``first`` on went by one that was corrected, and are written anew."""

    type: ClassVar[str] = "generation.dropped"
    first: int


@dataclass(frozen=True, slots=True)
class GenerationChosen(Event):
    """The reader had the first version of a sentence put back, or (``is_restored`` false) the correction."""

    type: ClassVar[str] = "generation.chosen"
    index: int
    is_restored: bool


@dataclass(frozen=True, slots=True)
class GenerationEnded(Event):
    """The text is written. ``reason`` says why there is no more of it."""

    type: ClassVar[str] = "generation.ended"
    reason: str


@dataclass(frozen=True, slots=True)
class GenerationSentence(Event):
    """A model has written the text up to here. ``state`` is what came of the sentence; ``held``: nothing yet."""

    type: ClassVar[str] = "generation.sentence"
    characters: int
    state: str


@dataclass(frozen=True, slots=True)
class ModelThrottled(Event):
    """The endpoint asks to wait."""

    type: ClassVar[str] = "model.throttled"
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class UsageChanged(Event):
    """What language models have cost so far; ``cost_usd`` is None when a price is not known."""

    type: ClassVar[str] = "usage.changed"
    calls: int
    tokens: int
    cost_usd: str | None


EVENT_TYPES: dict[str, type[Event]] = {
    event_type.type: event_type
    for event_type in (
        CheckQueued, CheckStarted, CheckSegmented, CheckDone, CheckFailed, CheckCancelled, CheckInterrupted,
        CheckRenamed, CheckedAgain,
        CheckWaiting, PremiseChecked, PremiseDecided, GenerationDropped, GenerationChosen, GenerationEnded,
        SourceReading, SourceReady, SourceFailed, SourceDeleted,
        UnitStarted, UnitDone, UnitFailed, UnitSkipped, UnitReopened,
        FindingAdded, FindingRejected, FindingDismissed, FindingReopened, FindingStale,
        SuggestionAdded, SuggestionAccepted, SuggestionReopened, SuggestionStale,
        TextRevised, GenerationSentence, ModelThrottled, UsageChanged,
    )
}  # fmt: skip


def load(row: CheckEvent) -> Event:
    """The typed event of a row.

    Raises:
        ValueError: the row has a type or a field that this version does not know. An undeclared field is a bug of
            the writer; to drop it silently would hide it.
    """
    event_type = EVENT_TYPES.get(row.type)
    if event_type is None:
        raise ValueError(f"unknown event type {row.type!r}")
    expected = {field.name for field in fields(event_type)}
    if set(row.payload) != expected:
        raise ValueError(f"{row.type} has fields {sorted(row.payload)}, expected {sorted(expected)}")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.payload.items()
    }
    return event_type(**values)


# --- Writing ----------------------------------------------------------------------------------------------------


def append(check_id: UUID, new_events: Iterable[Event], *, run_token: UUID | None = None) -> int:
    """Append events, and return the number of the last one. To be called inside a transaction.

    The numbers come from one UPDATE of the check's row, which also serialises writers: they are gapless and in the
    order of commits on every database. A run passes its token, and thereby renews its lease.

    Raises:
        LeaseLost: the run no longer holds the lease, or the check is gone.
    """
    new_events = list(new_events)
    rows = Check.objects.filter(pk=check_id)
    changes: dict[str, Any] = {"last_seq": F("last_seq") + len(new_events)}
    if run_token is not None:
        rows = rows.filter(run_token=run_token)
        changes["lease_until"] = leases.until()
    if not rows.update(**changes):
        raise LeaseLost(str(check_id))
    last_seq: int = Check.objects.values_list("last_seq", flat=True).get(pk=check_id)
    first_seq = last_seq - len(new_events) + 1
    CheckEvent.objects.bulk_create(
        CheckEvent(parent_check_id=check_id, seq=seq, type=event.type, payload=asdict(event))
        for seq, event in enumerate(new_events, start=first_seq)
    )
    transaction.on_commit(partial(nudge, check_id))
    return last_seq


def group_name(check_id: UUID) -> str:
    """The channel group that follows a check."""
    return f"check.{check_id.hex}"


def nudge(check_id: UUID) -> None:
    """Tell the pages that follow a check to look at its log. A nudge that gets lost is made up for by their poll."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return
    message = {"type": "check.changed", "answered_to": _asking_page.get()}
    try:
        async_to_sync(get_channel_layer().group_send)(group_name(check_id), message)
    except Exception:  # whatever the transport raises: the state is stored, and the page polls
        _quiet_until = time.monotonic() + _QUIET_S
        logger.warning("check %s: no nudge could be sent, and none will be for a while", check_id, exc_info=True)


def since(check_id: UUID, seq: int) -> Sequence[CheckEvent]:
    """The events after ``seq``, in order."""
    return list(CheckEvent.objects.filter(parent_check_id=check_id, seq__gt=seq))
