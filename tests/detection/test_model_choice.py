"""Language models to choose in the form: a known vendor with the user's key, or a model of the operator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from detection import services, wiring
from detection.core.llm.presets import PRESETS
from detection.models import ApiKey, Check
from tests.fakes.model_server import ModelServer
from tests.fakes.scripts import contradicting

TEXT = "The mill at Sorrel was built in 1894 by Ada Lind. It has twelve rooms."
HERE = {"host": "localhost:8080"}
SHARED = ["localhost", "checks.example"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _own_machine(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]


@pytest.fixture
def vendors(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ModelServer]]:
    """Groq and Mistral, at addresses of this machine."""
    settings.LLM_API_KEY = "sk-of-the-operator"
    with ExitStack() as stack:
        servers = {name: stack.enter_context(ModelServer(contradicting).running()) for name in ("groq", "mistral")}
        for name, server in servers.items():
            server.models = [{"id": f"{name}-large"}, {"id": f"{name}-embed"}]
            monkeypatch.setitem(PRESETS, name, replace(PRESETS[name], base_url=server.base_url))  # type: ignore[arg-type]
        yield servers


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[ModelServer]:
    """The endpoint of the settings, which the operator pays."""
    with ModelServer(contradicting).running() as server:
        server.models = [{"id": "small"}, {"id": "large"}]
        settings.LLM_BASE_URL, settings.LLM_API_KEY = server.base_url, "sk-of-the-operator"
        settings.GENERATOR_MODEL = settings.ANALYZER_MODEL = "small"
        yield server


def use(client: Client, **fields: str) -> tuple[int, str]:
    response = client.post("/language-model/preset/", fields, headers=HERE)
    return response.status_code, response.content.decode()


def create(client: Client, **fields: str) -> Check:
    response = client.post("/checks/new/", {"text": TEXT, "engine": "llm", **fields}, headers=HERE)
    assert response.status_code == 302, response.content.decode()
    return Check.objects.order_by("created_at").last()  # type: ignore[return-value]


def start(client: Client) -> str:
    return client.get("/", headers=HERE).content.decode()


def test_every_preset_is_offered_where_nothing_is_set_up(client: Client, vendors: dict[str, ModelServer]) -> None:
    html = start(client)
    assert set(wiring.presets()) == set(PRESETS)
    assert all(f">{preset.title}</option>" in html for preset in PRESETS.values())
    assert not any(server.looked_at for server in vendors.values())


def test_a_vendor_is_chosen_with_a_key_and_a_model_and_checks_by_it(
    client: Client, vendors: dict[str, ModelServer]
) -> None:
    groq = vendors["groq"]
    listed = client.post("/language-model/models/", {"preset": "groq", "api_key": "gsk-mine"}, headers=HERE).json()
    assert listed == {"models": ["groq-large"]}
    assert use(client, preset="groq", api_key="gsk-mine", model="groq-large")[0] == 302
    html = start(client)
    assert f"sent to 127.0.0.1:{groq.base_url.split(':')[2].removesuffix('/v1')} (groq-large)" in html
    assert "kept for this browser" in html
    assert "gsk-mine" not in html
    assert "Groq" in client.get("/settings/", headers=HERE).content.decode()
    check = create(client)
    assert check.language_model == {"preset": "groq", "model": "groq-large"}
    services.check_run(check_id=check.pk)
    check.refresh_from_db()
    assert (check.state, check.error) == (Check.State.DONE, "")
    assert {(asked.key, asked.body["model"]) for asked in groq.asked} == {("gsk-mine", "groq-large")}
    client.post("/language-model/forget/", headers=HERE)
    assert "(groq-large)" not in start(client)


def settings_page(client: Client) -> str:
    return " ".join(client.get("/settings/", headers=HERE).content.decode().split())


def test_the_settings_say_which_model_is_saved_and_whether_checks_use_it(
    client: Client, vendors: dict[str, ModelServer]
) -> None:
    assert "None is chosen: all checks run on this machine" in settings_page(client)
    use(client, preset="groq", api_key="gsk-mine", model="groq-large")
    html = settings_page(client)
    assert f"Saved in this browser: groq-large at {vendors['groq'].base_url.split('/')[2]}." in html
    assert "New checks use it" in html
    assert "all checks run on this machine" not in html
    client.post("/settings/", {"strictness": "balanced", "engine": "local"}, headers=HERE)
    assert "New checks do not use it" in settings_page(client)
    client.post("/language-model/forget/", headers=HERE)
    html = settings_page(client)
    assert "None is chosen" in html
    assert "A key for Groq is saved, but no model of Groq is chosen: checks do not use it." in html


def test_a_key_goes_to_nobody_it_is_not_for(client: Client, vendors: dict[str, ModelServer]) -> None:
    use(client, preset="groq", api_key="gsk-mine", model="groq-large")
    waiting = create(client)
    assert use(client, preset="mistral", model="mistral-large")[0] == 302
    without_key = create(client)
    use(client, preset="mistral", api_key="mistral-mine", model="mistral-large")
    for check in (waiting, without_key):
        services.check_run(check_id=check.pk)
    assert {asked.key for asked in vendors["groq"].asked} == {"gsk-mine"}
    assert {asked.key for asked in vendors["mistral"].asked} == {"mistral-mine"}
    client.post("/keys/forget/", headers=HERE)
    client.post("/language-model/test/", headers=HERE)
    assert vendors["mistral"].asked[-1].key == ""  # not the operator's
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize("resource", ["", "evil.example/x", "a.b", "-a", "a@b", "a#", "a\nb", "x" * 64])
def test_azure_needs_the_name_of_a_resource_and_takes_no_other_address(client: Client, resource: str) -> None:
    status, html = use(client, preset="azure", resource=resource, api_key="k", model="m")
    assert status == 422
    assert "Azure resource name" in html
    assert not ApiKey.objects.exists()
    assert wiring.language_model({"preset": "azure", "resource": resource, "model": "m"}) is None


def test_azure_with_a_resource(client: Client) -> None:
    assert use(client, preset="azure", resource="my-press", api_key="k", model="gpt-4o")[0] == 302
    assert "sent to my-press.openai.azure.com (gpt-4o)" in start(client)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"preset": "groq"}, "Name a model"),
        ({"model": "m"}, "Choose a vendor"),
        ({"preset": "nobody", "model": "m"}, "cannot be chosen here"),
    ],
)
def test_what_is_missing_is_told_and_nothing_is_chosen(client: Client, fields: dict[str, str], words: str) -> None:
    status, html = use(client, **fields)
    assert status == 422
    assert words in html
    assert "Who checks it?" not in start(client)


@pytest.mark.parametrize(
    "change", [{"ALLOWED_HOSTS": SHARED}, {"LLM_CHOOSE": False}, {"LLM_BASE_URL": "http://127.0.0.1:9/v1"}]
)
def test_nobody_chooses_where_the_operator_has_not_allowed_it(
    client: Client, settings: Settings, change: dict[str, object]
) -> None:
    for name, value in change.items():
        setattr(settings, name, value)
    assert "preset-form" not in start(client)
    assert use(client, preset="groq", api_key="k", model="m")[0] == 422
    assert wiring.language_model({"preset": "groq", "model": "m"}) is None
    assert not ApiKey.objects.exists()


def test_servers_of_this_machine_are_not_offered_where_they_are_not_to_be_found(settings: Settings) -> None:
    settings.LLM_DISCOVER = False
    assert "groq" in wiring.presets()
    assert not {"ollama", "lm-studio", "llama-cpp", "vllm"} & set(wiring.presets())


def test_on_a_machine_of_ones_own_any_model_of_the_endpoint_is_chosen(client: Client, endpoint: ModelServer) -> None:
    assert 'id="id_model"' in start(client)
    assert client.post("/language-model/models/", headers=HERE).json() == {"models": ["large", "small"]}
    check = create(client, model="large")
    services.check_run(check_id=check.pk)
    assert {(asked.key, asked.body["model"]) for asked in endpoint.asked} == {("sk-of-the-operator", "large")}


def test_of_a_shared_server_the_operator_says_which_models_it_pays(
    client: Client, endpoint: ModelServer, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = SHARED
    assert 'id="id_model"' not in start(client)
    assert client.post("/language-model/models/", headers=HERE).json() == {"models": []}
    fields = {"text": TEXT, "engine": "llm", "model": "large"}
    refused = client.post("/checks/new/", fields, headers=HERE)
    assert refused.status_code == 422
    assert "This model cannot be chosen here" in refused.content.decode()
    settings.LLM_MODELS = ["large"]
    assert 'id="id_model"' in start(client)
    assert client.post("/language-model/models/", headers=HERE).json() == {"models": ["large"]}
    assert create(client, model="large").language_model == {"model": "large"}
