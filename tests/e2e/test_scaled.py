"""The same program on Redis and PostgreSQL, in processes of their own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import quote

import httpx2
import psycopg
import pytest

from chatprotect_web.database import from_url
from detection.lab.benchmarks.client import PageClient
from detection.lab.benchmarks.scaled import Cluster
from detection.lab.benchmarks.server import ROOT
from detection.lab.benchmarks.texts import SOURCE
from tests.e2e.test_faults import TEXT
from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.page_server import PageServer
from tests.fakes.scripts import slowly
from tests.waiting import PATIENCE_S

#: A null character and two halves of characters.
BAD = "\0\ud800\udfff"


def _get(url: str, **headers: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _state(cluster: Cluster, check_id: str) -> str:
    ((state,),) = cluster.database.rows("SELECT state FROM detection_check WHERE id = %s", check_id)
    return str(state)


def _wait_for_state(cluster: Cluster, check_id: str, *states: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while _state(cluster, check_id) not in states:
        assert time.monotonic() < deadline, cluster.logs()[-4000:]
        time.sleep(0.05)


def stuck(asked: Asked) -> Reply:
    time.sleep(2)
    return slowly(asked)


def test_a_short_check_does_not_wait_for_long_ones(cluster: Cluster, cluster_models: ModelServer) -> None:
    with answering(cluster_models, stuck):
        long_checks = [PageClient(cluster.web.url).send_check(text=TEXT, engine="llm") for _ in range(4)]
        author = PageClient(cluster.web.url)
        short_check = author.send_check(text=TEXT, source=SOURCE, engine="local")
        _wait_for_state(cluster, short_check, "done", "failed")
        assert _state(cluster, short_check) == "done"
        assert {_state(cluster, check_id) for check_id in long_checks} == {"running", "queued"}
    assert "aria-busy" not in author.get(f"/checks/{short_check}/")
    for check_id in long_checks:
        _wait_for_state(cluster, check_id, "done")


def test_nobody_takes_every_worker(cluster: Cluster) -> None:
    author = PageClient(cluster.web.url)
    first, second = (author.send_check(text=TEXT, engine="llm") for _ in range(2))
    _wait_for_state(cluster, first, "running")
    assert _state(cluster, second) == "queued"  # the cluster runs one check of a person at a time
    assert "Waiting: no more than 1 of your checks runs at a time" in author.get(f"/checks/{second}/")
    _wait_for_state(cluster, second, "done")
    runs = cluster.database.rows(
        "SELECT started_at, finished_at FROM detection_check WHERE id = ANY(%s::uuid[]) ORDER BY started_at",
        [first, second],
    )
    assert runs[0][1] <= runs[1][0]


def test_workers_that_are_stopped_hand_over_what_they_were_doing(cluster: Cluster, cluster_models: ModelServer) -> None:
    with answering(cluster_models, stuck):
        check_id = PageClient(cluster.web.url).send_check(text=TEXT, engine="llm")
        _wait_for_state(cluster, check_id, "running")
        for worker in cluster.long_workers:
            worker.ask_to_stop()
        assert [worker.wait_for_end() for worker in cluster.long_workers] == [0, 0]
    assert cluster.database.rows("SELECT state, attempts FROM detection_check WHERE id = %s", check_id) == [
        ("queued", 0)
    ]
    for worker in cluster.long_workers:
        worker.start(wait=False)
    _wait_for_state(cluster, check_id, "done")


def test_probes_tell_what_is_missing_and_nothing_else(cluster: Cluster) -> None:
    assert _get(f"{cluster.web.url}/healthz") == (200, '{"alive": true}')
    status, ready = _get(f"{cluster.web.url}/readyz", Host="10.0.0.7")
    works = {"database": True, "disk": True, "models": True, "redis": True, "wrong": []}
    assert (status, json.loads(ready)) == (200, works)
    cluster.redis.kill()
    try:
        status, ready = _get(f"{cluster.web.url}/readyz")
        assert (status, json.loads(ready)) == (503, {**works, "redis": False, "wrong": ["Redis does not answer."]})
        assert _get(f"{cluster.web.url}/healthz")[0] == 200
    finally:
        cluster.redis.start()


def test_a_migration_gives_up_where_a_table_is_in_use_and_changes_nothing(cluster: Cluster) -> None:
    command = [sys.executable, "manage.py", "migrate", "--skip-checks", "--lock-timeout", "1", "sessions", "zero"]
    with psycopg.connect(cluster.database.url) as somebody:  # who makes a backup
        somebody.execute("LOCK TABLE django_session IN ACCESS SHARE MODE")
        done = subprocess.run(
            command, cwd=ROOT, env=cluster.environment, capture_output=True, text=True, check=False, timeout=60
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("CommandError: A table was in use for more than 1 seconds")
    assert cluster.database.rows("SELECT name FROM django_migrations WHERE app = 'sessions'") == [("0001_initial",)]


@pytest.mark.parametrize("token", ["", "Bearer wrong"])
def test_figures_are_for_operators(cluster: Cluster, token: str) -> None:
    assert _get(f"{cluster.web.url}/metrics", Authorization=token)[0] == 401


def test_figures_are_told_to_prometheus(cluster: Cluster) -> None:
    status, figures = _get(f"{cluster.web.url}/metrics", Authorization="Bearer token-of-the-cluster")
    assert status == 200
    assert re.search(
        r'^chatprotect_requests_total\{method="POST",status="302",view="check_create"\} [1-9]', figures, re.M
    )
    assert re.search(r"^chatprotect_oldest_waiting_seconds \d", figures, re.M)


def test_log_lines_are_json_and_say_which_check_they_are_about(cluster: Cluster) -> None:
    check_id = PageClient(cluster.web.url).send_check(text=TEXT, engine="llm")
    _wait_for_state(cluster, check_id, "running")
    cluster.redis.kill()
    cluster.redis.start()
    _wait_for_state(cluster, check_id, "done")
    lines = [json.loads(line) for line in cluster.logs().splitlines() if line.startswith("{")]
    assert any(line["row_id"] == check_id for line in lines)
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)


def unstorable(asked: Asked) -> Reply:
    """Whatever is asked, words that no database takes, in every field."""
    reply = slowly(asked)
    texts = [json.dumps(f"{BAD}{text}{BAD}", ensure_ascii=True) for text in reply.texts]
    choices = [f'{{"message": {{"content": {text}}}, "finish_reason": "stop"}}' for text in texts]
    return Reply(body=f'{{"choices": [{", ".join(choices)}]}}'.encode())


def test_what_postgresql_cannot_store_is_refused_or_left_out(
    cluster: Cluster, cluster_models: ModelServer, cluster_site: PageServer
) -> None:
    """Null characters and halves of characters, by every way that words come in. SQLite would take both."""
    began = len(cluster.logs())
    with httpx2.Client(base_url=cluster.web.url, timeout=60, trust_env=False) as visitor:
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', visitor.get("/").text)[0]

        def post(path: str, files: Any = None, **fields: str) -> httpx2.Response:
            body = {"csrfmiddlewaretoken": token, **fields}
            if files is not None:
                return visitor.post(path, data=body, files=files)
            # Halves of characters as bytes, as no browser sends them.
            encoded = "&".join(f"{name}={quote(value, errors='surrogatepass')}" for name, value in body.items())
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            return visitor.post(path, content=encoded, headers=headers)

        for name in ("text", "source", "prompt", "topic", "page", "api_key", "retriever"):
            sent = post("/checks/new/", **{"text": TEXT, name: f"It has {BAD} two gates."})
            assert sent.status_code in (302, 422), name
        fields = {"text": f"{TEXT}{BAD}", "source": f"{SOURCE}{BAD}", "remove_unprintable": "1"}
        checked = post("/checks/new/", **fields, engine="llm")
        assert checked.status_code == 302
        check_id = checked.headers["Location"].removeprefix("/checks/").strip("/")
        assert post(f"/checks/{check_id}/rename/", title=f"A{BAD}B").status_code == 302
        for query in ("words=%00", "words=%ED%A0%80", "example=%00"):
            assert visitor.get(f"/checks/?{query}").status_code == 200
        saved = '{"format": "chatprotect-check", "version": 1, "title": "\\u0000 \\ud800", "text": "\\udfff"}'
        assert post("/checks/load/", {"file": ("c.json", saved.encode())}).status_code == 422
        for file in ((f"a{BAD[0]}.txt", b"It has\0 two gates."), ("b.html", b"<p>It has\0 two &#0; &#xD800; gates.")):
            assert post("/sources/add/", {"uploads": file}).status_code == 302
        assert post("/sources/add/", page=cluster_site.url("/bad")).status_code == 302
        assert post("/accounts/login/", username=f"ada{BAD}", password=BAD).status_code == 200
        assert visitor.get("/", headers={"Cookie": 'chatprotect_session="abcdefgh\\000"'}).status_code == 200
        with answering(cluster_models, unstorable):
            _wait_for_state(cluster, check_id, "done")
        assert "\0" not in visitor.get(f"/checks/{check_id}/").text
    unread = "SELECT count(*) FROM detection_source WHERE state IN ('queued', 'reading')"
    deadline = time.monotonic() + PATIENCE_S
    while cluster.database.rows(unread) != [(0,)]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    (state,) = cluster.database.rows("SELECT state FROM detection_source WHERE url LIKE %s", "%/bad")
    assert state == ("ready",)
    # Not those of a Redis that another test of the same cluster has just halted or started again.
    lines = cluster.logs()[began:].splitlines()
    assert [line for line in lines if "Traceback" in line and "redis.exceptions" not in line] == []


def test_a_process_that_halts_within_a_transaction_loses_its_locks(cluster: Cluster) -> None:
    options = from_url(cluster.database.url, pool_size=1)["OPTIONS"]["options"]
    with psycopg.connect(cluster.database.url, options=options) as connection:
        (limit,) = connection.execute("SHOW idle_in_transaction_session_timeout").fetchone() or ("",)
    assert limit == "15s"
