"""The protocol of LanguageTool: annotated texts, bad input in its form, and LibreOffice itself as the client."""

from __future__ import annotations

import json
import socket
import time

import httpx2
import pytest

from detection.lab.benchmarks.server import Server
from tests.doors.conftest import Person
from tests.doors.corpus import CORPUS

TEXT = CORPUS[1].text


def _check(server: Server, **form: str) -> httpx2.Response:
    form = {"language": "en-US", **form}
    return httpx2.post(f"{server.url}/v2/check", data=form, timeout=120, trust_env=False)


def test_the_answer_has_the_form_of_the_protocol(server: Server) -> None:
    answer = _check(server, text=TEXT).json()
    assert answer["software"]["apiVersion"] == 1
    assert answer["language"]["code"] == "en-US"
    (match,) = answer["matches"]
    assert TEXT[match["offset"] : match["offset"] + match["length"]] == "1941"
    context = match["context"]
    assert context["text"][context["offset"] : context["offset"] + context["length"]] == "1941"
    assert match["replacements"] == [{"value": "1932"}]
    assert match["rule"]["id"] == "CHATPROTECT_CROSS_CONTRADICTION"
    assert match["sentence"] == "The bridge was opened in 1941."
    assert [TEXT[start:end] for start, end in answer["sentenceRanges"]] == [
        "The bridge was opened in 1932.", "It is 210 metres long.", "The bridge was opened in 1941.",
    ]  # fmt: skip


def test_markup_is_counted_and_not_read(server: Server) -> None:
    pieces = [
        {"markup": "<p>"}, {"text": "The bridge was opened in "}, {"markup": "<b>"}, {"text": "1932"},
        {"markup": "</b>"}, {"text": ". It is 🌊 long."}, {"markup": "</p><p>", "interpretAs": "\n\n"},
        {"text": "The bridge was opened in "}, {"markup": "<i>"}, {"text": "1941"}, {"markup": "</i>"}, {"text": "."},
    ]  # fmt: skip
    (match,) = _check(server, data=json.dumps({"annotation": pieces})).json()["matches"]
    sent = "".join(part.get("markup", "") + part.get("text", "") for part in pieces).encode("utf-16-le")
    start = 2 * match["offset"]
    assert sent[start : start + 2 * match["length"]].decode("utf-16-le") == "1941"


def test_clients_choose_what_they_are_shown(server: Server) -> None:
    rule = "CHATPROTECT_CROSS_CONTRADICTION"
    for form, shown in (
        ({"disabledRules": rule}, 0),
        ({"disabledCategories": "CHATPROTECT"}, 0),
        ({"enabledRules": rule, "enabledOnly": "true"}, 1),
        ({"enabledRules": "OTHER", "enabledOnly": "true"}, 0),
        ({"enabledCategories": "CHATPROTECT", "enabledOnly": "true"}, 1),
        ({"disabledRules": "OTHER"}, 1),
    ):
        assert len(_check(server, text=TEXT, **form).json()["matches"]) == shown, form


def test_the_languages_are_told(server: Server) -> None:
    codes = [row["longCode"] for row in httpx2.get(f"{server.url}/v2/languages", timeout=60).json()]
    assert "en-US" in codes
    assert httpx2.get(f"{server.url}/v2/healthcheck", timeout=60).text == "OK"


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"text": TEXT, "data": "{}"}, 400),
        ({"data": "{"}, 400),
        ({"data": "[]"}, 400),
        ({"data": '{"annotation": 7}'}, 400),
        ({"data": '{"annotation": [7]}'}, 400),
        ({"data": '{"annotation": [{"text": 7}]}'}, 400),
        ({"data": "[" * 100_000}, 400),
        ({"text": "nul \0"}, 400),
        ({"text": TEXT, "language": "de-DE"}, 400),
        ({"text": TEXT, "language": ""}, 400),
        ({"text": TEXT, "apiKey": "cpk_no-such-key", "username": "me"}, 401),
        ({"text": "a " * 20_000}, 413),
        ({"text": "a" * 50_000_000}, 413),
    ],
)
def test_bad_input_is_told_in_a_line(server: Server, form: dict[str, str], status: int) -> None:
    answer = _check(server, **form)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.text.startswith("Error: ")
    assert "\n" not in answer.text


def test_an_empty_text_has_no_warnings(server: Server) -> None:
    assert _check(server, text="").json()["matches"] == []


def test_a_revoked_key_is_told(server: Server, person: Person) -> None:
    secret = person.make_key("writing_tools")
    assert _check(server, text=TEXT, apiKey=secret).status_code == 200
    person.revoke(secret)
    assert _check(server, text=TEXT, apiKey=secret).status_code == 401


def test_a_client_that_goes_away_stops_nothing_else(server: Server) -> None:
    long = " ".join(f"House {n} was built in {1800 + n}. House {n} was sold in {1900 + n}." for n in range(60))
    body = f"language=en-US&text={long.replace(' ', '+')}"
    head = f"POST /v2/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    began = len(server.log.read_text())  # it also has the faults of other tests
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall((head + body).encode())
        time.sleep(0.5)
    assert len(_check(server, text=TEXT).json()["matches"]) == 1
    told = server.log.read_text()[began:]
    assert "Traceback" not in told, told[-4000:]
