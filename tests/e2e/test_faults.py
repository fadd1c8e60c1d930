"""What breaks in mid-check: workers, the web process, Redis, PostgreSQL. Nothing is lost, and nothing comes twice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from celery import Celery
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from detection.benchmarks.client import PageClient
from detection.benchmarks.scaled import Cluster

TEXT = (
    "The mill at Sorrel was built in 1894 by Ada Lind. It has twelve rooms and stands on the northern bank of the Arn. "
    "The mill employs 34 people. It has been a museum since 1990."
)
CHECKS_AT_ONCE = 2
SETTLED = ("unit.done", "unit.failed", "unit.skipped")


@dataclass
class Tally:
    """What all faults together did."""

    faults: int = 0
    checks: int = 0
    units: int = 0
    lost: int = 0
    doubled: int = 0
    calls: int = 0
    calls_repeated: int = 0


@pytest.fixture(scope="module")
def tally(request: pytest.FixtureRequest) -> Iterator[Tally]:
    counted = Tally()
    yield counted
    request.config.pluginmanager.getplugin("terminalreporter").write_line(f"\n{counted}")


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

    def has_seen(self, seq: int, timeout_s: float = 60) -> bool:
        deadline = time.monotonic() + timeout_s
        while not (self.seqs and self.seqs[-1] == seq) and time.monotonic() < deadline:
            time.sleep(0.05)
        self._finished.set()
        return self.seqs[-1:] == [seq]


def _wait_for(cluster: Cluster, query: str, expected: int, timeout_s: float = 240) -> None:
    deadline = time.monotonic() + timeout_s
    while cluster.database.rows(query)[0][0] != expected:
        assert not cluster.database.rows("SELECT error FROM detection_check WHERE state = 'failed'")
        assert time.monotonic() < deadline, f"never {expected}: {query}\n{cluster.logs()[-4000:]}"
        time.sleep(0.05)


def _kill_a_worker(cluster: Cluster) -> None:
    cluster.long_workers[0].kill()


def _kill_all_workers(cluster: Cluster) -> None:
    for worker in cluster.workers:
        worker.kill()


def _kill_the_web_process(cluster: Cluster) -> None:
    cluster.web.kill()


def _restart_redis_empty(cluster: Cluster) -> None:
    cluster.redis.kill()
    cluster.redis.start()


def _restart_postgresql(cluster: Cluster) -> None:
    cluster.database.cut()
    cluster.database.start()


def _deliver_every_task_twice(cluster: Cluster) -> None:
    with Celery(broker=cluster.redis.url) as celery:
        for (check_id,) in cluster.database.rows("SELECT id FROM detection_check WHERE state = 'running'"):
            for _ in range(2):
                celery.send_task("detection.run_check", (str(check_id),), queue="long")


def _halt_a_worker(cluster: Cluster) -> None:
    cluster.long_workers[0].halt()


FAULTS: tuple[Callable[[Cluster], None], ...] = (
    _deliver_every_task_twice,
    _halt_a_worker,
    _kill_a_worker,
    _kill_the_web_process,
    _restart_redis_empty,
    _restart_postgresql,
    _kill_all_workers,
)


@pytest.mark.parametrize("inject", FAULTS, ids=lambda inject: inject.__name__.strip("_").replace("_", " "))
def test_nothing_is_lost_and_nothing_comes_twice(
    cluster: Cluster, tally: Tally, inject: Callable[[Cluster], None]
) -> None:
    followers = {}
    for _ in range(CHECKS_AT_ONCE):
        author = PageClient(cluster.web.url)
        check_id = author.send_check(text=TEXT, engine="llm")
        followers[check_id] = Follower(author, cluster, check_id)
    ours = "parent_check_id IN ({})".format(", ".join(f"'{check_id}'" for check_id in followers))
    enough = f"SELECT count(*) FROM (SELECT 1 FROM detection_modelcall WHERE {ours} AND answers IS NOT NULL GROUP BY parent_check_id HAVING count(*) >= 3) AS under_way"  # noqa: E501
    _wait_for(cluster, enough, CHECKS_AT_ONCE)
    states = cluster.database.rows("SELECT state FROM detection_check WHERE state = 'running'")
    assert len(states) == CHECKS_AT_ONCE, "the fault comes too late to prove anything"

    inject(cluster)
    for process in (cluster.web, *cluster.workers):
        if not process.is_running():
            process.start(wait=False)
    mine = ours.replace("parent_check_id", "id")
    _wait_for(cluster, f"SELECT count(*) FROM detection_check WHERE {mine} AND state = 'done'", CHECKS_AT_ONCE)
    for process in cluster.workers:
        process.go_on()
    for process in (cluster.web, *cluster.workers):
        process.wait_until_ready()

    seqs = cluster.database.rows(
        f"SELECT parent_check_id, array_agg(seq ORDER BY seq) FROM detection_checkevent WHERE {ours} GROUP BY 1"
    )
    for check_id, numbers in seqs:
        assert numbers == list(range(1, len(numbers) + 1))
        follower = followers[str(check_id)]
        assert follower.has_seen(numbers[-1])
        assert follower.seqs == sorted(set(follower.seqs)), "a page was sent something twice, or out of order"

    units = cluster.database.rows(f"SELECT count(*) FROM detection_unit WHERE {ours}")[0][0]
    settled = cluster.database.rows(
        f"SELECT count(*) FROM detection_checkevent WHERE {ours} AND type = ANY(%s) GROUP BY parent_check_id, payload->>'sentence', payload->>'detector'",  # noqa: E501
        list(SETTLED),
    )
    calls = cluster.database.rows(
        f"SELECT count(*) FROM detection_modelcall WHERE {ours} AND outcome = 'answered' GROUP BY parent_check_id, key"
    )
    tally.faults += 1
    tally.checks += len(followers)
    tally.units += units
    tally.lost += units - len(settled)
    tally.doubled += sum(count - 1 for (count,) in settled)
    tally.calls += sum(count for (count,) in calls)
    tally.calls_repeated += sum(count - 1 for (count,) in calls)
    assert units > 0
    assert (tally.lost, tally.doubled, tally.calls_repeated) == (0, 0, 0)
    assert "sk-of-the-cluster" not in cluster.logs()
    assert not any(word in cluster.logs() for word in ("Sorrel", "northern bank")), "a text stands in a log"
