"""A check in every possible state: the page is the same after a reload, accessible, and fits at 200 %."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from detection.lab.benchmarks.server import Server
from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.scripts import contradicting

from .test_accessibility import violations
from .test_main_job import SOURCE, assert_no_sideways_scrolling, assert_same_is_shown, send, wait_until_done

pytestmark = pytest.mark.browser

TEXT = "The mill at Sorrel was built in 1894 by Ada Lind. It stands on the northern bank of the Arn. What a place!"
#: A window of 1,280 by 860 pixels, as a page has it that is enlarged twice.
AT_200_PERCENT = {"width": 640, "height": 430}


class Model:
    """Waits until it may answer, and then does so, or refuses."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.refuses = False

    def __call__(self, asked: Asked) -> Reply:
        self.may_answer.wait(60)
        return Reply(status=400) if self.refuses else contradicting(asked)


@pytest.fixture
def model(models: ModelServer) -> Iterator[Model]:
    script = Model()
    with answering(models, script):
        yield script
        script.may_answer.set()


def look_at(page: Page, *, progress: str, button: str | None) -> None:
    """The page in this state, before and after a reload."""
    expect(page.locator("#progress")).to_contain_text(progress)
    tools = page.locator("#tools")
    if button is not None:
        expect(tools.get_by_role("button", name=button, exact=True)).to_be_visible()
    fresh = page.context.new_page()
    fresh.goto(page.url)
    assert_same_is_shown(page, fresh)
    fresh.close()
    assert violations(page) == [], progress
    before = page.viewport_size
    page.set_viewport_size(AT_200_PERCENT)  # type: ignore[arg-type]
    assert_no_sideways_scrolling(page)
    page.set_viewport_size(before)  # type: ignore[arg-type]
    page.reload()
    expect(page.locator("#progress")).to_contain_text(progress)
    if button is not None:
        expect(tools.get_by_role("button", name=button, exact=True)).to_be_visible()


def test_the_page_is_the_same_after_a_reload_in_every_state(browser: Browser, server: Server, model: Model) -> None:
    # Colours that are still on their way would be taken for the final ones.
    context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_label("A language model as well").check()
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*-*/")
    look_at(page, progress="0 of 2 sentences checked", button="Stop")

    page.get_by_role("button", name="Stop", exact=True).click()
    look_at(page, progress="stopped", button="Check the rest")

    model.refuses = True
    model.may_answer.set()
    page.get_by_role("button", name="Check the rest").click()
    wait_until_done(page)
    look_at(page, progress="2 failed", button=None)
    # One message says so, with one way on; there is no revised text to copy.
    expect(page.get_by_text("The check failed for 2 sentences:")).to_have_count(1)
    expect(page.get_by_role("button", name="Try again")).to_have_count(1)
    expect(page.locator("#copy")).to_have_count(0)

    model.refuses = False
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#progress")).to_contain_text("2 of 2 sentences checked")
    wait_until_done(page)
    look_at(page, progress="1 sentence to review", button=None)
    context.close()


def test_pages_of_others_and_of_what_is_gone_have_no_violation(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    page = context.new_page()
    send(page, source=SOURCE)
    wait_until_done(page)
    page.locator("#share-menu summary").click()
    page.get_by_role("button", name="Create the link").click()
    expect(page.locator("#share-link")).to_be_visible()
    shared = page.locator("#share-link").get_attribute("href")
    source = page.locator(".quote--source a").first.get_attribute("href")
    report = page.url + "exports/html/"
    for address in (shared, source, "/data/delete/", "/accounts/login/", "/nowhere/"):
        page.goto(str(address))
        assert violations(page) == [], address
    page.set_content(page.request.get(report).text())
    assert violations(page) == []
    context.close()
