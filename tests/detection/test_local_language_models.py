"""A language model on this machine is found and offered, but called only after a click."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from detection import services
from detection.core.types import Engine
from detection.models import Check
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting

TEXT = "The mill at Sorrel was built in 1894 by Ada Lind. It has twelve rooms."
HERE = {"host": "localhost:8080"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ollama(settings: Settings) -> Iterator[ModelServer]:
    cache.clear()
    with ModelServer(contradicting).running() as server:
        server.models = [{"id": "llama3.1"}, {"id": "nomic-embed-text"}]
        settings.LLM_LOCAL_ADDRESSES = {"ollama": server.base_url}
        settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
        yield server


def look(client: Client) -> str:
    return client.get("/language-model/here/", headers=HERE).content.decode()


def use(client: Client, server: ModelServer) -> int:
    fields = {"base_url": server.base_url, "model": "llama3.1"}
    return client.post("/language-model/use/", fields, headers=HERE).status_code


def test_it_is_offered_and_used_after_one_click(client: Client, ollama: ModelServer) -> None:
    assert "/language-model/here/" in client.get("/", headers=HERE).content.decode()
    assert "Use llama3.1 for a far better check" in look(client)
    assert ollama.asked == []
    assert use(client, ollama) == 302
    html = client.get("/", headers=HERE).content.decode()
    assert "(llama3.1)" in html
    assert 'value="llm" checked' in html
    assert (
        client.post("/checks/new/", {"text": TEXT, "engine": "llm", "effort": "low"}, headers=HERE).status_code == 302
    )
    check = Check.objects.get()
    assert check.language_model == {"base_url": ollama.base_url, "model": "llama3.1", "effort": "low"}
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert (check.state, check.error) == (Check.State.DONE, "")
    assert {asked.body["model"] for asked in ollama.asked} == {"llama3.1"}
    assert {asked.body["reasoning_effort"] for asked in ollama.asked} == {"low"}
    client.post("/language-model/forget/", headers=HERE)
    assert "(llama3.1)" not in client.get("/", headers=HERE).content.decode()


def test_a_server_with_other_visitors_looks_for_none(client: Client, ollama: ModelServer, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "checks.example"]
    assert look(client).strip() == ""
    assert use(client, ollama) == 400
    assert ollama.looked_at == []


@pytest.mark.parametrize("change", [{"LLM_DISCOVER": False}, {"LLM_BASE_URL": "http://127.0.0.1:9/v1"}])
def test_it_can_be_turned_off(
    client: Client, ollama: ModelServer, settings: Settings, change: dict[str, object]
) -> None:
    for name, value in change.items():
        setattr(settings, name, value)
    assert look(client).strip() == ""
    assert ollama.looked_at == []


def test_another_address_cannot_be_chosen(client: Client, ollama: ModelServer) -> None:
    fields = {"base_url": "http://169.254.169.254/v1", "model": "x"}
    assert client.post("/language-model/use/", fields, headers=HERE).status_code == 400
    check = services.check_create(owner="o" * 32, text=TEXT, engine=Engine.LLM, language_model=fields)
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert "No language model is set up" in check.error


def test_the_connection_is_really_tried(client: Client, ollama: ModelServer) -> None:
    def script(asked: Asked) -> Reply:
        if "logprobs" in asked.body:
            return Reply(status=400, body=b'{"error": {"message": "logprobs are not supported", "param": "logprobs"}}')
        return Reply(('{"answer": "yes"}' if "JSON" in asked.last else "Yes",))

    ollama.script = script
    ollama.models = [{"id": "llama3.1", "context_length": 4096}]
    use(client, ollama)
    told = client.post("/language-model/test/", headers=HERE).content.decode()
    assert "The connection works: llama3.1 answered" in told
    assert "✓ system turn" in told
    assert "– several answers at once: each vote is a call of its own" in told
    assert "✓ answers in JSON" in told
    assert "– token probabilities: while a text is written every statement is asked about" in told
    assert "✓ streaming" in told
    assert "4,096 tokens, fewer than the 12,000" in told
    assert any(asked.body.get("stream") for asked in ollama.asked)
    listed = client.post("/language-model/models/", headers=HERE).json()
    assert listed == {"models": ["llama3.1"]}


def test_a_connection_that_fails_says_what_to_do(client: Client, ollama: ModelServer) -> None:
    ollama.script = lambda asked: Reply(status=404, body=b'{"error": {"message": "model \\"llama3.1\\" not found"}}')
    use(client, ollama)
    told = client.post("/language-model/test/", headers=HERE).content.decode()
    assert told.startswith("llama3.1: The endpoint has no model 'llama3.1'. Choose one that it lists.")
