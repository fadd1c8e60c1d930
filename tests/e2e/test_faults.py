"""Faults during checks: workers, the web process, Redis, PostgreSQL, clocks. Nothing is lost or duplicated.

``FAULT_REPEATS=20 FAULT_OUTAGE_SECONDS=30 python -m pytest tests/e2e/test_faults.py`` injects each fault twenty times,
including the slow ones.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from celery import Celery
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from chatprotect_web.watchdog import EXIT_STATUS
from detection.lab.benchmarks.client import PageClient
from detection.lab.benchmarks.processes import children
from detection.lab.benchmarks.scaled import Cluster, Worker
from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.scripts import contradicting
from tests.fakes.writing import (
    BASIN,
    CRANE,
    FOUNDED,
    PROMPT,
    SOURCE,
    TRUE,
    GatedModel,
    is_validation,
    is_writing,
    prefix_of,
)
from tests.waiting import PATIENCE_S

TEXT = (
    "The mill at Sorrel was built in 1894 by Ada Lind. It has twelve rooms and stands on the northern bank of the Arn. "
    "The mill employs 34 people."
)
ANSWERS_BEFORE = 3
SETTLED = ("unit.done", "unit.failed", "unit.skipped")
#: Each fault once; more often, and a longer outage, for who wants to be sure.
REPEATS = int(os.environ.get("FAULT_REPEATS", "1"))
OUTAGE_S = float(os.environ.get("FAULT_OUTAGE_SECONDS", "5"))
HOUR_S = 3600
#: After Redis is back; this machine may be busy with other tests.
GOES_ON_S = 30
NO_ANSWER = "no answer of the local models"


@dataclass
class Tally:
    """The totals of all faults."""

    faults: int = 0
    checks: int = 0
    units: int = 0
    lost: int = 0
    doubled: int = 0
    calls: int = 0
    calls_repeated: int = 0
    asked: int = 0
    """What the endpoint counts."""
    unstored: int = 0
    """Of these, the calls whose answer was not stored and which are paid for twice."""


@dataclass(frozen=True)
class Fault:
    """A fault. With ``while_waiting`` the runs wait for answers until it has happened."""

    inject: Callable[[Cluster], None]
    while_waiting: bool = False
    workers_stay: bool = False

    def __str__(self) -> str:
        return self.inject.__name__.replace("_", " ")


class Gate:
    """A language model that answers the first questions about each place, and the others once it is opened."""

    def __init__(self, places: Sequence[str]) -> None:
        self._places = places
        self._answered: Counter[str] = Counter()
        self._opened = threading.Event()
        self._lock = threading.Lock()

    def open(self) -> None:
        self._opened.set()

    def __call__(self, asked: Asked) -> Reply:
        place = next((name for name in self._places if name in asked.prompt), "")
        with self._lock:
            self._answered[place] += 1
            is_first = self._answered[place] <= ANSWERS_BEFORE
        if not is_first:
            self._opened.wait(timeout=120)
        time.sleep(0.1)
        return contradicting(asked)


@pytest.fixture(scope="module")
def tally(request: pytest.FixtureRequest) -> Iterator[Tally]:
    counted = Tally()
    yield counted
    plugins = request.config.pluginmanager
    with plugins.getplugin("capturemanager").global_and_fixture_disabled():
        plugins.getplugin("terminalreporter").write_line(f"\n{counted}")


class Follower(threading.Thread):
    """A page that stays open: it follows a check, and comes back when it loses the connection."""

    def __init__(self, author: PageClient, cluster: Cluster, check_id: str) -> None:
        super().__init__(daemon=True)
        self.seqs: list[int] = []
        self._address = cluster.web.url.replace("http", "ws", 1) + f"/ws/checks/{check_id}/"
        self._headers = {"Cookie": author.cookies}
        self._origin = cluster.web.url
        self._finished = threading.Event()
        self.start()

    def run(self) -> None:
        while not self._finished.wait(0.2):
            since = self.seqs[-1] if self.seqs else 0
            try:
                with connect(
                    f"{self._address}?since={since}", additional_headers=self._headers, origin=self._origin, proxy=None
                ) as socket:
                    while not self._finished.is_set():
                        try:
                            self.seqs.append(json.loads(socket.recv(timeout=0.5))["seq"])
                        except TimeoutError:
                            continue
            except (OSError, WebSocketException):
                continue

    def has_seen(self, seq: int, timeout_s: float = PATIENCE_S) -> bool:
        deadline = time.monotonic() + timeout_s
        while not (self.seqs and self.seqs[-1] == seq) and time.monotonic() < deadline:
            time.sleep(0.05)
        self._finished.set()
        return self.seqs[-1:] == [seq]


def _wait_for(cluster: Cluster, query: str, expected: int, timeout_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + timeout_s
    while cluster.database.rows(query)[0][0] != expected:
        assert not cluster.database.rows("SELECT error FROM detection_check WHERE state = 'failed'")
        assert time.monotonic() < deadline, f"never {expected}: {query}\n{cluster.logs()[-4000:]}"
        time.sleep(0.1)


def _workers_outlive(cluster: Cluster) -> None:
    """What a fault of Redis must not do, however late it shows."""
    assert all(worker.is_running() for worker in cluster.workers), cluster.logs()[-4000:]


def kill_a_worker(cluster: Cluster) -> None:
    cluster.long_workers[0].kill()


def kill_all_workers(cluster: Cluster) -> None:
    for worker in cluster.workers:
        worker.kill()


def kill_the_web_process(cluster: Cluster) -> None:
    cluster.web.kill()


def restart_redis_empty(cluster: Cluster) -> None:
    """Under work in hand; a check that is sent meanwhile begins soon after it is back."""
    cluster.redis.kill()
    began = time.monotonic()
    check_id = PageClient(cluster.web.url).send_check(text="It has two gates.")
    time.sleep(max(0.0, OUTAGE_S - (time.monotonic() - began)))
    cluster.redis.start()
    back = time.monotonic()
    _wait_for(cluster, f"SELECT count(*) FROM detection_check WHERE id = '{check_id}' AND started_at IS NULL", 0)
    assert time.monotonic() - back < GOES_ON_S


def redis_does_not_answer(cluster: Cluster) -> None:
    """Whoever comes meanwhile can send a text all the same."""
    cluster.redis.halt()
    began = time.monotonic()
    try:
        PageClient(cluster.web.url).send_check(text=TEXT, engine="llm")
        time.sleep(max(0.0, OUTAGE_S - (time.monotonic() - began)))
    finally:
        cluster.redis.go_on()


def restart_postgresql(cluster: Cluster) -> None:
    cluster.database.cut()
    time.sleep(OUTAGE_S)
    cluster.database.start()


def deliver_every_task_twice(cluster: Cluster) -> None:
    # Not as the current application: other tests of this process send their messages with that one.
    with Celery(broker=cluster.redis.url, set_as_current=False) as celery:
        for (check_id,) in cluster.database.rows("SELECT id FROM detection_check WHERE state = 'running'"):
            for _ in range(2):
                celery.send_task("detection.run_check", (str(check_id),), queue="long")


def halt_a_worker(cluster: Cluster) -> None:
    """Until the others have taken over."""
    cluster.long_workers[0].halt()


def hang_a_thread(cluster: Cluster) -> None:
    """What a run waits for never comes; its worker notices that, and ends itself."""
    worker = cluster.long_workers[0]
    hanging: set[int] = set()
    while not hanging:
        hanging = _halt_idle_connections(cluster, worker.name)
    assert worker.wait_for_end() == EXIT_STATUS
    for pid in hanging:
        os.kill(pid, signal.SIGCONT)


def hang_the_local_models(cluster: Cluster) -> None:
    """Their process is there and does not answer; the workers end it, and ask a new one."""
    told = cluster.logs().count(NO_ANSWER)
    halted = [pid for worker in cluster.long_workers for pid in children(worker.pid)]
    for pid in halted:
        os.kill(pid, signal.SIGSTOP)
    deadline = time.monotonic() + PATIENCE_S
    while cluster.logs().count(NO_ANSWER) == told:
        assert time.monotonic() < deadline, "nobody has noticed"
        time.sleep(0.1)
    for pid in halted:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _halt_idle_connections(cluster: Cluster, name: str) -> set[int]:
    """The suspended processes of PostgreSQL; none if one of them is in a transaction and holds locks."""
    mine = "SELECT pid FROM pg_stat_activity WHERE application_name = %s"
    halted = {pid for (pid,) in cluster.database.rows(mine, name)}
    for pid in halted:
        os.kill(pid, signal.SIGSTOP)
    if halted and not cluster.database.rows(f"{mine} AND state <> 'idle'", name):
        return halted
    for pid in halted:
        os.kill(pid, signal.SIGCONT)
    return set()


def migrate_to_a_later_version(cluster: Cluster) -> None:
    """Migrates while this version serves; it continues with the new tables and accepts texts."""
    command = [sys.executable, "-m", "tests.fakes.later_version"]
    with subprocess.Popen(command, env=cluster.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as later:
        assert later.stdout
        assert later.stdout.readline() == b"applied\n"
        PageClient(cluster.web.url).send_check(text=TEXT, engine="llm")
        later.communicate()
    assert later.returncode == 0


def set_the_clock_forward(cluster: Cluster) -> None:
    assert cluster.clock
    cluster.clock.move(HOUR_S)


def set_the_clock_back(cluster: Cluster) -> None:
    assert cluster.clock
    cluster.clock.move(0)


#: The clock is right again after the two that set it.
FAULTS = (
    Fault(migrate_to_a_later_version),
    Fault(deliver_every_task_twice),
    Fault(halt_a_worker),
    Fault(hang_a_thread, while_waiting=True),
    Fault(kill_a_worker),
    Fault(kill_the_web_process),
    Fault(restart_redis_empty, workers_stay=True),
    Fault(redis_does_not_answer, workers_stay=True),
    Fault(restart_postgresql),
    Fault(set_the_clock_forward),
    Fault(set_the_clock_back),
    Fault(kill_all_workers),
    *([Fault(hang_the_local_models)] if REPEATS > 1 else []),
)


@pytest.mark.parametrize("fault", FAULTS * REPEATS, ids=str)
def test_nothing_is_lost_and_nothing_comes_twice(
    cluster: Cluster, cluster_models: ModelServer, tally: Tally, fault: Fault
) -> None:
    # Mills at places that no other check has: a worker that wakes up late may still ask about those of the last fault.
    places = [f"Sorrel{chr(ord('a') + tally.faults % 26)}{ending}" for ending in ("by", "ham")]
    gate = Gate(places)
    asked, stored = len(cluster_models.asked), _stored_answers(cluster)
    with answering(cluster_models, gate):
        followers = _start_checks(cluster, places)
        if not fault.while_waiting:
            gate.open()
        fault.inject(cluster)
        gate.open()
        for process in () if fault.workers_stay else (cluster.web, *cluster.workers):
            if not process.is_running():
                process.start(wait=False)
        _wait_for(cluster, "SELECT count(*) FROM detection_check WHERE state <> 'done'", 0)
    if fault.workers_stay:
        _workers_outlive(cluster)
    for process in cluster.workers:
        process.go_on()
    for process in (cluster.web, *cluster.workers):
        process.wait_until_ready()
    _assert_pages_have_seen_everything_once(cluster, followers)
    _count(cluster, tally, list(followers))
    asked, stored = len(cluster_models.asked) - asked, _stored_answers(cluster) - stored
    tally.faults += 1
    tally.asked += asked
    tally.unstored += asked - stored
    # Where no process ends and no run is taken over, the endpoint answers nothing that is not stored.
    assert asked == stored or not fault.workers_stay
    assert (tally.lost, tally.doubled, tally.calls_repeated) == (0, 0, 0)
    assert "sk-of-the-cluster" not in cluster.logs()
    assert not any(word in cluster.logs() for word in ("Sorrel", "northern bank")), "a text stands in a log"


@pytest.mark.skipif(REPEATS == 1, reason="takes long, and CI has it with one process (test_kill.py)")
@pytest.mark.parametrize("_round", range(REPEATS))
def test_a_text_whose_worker_is_killed_is_written_on_by_another(
    cluster: Cluster, cluster_models: ModelServer, tally: Tally, _round: int
) -> None:
    model = GatedModel()
    with answering(cluster_models, model):
        author = PageClient(cluster.web.url)
        check_id = author.send_check(
            prompt=PROMPT, source=SOURCE, engine="llm", validation="search", retriever="library"
        )
        follower = Follower(author, cluster, check_id)
        repaired = "SELECT count(*) FROM detection_writtensentence WHERE parent_check_id = '{}' AND state = 'repaired'"
        _wait_for(cluster, repaired.format(check_id), 1)
        (writer,) = (worker for worker in cluster.long_workers if _runs(worker, check_id))
        writer.kill()
        before = len(cluster_models.asked)
        (other,) = (worker for worker in cluster.long_workers if worker is not writer)
        deadline = time.monotonic() + PATIENCE_S
        while not any(map(is_writing, cluster_models.asked[before:])):
            assert time.monotonic() < deadline, cluster.logs()[-4000:]
            time.sleep(0.05)
        model.gate.set()
        _wait_for(cluster, "SELECT count(*) FROM detection_check WHERE state <> 'done'", 0)
        assert _runs(other, check_id)
        writer.start()
    ((text,),) = cluster.database.rows("SELECT text FROM detection_check WHERE id = %s", check_id)
    assert text == f"{FOUNDED} {CRANE} {TRUE} {BASIN}"
    again = cluster_models.asked[before:]
    assert [prefix_of(asked) for asked in again if is_writing(asked)] == [f"{FOUNDED} {CRANE}"]
    assert not any(map(is_validation, again)), "what was settled is not asked about again"
    _assert_pages_have_seen_everything_once(cluster, {check_id: follower})
    tally.faults += 1
    tally.checks += 1


def _stored_answers(cluster: Cluster) -> int:
    ((count,),) = cluster.database.rows("SELECT count(*) FROM detection_modelcall WHERE outcome = 'answered'")
    return int(str(count))


def _runs(worker: Worker, check_id: str) -> bool:
    return f"{check_id}: a run begins" in worker.log.read_text()


def _start_checks(cluster: Cluster, places: Sequence[str]) -> dict[str, Follower]:
    """Checks that all run, and wait for the gate to open; each with its page."""
    followers = {}
    for place in places:
        author = PageClient(cluster.web.url)
        check_id = author.send_check(text=TEXT.replace("Sorrel", place), engine="llm")
        followers[check_id] = Follower(author, cluster, check_id)
    under_way = (
        "SELECT count(*) FROM detection_check WHERE state = 'running' AND {} <= (SELECT count(*) "
        "FROM detection_modelcall WHERE parent_check_id = detection_check.id AND answers IS NOT NULL)"
    )
    _wait_for(cluster, under_way.format(ANSWERS_BEFORE), len(places))
    return followers


def _assert_pages_have_seen_everything_once(cluster: Cluster, followers: dict[str, Follower]) -> None:
    numbers_of = cluster.database.rows(
        "SELECT parent_check_id, array_agg(seq ORDER BY seq) FROM detection_checkevent "
        "WHERE parent_check_id = ANY(%s::uuid[]) GROUP BY 1",
        list(followers),
    )
    assert len(numbers_of) == len(followers)
    for check_id, numbers in numbers_of:
        assert numbers == list(range(1, len(numbers) + 1))
        follower = followers[str(check_id)]
        assert follower.has_seen(numbers[-1])
        assert follower.seqs == sorted(set(follower.seqs)), "a page was sent something twice, or out of order"


def _count(cluster: Cluster, tally: Tally, check_ids: list[str]) -> None:
    ours = "parent_check_id = ANY(%s::uuid[])"
    ((units,),) = cluster.database.rows(f"SELECT count(*) FROM detection_unit WHERE {ours}", check_ids)
    settled = cluster.database.rows(
        f"SELECT count(*) FROM detection_checkevent WHERE {ours} AND type = ANY(%s) "
        "GROUP BY parent_check_id, payload->>'sentence', payload->>'detector'",
        check_ids,
        list(SETTLED),
    )
    calls = cluster.database.rows(
        f"SELECT count(*) FROM detection_modelcall WHERE {ours} AND outcome = 'answered' GROUP BY parent_check_id, key",
        check_ids,
    )
    assert units > 0
    tally.checks += len(check_ids)
    tally.units += units
    tally.lost += units - len(settled)
    tally.doubled += sum(count - 1 for (count,) in settled)
    tally.calls += sum(count for (count,) in calls)
    tally.calls_repeated += sum(count - 1 for (count,) in calls)
