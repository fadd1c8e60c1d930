"""Small screens: the source field on a small laptop and a telephone, and a review with enough of the text in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, expect

from detection.lab.benchmarks.server import Server

from .test_main_job import SOURCE, TEXT, send, wait_until_done

pytestmark = pytest.mark.browser

SMALL_LAPTOP = {"width": 1024, "height": 768}
#: As large as small telephones of today are, without what their browsers put around the page.
TELEPHONE = {"width": 375, "height": 667}

#: How many lines of the text have room above the sheet of the cards.
LINES_IN_SIGHT = """
() => {
  const line = parseFloat(getComputedStyle(document.querySelector(".text .block")).lineHeight);
  return document.querySelector(".panel").getBoundingClientRect().top / line;
}
"""


def is_uncovered(field: Locator) -> bool:
    """Whether the middle of the field is in the window, with nothing over it."""
    found: bool = field.evaluate(
        """field => {
             const box = field.getBoundingClientRect();
             return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === field;
           }"""
    )
    return found


def test_the_source_field_is_in_sight_on_a_small_laptop_and_can_be_reached_on_a_telephone(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(base_url=server.url, viewport=SMALL_LAPTOP)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/")
    source = page.get_by_label("Source", exact=True)
    assert is_uncovered(page.get_by_label("Text", exact=True))
    assert is_uncovered(source)
    page.set_viewport_size(TELEPHONE)  # type: ignore[arg-type]
    page.goto("/")
    source.focus()
    assert is_uncovered(source)
    context.close()


def test_a_review_on_a_telephone_has_ten_lines_of_text_beside_the_open_card(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        base_url=server.url,
        viewport=TELEPHONE,  # type: ignore[arg-type]
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    send(page, text=f"{TEXT}\n" * 2, source=SOURCE)
    wait_until_done(page)
    mark = page.locator(".text .mark", has_text="1971").last
    mark.scroll_into_view_if_needed()
    x, y = mark.evaluate(
        "mark => { const line = mark.getClientRects()[0]; return [line.x + line.width / 2, line.y + line.height / 2]; }"
    )
    page.touchscreen.tap(x, y)
    card = page.locator(".card.is-current")
    expect(card).to_be_in_viewport()
    expect(mark).to_be_in_viewport()
    assert page.evaluate(LINES_IN_SIGHT) >= 10
    # What is above the text has scrolled away: the lines are the text.
    assert page.locator(".status").evaluate("status => status.getBoundingClientRect().bottom") <= 0
    context.close()
