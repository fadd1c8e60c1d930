"""Scenario ``local-check``: the time of a check in the running server, and its effect on other pages."""

from __future__ import annotations

import asyncio
import os
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ... import wiring
from ...core.control import never
from ...core.local_models.process import LocalModels
from ...core.local_models.remembering import RememberingModels
from ...core.ports import Ports
from ...core.run import pipeline
from ...core.run.collector import Collector
from ...core.types import NliPair, NliScore, SourceText
from ..forwarding_models import ForwardingModels
from .client import PageClient
from .processes import children, peak_memory
from .server import Server, running_server
from .texts import SOURCE, TEXT, TOPIC, as_new

RUNS = 7
PAGE_REQUESTS = 150


class CountingModels(ForwardingModels):
    """The local models, with counted pairs."""

    def __init__(self, models: LocalModels) -> None:
        super().__init__(models)
        self.pairs = 0

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        self.pairs += len(pairs)
        return await super().score(pairs)


def run() -> dict[str, Any]:
    """Start a server, check a text several times, and measure pages of another visitor meanwhile."""
    pairs = _pairs_of_one_check()
    with running_server() as server:
        return _measure(server, pairs)


def _measure(server: Server, pairs: int) -> dict[str, Any]:
    author, reader = PageClient(server.url), PageClient(server.url)
    cold = _time_check(server, author)
    quiet = [reader.seconds_to_get("/") for _ in range(PAGE_REQUESTS)]
    warm: list[CheckTimes] = []
    busy: list[float] = []
    finished = threading.Event()

    def read_pages() -> None:
        while not finished.is_set():
            busy.append(reader.seconds_to_get("/"))

    reading = threading.Thread(target=read_pages)
    reading.start()
    warm.extend(_time_check(server, author) for _ in range(RUNS))
    finished.set()
    reading.join()
    alone = [_time_check(server, author) for _ in range(RUNS)]
    seconds = statistics.median(times.total for times in alone)
    return {
        "scenario": "local-check",
        "cores": os.cpu_count(),
        "sentences": server.rows("SELECT count(*) FROM detection_sentence GROUP BY parent_check_id")[0][0],
        "source_words": len(SOURCE.split()),
        "wall_seconds": round(seconds, 3),
        "wall_seconds_cold": round(cold.total, 3),
        "wall_seconds_while_pages_are_read": round(statistics.median(times.total for times in warm), 3),
        "seconds_to_sentences": round(statistics.median(times.to_sentences for times in alone), 3),
        "seconds_to_first_warning": round(statistics.median(times.to_first_warning for times in alone), 3),
        "nli_pairs": pairs,
        "pairs_per_second": round(pairs / seconds, 1),
        "page_ms_quiet": _distribution(quiet),
        "page_ms_during_checks": _distribution(busy),
        "page_median_ratio": round(statistics.median(busy) / statistics.median(quiet), 2),
        "peak_memory_mib": {"server": peak_memory(server.pid), "models": sum(map(peak_memory, children(server.pid)))},
    }


@dataclass(frozen=True, slots=True)
class CheckTimes:
    """Seconds from the sending of the form, by the server's event log."""

    to_sentences: float
    to_first_warning: float
    total: float


def _time_check(server: Server, author: PageClient) -> CheckTimes:
    sent = time.time()
    text, source = as_new(TEXT, SOURCE)
    check_id = author.send_check(text=text, source=source, topic=TOPIC)
    times = server.wait_for_check(check_id)
    first_warning = times.get("finding.added", times["check.done"])
    return CheckTimes(times["check.segmented"] - sent, first_warning - sent, times["check.done"] - sent)


def _pairs_of_one_check() -> int:
    """How many pairs the NLI model judges for the text; the same in every run."""
    models = CountingModels(wiring.models_in_this_process())
    request = pipeline.CheckRequest(text=TEXT, sources=(SourceText("s", "source", SOURCE),), topic=TOPIC)
    asyncio.run(pipeline.run(request, Ports(models=RememberingModels(models)), Collector().report, cancelled=never))
    return models.pairs


def _distribution(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "median": round(statistics.median(ordered) * 1000, 2),
        "p95": round(ordered[int(len(ordered) * 0.95)] * 1000, 2),
        "requests": len(ordered),
    }
