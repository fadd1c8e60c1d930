"""A text that is checked while it is written, in the browser: held, corrected, restored; decisions on questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.scripts import contradicting
from tests.fakes.writing import (
    BRED,
    CRANE,
    FOUNDED,
    PROMPT,
    SOURCE,
    WRONG_CRANE,
    GatedModel,
    WritingModel,
    is_validation,
    is_writing,
    prefix_of,
)

pytestmark = pytest.mark.browser


QUESTION = "Why was the harbour of Karsholm founded by Jon Berg?"
RECTIFIED = "Why was the harbour of Karsholm founded by Ada Lind?"
ASSUMPTION = "Jon Berg founded the harbour."


class Model:
    """Writes and validates so slowly that every state can be seen, and waits behind the corrected sentence."""

    def __init__(self) -> None:
        self.writing = GatedModel()
        self.writing.writing = WritingModel(reply=Reply(seconds_per_chunk=0.05))
        self.answered: list[str] = []

    def __call__(self, asked: Asked) -> Reply:
        if "Rewrite the question" in asked.last:
            return Reply((RECTIFIED,))
        if "takes for granted" in asked.last and "boundary" in asked.last:
            said = {"assumption": ASSUMPTION, "quote": "", "reason": "Ada Lind founded it.", "answer": "no"}
            return Reply((json.dumps(said),))
        if is_writing(asked) and not prefix_of(asked):
            self.answered.append(asked.last)
        if not is_writing(asked) and not is_validation(asked):
            # The detectors that come when the text is written.
            return Reply(status=400) if "boundary" in asked.last else contradicting(asked)
        reply = self.writing(asked)
        reply.delay_s = 0 if is_writing(asked) else 0.7
        return reply


@pytest.fixture(scope="module", autouse=True)
def model(models: ModelServer) -> Iterator[Model]:
    script = Model()
    with answering(models, script):
        yield script


def test_a_sentence_is_held_corrected_and_had_back_while_the_text_is_written(page: Page, screenshots: Path) -> None:
    page.goto("/")
    expect(page.get_by_text("Check while writing?")).to_be_hidden()
    page.get_by_label("Question or prompt").fill(PROMPT)
    expect(page.get_by_text("Check while writing?")).to_be_visible()
    expect(page.locator("#writing-estimate")).to_contain_text("about 3 calls and 1,880 tokens a sentence, cost unknown")
    page.get_by_label("Source", exact=True).fill(SOURCE)
    page.get_by_label("In your sources").check()
    page.get_by_label("With evidence").check()
    page.get_by_label("A language model as well").check()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".written--held").first).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("The model is writing the text")
    for what_needs_a_text in ("#views", "#undo", "#accept-all"):
        expect(page.locator(what_needs_a_text)).to_be_hidden()
    note = page.locator(".written-note", has_text="Is 1941 right in")
    expect(note).to_contain_text("Its first crane was bought in 1914")
    first = note.get_by_role("button", name="Use the first version")
    expect(first).to_be_visible()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=screenshots / "writing-repaired-narrow-dark.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 860})
    page.emulate_media(color_scheme="light")
    page.screenshot(path=screenshots / "writing-repaired.png", full_page=True)
    first.click()
    expect(page.locator(".written--restored")).to_contain_text("1941")
    # The text goes on from what the reader has put back, mistakes and all, and the mistake is not forgotten.
    expect(page.locator("#progress:not([aria-busy])")).to_be_visible()
    expect(page.locator("#revised")).to_have_value(re.compile(re.escape(f"{FOUNDED} {WRONG_CRANE} {BRED}")))
    expect(page.locator(".card", has_text="First version put back while the text was written.")).to_be_visible()
    page.locator("#undo").click()
    card = page.locator(".card", has_text="You had the first version put back.")
    expect(card.get_by_role("button", name="Keep the first version")).to_be_visible()
    card.get_by_role("button", name="Use the correction").click()
    expect(page.locator("#revised")).to_have_value(re.compile(re.escape(CRANE)))
    page.get_by_text("Questions asked while it was written").click()
    expect(page.locator("#how-written")).to_contain_text("first version, restored by you")
    page.screenshot(path=screenshots / "writing-done.png", full_page=True)


@pytest.mark.parametrize(
    ("edited", "button", "answered"),
    [
        pytest.param("", "Answer this question", RECTIFIED, id="accepted"),
        pytest.param("When was it founded?", "Answer this question", "When was it founded?", id="edited"),
        pytest.param("", "Answer my original question", QUESTION, id="overridden"),
    ],
)
def test_a_question_with_a_false_premise_is_decided_on(
    page: Page, screenshots: Path, model: Model, edited: str, button: str, answered: str
) -> None:
    model.writing.gate.set()
    page.goto("/")
    page.get_by_label("Question or prompt").fill(QUESTION)
    page.get_by_label("With the model’s own memory").check()
    page.get_by_label("A language model as well").check()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".premise")).to_contain_text(ASSUMPTION)
    field = page.get_by_label("A corrected question; change it as you like")
    expect(field).to_have_value(RECTIFIED)
    expect(page.locator("#progress")).to_contain_text("Your question needs a decision")
    if edited:
        field.fill(edited)
        page.set_viewport_size({"width": 390, "height": 844})
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=screenshots / "premise-narrow-dark.png", full_page=True)
    page.get_by_role("button", name=button).click()
    expect(page.locator("#text")).to_contain_text(FOUNDED)
    expect(page.locator(".premise")).to_have_count(0)
    assert answered in model.answered[-1]
    if answered == QUESTION:
        warning = page.locator(".card", has_text="The question assumes something false")
        expect(warning).to_be_visible()
