"""A language model in the browser: it writes a text, is asked again, and the page says what it cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.scripts import contradicting
from tests.servers import MODEL_KEY

pytestmark = pytest.mark.browser

TEXT = (
    "The mill was built in 1894 by Ada Lind. It has twelve rooms and stands at Sorrel on the northern bank of the Arn. "
    "The mill employs 34 people. It has been a museum since 1990."
)


def writing(asked: Asked) -> Reply:
    return Reply((TEXT,), seconds_per_chunk=0.03) if asked.body.get("stream") else contradicting(asked)


@pytest.fixture(scope="module", autouse=True)
def script(models: ModelServer) -> Iterator[None]:
    with answering(models, writing):
        yield


def test_a_text_is_written_checked_and_put_right(page: Page, screenshots: Path) -> None:
    page.goto("/")
    page.get_by_label("Question or prompt").fill("Tell me about the mill at Sorrel.")
    page.get_by_label("A language model as well").check()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#progress")).to_contain_text("The model is writing the text")
    expect(page.locator("#text")).to_contain_text("built in 1894 by Ada Lind.")
    expect(page.locator("#progress:not([aria-busy])")).to_be_visible()
    card = page.locator(".card", has_text="The model contradicts itself")
    expect(card).to_contain_text("The mill was built in 1849.")
    expect(card).to_contain_text("The local models are sure that the two cannot both be true.")
    expect(page.locator("#progress")).to_contain_text("model calls")
    page.screenshot(path=screenshots / "language-model.png")
    card.get_by_role("button", name="Use the rewrite").click()
    expect(page.locator("#revised")).to_have_value(re.compile("^The mill was built by Ada Lind"))


def test_the_connection_is_tried_out_and_the_cost_estimated(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Text", exact=True).fill(TEXT)
    of_sentence = page.locator("#estimate")
    calls, tokens = (4 * int(of_sentence.get_attribute(f"data-{name}") or "0") for name in ("calls", "tokens"))
    assert calls
    assert tokens
    expect(of_sentence).to_contain_text(f"about {calls} calls and {tokens:,} tokens, cost unknown")
    expect(page.locator("#estimate")).not_to_contain_text("With the sources")
    page.get_by_label("Source", exact=True).fill("The mill was built in 1894.")
    expect(page.locator("#estimate")).to_contain_text("With the sources at most")
    page.get_by_role("button", name="Test the connection").click()
    expect(page.locator("#connection-state")).to_contain_text("The connection works: some-model answered")
    assert MODEL_KEY not in page.content()
