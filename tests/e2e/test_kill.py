"""Power cuts and full disks: the single process is killed during a check, or cannot write, and then continues."""

from __future__ import annotations

import resource
import threading
import time
from collections import Counter
from collections.abc import Iterator

import httpx2
import lxml.html
import pytest

from detection.lab.benchmarks.client import PageClient
from detection.lab.benchmarks.server import Server
from detection.lab.benchmarks.texts import SOURCE, TEXT
from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.scripts import contradicting
from tests.fakes.writing import BASIN, CRANE, FOUNDED, PROMPT, TRUE, GatedModel, is_validation, is_writing, prefix_of
from tests.fakes.writing import SOURCE as WRITING_SOURCE
from tests.servers import server_with_model
from tests.waiting import PATIENCE_S

KILLS = 3
_ROOM_FOR_LOG = 50_000
SETTLED = ("unit.done", "unit.failed", "unit.skipped")


@pytest.fixture(scope="module")
def server(models: ModelServer) -> Iterator[Server]:
    """One for all tests of the module: each leaves it running, with nothing to do."""
    with server_with_model(
        models,
        CHATPROTECT_LLM_MAX_CONCURRENCY="4",
        CHATPROTECT_LEASE_SECONDS="8",
        CHATPROTECT_UPKEEP_SECONDS="1",
    ) as running:
        yield running


def _wait_for(
    server: Server, condition: str, row_id: str = "", *, table: str = "check", timeout_s: float = 180
) -> None:
    """Until the row is so; any row where none is named."""
    query = f"SELECT 1 FROM detection_{table} WHERE {condition}" + (" AND id = ?" if row_id else "")
    parameters = [row_id.replace("-", "")] if row_id else []
    deadline = time.monotonic() + timeout_s
    while not server.rows(query, *parameters):
        assert time.monotonic() < deadline, f"never: {condition}"
        time.sleep(0.02)


def _events(server: Server, check_id: str, *types: str) -> list[tuple[object, ...]]:
    marks = ",".join("?" * len(types))
    query = f"SELECT seq, type, payload FROM detection_checkevent WHERE parent_check_id = ? AND type IN ({marks})"
    return server.rows(f"{query} ORDER BY seq", check_id.replace("-", ""), *types)


def _assert_each_unit_is_settled_once(server: Server, check_id: str) -> int:
    """The number of units."""
    key = check_id.replace("-", "")
    ((units,),) = server.rows("SELECT count(*) FROM detection_unit WHERE parent_check_id = ?", key)
    settled = Counter(payload for _seq, _type, payload in _events(server, check_id, *SETTLED))
    assert len(settled) == units
    assert set(settled.values()) == {1}
    numbers = server.rows("SELECT seq FROM detection_checkevent WHERE parent_check_id = ? ORDER BY seq", key)
    assert [seq for (seq,) in numbers] == list(range(1, len(numbers) + 1))
    return len(settled)


def test_one_data_folder_serves_one_server(server: Server) -> None:
    second = Server(server.data_dir)
    with pytest.raises(RuntimeError, match="Another server is already using"):
        second.start()


def test_a_check_survives_a_server_killed_with_9(server: Server) -> None:
    author = PageClient(server.url)
    check_id = author.send_check(text=TEXT, source=SOURCE)
    _wait_for(server, "last_seq > 8", check_id)
    server.kill()
    first_half = len(_events(server, check_id, *SETTLED))
    server.start()
    _wait_for(server, "state = 'done'", check_id)
    assert first_half < _assert_each_unit_is_settled_once(server, check_id), "killed too late to prove anything"
    assert len(_events(server, check_id, "check.interrupted")) == 1
    assert 'aria-busy="true"' not in author.get(f"/checks/{check_id}/")


def test_what_a_language_model_has_answered_is_not_asked_again_after_a_kill(
    server: Server, models: ModelServer
) -> None:
    answered: list[tuple[str, int]] = []
    killed = threading.Event()

    def held(asked: Asked) -> Reply:
        """The first answers come at once; those after them, when nobody waits for them any more."""
        if len(answered) >= 12:
            killed.wait(timeout=60)
        answered.append((asked.prompt, asked.samples))
        return contradicting(asked)

    before = len(models.asked)
    with answering(models, held):
        check_id = PageClient(server.url).send_check(text=TEXT, engine="llm")
        kept = "(SELECT count(*) FROM detection_modelcall WHERE answers IS NOT NULL)"
        _wait_for(server, f"{kept} >= 8", check_id)
        server.kill()
        asked = len(models.asked) - before
        ((stored,),) = server.rows(f"SELECT {kept}")
        killed.set()
        server.start()
        _wait_for(server, "state = 'done'", check_id)
    twice = sum(count - 1 for count in Counter(answered).values())
    assert isinstance(stored, int)
    assert 0 < stored < len(set(answered))
    assert twice <= asked - stored, "only the calls that were under way are made again"


def test_a_text_whose_server_was_killed_while_it_was_written_goes_on_with_the_next_sentence(
    server: Server, models: ModelServer
) -> None:
    model = GatedModel()
    with answering(models, model):
        author = PageClient(server.url)
        form = {"prompt": PROMPT, "engine": "llm", "validation": "search", "retriever": "library"}
        check_id = author.send_check(source=WRITING_SOURCE, **form)
        _wait_for(server, "state = 'repaired'", table="writtensentence")
        before = _text_on_page(author, check_id)
        server.kill()
        asked = len(models.asked)
        server.start()
        while not any(map(is_writing, models.asked[asked:])):
            time.sleep(0.02)
        assert _text_on_page(author, check_id) == before
        model.gate.set()
        _wait_for(server, "written_at IS NOT NULL", check_id)
        ((text,),) = server.rows("SELECT text FROM detection_check WHERE id = ?", check_id.replace("-", ""))
        _wait_for(server, "finished_at IS NOT NULL", check_id)
    again = models.asked[asked:]
    assert text == f"{FOUNDED} {CRANE} {TRUE} {BASIN}"
    assert [prefix_of(request) for request in again if is_writing(request)] == [f"{FOUNDED} {CRANE}"]
    assert not [request for request in again if is_validation(request)], "what was settled is not asked about again"


def _text_on_page(author: PageClient, check_id: str) -> str:
    text = lxml.html.fromstring(author.get(f"/checks/{check_id}/")).get_element_by_id("text")
    return " ".join(text.text_content().split())


def test_a_source_whose_server_was_killed_while_it_was_read_is_read_after_the_next_start(server: Server) -> None:
    PageClient(server.url).add_file("report.md", (SOURCE * 200).encode())
    _wait_for(server, "state = 'reading'", table="source")
    server.kill()
    assert server.rows("SELECT state, text FROM detection_source WHERE name = 'report.md'") == [("reading", "")]
    server.start()
    _wait_for(server, "name = 'report.md' AND state = 'ready' AND text != ''", table="source")
    assert server.rows("SELECT count(*) FROM detection_sourceupload") == [(0,)]


def test_a_full_disk_is_told_and_loses_nothing(server: Server) -> None:
    author = PageClient(server.url)
    check_id = author.send_check(text=TEXT, source=SOURCE)
    _wait_for(server, "last_seq > 8", check_id)
    # Nothing is written behind the end of the log any more, and little more of the log: the server gets the same error
    # as from a disk without room.
    size = server.log.stat().st_size + _ROOM_FOR_LOG
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    deadline = time.monotonic() + PATIENCE_S
    while b"nothing can be stored" not in server.log.read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    with pytest.raises(httpx2.HTTPStatusError) as refused:
        PageClient(server.url).send_check(text=TEXT)
    assert refused.value.response.status_code == 503
    assert "its disk is full" in refused.value.response.text
    assert 'aria-busy="true"' in author.get(f"/checks/{check_id}/"), "what is stored can be read"
    not_ready = httpx2.get(f"{server.url}/readyz", trust_env=False)
    assert not_ready.status_code == 503
    assert (not_ready.json()["disk"], not_ready.json()["database"]) == (False, True)
    assert [sentence.endswith("is full.") for sentence in not_ready.json()["wrong"]] == [True]
    stored = _events(server, check_id, *SETTLED)
    assert server.rows("PRAGMA integrity_check") == [("ok",)]

    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert httpx2.get(f"{server.url}/readyz", trust_env=False).status_code == 200
    _wait_for(server, "state = 'done'", check_id)
    assert _events(server, check_id, *SETTLED)[: len(stored)] == stored
    _assert_each_unit_is_settled_once(server, check_id)


def test_a_server_that_is_stopped_ends_at_once_and_goes_on_later(server: Server) -> None:
    check_id = PageClient(server.url).send_check(text=TEXT, source=SOURCE)
    _wait_for(server, "last_seq > 8", check_id)
    begun = time.monotonic()
    server.stop()
    assert time.monotonic() - begun < 20, server.log.read_text()[-6000:]  # with the stacks of threads that did not end
    _wait_for(server, "state = 'queued' AND attempts = 0", check_id, timeout_s=0)
    server.start()
    _wait_for(server, "state = 'done'", check_id)


def test_a_check_that_kills_its_server_again_and_again_is_given_up(server: Server) -> None:
    check_id = PageClient(server.url).send_check(text=TEXT, source=SOURCE)
    for attempt in range(1, KILLS + 1):
        _wait_for(server, f"attempts = {attempt} AND state = 'running'", check_id)
        server.kill()
        server.start()
    _wait_for(server, "state = 'failed' AND error = 'check_stopped 3'", check_id)
