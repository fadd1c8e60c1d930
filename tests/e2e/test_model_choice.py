"""The fields of the form that are about a language model, where none is set up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from detection.core.llm.presets import LOCAL_SERVERS, PRESETS
from detection.lab.benchmarks.server import Server, running_server
from tests.fakes.model_server import ModelServer
from tests.fakes.scripts import contradicting

pytestmark = pytest.mark.browser

TEXT = "The mill at Sorrel was built in 1894 by Ada Lind. The mill employs 34 people."
KEY = "my-own-key"


@pytest.fixture(scope="module")
def vendor() -> Iterator[tuple[str, ModelServer]]:
    """A language model at one of the addresses that everybody knows, by the name of its preset."""
    for name in LOCAL_SERVERS:
        try:
            server = ModelServer(contradicting, port=int(PRESETS[name].base_url.split(":")[2].removesuffix("/v1")))
        except OSError:
            continue  # somebody uses it
        server.models = [{"id": "a-model"}, {"id": "an-embedding"}]
        with server.running():
            yield name, server
        return
    pytest.skip("All four addresses of language models on this machine are in use.")


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture
def start(browser: Browser, own_server: Server) -> Iterator[Page]:
    """The start page, which must neither throw nor be refused anything by its own security policy."""
    problems: list[str] = []
    with ExitStack() as stack:
        context = browser.new_context(base_url=own_server.url, viewport={"width": 1280, "height": 860})
        stack.callback(context.close)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto("/")
        yield page
    assert [problem for problem in problems if "status of 422" not in problem] == []


def test_a_server_is_chosen_tried_out_and_checks_with_my_key(start: Page, vendor: tuple[str, ModelServer]) -> None:
    name, model = vendor
    start.get_by_label("Text", exact=True).fill(TEXT)
    presets = start.locator(".presets")
    presets.locator("summary").click()
    presets.get_by_label("Vendor or server").select_option(name)
    expect(presets.locator("#preset-address")).to_have_text(PRESETS[name].base_url)
    expect(presets.get_by_label("Azure resource name")).to_be_hidden()
    presets.get_by_label("API key").fill(KEY)
    presets.get_by_label("Model").focus()
    expect(start.locator("#preset-models option")).to_have_count(1)
    assert start.locator("#preset-models option").get_attribute("value") == "a-model"
    assert not model.asked
    presets.get_by_label("Model").fill("a-model")
    presets.get_by_role("button", name="Use it").click()

    expect(start.get_by_label("A language model as well")).to_be_checked()
    expect(start.get_by_label("Text", exact=True)).to_have_value(TEXT)
    expect(start.locator(".presets")).to_have_count(0)
    start.get_by_label("A reasoning model thinks").select_option("low")
    start.get_by_role("button", name="Test the connection").click()
    expect(start.locator("#connection-state")).to_contain_text("The connection works: a-model answered")
    start.get_by_role("button", name="Check", exact=True).click()
    expect(start.locator("#progress:not([aria-busy])")).to_be_visible()
    expect(start.locator(".card", has_text="The model contradicts itself")).to_be_visible()
    assert {asked.key for asked in model.asked} == {KEY}
    assert "low" in {asked.body.get("reasoning_effort") for asked in model.asked}
    assert KEY not in start.content()

    start.goto("/")
    start.get_by_role("button", name="Stop using it").click()
    expect(start.locator(".presets")).to_be_visible()


def test_what_azure_needs_is_asked_for_and_a_wrong_name_refused(start: Page) -> None:
    presets = start.locator(".presets")
    presets.locator("summary").click()
    presets.get_by_label("Vendor or server").select_option("azure")
    expect(presets.locator("#preset-address")).to_contain_text("YOUR-RESOURCE")
    presets.get_by_label("Azure resource name").fill("elsewhere.example")
    presets.get_by_label("Model").fill("gpt-4o")
    with start.expect_response(re.compile("/language-model/preset/")) as response:
        presets.get_by_role("button", name="Use it").click()
    assert response.value.status == 422
    expect(start.locator("#form-errors")).to_contain_text("Azure needs the name of your resource")
    expect(start.locator(".presets").get_by_label("Azure resource name")).to_have_value("elsewhere.example")
