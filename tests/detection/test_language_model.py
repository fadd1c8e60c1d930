"""Checks by a language model: calls, costs and endpoint failures."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from detection import services
from detection.core.llm import client as model_client
from detection.core.llm.probabilities import TokenProbability
from detection.core.llm.types import CallOutcome, ModelAnswer, TokenUsage
from detection.core.types import Engine, FindingKind
from detection.models import ApiKey, Check, CheckEvent, Finding, ModelCall, Unit
from detection.selectors.costs import spending_of
from detection.selectors.detail import CheckDetail
from detection.storage.evidence import ANSWER
from detection.web.owners import SESSION_KEY
from tests.factories import OWNER
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting

TEXT = "The mill at Sorrel was built in 1894 by Ada Lind. It has twelve rooms. The mill employs 34 people."
DETECTOR = "self_contradiction.v1"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with ModelServer(contradicting).running() as running:
        settings.LLM_BASE_URL, settings.LLM_API_KEY = running.base_url, "sk-secret"
        settings.GENERATOR_MODEL, settings.ANALYZER_MODEL = "generator", "analyzer"
        yield running


def create() -> Check:
    return services.check_create(owner=OWNER, text=TEXT, topic="the mill", engine=Engine.LLM)


def run(check: Check) -> Check:
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    return check


def units(check: Check) -> dict[int, tuple[str, str]]:
    rows = Unit.objects.filter(parent_check=check, detector=DETECTOR)
    return {unit.sentence.index: (unit.state, unit.reason) for unit in rows.select_related("sentence")}


def page(client: Client, check: Check) -> str:
    session = client.session
    session[SESSION_KEY] = check.owner
    session.save()
    return client.get(f"/checks/{check.pk}/").content.decode()


def test_a_contradiction_comes_with_the_answer_the_votes_and_a_rewrite(
    server: ModelServer, client: Client, settings: Settings
) -> None:
    settings.LLM_SCREEN = False  # otherwise the local models settle this pair without votes
    check = run(create())
    assert check.state == Check.State.DONE
    finding = Finding.objects.get(parent_check=check, kind=FindingKind.SELF_CONTRADICTION)
    assert finding.prompt == "compare_pairs.v2"
    assert "3 of 3 votes" in finding.explanation
    assert [suggestion.replacement for suggestion in finding.suggestions.all()] == [
        "The mill at Sorrel was built by Ada Lind.",
        "",
    ]
    html = page(client, check)
    assert "The mill was built in 1849." in html
    assert "The model, asked again" in html
    assert "model calls" in html


def test_generator_and_analyzer_are_asked_for_what_is_theirs(server: ModelServer) -> None:
    run(create())
    by_model = {asked.body["model"]: asked for asked in server.asked}
    assert set(by_model) == {"generator", "analyzer"}
    assert all("Fill the gap: (" in asked.last for asked in server.asked if asked.body["model"] == "generator")
    assert {asked.key for asked in server.asked} == {"sk-secret"}


def test_every_call_is_recorded_and_the_page_hears_of_the_cost(server: ModelServer, client: Client) -> None:
    check = run(create())
    made = ModelCall.objects.filter(parent_check=check).exclude(outcome=CallOutcome.REUSED)
    assert made.count() == len(server.asked)
    spending = spending_of(check)
    assert spending.calls == len(server.asked)
    assert spending.usage.total > 0
    assert spending.usd is None
    assert "cost unknown" in page(client, check)
    last = CheckEvent.objects.filter(parent_check=check, type="usage.changed").last()
    assert last is not None
    assert last.payload["calls"] == spending.calls


def test_a_check_that_is_taken_up_again_pays_for_what_is_missing_only(server: ModelServer) -> None:
    server.script = lambda asked: Reply(status=400) if "employs" in asked.last else contradicting(asked)
    check = run(create())
    assert units(check)[2] == (
        "failed",
        "The endpoint does not accept the request (status 400). It says: “from the script”",
    )
    assert check.state == Check.State.DONE
    done = {(asked.prompt, asked.samples) for asked in server.asked if "employs" not in asked.last}
    server.asked.clear()
    server.script = contradicting
    services.check_resume(check=check)
    run(check)
    assert units(check)[2][0] == "done"
    assert server.asked
    assert not done & {(asked.prompt, asked.samples) for asked in server.asked}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=401), "refuses the API key"),
        (Reply(status=429, code="insufficient_quota"), "no credit"),
        (Reply(status=404), "no model"),
    ],
)
def test_an_endpoint_that_refuses_is_asked_no_more_and_the_reader_is_told_why(
    server: ModelServer, client: Client, reply: Reply, reason: str
) -> None:
    server.script = lambda asked: reply
    check = run(create())
    assert {state for state, _ in units(check).values()} == {"failed"}
    assert all(reason in why for _, why in units(check).values())
    assert len(server.asked) <= 8  # the simultaneous ones
    html = page(client, check)
    assert "Try again" in html
    assert "sk-secret" not in html


def test_prose_excuses_and_wrong_forms_are_no_sentences(server: ModelServer) -> None:
    server.script = lambda asked: Reply(("I'm sorry, but I cannot help with that.",) * asked.samples)
    check = run(create())
    assert not Finding.objects.filter(parent_check=check).exists()
    assert {state for state, _ in units(check).values()} == {"failed"}


def test_the_budget_stops_it_and_says_what_is_missing(server: ModelServer, settings: Settings) -> None:
    settings.BUDGET_TOKENS = 300
    check = run(create())
    assert any("budget of 300 tokens" in reason for _, reason in units(check).values())
    assert check.state == Check.State.DONE


def test_a_budget_in_calls(server: ModelServer, settings: Settings) -> None:
    settings.BUDGET_CALLS = 3
    check = run(create())
    assert len(server.asked) == 3
    assert any("budget of 3 model calls" in reason for _, reason in units(check).values())


def test_a_stopped_check_ends_within_a_second_with_calls_under_way(server: ModelServer) -> None:
    def slow(asked: Asked) -> Reply:
        reply = contradicting(asked)
        reply.delay_s = 8
        return reply

    server.script = slow
    check = create()
    thread = threading.Thread(target=_in_thread(lambda: services.check_run(check_id=check.pk)))
    thread.start()
    while not server.asked:
        time.sleep(0.02)
    begun = time.monotonic()
    services.check_cancel(check=check)
    thread.join(timeout=5)
    assert not thread.is_alive()
    assert time.monotonic() - begun < 4
    check.refresh_from_db()
    assert check.state == Check.State.CANCELLED


def test_without_a_language_model_the_check_fails_and_nothing_is_called_fine(client: Client) -> None:
    check = run(create())
    assert check.state == Check.State.FAILED
    assert "No language model is set up" in check.error


def test_the_form_says_where_the_text_will_go(server: ModelServer, client: Client, settings: Settings) -> None:
    html = client.get("/").content.decode()
    host = server.base_url.removeprefix("http://").removesuffix("/v1")
    assert f"Your text and your sources are sent to {host}" in html
    assert 'value="local" checked' in html
    response = client.post("/checks/new/", {"text": TEXT, "engine": "llm"})
    assert response.status_code == 302
    assert Check.objects.get().engine == Engine.LLM
    settings.LLM_BASE_URL = ""
    assert "Who checks it?" not in client.get("/").content.decode()
    refused = client.post("/checks/new/", {"text": TEXT, "engine": "llm"})
    assert refused.status_code == 422
    assert "No language model is set up here" in refused.content.decode()


def test_known_prices_are_added_up(server: ModelServer, settings: Settings) -> None:
    settings.GENERATOR_MODEL = settings.ANALYZER_MODEL = "gpt-4o-mini"
    spending = spending_of(run(create()))
    assert spending.usd is not None
    assert spending.usd > 0
    expected = (Decimal("0.15") * spending.usage.prompt + Decimal("0.60") * spending.usage.completion) / 1_000_000
    assert abs(spending.usd - expected) < Decimal("0.000001")


def test_a_wait_that_the_endpoint_asks_for_is_shown(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_client, "_NOTICEABLE_WAIT_S", 0.2)
    monkeypatch.setattr(model_client, "_NEW_PAUSE_S", 0.2)
    replies = [Reply(status=429, headers={"Retry-After-Ms": "300"})]
    server.script = lambda asked: replies.pop() if replies else contradicting(asked)
    check = run(create())
    event = CheckEvent.objects.get(parent_check=check, type="model.throttled")
    assert "busy" in event.payload["reason"]
    assert event.payload["seconds"] >= 0.3
    assert CheckDetail(check).waiting_reason == ""  # it is over


def _in_thread(work: Callable[[], None]) -> Callable[[], None]:
    def target() -> None:
        from django.db import connection

        try:
            work()
        finally:
            connection.close()

    return target


# --- Generated texts --------------------------------------------------------------------------------------------


def writing(asked: Asked) -> Reply:
    return Reply((TEXT,)) if asked.body.get("stream") else contradicting(asked)


def generate(prompt: str = "Tell me about the mill.") -> Check:
    return services.check_create(owner=OWNER, prompt=prompt, engine=Engine.LLM)


def test_a_text_is_written_shown_sentence_by_sentence_and_checked(server: ModelServer, client: Client) -> None:
    server.script = writing
    check = run(generate())
    assert (check.state, check.text, check.title) == (Check.State.DONE, TEXT, "Tell me about the mill.")
    written = CheckEvent.objects.filter(parent_check=check, type="generation.sentence")
    assert [event.payload["characters"] for event in written] == [50, 71, len(TEXT)]
    assert "Tell me about the mill." in server.asked[0].last
    assert Finding.objects.filter(parent_check=check, kind=FindingKind.SELF_CONTRADICTION).exists()
    assert any("an answer to the prompt “Tell me about the mill.”" in asked.prompt for asked in server.asked[1:])


def test_a_text_that_breaks_off_is_shown_not_checked_and_can_be_written_again(
    server: ModelServer, client: Client
) -> None:
    server.script = lambda asked: Reply((TEXT,), breaks_off=True)
    check = run(generate())
    assert check.state == Check.State.FAILED
    assert "broke off" in check.error
    assert not check.sentences.exists()
    assert check.text
    assert TEXT.startswith(check.text)
    assert "Check the rest" in page(client, check)
    server.script = writing
    services.check_resume(check=check)
    assert run(check).text == TEXT
    assert check.state == Check.State.DONE


def test_what_was_written_is_not_written_again(server: ModelServer) -> None:
    server.script = lambda asked: writing(asked) if asked.body.get("stream") else Reply(status=400)
    check = run(generate())
    services.check_resume(check=check)
    run(check)
    assert sum(bool(asked.body.get("stream")) for asked in server.asked) == 1


def test_a_prompt_asks_for_a_language_model(server: ModelServer, client: Client) -> None:
    refused = client.post("/checks/new/", {"text": "", "prompt": "Tell me about the mill.", "engine": "local"})
    assert refused.status_code == 422
    assert "Only a language model can write a text" in refused.content.decode()
    assert "Tell me about the mill." in refused.content.decode()
    accepted = client.post("/checks/new/", {"text": " ", "prompt": "Tell me about the mill.", "engine": "llm"})
    assert accepted.status_code == 302
    assert Check.objects.get().is_unwritten


def test_markup_in_what_the_model_writes_is_shown_as_text(server: ModelServer, client: Client) -> None:
    evil = "The mill <script>alert(1)</script> was built in 1894. It has twelve rooms."
    server.script = lambda asked: Reply((evil,)) if asked.body.get("stream") else contradicting(asked)
    html = page(client, run(generate("<script>alert(2)</script>")))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


# --- Before the start -------------------------------------------------------------------------------------------


def test_the_form_says_what_it_will_cost(server: ModelServer, client: Client, settings: Settings) -> None:
    assert 'data-usd=""' in client.get("/").content.decode()
    settings.GENERATOR_MODEL = settings.ANALYZER_MODEL = "gpt-4o-mini"
    html = client.get("/").content.decode()
    assert 'data-usd="0.0001' in html
    assert "About 3 calls and 770 tokens a sentence" in html


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(("Yes",)), "The connection works: analyzer answered in"),
        (Reply(status=401), "refuses the API key"),
        (Reply(status=404), "no model 'generator'"),
        (Reply(body=b"<html>"), "no chat completion"),
    ],
)
def test_the_connection_can_be_tried_out(server: ModelServer, client: Client, reply: Reply, message: str) -> None:
    server.script = lambda asked: reply
    answer = client.post("/language-model/test/").content.decode()
    assert message in answer
    assert "sk-secret" not in answer


def test_an_endpoint_without_json_schemas_works_and_is_told_of(server: ModelServer, client: Client) -> None:
    server.script = lambda asked: (
        Reply(status=400) if "response_format" in asked.body else Reply(('{"answer": "yes"}',))
    )
    answer = client.post("/language-model/test/").content.decode()
    assert "The connection works" in answer
    assert "✓ answers in JSON: without a schema" in answer


def test_trying_out_a_connection_to_nowhere(server: ModelServer, client: Client, settings: Settings) -> None:
    settings.LLM_BASE_URL = "http://127.0.0.1:9/v1"
    assert "cannot be reached" in client.post("/language-model/test/").content.decode()
    settings.LLM_BASE_URL = ""
    assert client.post("/language-model/test/").content.decode() == "No language model is set up here."
    assert client.get("/language-model/test/").status_code == 405


# --- Keys of users ----------------------------------------------------------------------------------------------


def test_a_typed_key_is_used_for_its_owner_and_stands_nowhere_in_the_clear(
    server: ModelServer, client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.LLM_API_KEY = ""
    assert 'type="password"' in client.get("/").content.decode()
    client.post("/checks/new/", {"text": TEXT, "engine": "llm", "api_key": "sk-typed"})
    check = run(Check.objects.get())
    assert {asked.key for asked in server.asked} == {"sk-typed"}
    stored = repr([list(model.objects.values()) for model in (ApiKey, Check, CheckEvent, ModelCall, Unit, Finding)])
    pages = client.get("/").content.decode() + client.get(f"/checks/{check.pk}/").content.decode()
    assert "sk-typed" not in stored + pages + caplog.text
    assert services.api_key_of("somebody else") == ""


def test_a_key_is_forgotten_when_asked_and_after_a_while(
    server: ModelServer, client: Client, settings: Settings
) -> None:
    settings.LLM_API_KEY = ""
    client.post("/checks/new/", {"text": TEXT, "engine": "llm", "api_key": "sk-typed"})
    owner = Check.objects.get().owner
    assert services.api_key_of(owner) == "sk-typed"
    assert "Forget the key" in client.get("/").content.decode()
    ApiKey.objects.update(created_at=timezone.now() - timedelta(hours=13))
    assert services.api_key_of(owner) == ""
    ApiKey.objects.update(created_at=timezone.now())
    client.post("/keys/forget/")
    assert not ApiKey.objects.exists()


def test_a_refused_form_does_not_send_the_key_back(server: ModelServer, client: Client, settings: Settings) -> None:
    settings.LLM_API_KEY = ""
    refused = client.post("/checks/new/", {"text": "", "engine": "llm", "api_key": "sk-typed"})
    assert refused.status_code == 422
    assert "sk-typed" not in refused.content.decode()


def test_a_key_that_can_no_longer_be_opened_is_no_key(server: ModelServer, settings: Settings) -> None:
    settings.LLM_API_KEY = ""
    services.api_key_keep(owner=OWNER, key="sk-typed")
    settings.SECRET_KEY = "another"
    assert services.api_key_of(OWNER) == ""


def test_where_the_project_has_a_key_none_is_asked_for(server: ModelServer, client: Client) -> None:
    assert 'name="api_key"' not in client.get("/").content.decode()


def test_only_the_services_whose_key_is_kept_are_named(settings: Settings) -> None:
    services.api_key_keep(owner=OWNER, key="sk-1")
    services.api_key_keep(owner=OWNER, key="sk-2", service="brave")
    assert services.services_with_key(OWNER) == {services.model_service(), "brave"}
    assert services.services_with_key("somebody else") == frozenset()
    ApiKey.objects.filter(service="brave").update(created_at=timezone.now() - timedelta(hours=13))
    assert services.services_with_key(OWNER) == {services.model_service()}


def test_a_kept_answer_comes_back_as_it_was() -> None:
    tokens = (TokenProbability(b"Zo\xc3", 0.25), TokenProbability(b"\xab", 1.0))
    answer = ModelAnswer(("Zoë", "Zoe"), TokenUsage(3, 4), is_cut=True, tokens=(tokens, ()))
    assert ANSWER.from_json(json.loads(json.dumps(ANSWER.to_json(answer)))) == replace(answer, usage=None)


def test_each_warning_says_what_it_has_cost_and_by_which_prompts(server: ModelServer, client: Client) -> None:
    check = run(create())
    (card,) = CheckDetail(check).cards
    paid = ModelCall.objects.filter(parent_check=check).exclude(outcome=CallOutcome.REUSED)
    assert {call.detector for call in paid} == {DETECTOR, "cross_contradiction.v1"}
    paid = paid.filter(detector=DETECTOR)
    own = [call for call in paid if call.sentences == [card.sentence]]
    tokens = sum((call.prompt_tokens or 0) + (call.completion_tokens or 0) for call in own)
    assert 0 < len(own) < len(paid)
    assert card.cost == f"{len(own)} model calls · {tokens:,} tokens · cost unknown"
    assert set(card.prompts) == {"trigger.v3", "compare_pairs.v2", "conclude.v2", "revise.v1"}
    assert card.cost in page(client, check)


def test_a_call_about_several_sentences_counts_in_each_by_its_share(server: ModelServer) -> None:
    check = run(create())
    finding = Finding.objects.get(parent_check=check)
    ModelCall.objects.filter(parent_check=check).delete()
    own, shared = [
        ModelCall.objects.create(
            parent_check=check,
            key=str(len(sentences)),
            detector=DETECTOR,
            sentences=sentences,
            purpose="trigger",
            prompt="trigger.v3",
            model="some-model",
            outcome=CallOutcome.ANSWERED,
            seconds=1,
            prompt_tokens=90,
            completion_tokens=10,
            cost_usd=Decimal("0.0100"),
        )
        for sentences in ([finding.sentence.index], [0, 1, 2, 3])
    ]
    (card,) = CheckDetail(check).cards
    assert card.cost == (
        "2 model calls · 125 tokens · $0.0125. Of these, 1 asked about other sentences too, and count by their share."
    )
    shared.outcome = CallOutcome.REUSED
    shared.save()
    own.cost_usd = None
    own.save()
    (card,) = CheckDetail(check).cards
    assert card.cost == "1 model call · 100 tokens · cost unknown"
