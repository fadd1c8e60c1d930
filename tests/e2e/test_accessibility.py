"""Every page in light, dark and enlarged, by axe-core; announcements for screen readers; the focus."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from detection.lab.benchmarks.server import Server

from .test_main_job import SOURCE, card_about, send, use_the_source, wait_until_done

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def reviewed(browser: Browser, server: Server) -> Iterator[tuple[Page, str]]:
    """A page with a finished check without decisions, and the address of the check."""
    # Colours that are still on their way would be taken for the final ones.
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    page = context.new_page()
    send(page, source=SOURCE)
    wait_until_done(page)
    yield page, page.url
    context.close()


def violations(page: Page) -> list[str]:
    """What axe finds in the light, and what it finds of colours in the dark: nothing else depends on them."""
    page.emulate_media(color_scheme="light")
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    found += Axe().run(page, options={"runOnly": ["color-contrast", "link-in-text-block"]}).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}" for one in found for node in one["nodes"]
    ]


def test_what_a_screen_reader_is_told_of_a_card(reviewed: tuple[Page, str]) -> None:
    page, address = reviewed
    page.goto(address)
    expect(card_about(page, "1967")).to_match_aria_snapshot("""
      - article "Conflicts with your source":
        - heading "Conflicts with your source" [level=2]
        - paragraph: The source says “closed in 1967”, this sentence says “closed in 1971”.
        - blockquote
        - blockquote
        - paragraph:
          - deletion: "1971"
          - insertion: "1967"
        - button "Use the source"
        - button "Edit"
        - button "Keep the original"
        - group: Ignore…
        - button /Remove sentence/
        - group: Why this was flagged
    """)


def test_pages_have_no_violation(reviewed: tuple[Page, str]) -> None:
    page, address = reviewed
    own = [address + path for path in ("again/", "decisions/", "accept-all/")]
    paths = ("/", "/?example=summary", "/checks/", "/checks/?words=nowhere", "/sources/", "/settings/", "/help/")
    for path in (*paths, *own):
        page.goto(path)
        assert violations(page) == [], path


def test_pages_have_no_violation_at_200_percent(reviewed: tuple[Page, str]) -> None:
    """A window of 1280 by 800, in which the reader has enlarged everything to twice its size."""
    page, address = reviewed
    usual = page.viewport_size
    page.set_viewport_size({"width": 640, "height": 400})
    for path in ("/", "/?example=summary", "/checks/", "/sources/", "/settings/", "/help/", address):
        page.goto(path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert usual is not None
    page.set_viewport_size(usual)


def test_a_new_browser_is_met_without_a_violation(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    page = context.new_page()
    for path in ("/checks/", "/sources/"):
        page.goto(path)
        assert violations(page) == [], path
    context.close()


def test_the_focus_is_never_lost_by_what_is_pressed(reviewed: tuple[Page, str]) -> None:
    page, address = reviewed
    page.goto(address)
    has_focus = "document.activeElement !== document.body"
    page.keyboard.press("Alt+ArrowDown")
    assert page.evaluate(has_focus)
    for key in ("Alt+Shift+Enter", "Control+z", "Control+Shift+z", "Control+z", "Alt+Enter"):
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.keyboard.press(key)
        settled(page)
        assert page.evaluate(has_focus), key
    undo = page.get_by_role("button", name=re.compile("^Undo the last decision"))
    while undo.is_enabled():
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            undo.press("Enter")
        settled(page)
        assert page.evaluate(has_focus)
    expect(page.locator("#tools :focus")).to_be_visible()


def settled(page: Page) -> None:
    """Wait until what an answer changed has been painted."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def test_the_review_has_no_violation_whatever_is_open(reviewed: tuple[Page, str]) -> None:
    page, address = reviewed
    page.goto(address)
    use_the_source(page)
    expect(page.locator(".card.is-accepted")).to_be_visible()
    expect(page.locator(".card.is-current")).to_be_visible()
    card = page.locator(".card.is-current")
    card.get_by_role("button", name="Edit").click()
    card.locator("summary", has_text="Ignore").click()
    card.locator("summary", has_text="Why this was flagged").click()
    assert violations(page) == []
    for opener, content in (("#accept-all", ".changes"), ("#decisions-link", ".decisions")):
        page.locator(opener).click()
        expect(page.locator(content)).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
    page.get_by_role("button", name="all keys").click()
    assert violations(page) == []
