"""Small screens: the source field on a small laptop and a telephone, and a review with enough of the text in sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from detection.lab.benchmarks.server import Server

from .test_main_job import SOURCE, TEXT, send, wait_until_done

pytestmark = pytest.mark.browser

SMALL_LAPTOP = {"width": 1024, "height": 768}
#: As large as small telephones of today are, without what their browsers put around the page.
TELEPHONE: ViewportSize = {"width": 375, "height": 667}

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
    page.set_viewport_size(TELEPHONE)
    page.goto("/")
    source.focus()
    assert is_uncovered(source)
    context.close()


def test_a_review_on_a_telephone_has_ten_lines_of_text_beside_the_open_card(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        base_url=server.url,
        viewport=TELEPHONE,
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


def test_all_places_of_a_telephone_tell_one_number_of_warnings(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        base_url=server.url,
        viewport=TELEPHONE,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    # One conflict, and three statements that the source does not mention: their cards are folded.
    unmentioned = "The church tower is 41 metres tall. Its bell weighs 900 kilograms. The school has 80 pupils."
    send(page, text=f"The old station closed in 1971. {unmentioned}", source=SOURCE)
    wait_until_done(page)
    cards = page.locator(".card.is-open")
    expect(cards).to_have_count(4)
    expect(page.locator(".card[data-is-silent]")).to_have_count(3)
    position = page.locator("#panel-position")
    expect(page.locator("#progress")).to_contain_text("4 sentences to review")
    expect(page.get_by_role("button", name="Open 4", exact=True)).to_be_visible()
    expect(position).to_have_text("4 open warnings")
    following = page.get_by_role("button", name="Next warning")
    for number in range(1, 5):
        following.tap()
        expect(position).to_have_text(f"{number} of 4 open warnings")
        expect(page.locator(".card.is-current")).to_be_in_viewport()
    page.get_by_role("button", name="Back to the text").tap()
    # What a filter hides is said; the number of all stays.
    page.get_by_label("Type", exact=True).select_option("kind:conflicts_with_source")
    expect(position).to_have_text("1 of 4 open warnings shown")
    context.close()


def test_a_long_name_of_a_source_ends_with_an_ellipsis_within_its_quote(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    name = page.locator(".card.is-current .quote--source bdi").first
    assert name.evaluate("name => name.scrollWidth > name.clientWidth")
    assert name.evaluate("name => getComputedStyle(name).textOverflow") == "ellipsis"
    ends = "name => [name, name.closest('cite')].map((one) => one.getBoundingClientRect().right)"
    of_name, of_line = name.evaluate(ends)
    assert of_name <= of_line


def test_each_thing_that_a_key_may_do_has_its_line(page: Page) -> None:
    page.set_viewport_size(TELEPHONE)
    page.goto("/settings/")
    choices = page.locator("fieldset.choices").first.locator("label")
    assert choices.count() > 1
    assert len(set(choices.evaluate_all("labels => labels.map((label) => label.getBoundingClientRect().x)"))) == 1
