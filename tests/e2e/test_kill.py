"""Power cuts: the server is killed in mid-check, and started again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import lxml.html
import pytest

from detection.benchmarks.client import PageClient
from detection.benchmarks.server import Server
from detection.benchmarks.texts import SOURCE, TEXT
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting
from tests.fakes.writing import BASIN, CRANE, FOUNDED, PROMPT, TRUE, GatedModel, is_validation, is_writing, prefix_of
from tests.fakes.writing import SOURCE as WRITING_SOURCE

LONG_TEXT = "\n\n".join(TEXT.replace("Tarnbridge", name) for name in ("Tarnbridge", "Harwick"))
KILLS = 3


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    running.start()
    yield running
    if running.is_running():
        running.stop()


def _wait_for(server: Server, condition: str, *, table: str = "check", timeout_s: float = 180) -> None:
    deadline = time.monotonic() + timeout_s
    while not server.rows(f"SELECT 1 FROM detection_{table} WHERE {condition}"):
        assert time.monotonic() < deadline, f"never: {condition}"
        time.sleep(0.02)


def _events(server: Server, *types: str) -> list[tuple[object, ...]]:
    marks = ",".join("?" * len(types))
    return server.rows(f"SELECT seq, type, payload FROM detection_checkevent WHERE type IN ({marks})", *types)


def test_a_check_survives_a_server_killed_with_9(server: Server) -> None:
    author = PageClient(server.url)
    check_id = author.send_check(text=LONG_TEXT, source=SOURCE)
    _wait_for(server, "last_seq > 8")
    server.kill()
    first_half = len(_events(server, "unit.done", "unit.skipped"))
    server.start()
    _wait_for(server, "state = 'done'")

    units = server.rows("SELECT count(*) FROM detection_unit")[0][0]
    settled = Counter(payload for _seq, _type, payload in _events(server, "unit.done", "unit.failed", "unit.skipped"))
    assert first_half < units, "the server was killed too late to prove anything"
    assert len(settled) == units
    assert set(settled.values()) == {1}
    seqs = [row[0] for row in server.rows("SELECT seq FROM detection_checkevent ORDER BY seq")]
    assert seqs == list(range(1, len(seqs) + 1))
    assert [row[1] for row in _events(server, "check.interrupted")] == ["check.interrupted"]
    assert "aria-busy" not in author.get(f"/checks/{check_id}/")


def test_what_a_language_model_has_answered_is_not_asked_again_after_a_kill(tmp_path: Path) -> None:
    answered: list[tuple[str, int]] = []

    def slow(asked: Asked) -> Reply:
        reply = contradicting(asked)
        time.sleep(0.3)
        answered.append((asked.prompt, asked.samples))
        return reply

    with ModelServer(slow).running() as models:
        server = Server(
            tmp_path,
            CHATPROTECT_LLM_BASE_URL=models.base_url,
            CHATPROTECT_GENERATOR_MODEL="some-model",
            CHATPROTECT_LLM_MAX_CONCURRENCY="4",
            CHATPROTECT_ENGINE="llm",
        )
        server.start()
        PageClient(server.url).send_check(text=TEXT, source="")
        while len(answered) < 12:
            time.sleep(0.02)
        server.kill()
        time.sleep(1)  # what was on its way to the model arrives
        asked = len(models.asked)
        ((stored,),) = server.rows("SELECT count(*) FROM detection_modelcall WHERE answers IS NOT NULL")
        server.start()
        _wait_for(server, "state = 'done'")
        server.stop()
    twice = sum(count - 1 for count in Counter(answered).values())
    assert isinstance(stored, int)
    assert 0 < stored < len(set(answered))
    assert twice <= asked - stored, "only the calls that were under way are made again"


def test_a_text_whose_server_was_killed_while_it_was_written_goes_on_with_the_next_sentence(tmp_path: Path) -> None:
    model = GatedModel()
    with ModelServer(model).running() as models:
        server = Server(tmp_path, CHATPROTECT_LLM_BASE_URL=models.base_url, CHATPROTECT_GENERATOR_MODEL="some-model")
        server.start()
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
        _wait_for(server, "written_at IS NOT NULL")
        ((text,),) = server.rows("SELECT text FROM detection_check")
        server.stop()
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
    assert server.rows("SELECT state, text FROM detection_source") == [("reading", "")]
    server.start()
    _wait_for(server, "state = 'ready' AND text != ''", table="source")
    assert server.rows("SELECT count(*) FROM detection_sourceupload") == [(0,)]


def test_a_check_that_kills_its_server_again_and_again_is_given_up(server: Server) -> None:
    PageClient(server.url).send_check(text=LONG_TEXT, source=SOURCE)
    for attempt in range(1, KILLS + 1):
        _wait_for(server, f"attempts = {attempt} AND state = 'running'")
        server.kill()
        server.start()
    _wait_for(server, "state = 'failed'")
    assert "stopped 3 times" in str(server.rows("SELECT error FROM detection_check")[0][0])


def test_a_server_that_is_stopped_ends_at_once_and_goes_on_later(server: Server) -> None:
    PageClient(server.url).send_check(text=LONG_TEXT, source=SOURCE)
    _wait_for(server, "last_seq > 8")
    begun = time.monotonic()
    server.stop()
    assert time.monotonic() - begun < 20
    assert server.rows("SELECT state, attempts FROM detection_check") == [("queued", 0)]
    server.start()
    _wait_for(server, "state = 'done'")


def test_one_data_folder_serves_one_server(server: Server) -> None:
    second = Server(server.data_dir)
    with pytest.raises(RuntimeError, match="Another server is already using"):
        second.start()
