"""Runs checks in one process; later checks reuse results of earlier ones."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from ..core.control import CancelProbe, never
from ..core.local_models.process import LocalModels
from ..core.local_models.remembering import RememberingModels
from ..core.ports import Ports
from ..core.reports import PipelineEvent, TextSegmented, UnitDone
from ..core.run import pipeline
from ..core.run.carry_over import EarlierResult
from ..core.run.collector import Collector
from ..core.types import Engine, Sentence
from .report import CheckedSentence, Report, Usage

#: Number of series of checks in memory, and of results in each.
_MOST_SERIES = 64
_MOST_RESULTS = 2_000

Listener = Callable[[Sequence[PipelineEvent]], Awaitable[None]]


class Checker:
    """Runs checks and keeps their results in memory; nothing is stored.

    A later check reuses every result of the same series that is still valid (``core/run/carry_over.py``). A series
    belongs to one caller and one set of sources: no caller gets results from texts of another.
    """

    def __init__(self, models: LocalModels) -> None:
        self._models = RememberingModels(models)
        self._series: OrderedDict[tuple[str, ...], OrderedDict[str, EarlierResult]] = OrderedDict()
        self._lock = threading.Lock()  # several threads may run checks of one series

    @property
    def models(self) -> LocalModels:
        return self._models

    async def check(
        self,
        request: pipeline.CheckRequest,
        *,
        ports: Ports | None = None,
        whose: str = "",
        listener: Listener | None = None,
        cancelled: CancelProbe = never,
    ) -> Report:
        """Check a text. ``ports`` are for a language model; by default only the local models judge.

        ``listener`` receives the reports as they arrive. ``whose`` names the caller whose earlier results may be used.

        Raises:
            DetectionError: the check failed.
        """
        ports = replace(ports, models=self._models) if ports else Ports(models=self._models)
        with self._lock:
            known = self._known_to(whose, request, ports)
            earlier = dict(known)
        collector = Collector()
        started = time.monotonic()

        async def report(events: Sequence[PipelineEvent]) -> None:
            await collector.report(events)
            with self._lock:
                _remember(known, collector.sentences, events)
            if listener is not None:
                await listener(events)

        await pipeline.run(replace(request, earlier=earlier), ports, report, cancelled=cancelled)
        return _report(request, ports, collector, time.monotonic() - started)

    def _known_to(self, whose: str, request: pipeline.CheckRequest, ports: Ports) -> OrderedDict[str, EarlierResult]:
        # Findings refer to sources by id, so results are valid only for the same ids.
        sources = (part for source in request.sources for part in (source.id, source.name))
        models = (ports.contradictions.generator, ports.contradictions.analyzer) if ports.contradictions else ()
        series = (whose, *models, "", *sources)
        known = self._series.setdefault(series, OrderedDict())
        self._series.move_to_end(series)
        while len(self._series) > _MOST_SERIES:
            self._series.popitem(last=False)
        return known


def _remember(
    known: OrderedDict[str, EarlierResult], sentences: Sequence[Sentence], events: Sequence[PipelineEvent]
) -> None:
    for event in events:
        if isinstance(event, UnitDone) and event.basis:
            known[event.basis] = EarlierResult(sentences[event.sentence].start, event)
            known.move_to_end(event.basis)
    while len(known) > _MOST_RESULTS:
        known.popitem(last=False)


def _report(request: pipeline.CheckRequest, ports: Ports, collector: Collector, seconds: float) -> Report:
    findings = collector.findings
    spent = ports.client.spending if ports.client else None
    return Report(
        text=request.text,
        engine=Engine.LLM if ports.client else Engine.LOCAL,
        topic=collector.topic,
        sentences=tuple(
            CheckedSentence(
                sentence,
                collector.verdict(sentence.index),
                dict(collector.results[sentence.index]),
                tuple(finding for finding in findings if finding.sentence == sentence.index),
            )
            for sentence in collector.sentences
        ),
        sources=request.sources,
        checked=collector.checked,
        revised=collector.revised(request.text),
        usage=Usage(
            spent.calls if spent else 0,
            spent.usage.prompt if spent else 0,
            spent.usage.completion if spent else 0,
            "0" if spent is None else None if spent.usd is None else str(spent.usd),
            seconds,
        ),
    )


def progress_of(tell: Callable[[int, int], None]) -> Listener:
    """A listener that reports the number of sentences with a result, and the number of all sentences."""
    seen: set[int] = set()
    total = 0

    async def listen(events: Sequence[PipelineEvent]) -> None:
        nonlocal total
        for event in events:
            if isinstance(event, TextSegmented):
                total = len(event.sentences)
            elif (index := getattr(event, "sentence", None)) is not None:
                seen.add(index)
        tell(len(seen), total)

    return listen
