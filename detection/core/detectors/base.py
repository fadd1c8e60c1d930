"""What a detector is given, and what it must do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

from ..compute import LocalModels
from ..events import PipelineEvent
from ..types import ParsedText, SourceText, Strictness


class Requirement(StrEnum):
    """What a detector cannot work without."""

    NLI = "nli"
    SOURCES = "sources"


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A source of the check with its sentences."""

    source: SourceText
    parsed: ParsedText


@dataclass(frozen=True, slots=True)
class DetectionRequest:
    """What is to be judged: the sentences at ``pending``, in the light of the whole text and of the sources."""

    parsed: ParsedText
    pending: tuple[int, ...]
    topic: str | None
    sources: tuple[ParsedSource, ...]
    strictness: Strictness


@dataclass(frozen=True, slots=True)
class Ports:
    """What the engine needs from outside."""

    models: LocalModels


#: Takes any number of reports; they are stored together, in order. Once it returns, they are safe.
Emit = Callable[..., Awaitable[None]]


class Detector(Protocol):
    """One way to find out what is wrong with a sentence.

    ``detect`` reports each pending sentence exactly once by :class:`UnitDone`, :class:`UnitFailed` or
    :class:`UnitSkipped`, best preceded by :class:`UnitStarted`. It may be cancelled at any ``await``. A sentence
    that it forgets counts as failed. ``id`` carries a version: a detector that judges otherwise gets a new one.
    """

    id: ClassVar[str]
    requires: ClassVar[frozenset[Requirement]]

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None: ...


__all__ = ["DetectionRequest", "Detector", "Emit", "ParsedSource", "PipelineEvent", "Ports", "Requirement"]
