"""Every page, in light and dark, by axe-core; what a screen reader is told of a card; where the focus goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from detection.benchmarks.server import Server

from .test_main_job import SOURCE, card_about, send, wait_until_done

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def reviewed(browser: Browser, server: Server) -> Iterator[tuple[dict[str, object], str]]:
    """The cookies of a browser with a finished check that has been decided on, and the address of the check."""
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    send(page, source=SOURCE)
    wait_until_done(page)
    card_about(page, "1967").get_by_role("button", name="Use the source").click()
    expect(page.locator(".card.is-accepted")).to_be_visible()
    yield context.storage_state(), page.url  # type: ignore[misc]
    context.close()


@pytest.fixture(params=["light", "dark"])
def audited(
    browser: Browser, server: Server, reviewed: tuple[dict[str, object], str], request: pytest.FixtureRequest
) -> Iterator[tuple[Page, str]]:
    """A page in one colour scheme, and the address of the check."""
    state, address = reviewed
    context: BrowserContext = browser.new_context(
        base_url=server.url,
        color_scheme=request.param,
        storage_state=state,  # type: ignore[arg-type]
        reduced_motion="reduce",  # colours that are still on their way would be taken for the final ones
    )
    yield context.new_page(), address
    context.close()


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary'][:300]}" for one in found for node in one["nodes"]
    ]


@pytest.mark.parametrize(
    "path", ["/", "/?example=summary", "/checks/", "/checks/?words=nowhere", "/sources/", "/settings/", "/help/"]
)
def test_pages_have_no_violation(audited: tuple[Page, str], path: str) -> None:
    page, _ = audited
    page.goto(path)
    assert violations(page) == []


def test_a_new_browser_is_met_without_a_violation(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    for path in ("/checks/", "/sources/"):
        page.goto(path)
        assert violations(page) == []
    context.close()


def test_the_review_has_no_violation_whatever_is_open(audited: tuple[Page, str]) -> None:
    page, address = audited
    page.goto(address)
    expect(page.locator(".card.is-current")).to_be_visible()
    assert violations(page) == []
    card = page.locator(".card.is-open").first
    card.get_by_role("button", name="Edit").click()
    card.locator("summary", has_text="Dismiss").click()
    card.locator("summary", has_text="What was done").click()
    assert violations(page) == []
    for opener, content in (("#accept-all", ".changes"), ("#decisions-link", ".decisions")):
        page.locator(opener).click()
        expect(page.locator(content)).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
    page.get_by_role("button", name="all keys").click()
    assert violations(page) == []


def test_what_can_be_opened_as_a_page_has_no_violation(audited: tuple[Page, str]) -> None:
    page, address = audited
    for path in ("again/", "decisions/", "accept-all/"):
        page.goto(address + path)
        assert violations(page) == []


def test_what_a_screen_reader_is_told_of_a_card(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    expect(card_about(page, "1967")).to_match_aria_snapshot("""
      - article "Conflicts with your source":
        - heading "Conflicts with your source" [level=2]
        - paragraph: The source says “1967”, this sentence says “1971”.
        - blockquote
        - blockquote
        - paragraph:
          - deletion: "1971"
          - insertion: "1967"
        - button "Use the source"
        - button /Remove sentence/
        - button "Edit"
        - button "Keep the original"
        - group: Dismiss…
        - group: What was done
    """)


def test_the_focus_is_never_lost_by_what_is_pressed(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    has_focus = "document.activeElement !== document.body"
    for key in ("Alt+ArrowDown", "Alt+Shift+Enter", "Control+z", "Control+Shift+z", "Control+z", "Alt+Enter"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
        assert page.evaluate(has_focus), key
    undo = page.get_by_role("button", name=re.compile("^Undo the last decision"))
    while undo.is_enabled():
        undo.press("Enter")
        page.wait_for_timeout(300)
        assert page.evaluate(has_focus)
    expect(page.locator("#tools :focus")).to_be_visible()
