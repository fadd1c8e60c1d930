"""Scenario ``load``: many open pages whose checks are running, in several processes or in one.

At each level, a number of visitors send a text at the same time and leave their pages open. The benchmark measures
until the last check is done or the time is up. The visitors and the language model run in the benchmark's process.
"""

from __future__ import annotations

import html
import os
import re
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import httpx2
from django.conf import settings

from ...core.errors import DetectionError
from ...core.local_models.processor_time import processor_seconds
from .client import PageClient
from .processes import memory_share
from .sites import Site, Times, embedded_site, scaled_site
from .slow_model import slow_model
from .texts import TEXT, TOPIC

if TYPE_CHECKING:
    from .open_pages import OpenPage, OpenPages


class Mode(StrEnum):
    SCALED = "scaled"
    EMBEDDED = "embedded"


#: How many pages are open at each level, if nothing else is asked for.
PAGES = {Mode.SCALED: (50, 100, 200), Mode.EMBEDDED: (5, 10, 20)}
#: Of the language model, for a call of any length.
SECONDS_PER_CALL = 0.5
_SENDERS = 8
_PAUSE_OF_READER_S = 0.1
_CATCH_UP_S = 30.0
_ANSWERED = "SELECT count(*) FROM detection_modelcall WHERE outcome = 'answered'"
_NOTICE = re.compile(r'class="page__lede">(.*?)</p>', re.DOTALL)


#: All visitors come from this machine.
ALL_FROM_ONE_ADDRESS = {
    "CHATPROTECT_MAX_RUNNING_OF_ADDRESS": "1000",
    "CHATPROTECT_MAX_WAITING_OF_ADDRESS": "100000",
    "CHATPROTECT_MAX_CONNECTIONS_OF_ADDRESS": "0",
    "CHATPROTECT_DAILY_TOKENS_ADDRESS": "0",
}


@dataclass(frozen=True, slots=True)
class Load:
    """The options. Without ``base_url`` the benchmark provides the language model."""

    mode: Mode = Mode.SCALED
    pages: Sequence[int] = ()
    base_url: str = ""
    model: str = "chatgpt"
    """What the language model is called there; its key is that of the settings."""
    rest_s: float = 10.0
    """How long to look at a site on which nothing is checked."""
    level_s: float = 120.0
    """How long to wait for the checks of a level; what is unfinished then is stopped."""


def run(load: Load) -> dict[str, Any]:
    """Start the program with a new data folder and apply one level of load after the other.

    Raises:
        DetectionError: the test tools, Redis or PostgreSQL are missing, or the language model fails.
    """
    try:
        import websockets  # noqa: F401  # a test tool, which is not installed everywhere
    except ImportError:
        raise DetectionError("This benchmark needs the test tools. Run 'make test' once.") from None
    pages = sorted(load.pages or PAGES[load.mode])
    with ExitStack() as stack:
        base_url = load.base_url or stack.enter_context(slow_model(SECONDS_PER_CALL, 0)).url
        open_site = {Mode.SCALED: scaled_site, Mode.EMBEDDED: embedded_site}[load.mode]
        site = stack.enter_context(
            open_site(
                CHATPROTECT_LLM_BASE_URL=base_url,
                CHATPROTECT_LLM_API_KEY=settings.LLM_API_KEY if load.base_url else "benchmark",
                CHATPROTECT_GENERATOR_MODEL=load.model,
                CHATPROTECT_THROTTLE="0",  # all visitors come from one address
                CHATPROTECT_MAX_WAITING_ALL=str(pages[-1]),
                **ALL_FROM_ONE_ADDRESS,
            )
        )
        return {
            "scenario": "load",
            "mode": load.mode,
            "cores": os.cpu_count(),
            "load_average_before": round(os.getloadavg()[0], 1),
            "seconds_per_model_call": None if load.base_url else SECONDS_PER_CALL,
            **_measure(site, pages, load),
        }


def _measure(site: Site, counts: Sequence[int], load: Load) -> dict[str, Any]:
    from .open_pages import open_pages

    reader = Reader(site)
    with open_pages(site.url) as pages:
        quiet = _rest(site, reader, load.rest_s)
        levels = [measure_level(site, reader, pages, count, load) for count in counts]
        return {
            "quiet": quiet.as_json(),
            "levels": [level.as_json() for level in levels],
            "further_page": _further_page(quiet, levels),
            "at_the_limit": _refusal(site, counts[-1]),
        }


# --- What is measured -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rest:
    """A while in which nothing was checked. ``processors`` is how much of one was busy, by the part of the program."""

    page_ms: dict[str, Any]
    processors: dict[str, float]
    memory_mib: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        return {
            "page_ms": self.page_ms,
            "processors_busy": {part: round(share, 3) for part, share in self.processors.items()},
            "memory_mib": {part: round(mib) for part, mib in self.memory_mib.items()},
        }


@dataclass(frozen=True, slots=True)
class Level:
    """The load of one level; ``rest`` is measured with the pages open and all checks done."""

    pages: int
    seconds: float
    done: int
    event_ms: dict[str, float]
    page_ms: dict[str, Any]
    breaks: int
    behind: int
    processor_seconds: dict[str, float]
    stored_bytes: int
    rest: Rest

    def as_json(self) -> dict[str, Any]:
        return {
            "pages": self.pages,
            "seconds": round(self.seconds, 1),
            "checks_done": self.done,
            "checks_per_second": round(self.done / self.seconds, 2),
            "event_to_browser_ms": self.event_ms,
            "page_ms": self.page_ms,
            "connections_broken": self.breaks,
            "pages_that_missed_the_end": self.behind,
            "per_check": {
                "processor_seconds": {part: self._for_each(s, 2) for part, s in self.processor_seconds.items()},
                "stored_kib": self._for_each(self.stored_bytes / 1024, 0),
            },
            "with_open_pages_after_it": self.rest.as_json(),
        }

    def _for_each(self, total: float, digits: int) -> float | None:
        """Of the checks that are done: those that are half done are few beside them."""
        return round(total / self.done, digits) if self.done else None


class Reader:
    """Another visitor, who reads the start page and the page of a finished check in turn."""

    def __init__(self, site: Site) -> None:
        self._client = PageClient(site.url)
        check_id = self._client.send_check(text=TEXT, topic=TOPIC, engine="llm")  # the models are loaded with it
        self._paths = {"start": "/", "review": f"/checks/{check_id}/"}
        _wait_for_checks(site, 120)
        if not site.count(_ANSWERED):
            raise DetectionError("The language model has answered nothing. Try it with a check on the start page.")

    @contextmanager
    def reading(self) -> Iterator[dict[str, list[float]]]:
        """The seconds that each page took meanwhile."""
        seconds: dict[str, list[float]] = defaultdict(list)
        finished = threading.Event()

        def read() -> None:
            while not finished.is_set():
                for name, path in self._paths.items():
                    seconds[name].append(self._client.seconds_to_get(path))
                    finished.wait(_PAUSE_OF_READER_S)

        thread = threading.Thread(target=read)
        thread.start()
        try:
            yield seconds
        finally:
            finished.set()
            thread.join()


@dataclass
class Meter:
    """What the parts of a site compute, from now on."""

    site: Site
    _begun: float = field(default_factory=time.monotonic)
    _before: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._before = self._computed()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    def processor_seconds(self) -> dict[str, float]:
        return {part: seconds - self._before.get(part, 0.0) for part, seconds in self._computed().items()}

    def _computed(self) -> dict[str, float]:
        parts = {part: sum(map(processor_seconds, pids)) for part, pids in self.site.processes().items()}
        return {**parts, "visitors_and_model": processor_seconds(os.getpid())}


# --- One thing after the other ----------------------------------------------------------------------------------


def _rest(site: Site, reader: Reader, seconds: float) -> Rest:
    meter = Meter(site)
    with reader.reading() as page_seconds:
        time.sleep(seconds)
        computed, elapsed = meter.processor_seconds(), meter.seconds
    return Rest(
        _by_page(page_seconds),
        {part: seconds / elapsed for part, seconds in computed.items()},
        {part: sum(map(memory_share, pids)) for part, pids in site.processes().items()},
    )


def measure_level(site: Site, reader: Reader, pages: OpenPages, count: int, load: Load) -> Level:
    """Open this number of pages, each with its own check, and close them when all checks are done."""
    stored, meter = site.stored_bytes(), Meter(site)

    authors = [PageClient(site.url) for _ in range(count)]

    def visit(author: PageClient) -> None:
        check_id = author.send_check(text=TEXT, topic=TOPIC, engine="llm")
        pages.open(check_id, author.cookies, since=author.seq)

    with reader.reading() as page_seconds:
        with ThreadPoolExecutor(_SENDERS) as senders:
            list(senders.map(visit, authors))
        _wait_for_checks(site, load.level_s)
        seconds, computed, stored = meter.seconds, meter.processor_seconds(), site.stored_bytes() - stored
    times = site.event_times()
    opened = list(pages.pages)
    delays = [delay for page in opened for delay in _delays(page, times)]
    states = site.states()
    done = sum(states[_key(page)] == "done" for page in opened)
    _stop_the_rest(authors, opened, states)
    level = Level(
        pages=count,
        seconds=seconds,
        done=done,
        event_ms=_distribution(delays),
        page_ms=_by_page(page_seconds),
        breaks=sum(page.breaks for page in opened),
        behind=_pages_behind(opened, site.event_times()),
        processor_seconds=computed,
        stored_bytes=stored,
        rest=_rest(site, reader, load.rest_s),
    )
    pages.close()
    return level


def _wait_for_checks(site: Site, seconds: float) -> None:
    """Until all are done, or the time is up."""
    deadline = time.monotonic() + seconds
    while site.unfinished() and time.monotonic() < deadline:
        time.sleep(0.2)


def _stop_the_rest(authors: Sequence[PageClient], pages: Sequence[OpenPage], states: dict[str, str]) -> None:
    author_of = {author.cookies: author for author in authors}
    with ThreadPoolExecutor(_SENDERS) as senders:
        for page in pages:
            if states[_key(page)] in ("queued", "running"):
                senders.submit(author_of[page.cookies].cancel_check, page.check_id)


def _key(page: OpenPage) -> str:
    return page.check_id.replace("-", "")


def _pages_behind(pages: Sequence[OpenPage], times: Times) -> int:
    """The number of pages that have not received their last event after a while."""
    last: dict[str, int] = defaultdict(int)
    for check_id, seq in times:
        last[check_id] = max(seq, last[check_id])
    deadline = time.monotonic() + _CATCH_UP_S
    while True:
        behind = sum(page.seq < last[_key(page)] for page in pages)
        if not behind or time.monotonic() > deadline:
            return behind
        time.sleep(0.1)


def _delays(page: OpenPage, times: Times) -> Iterator[float]:
    """Seconds from the moment an event is written to its arrival, of the events that came while the page was open.

    The stored time of an event is from within its transaction, which therefore counts as delay.
    """
    seq = page.since
    for arrival in page.arrivals:
        for number in range(seq + 1, arrival.seq + 1):
            written_at = times[_key(page), number]
            if page.opened_at < written_at:
                yield arrival.at - written_at
        seq = arrival.seq


def _further_page(quiet: Rest, levels: Sequence[Level]) -> dict[str, float]:
    """The cost of an open page without events, in memory and processor time of its web process."""
    last = levels[-1]
    busier = sum(last.rest.processors.values()) - sum(quiet.processors.values())
    result = {"processor_ms_per_second": round(busier / last.pages * 1000, 2)}
    if len(levels) > 1:
        first = levels[0]
        larger = _serving(last.rest.memory_mib) - _serving(first.rest.memory_mib)
        result["memory_kib"] = round(larger * 1024 / (last.pages - first.pages))
    return result


def _serving(parts: dict[str, float]) -> float:
    return next(parts[name] for name in ("web", "server") if name in parts)


def _refusal(site: Site, limit: int) -> dict[str, Any]:
    """Send more checks than the server accepts, and return the first refusal."""
    answers: list[httpx2.Response] = []

    def send(author: PageClient) -> bool:
        if answers:
            return False
        try:
            author.send_check(text=TEXT, topic=TOPIC, engine="llm")
        except httpx2.HTTPStatusError as error:
            answers.append(error.response)
            return False
        return True

    with ThreadPoolExecutor(_SENDERS) as senders:
        accepted = sum(senders.map(send, [PageClient(site.url) for _ in range(3 * limit + _SENDERS)]))
    told = _NOTICE.search(answers[0].text) if answers else None
    return {
        "unfinished_checks_at_most": limit,
        "accepted": accepted,
        "status": answers[0].status_code if answers else None,
        "told": html.unescape(told[1].strip()) if told else "",
    }


def _by_page(seconds: dict[str, list[float]]) -> dict[str, Any]:
    return {name: _distribution(values) for name, values in seconds.items()}


def _distribution(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    if not ordered:
        return {"times": 0}
    return {
        "median": round(statistics.median(ordered) * 1000, 1),
        "p95": round(ordered[int(len(ordered) * 0.95)] * 1000, 1),
        "most": round(ordered[-1] * 1000, 1),
        "times": len(ordered),
    }
