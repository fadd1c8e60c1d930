"""Scenario ``large-check``: a text as long as one may be, with two sources, sent and checked as a user's is."""

from __future__ import annotations

import json
import math
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.local_models.processor_time import processor_seconds
from ..evaluation.rows import Fields, Row, read_rows
from .client import PageClient
from .processes import children, family, peak_memory
from .server import Server, running_server
from .texts import SOURCE, TEXT

CHARACTERS = 20_000
#: Sentences that a reader sees before scrolling.
ON_SCREEN = 10
_AUTHORED = Path(__file__).resolve().parents[1] / "training" / "authored"
_JUDGED = "unit.done"
_SETTLED = frozenset({_JUDGED, "unit.failed", "unit.skipped"})


@dataclass(frozen=True, slots=True)
class LargeText:
    """A text and the sources that its sentences are from, or contradict."""

    text: str
    sources: tuple[str, str]


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a check, at a time in seconds since 1970."""

    type: str
    at: float
    sentence: int | None = None
    """Of a result; each detector has one for each sentence."""


@dataclass(frozen=True)
class Timeline:
    """The events of a finished check. Times are in seconds since the form was sent."""

    sent: float
    events: Sequence[LoggedEvent]

    def to_event(self, event_type: str) -> float | None:
        """Until the first event of this type; None without one."""
        found = (event.at - self.sent for event in self.events if event.type == event_type)
        return min(found, default=None)

    @property
    def to_first_sentence(self) -> float:
        return min(self._finished.values())

    def to_first_sentences(self, number: int) -> float:
        """Until the first sentences of the text, so many, are all finished."""
        return max(at for sentence, at in self._finished.items() if sentence < number)

    def to_share_of_sentences(self, share: float) -> float:
        """Until this share of all sentences, whichever, is finished."""
        ordered = sorted(self._finished.values())
        return ordered[math.ceil(len(ordered) * share) - 1]

    @cached_property
    def _finished(self) -> Mapping[int, float]:
        """When each sentence that was judged at all was settled by its last detector."""
        judged = {event.sentence for event in self.events if event.type == _JUDGED}
        settled: defaultdict[int, list[float]] = defaultdict(list)
        for event in self.events:
            if event.type in _SETTLED and event.sentence is not None and event.sentence in judged:
                settled[event.sentence].append(event.at - self.sent)
        return {sentence: max(times) for sentence, times in settled.items()}


def run() -> dict[str, Any]:
    """Start a server, check one small text so that the models are loaded, then measure the large one."""
    made = make_large_text(CHARACTERS)
    with running_server() as server:
        author = PageClient(server.url)
        server.wait_for_check(author.send_check(text=TEXT, source=SOURCE))
        return _measure(server, author, made)


def make_large_text(characters: int) -> LargeText:
    """Summaries of short texts, each one a paragraph; every second of those texts is in the same source.

    Raises:
        BadData: the rows are not part of this installation.
    """
    rows = read_rows(_AUTHORED, "exam_sources_a", _read)
    paragraphs: list[str] = []
    documents: tuple[list[str], list[str]] = ([], [])
    left = characters
    for number, row in enumerate(rows):
        paragraph = _first_of(row.question, left)
        if not paragraph:
            break
        paragraphs.append(paragraph)
        documents[number % 2].append(row.truth)
        left -= len(paragraph) + len("\n\n")
    first, second = ("\n\n".join(texts) for texts in documents)
    return LargeText("\n\n".join(paragraphs), (first, second))


def _read(fields: Fields) -> Row[tuple[str, ...], str]:
    """The sentences of a summary, and its source."""
    return Row(tuple(sentence.text("t") for sentence in fields.items("sentences")), fields.text("source"))


def _first_of(sentences: Iterable[str], characters: int) -> str:
    """As many sentences as have room."""
    chosen = ""
    for sentence in sentences:
        longer = f"{chosen} {sentence}".strip()
        if len(longer) > characters:
            break
        chosen = longer
    return chosen


def _measure(server: Server, author: PageClient, made: LargeText) -> dict[str, Any]:
    pasted, attached = made.sources
    before = _processor_seconds(server)
    sent = time.time()
    check_id = author.send_check(text=made.text, source=pasted, files=[("second.txt", attached.encode())])
    server.wait_for_check(check_id)
    timeline = Timeline(sent, _events(server, check_id))
    return {
        "scenario": "large-check",
        "cores": os.cpu_count(),
        "load_of_the_machine": round(os.getloadavg()[0], 1),
        "characters": len(made.text),
        "sentences": _count(server, "SELECT count(*) FROM detection_sentence WHERE parent_check_id = ?", check_id),
        "units": _count(server, "SELECT count(*) FROM detection_unit WHERE parent_check_id = ?", check_id),
        "source_words": [len(source.split()) for source in made.sources],
        "seconds_to_sentences": _rounded(timeline.to_event("check.segmented")),
        "seconds_to_first_finished_sentence": _rounded(timeline.to_first_sentence),
        f"seconds_to_first_{ON_SCREEN}_sentences": _rounded(timeline.to_first_sentences(ON_SCREEN)),
        "seconds_to_first_finding": _rounded(timeline.to_event("finding.added")),
        "seconds_to_half_of_the_sentences": _rounded(timeline.to_share_of_sentences(0.5)),
        "wall_seconds": _rounded(timeline.to_event("check.done")),
        "processor_seconds": _rounded(_processor_seconds(server) - before),
        "findings": _count(server, "SELECT count(*) FROM detection_finding WHERE parent_check_id = ?", check_id),
        "peak_memory_mib": {"server": peak_memory(server.pid), "models": sum(map(peak_memory, children(server.pid)))},
    }


def _processor_seconds(server: Server) -> float:
    return sum(map(processor_seconds, family(server.pid)))


def _events(server: Server, check_id: str) -> tuple[LoggedEvent, ...]:
    rows = server.rows(
        "SELECT type, (julianday(created_at) - 2440587.5) * 86400, payload FROM detection_checkevent "
        "WHERE parent_check_id = ? ORDER BY seq",
        _stored(check_id),
    )
    return tuple(_event(str(event_type), float(str(at)), json.loads(str(payload))) for event_type, at, payload in rows)


def _event(event_type: str, at: float, payload: Mapping[str, Any]) -> LoggedEvent:
    return LoggedEvent(event_type, at, payload["sentence"] if event_type in _SETTLED else None)


def _count(server: Server, query: str, check_id: str) -> int:
    ((number,),) = server.rows(query, _stored(check_id))
    return int(str(number))


def _stored(check_id: str) -> str:
    """The id as SQLite has it."""
    return check_id.replace("-", "")


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
