"""Slow and busy servers, limits of the settings, and refusals of endpoints."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from detection.core.errors import DetectionError, EndpointRefused, ModelCallFailed
from detection.core.llm.abilities import Abilities, Form
from detection.core.llm.ability_file import FileAbilities
from detection.core.llm.client import ModelClient
from detection.core.llm.endpoint import Effort, Endpoint
from detection.core.llm.error_body import read_error, shown_words
from detection.core.llm.model_list import ListedModel, find_local_servers, read_models
from detection.core.llm.pace import MinutePace
from detection.core.llm.pricing import Price, price_of
from detection.core.llm.types import Purpose, TokenUsage
from tests.fakes.certificates import CertificateAuthority
from tests.fakes.endpoints.base import error
from tests.fakes.model_server import Asked, ModelServer, Reply

from .test_client import FINE, Listener, opened, question


def test_waits_are_read_wherever_they_are_told() -> None:
    def wait(body: str = "{}", **headers: str) -> float | None:
        return read_error(429, {name.replace("_", "-"): value for name, value in headers.items()}, body.encode()).wait_s

    assert wait(retry_after="7") == 7
    assert wait(retry_after_ms="1500") == 1.5
    assert wait(x_ratelimit_remaining_tokens="0", x_ratelimit_reset_tokens="1m0.5s") == 60.5
    assert wait(x_ratelimit_reset_requests="120ms") == 0.12
    assert wait('{"error": {"message": "Please try again in 7.2s. Visit"}}') == 7.2
    assert wait('[{"error": {"details": [{"retryDelay": "31s"}]}}]') == 31
    assert wait('{"error": {"message": "Busy"}}') is None


def test_the_words_of_an_endpoint_are_one_short_line_without_keys() -> None:
    words = shown_words("Wrong key\nsk-abcdefgh12345 or mine-is-secret: " + "x" * 500, ("mine-is-secret",))
    assert "sk-abc" not in words
    assert "mine" not in words
    assert "\n" not in words
    assert len(words) <= 110


def test_a_message_without_end_is_cut_before_it_is_searched_for_keys() -> None:
    assert shown_words("Not now. " + "a" * 1_000_000) == "Not now."
    keys = "sk-abcdefgh12345 " * 60_000
    assert "sk-" not in shown_words(f"Not now, {keys}")


async def test_a_server_for_one_call_at_a_time_fails_none() -> None:
    """Most of these calls would time out if all were sent at once."""
    one = threading.Lock()

    def script(asked: Asked) -> Reply:
        with one:
            time.sleep(0.02)
        return FINE

    async with opened(script, timeout_s=1.0, deadline_s=3.0) as (client, server):
        answers = await asyncio.gather(*(client.complete(question(str(i))) for i in range(100)))
        assert len(answers) == 100
        assert len(server.asked) <= 110  # half of them would time out if sent at once


async def test_a_pause_holds_for_all_calls(quickly_told: None) -> None:
    listener = Listener()
    told: list[float] = []

    def script(asked: Asked) -> Reply:
        if len(told) < 1 and "first" not in asked.last:
            told.append(asked.at)
            return error(429, "Slow down", headers={"Retry-After-Ms": "1000"})
        return FINE

    async with opened(script, listener=listener, real_waits=True) as (client, server):
        await client.complete(question("first"))
        await asyncio.gather(*(client.complete(question(str(i))) for i in range(3)))
        later = [asked.at for asked in server.asked if asked.at > told[0] + 0.5]
        assert len(later) >= 1
        assert min(later) - told[0] >= 1
    assert len(listener.waits) == 1


async def test_a_dead_endpoint_costs_one_call_of_many() -> None:
    async with opened(lambda asked: error(401, "No")) as (client, server):
        calls = [client.complete(question(str(i))) for i in range(20)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(outcome, DetectionError) for outcome in outcomes)
        assert len(server.asked) == 1


async def test_what_cannot_be_reached_is_told_apart() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    reasons = {
        f"http://127.0.0.1:{port}/v1": "refuses connections",
        "http://nowhere.invalid/v1": "cannot be reached",
        "no address": "no web address",
    }
    for address, expected in reasons.items():
        async with ModelClient(Endpoint(address, "", 5, 5)) as client:
            with pytest.raises(DetectionError, match=expected):
                await client.complete(question())


async def test_an_authority_of_ones_own_is_trusted_once_the_settings_name_it(tmp_path: Path) -> None:
    authority = CertificateAuthority()
    ca_file = tmp_path / "ca.pem"
    ca_file.write_text(authority.pem)
    context = authority.server_context("localhost", tmp_path)
    with ModelServer(lambda asked: FINE, tls=context).running() as server:
        endpoint = Endpoint(server.base_url, "sk-secret", 5, 5)
        async with ModelClient(endpoint) as client:
            with pytest.raises(DetectionError, match=r"certificate of localhost:\d+ is not trusted.*CA file"):
                await client.complete(question())
        assert not server.asked
        async with ModelClient(replace(endpoint, ca_file=ca_file)) as client:
            assert (await client.complete(question())).text == FINE.texts[0]
        assert [asked.key for asked in server.asked] == ["sk-secret"]


async def test_another_host_than_the_certificate_names_is_sent_nothing(tmp_path: Path) -> None:
    authority = CertificateAuthority()
    ca_file = tmp_path / "ca.pem"
    ca_file.write_text(authority.pem)
    context = authority.server_context("elsewhere.example", tmp_path)
    with ModelServer(lambda asked: FINE, tls=context).running() as server:
        async with ModelClient(Endpoint(server.base_url, "", 5, 5, ca_file=ca_file)) as client:
            with pytest.raises(DetectionError, match="is not trusted"):
                await client.complete(question())
        assert not server.asked


async def test_a_server_without_tls_is_told_apart_from_one_that_is_not_trusted() -> None:
    with ModelServer(lambda asked: FINE).running() as server:
        async with ModelClient(Endpoint(server.base_url.replace("http:", "https:"), "", 5, 5)) as client:
            with pytest.raises(DetectionError, match="Does its address begin with http://"):
                await client.complete(question())


@pytest.mark.parametrize("content", [None, "no certificate"])
async def test_a_ca_file_that_cannot_be_used_is_named(content: str | None, tmp_path: Path) -> None:
    ca_file = tmp_path / "ours.pem"
    if content is not None:
        ca_file.write_text(content)
    with pytest.raises(EndpointRefused, match=r"CA file ours\.pem"):
        async with ModelClient(Endpoint("https://localhost/v1", "", ca_file=ca_file)):
            pass


async def test_what_was_learned_is_known_to_the_next_run(tmp_path: Path) -> None:
    def script(asked: Asked) -> Reply:
        return error(400, "n: must be 1", param="n") if asked.samples > 1 else FINE

    path = tmp_path / "endpoints.json"
    with ModelServer(script).running() as server:
        for _ in range(2):
            async with ModelClient(Endpoint(server.base_url, "key"), abilities=FileAbilities(path)) as client:
                answer = await client.complete(question(samples=3))
                assert len(answer.texts) == 3
        assert [asked.samples for asked in server.asked] == [3, 1, 1, 1, 1, 1, 1]


def test_a_file_that_cannot_be_read_is_no_knowledge(tmp_path: Path) -> None:
    path = tmp_path / "endpoints.json"
    path.write_text("no json")
    store = FileAbilities(path)
    assert store.find("a", "m") == Abilities()
    store.keep("a", "m", Abilities(samples=False, form=Form.WORDS, room=5))
    assert FileAbilities(path).find("a", "m") == Abilities(samples=False, form=Form.WORDS, room=5)


async def test_top_p_is_never_sent_with_temperature_0() -> None:
    async with opened(lambda asked: FINE) as (client, server):
        await client.complete(replace(question(), top_p=0.6))
        await client.complete(replace(question(), top_p=0.6, temperature=1.0))
        assert ["top_p" in asked.body for asked in server.asked] == [False, True]


async def test_the_reasoning_effort_is_sent_only_where_it_is_taken() -> None:
    def script(asked: Asked) -> Reply:
        if "reasoning_effort" in asked.body:
            return error(400, "Unrecognized request argument supplied: reasoning_effort")
        return FINE

    with ModelServer(script).running() as server:
        endpoint = Endpoint(server.base_url, "", effort=Effort.OFF, headers={"X-Team": "Press"}, query={"v": "1"})
        async with ModelClient(endpoint) as client:
            await client.complete(question("1"))
            await client.complete(question("2"))
        assert [asked.body.get("reasoning_effort") for asked in server.asked] == ["none", None, None]


async def test_the_analyzer_may_be_elsewhere_with_a_key_of_its_own() -> None:
    with ModelServer(lambda asked: FINE).running() as writes, ModelServer(lambda asked: FINE).running() as judges:
        own = Endpoint(judges.base_url, "judge-key")
        async with ModelClient(Endpoint(writes.base_url, "writer-key"), analyzer_endpoint=own) as client:
            await client.complete(replace(question(), purpose=Purpose.TRIGGER))
            await client.complete(replace(question(), purpose=Purpose.EXPLAIN))
    assert [asked.key for asked in writes.asked] == ["writer-key"]
    assert [asked.key for asked in judges.asked] == ["judge-key"]


async def test_a_loading_model_is_waited_for_two_minutes_and_no_longer() -> None:
    listener = Listener()
    loading = error(503, "Loading model", kind="unavailable_error")
    async with opened(lambda asked: loading, listener=listener) as (client, server):
        with pytest.raises(ModelCallFailed, match="still loading"):
            await client.complete(question())
        assert len(server.asked) == 41
    assert "loading" in listener.waits[0][0]


async def test_a_wait_of_hours_ends_the_run() -> None:
    busy = error(429, "Daily limit", headers={"Retry-After": "7200"})
    async with opened(lambda asked: busy) as (client, server):
        with pytest.raises(DetectionError):
            await client.complete(question("1"))
        with pytest.raises(EndpointRefused, match="Daily limit"):
            await client.complete(question("2"))
        assert len(server.asked) == 1


async def test_the_pace_of_the_settings_is_kept() -> None:
    pace = MinutePace(requests=2, minute_s=0.3)
    begun = time.monotonic()
    for _ in range(5):
        await pace.turn(10)
    assert time.monotonic() - begun >= 0.6
    tokens = MinutePace(tokens=100, minute_s=0.3)
    await tokens.turn(500)  # above the limit: it runs alone
    begun = time.monotonic()
    await tokens.turn(50)
    assert time.monotonic() - begun >= 0.25


def test_prices_by_prefix_and_for_kept_tokens() -> None:
    prices = {"gpt-4o": Price(Decimal(2), Decimal(10), Decimal(1)), "llama*": Price(Decimal(0), Decimal(0))}
    assert price_of(prices, "gpt-4o-2024-08-06") == prices["gpt-4o"]
    assert price_of(prices, "openai/gpt-4o") == prices["gpt-4o"]
    assert price_of(prices, "gpt-4o-mini") is None
    assert price_of(prices, "llama3.1:8b") == prices["llama*"]
    assert prices["gpt-4o"].of(TokenUsage(1_000_000, 0, cached=500_000)) == Decimal("1.5")


async def test_a_server_on_this_machine_is_found_and_asked_for_its_models_only() -> None:
    with ModelServer(lambda asked: FINE).running() as server:
        server.models = [{"id": "llama3.1", "meta": {"n_ctx_train": 5, "n_ctx": 8192}}, {"id": "nomic-embed-text"}]
        (found,) = await find_local_servers({"ollama": server.base_url, "vllm": "http://127.0.0.1:9/v1"})
        assert (found.title, found.models) == ("Ollama", (ListedModel("llama3.1", 8192),))
        port = int(server.base_url.rsplit(":", 1)[1].partition("/")[0])
        assert await find_local_servers({"ollama": server.base_url}, left_out=frozenset({port})) == []
        assert not server.asked
    assert read_models(b"<html>") == ()
    assert read_models(b'{"data": [{"id": 3, "context_length": true}]}') == (ListedModel("3"),)
