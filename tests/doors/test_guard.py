"""The guard: an OpenAI client on the real server, in front of a scripted model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from detection.lab.benchmarks.server import Server
from tests.doors.conftest import Person
from tests.fakes.model_server import Asked, ModelServer, Reply

if TYPE_CHECKING:
    import openai

ANSWER = "The bridge was opened in 1932. It is 210 metres long. The bridge was opened in 1941. It has three arches."
SOURCE = {"text": "The bridge was opened in 1932. It is 210 metres long."}
MESSAGES = [{"role": "user", "content": "Tell me about the bridge."}]


@pytest.fixture
def client(server: Server, key: str, model_server: ModelServer) -> Iterator[openai.OpenAI]:
    model_server.script = lambda asked: Reply((ANSWER,))
    with _connect(server, key) as found:
        yield found


def _connect(server: Server, key: str) -> openai.OpenAI:
    import openai  # takes a second, which processes without these tests need not wait

    return openai.OpenAI(base_url=f"{server.url}/guard/v1", api_key=key, max_retries=0, timeout=120)


def _ask(client: openai.OpenAI, **wishes: Any) -> Any:
    extra = {"chatprotect": wishes} if wishes else {}
    return client.chat.completions.create(model="gpt", messages=MESSAGES, extra_body=extra)  # type: ignore[arg-type]


def test_an_answer_comes_with_what_was_found(client: openai.OpenAI, model_server: ModelServer) -> None:
    answer = _ask(client)
    assert answer.choices[0].message.content == ANSWER
    assert [finding["kind"] for finding in answer.chatprotect["findings"]] == ["cross_contradiction"]
    asked = model_server.asked[-1]
    assert asked.body["model"] == "some-model"  # always the operator's model
    assert asked.key == "sk-of-the-server"
    assert "chatprotect" not in asked.body


def test_a_rewritten_answer_keeps_the_original_beside_it(client: openai.OpenAI) -> None:
    answer = _ask(client, mode="rewrite", sources=[SOURCE])
    assert "1941" not in answer.choices[0].message.content
    assert answer.chatprotect["original"] == ANSWER


def test_without_a_source_nobody_knows_which_side_of_a_contradiction_is_right(client: openai.OpenAI) -> None:
    answer = _ask(client, mode="rewrite")
    assert answer.choices[0].message.content == ANSWER
    assert [finding["kind"] for finding in answer.chatprotect["findings"]] == ["cross_contradiction"]


def test_sources_of_the_request_are_compared_with(client: openai.OpenAI) -> None:
    answer = _ask(client, sources=[{"text": "The bridge was opened in 1932. It is 230 metres long."}])
    assert "conflicts_with_source" in {finding["kind"] for finding in answer.chatprotect["findings"]}


def _stream(server: Server, key: str, **wishes: Any) -> Iterator[dict[str, Any]]:
    body = {"messages": MESSAGES, "stream": True, "chatprotect": wishes}
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.stream(
        "POST", f"{server.url}/guard/v1/chat/completions", json=body, headers=headers, timeout=120
    ) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream"
        for line in answer.iter_lines():
            if line.startswith("data: {"):
                yield json.loads(line.removeprefix("data: "))
            elif line:
                assert line == "data: [DONE]"


def _content(chunk: dict[str, Any]) -> str:
    return (chunk["choices"][0]["delta"].get("content") or "") if chunk["choices"] else ""


@pytest.mark.usefixtures("client")
def test_a_stream_is_passed_on_with_findings_in_between(server: Server, key: str) -> None:
    chunks = list(_stream(server, key))
    assert "".join(map(_content, chunks)) == ANSWER
    found = [finding for chunk in chunks for finding in chunk.get("chatprotect", {}).get("findings", ())]
    assert [finding["kind"] for finding in found] == ["cross_contradiction"]


@pytest.mark.usefixtures("client")
def test_the_official_client_reads_a_held_stream(client: openai.OpenAI) -> None:
    extra = {"chatprotect": {"mode": "hold"}}
    stream = client.chat.completions.create(model="gpt", messages=MESSAGES, stream=True, extra_body=extra)  # type: ignore[call-overload]
    content = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
    assert content == ANSWER


@pytest.mark.usefixtures("client")
def test_held_sentences_are_checked_before_they_are_passed_on(
    server: Server, key: str, model_server: ModelServer
) -> None:
    """While the model waits with the last sentence, the client receives the others with their findings."""
    go_on = threading.Event()

    def pieces() -> Iterator[bytes]:
        for words in (ANSWER[:60], ANSWER[60:]):
            yield _chunk(words)
        yield _chunk(" The town paid for all of it, and everybody who lived there at that time was proud of it.")
        go_on.wait(60)
        yield _chunk(" It is closed.") + b"data: [DONE]\n\n"

    model_server.script = lambda asked: Reply(body=pieces)
    passed = ""
    for chunk in _stream(server, key, mode="hold"):
        if _content(chunk):
            assert "chatprotect" in chunk  # no chunk is sent without its check
            if "1941" in _content(chunk):
                assert chunk["chatprotect"]["findings"]
        passed += _content(chunk)
        if "1941" in passed:
            go_on.set()
    assert passed.startswith(ANSWER)
    assert passed.endswith("It is closed.")


def _chunk(words: str) -> bytes:
    chunk = {"id": "1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": words}}]}
    return f"data: {json.dumps(chunk)}\n\n".encode()


@pytest.mark.usefixtures("client")
def test_a_stream_can_be_rewritten(server: Server, key: str) -> None:
    content = "".join(map(_content, _stream(server, key, mode="rewrite", sources=[SOURCE])))
    assert "1941" not in content
    assert content.startswith("The bridge was opened in 1932.")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"messages": 7}', 400),
        (b'{"messages": [1], "n": 2}', 400),
        (b'{"messages": [1], "chatprotect": {"mode": "no-such"}}', 400),
        (b'{"messages": [1], "chatprotect": {"sources": [{}]}}', 400),
        (b'{"messages": [1], "chatprotect": 7}', 400),
        (b'{"messages": [1], "chatprotect": {"sources": [{"id": "no-such"}]}}', 404),
        (b'{"messages": [' + b'"a",' * 15_000_000 + b"1]}", 413),
    ],
)
def test_bad_input_is_told_as_clients_expect(server: Server, key: str, body: bytes, status: int) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    answer = httpx2.post(f"{server.url}/guard/v1/chat/completions", content=body, headers=headers, timeout=120)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]


def test_keys_are_told_as_clients_expect(server: Server, person: Person) -> None:
    from openai import AuthenticationError, PermissionDeniedError

    secret = person.make_key("guard")
    person.revoke(secret)
    for key in (secret, "cpk_none"):
        with _connect(server, key) as client, pytest.raises(AuthenticationError):
            _ask(client)
    with _connect(server, person.make_key("read")) as client, pytest.raises(PermissionDeniedError):
        _ask(client)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(status=401, body=b"the account sk-secret"), 502),
        (Reply(status=500, body=b"sk-secret"), 502),
        (Reply(status=429, body=b"sk-secret"), 429),
        (Reply(status=400, body=b"sk-secret"), 400),
        (Reply(body=b"sk-secret, and no JSON"), 502),
        (Reply(body=b'{"choices": []}'), 502),
        (Reply(("cut off",), breaks_off=True), 502),
    ],
)
def test_failures_of_the_model_are_told_without_its_words(
    server: Server, key: str, model_server: ModelServer, reply: Reply, status: int
) -> None:
    model_server.script = lambda asked: reply
    headers = {"Authorization": f"Bearer {key}"}
    url = f"{server.url}/guard/v1/chat/completions"
    answer = httpx2.post(url, json={"messages": MESSAGES}, headers=headers, timeout=120)
    assert answer.status_code == status
    assert "sk-secret" not in answer.text
    assert answer.json()["error"]["message"]


def test_a_stream_that_breaks_off_says_so_and_has_no_end_mark(
    server: Server, key: str, model_server: ModelServer
) -> None:
    model_server.script = lambda asked: Reply(body=_broken)
    headers = {"Authorization": f"Bearer {key}"}
    for mode in ("annotate", "hold"):
        body = {"messages": MESSAGES, "stream": True, "chatprotect": {"mode": mode}}
        url = f"{server.url}/guard/v1/chat/completions"
        text = httpx2.post(url, json=body, headers=headers, timeout=120).text
        assert '"error"' in text
        assert "[DONE]" not in text


def _broken() -> Iterator[bytes]:
    yield _chunk("The bridge was ")


def test_a_client_that_goes_away_ends_the_request_to_the_model(
    server: Server, key: str, model_server: ModelServer
) -> None:
    ended = threading.Event()

    def pieces() -> Iterator[bytes]:
        try:
            for _ in range(2_000):
                yield _chunk("The bridge was opened in 1932. ")
                time.sleep(0.02)
        finally:
            ended.set()

    model_server.script = lambda asked: Reply(body=pieces)
    body = {"messages": MESSAGES, "stream": True}
    headers = {"Authorization": f"Bearer {key}"}
    url = f"{server.url}/guard/v1/chat/completions"
    with httpx2.stream("POST", url, json=body, headers=headers, timeout=120) as answer:
        next(answer.iter_bytes())
    assert ended.wait(30)


def test_tool_calls_are_passed_on(client: openai.OpenAI, model_server: ModelServer) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    completion = {"id": "1", "object": "chat.completion", "created": 0, "model": "m",
                  "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}  # fmt: skip

    def script(asked: Asked) -> Reply:
        return Reply(body=json.dumps(completion).encode())

    model_server.script = script
    answer = _ask(client)
    assert answer.choices[0].message.tool_calls[0].function.name == "look"
    assert answer.chatprotect["not_checked"]
