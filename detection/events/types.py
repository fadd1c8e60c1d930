"""The types of events; docs/events.md has a line for each.

An event names what changed, by ids; a page that receives it shows the present state of these things.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

#: Every type of event by its name. A class with a ``type`` registers itself.
EVENT_TYPES: dict[str, type[Event]] = {}


@dataclass(frozen=True, slots=True)
class Event:
    type: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "type" not in cls.__dict__:
            return  # a base class of events
        # Runs twice for each class: ``slots`` creates a second class of the same name, which replaces the first one.
        known = EVENT_TYPES.setdefault(cls.type, cls)
        if known.__qualname__ != cls.__qualname__:
            raise TypeError(f"{cls.__qualname__} and {known.__qualname__} are both called {cls.type}")
        EVENT_TYPES[cls.type] = cls


@dataclass(frozen=True, slots=True)
class UnitEvent(Event):
    """About the result of a detector for a sentence."""

    sentence: int
    detector: str


@dataclass(frozen=True, slots=True)
class FindingEvent(Event):
    """About a finding; ``sentence`` is the index of its sentence."""

    sentence: int
    finding: int


@dataclass(frozen=True, slots=True)
class SuggestionEvent(FindingEvent):
    """About a suggestion of a finding."""

    suggestion: int


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
    """The check of this id checks a later version of the text."""

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
    """Pages ``done`` of ``total`` were read; 0 of 0 if unknown."""

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
    """Its owner deleted it. ``findings`` quote it and can no longer link to the passage."""

    type: ClassVar[str] = "source.deleted"
    source: int
    findings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnitStarted(UnitEvent):
    type: ClassVar[str] = "unit.started"


@dataclass(frozen=True, slots=True)
class UnitDone(UnitEvent):
    type: ClassVar[str] = "unit.done"
    verdict: str


@dataclass(frozen=True, slots=True)
class UnitFailed(UnitEvent):
    type: ClassVar[str] = "unit.failed"
    reason: str


@dataclass(frozen=True, slots=True)
class UnitSkipped(UnitEvent):
    type: ClassVar[str] = "unit.skipped"
    reason: str


@dataclass(frozen=True, slots=True)
class UnitReopened(UnitEvent):
    """A failed unit will be retried."""

    type: ClassVar[str] = "unit.reopened"


@dataclass(frozen=True, slots=True)
class FindingAdded(FindingEvent):
    type: ClassVar[str] = "finding.added"


@dataclass(frozen=True, slots=True)
class FindingRejected(FindingEvent):
    type: ClassVar[str] = "finding.rejected"


@dataclass(frozen=True, slots=True)
class FindingDismissed(FindingEvent):
    type: ClassVar[str] = "finding.dismissed"


@dataclass(frozen=True, slots=True)
class FindingReopened(FindingEvent):
    type: ClassVar[str] = "finding.reopened"


@dataclass(frozen=True, slots=True)
class FindingStale(FindingEvent):
    type: ClassVar[str] = "finding.stale"


@dataclass(frozen=True, slots=True)
class SuggestionAdded(SuggestionEvent):
    type: ClassVar[str] = "suggestion.added"


@dataclass(frozen=True, slots=True)
class SuggestionAccepted(SuggestionEvent):
    type: ClassVar[str] = "suggestion.accepted"


@dataclass(frozen=True, slots=True)
class SuggestionReopened(SuggestionEvent):
    type: ClassVar[str] = "suggestion.reopened"


@dataclass(frozen=True, slots=True)
class SuggestionStale(SuggestionEvent):
    type: ClassVar[str] = "suggestion.stale"


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
    """Whether the premise of the question is true: ``yes``, ``no`` or ``unknown``."""

    type: ClassVar[str] = "premise.checked"
    answer: str


@dataclass(frozen=True, slots=True)
class PremiseDecided(Event):
    """Its owner has chosen the question to answer."""

    type: ClassVar[str] = "premise.decided"


@dataclass(frozen=True, slots=True)
class GenerationDropped(Event):
    """The sentences from ``first`` on followed a corrected one, and are written again."""

    type: ClassVar[str] = "generation.dropped"
    first: int


@dataclass(frozen=True, slots=True)
class GenerationChosen(Event):
    """The reader restored the first version of a sentence, or (``is_restored`` false) the correction."""

    type: ClassVar[str] = "generation.chosen"
    index: int
    is_restored: bool


@dataclass(frozen=True, slots=True)
class GenerationEnded(Event):
    """The text is complete. ``reason`` says why the writing ended."""

    type: ClassVar[str] = "generation.ended"
    reason: str


@dataclass(frozen=True, slots=True)
class GenerationSentence(Event):
    """A model has written the text up to here. ``state`` is the outcome of the sentence; ``held``: pending."""

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
    """The usage of language models so far; ``cost_usd`` is None if a price is unknown."""

    type: ClassVar[str] = "usage.changed"
    calls: int
    tokens: int
    cost_usd: str | None
