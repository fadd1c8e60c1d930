"""A text that is checked while it is written, in the browser: held, corrected, and had back; a question decided on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from detection.benchmarks.server import Server
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting
from tests.fakes.writing import CRANE, FOUNDED, PROMPT, SOURCE, TRUE, WRONG_CRANE, WritingModel

pytestmark = pytest.mark.browser


class SlowModel:
    """Writes and validates so slowly that every state can be seen."""

    def __init__(self) -> None:
        self.writing = WritingModel(reply=Reply(seconds_per_chunk=0.05))

    def __call__(self, asked: Asked) -> Reply:
        if "Take the sentence apart" in asked.last or "hypotheses, boundary" in asked.last:
            return Reply(status=400)
        if asked.body.get("stream"):
            return self.writing(asked)
        if "boundary" not in asked.last:
            return contradicting(asked)
        reply = self.writing(asked)
        reply.delay_s = 1.5
        return reply


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with ModelServer(SlowModel()).running() as running:
        yield running


@pytest.fixture(scope="module")
def server(models: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The project's server with a language model set up."""
    running = Server(
        tmp_path_factory.mktemp("data"),
        CHATPROTECT_LLM_BASE_URL=models.base_url,
        CHATPROTECT_LLM_API_KEY="sk-secret",
        CHATPROTECT_GENERATOR_MODEL="some-model",
    )
    running.start()
    yield running
    running.stop()


def test_a_sentence_is_held_corrected_and_had_back(page: Page, screenshots: Path) -> None:
    page.goto("/")
    expect(page.get_by_text("Check while writing?")).to_be_hidden()
    page.get_by_label("Question or prompt").fill(PROMPT)
    expect(page.get_by_text("Check while writing?")).to_be_visible()
    page.get_by_label("Source", exact=True).fill(SOURCE)
    page.get_by_label("In your sources").check()
    page.get_by_label("With evidence").check()
    page.get_by_label("A language model as well").check()
    page.locator("#writing-field").screenshot(path=screenshots / "writing-form.png")
    page.get_by_role("button", name="Check", exact=True).click()
    held = page.locator(".written--held")
    expect(held.first).to_be_visible(timeout=60_000)
    expect(page.locator("#progress")).to_contain_text("The model is writing the text")
    page.screenshot(path=screenshots / "writing-held.png")
    note = page.locator(".written-note", has_text="Is 1941 right in")
    expect(note).to_contain_text("Its first crane was bought in 1914", timeout=60_000)
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=screenshots / "writing-repaired-narrow.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 860})
    page.screenshot(path=screenshots / "writing-repaired.png", full_page=True)
    expect(page.locator("#progress:not([aria-busy])")).to_be_visible(timeout=60_000)
    expect(page.locator("#revised")).to_have_value(re.compile(re.escape(f"{FOUNDED} {CRANE} {TRUE}")))
    card = page.locator(".card", has_text="Corrected while it was written")
    expect(card).to_contain_text(WRONG_CRANE)
    page.screenshot(path=screenshots / "writing-done.png")
    expect(card.get_by_role("button", name="Keep the correction")).to_have_attribute("data-accept", "")
    page.get_by_text("What was asked while it was written").click()
    page.screenshot(path=screenshots / "writing-asked.png", full_page=True)
    card.get_by_role("button", name="Use the first version").click()
    expect(page.locator("#revised")).to_have_value(re.compile(re.escape(WRONG_CRANE)))
