"""The REST API on a real server: the life cycle of a check, bad input, and the schema."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from django.conf import settings

from detection.doors.api.routes import schema_as_json
from detection.lab.benchmarks.server import Server
from tests.doors.conftest import Person
from tests.doors.corpus import CORPUS

TEXT = CORPUS[1].text
DOCUMENT = Path(settings.BASE_DIR) / "docs" / "openapi.json"


def _done(api: httpx2.Client, check_id: str) -> dict[str, Any]:
    while True:
        check: dict[str, Any] = api.get(f"/checks/{check_id}").json()
        if check["state"] not in ("queued", "running"):
            return check
        time.sleep(0.1)


def _problem(answer: httpx2.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == status
    assert body["title"]
    return str(body["detail"])


def test_the_life_of_a_check(api: httpx2.Client) -> None:
    started = api.post("/checks", json={"text": TEXT, "strictness": "strict", "topic": "the bridge"})
    assert started.status_code == 202
    check_id = started.json()["id"]
    seen = []
    with api.stream("GET", f"/checks/{check_id}/events") as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        for line in stream.iter_lines():
            seen += [line.removeprefix("event: ")] if line.startswith("event: ") else []
    assert seen[0] == "check.queued"
    assert seen[-2:] == ["check.done", "end"]
    check = _done(api, check_id)
    assert check["state"] == "done"
    (finding,) = check["findings"]
    suggestion = finding["suggestions"][0]
    decisions = f"/checks/{check_id}/decisions"
    accepted = api.post(decisions, json={"action": "accept", "suggestion": suggestion["id"]}).json()
    assert accepted["findings"][0]["state"] == "accepted"
    assert accepted["revised"] != TEXT
    assert api.get(f"/checks/{check_id}/exports/text").text.strip() == accepted["revised"]
    assert api.post(decisions, json={"action": "undo"}).json()["revised"] == TEXT
    for action in ("reject", "reopen"):
        answer = api.post(decisions, json={"action": action, "finding": finding["id"]})
        assert answer.status_code == 200, answer.text
    assert _problem(api.post(decisions, json={"action": "accept", "suggestion": 2**53}), 409)
    assert api.delete(f"/checks/{check_id}").status_code == 204
    _problem(api.get(f"/checks/{check_id}"), 404)


def test_events_go_on_from_any_number(api: httpx2.Client) -> None:
    check_id = api.post("/checks", json={"text": TEXT}).json()["id"]
    last = _done(api, check_id)["last_event"]
    for options in ({"params": {"since": last - 1}}, {"headers": {"Last-Event-ID": str(last - 1)}}):
        lines = api.get(f"/checks/{check_id}/events", **options).text.splitlines()  # type: ignore[arg-type]
        assert [line for line in lines if line.startswith("id:")] == [f"id: {last}"]


def test_chosen_detectors_run_and_no_others(api: httpx2.Client) -> None:
    body = {"text": TEXT, "detectors": ["grounding.v1"], "sources": [{"text": "The bridge is 210 metres long."}]}
    check = _done(api, api.post("/checks", json=body).json()["id"])
    assert check["detectors"] == ["grounding.v1"]
    assert {finding["kind"] for finding in check["findings"]} <= {"not_in_source", "conflicts_with_source"}


def test_a_changed_text_takes_over_what_holds(api: httpx2.Client, server: Server) -> None:
    first = api.post("/checks", json={"text": TEXT}).json()["id"]
    _done(api, first)
    again = api.post("/checks", json={"text": TEXT.replace("210", "310"), "previous": first}).json()["id"]
    assert [finding["kind"] for finding in _done(api, again)["findings"]] == ["cross_contradiction"]
    query = "SELECT sum(is_carried) FROM detection_unit WHERE parent_check_id = ?"
    assert server.rows(query, again.replace("-", ""))[0][0]


def test_a_source_as_file_is_read_and_used(api: httpx2.Client) -> None:
    added = api.post("/sources/files", files={"file": ("hall.md", b"# Hall\n\nThe hall seats 180 people.\n")})
    assert added.status_code == 201, added.text
    source = added.json()
    check = api.post("/checks", json={"text": "The hall seats 210 people.", "sources": [{"id": source["id"]}]}).json()
    (finding,) = _done(api, check["id"])["findings"]
    assert finding["kind"] == "conflicts_with_source"
    assert finding["evidence"][0]["source"] == source["id"]
    assert api.get(f"/sources/{source['id']}").json()["state"] == "ready"
    assert api.delete(f"/sources/{source['id']}").status_code == 204


def test_pairs_are_compared(api: httpx2.Client) -> None:
    pair = {"first": "The bridge was opened in 1932.", "second": "The bridge was opened in 1941."}
    assert api.post("/pairs", json=pair).json()["is_contradiction"]
    same = {"first": pair["first"], "second": "The bridge opened in 1932."}
    assert not api.post("/pairs", json=same).json()["is_contradiction"]


# --- Bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({}, "text"),
        ({"text": 7}, "text"),
        ({"text": ["a"]}, "text"),
        ({"text": " \n"}, "text"),
        ({"text": TEXT, "engine": "magic"}, "engine"),
        ({"text": TEXT, "detectors": ["no-such"]}, "detectors"),
        ({"text": TEXT, "sources": [{}]}, "sources"),
        ({"text": TEXT, "sources": [{"text": "a", "id": "b"}]}, "sources"),
        ({"text": TEXT, "sources": [{"text": "a"}] * 21}, "sources"),
        ({"text": TEXT, "txet": "misspelt"}, "txet"),
    ],
)
def test_wrong_bodies_are_told_by_field(api: httpx2.Client, body: dict[str, Any], at: str) -> None:
    answer = api.post("/checks", json=body)
    assert at in _problem(answer, 422)
    assert any(at in error["at"] for error in answer.json()["errors"])


def test_bodies_that_are_no_json_are_told(api: httpx2.Client) -> None:
    for body in (b"", b"{", b"\xff", b"[1]", b"null", b"[" * 100_000):
        assert api.post("/checks", content=body).status_code in (400, 422), body[:10]


def test_what_is_too_large_is_refused_and_leaves_nothing(api: httpx2.Client, server: Server) -> None:
    before = server.rows("SELECT count(*) FROM detection_check")
    megabytes = b'{"text": "' + b"a" * 50_000_000 + b'"}'
    _problem(api.post("/checks", content=megabytes), 413)
    _problem(api.post("/checks", json={"text": "a " * 20_000}), 413)
    _problem(api.post("/sources/files", files={"file": ("large.txt", b"a" * 30_000_000)}), 413)
    _problem(api.post("/sources/files", files={"file": ("empty.txt", b"")}), 422)
    assert server.rows("SELECT count(*) FROM detection_check") == before
    assert server.rows("SELECT count(*) FROM detection_source WHERE name IN ('large.txt', 'empty.txt')") == [(0,)]


def test_half_an_upload_leaves_nothing(server: Server, key: str) -> None:
    before = server.rows("SELECT count(*) FROM detection_check")
    body = json.dumps({"text": TEXT}).encode()
    head = f"POST /api/v1/checks HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {key}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(head.encode() + body[: len(body) // 2])
    time.sleep(0.5)
    assert server.rows("SELECT count(*) FROM detection_check") == before


def test_a_client_that_goes_away_harms_nothing(api: httpx2.Client, server: Server) -> None:
    check_id = api.post("/checks", json={"text": TEXT.replace("210", "211")}).json()["id"]
    began = len(server.log.read_text())  # it also has the faults of other tests
    with api.stream("GET", f"/checks/{check_id}/events") as stream:
        assert next(stream.iter_lines()) == "id: 1"
    assert _done(api, check_id)["state"] == "done"
    told = server.log.read_text()[began:]
    assert "Traceback" not in told, told[-4000:]


def test_what_is_not_there_is_a_problem(api: httpx2.Client) -> None:
    no_such = "00000000-0000-4000-8000-000000000000"
    for path in (f"/checks/{no_such}", f"/sources/{no_such}", "/no/such", "/checks/7"):
        _problem(api.get(path), 404)
    answer = api.put("/checks", json={})
    _problem(answer, 405)
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "POST"}


# --- The schema -----------------------------------------------------------------------------------------------------


def test_the_document_in_the_repository_is_true(server: Server) -> None:
    assert DOCUMENT.read_text() == schema_as_json(), "run: python manage.py write_openapi"
    served = httpx2.get(f"{server.url}/api/v1/openapi.json", timeout=60).json()
    assert served == json.loads(DOCUMENT.read_text())
    assert served["openapi"].startswith("3.1")


def test_the_page_of_the_api_takes_nothing_from_elsewhere(server: Server) -> None:
    page = httpx2.get(f"{server.url}/api/v1/docs", timeout=60)
    assert page.status_code == 200
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert address.startswith("/static/"), address
        assert httpx2.get(f"{server.url}{address}", timeout=60).status_code == 200
    assert not re.findall(r"<script(?![^>]*(?:src=|application/json))", page.text)
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]


def test_a_machine_that_tries_everything_finds_nothing(server: Server, person: Person, tmp_path: Path) -> None:
    key = person.make_key("read", "write")
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{server.url}/api/v1/openapi.json",
        "--header", f"Authorization: Bearer {key}", "--max-examples", "15", "--seed", "24", "--workers", "1",
        "--request-timeout", "60", "--phases", "examples,coverage,fuzzing",
        "--exclude-checks", "unsupported_method", "--no-color", "--exclude-path", "/api/v1/checks/{check_id}/events",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
