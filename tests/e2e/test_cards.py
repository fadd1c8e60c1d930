"""Compact cards, and the small card beside the words: a whole review without leaving the text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .test_main_job import click_mark, expect_revised, send, tab_to, wait_until_done

pytestmark = pytest.mark.browser

TEXT = """\
Sorrel is a village of 1,400 inhabitants. The railway reached Sorrel in 1898. The old station was closed in 1971.

The church tower is 41 metres tall. The museum opened in 1975.
"""
SOURCE = """\
Sorrel is a village of 1,200 inhabitants. The railway reached Sorrel in 1894. The old station was closed in 1967. \
The church tower is 38 metres tall. The museum opened in 1973.
"""
RIGHT = ("1,200", "1894", "1967", "38", "1973")
IN_TEXT = "document.activeElement.matches('.text .mark')"


def point_at(mark: Locator) -> None:
    """Move the pointer to the first line of a mark."""
    x, y = mark.evaluate(
        "mark => { const line = mark.getClientRects()[0]; return [line.x + 20, line.y + line.height / 2]; }"
    )
    mark.page.mouse.move(x, y)


def test_a_laptop_shows_four_cards_of_which_one_is_open(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    send(page, text=TEXT, source=SOURCE)
    wait_until_done(page)
    cards = page.locator(".card")
    expect(cards).to_have_count(5)
    in_view = "cards => cards.filter((card) => card.getBoundingClientRect().bottom <= innerHeight).length"
    assert cards.evaluate_all(in_view) >= 4
    expect(cards.locator("button:visible", has_text="Use the source")).to_have_count(1)

    second = cards.nth(1)
    expect(second.locator(".card__message")).to_be_visible()
    expect(second.locator(".quotes")).to_be_hidden()
    second.locator("h2").click()
    expect(second).to_have_class(re.compile("is-current"))
    expect(second.get_by_role("button", name="Use the source")).to_be_visible()
    expect(cards.first.locator(".quotes")).to_be_hidden()


TABLE = """\
# The Orrin Theatre

The Orrin Theatre was designed by Clara Voss and opened in 1932. It was renovated in 1971 for 4 million pounds.

| Room | Seats | Opened |
| --- | --- | --- |
| Great hall | 240 | 1932 |
| Studio | 90 | 1985 |

The theatre is open on six days a week. Clara Voss was born in Oslo. The theatre employs 34 people.
"""
TABLE_SOURCE = """\
The Orrin Theatre in Sorrel was designed by Clara Voss and opened in 1930. The great hall has 180 seats. It is open on \
five days a week. The theatre was renovated in 1974 for 3 million pounds. Clara Voss was born in Bergen. It employs 52 \
people.
"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 720)])
def test_a_small_laptop_shows_four_cards_of_a_text_with_a_table(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    send(page, text=TABLE, source=TABLE_SOURCE, topic="")
    wait_until_done(page)
    cards = page.locator(".card")
    assert cards.count() >= 5
    in_view = "cards => cards.filter((card) => card.getBoundingClientRect().bottom <= innerHeight).length"
    assert cards.evaluate_all(in_view) >= 4


def test_the_pointer_on_a_mark_shows_both_quotes_and_the_offer_beside_it(page: Page) -> None:
    send(page, text=TEXT, source=SOURCE)
    wait_until_done(page)
    small = page.locator("#quick-card")
    mark = page.locator(".text .mark", has_text="1971")
    point_at(mark)
    expect(small).to_be_visible()
    expect(small.locator("blockquote b")).to_have_text(["1971", "1967"])
    words, beside = mark.bounding_box(), small.bounding_box()
    assert words is not None
    assert beside is not None
    distances = (abs(beside["y"] - words["y"] - words["height"]), abs(words["y"] - beside["y"] - beside["height"]))
    assert min(distances) < 20
    # It stays while the pointer is in it, and Escape takes it away.
    small.locator("blockquote").first.hover()
    expect(small).to_be_visible()
    page.keyboard.press("Escape")
    expect(small).to_be_hidden()
    point_at(page.locator(".text .mark", has_text="41"))
    expect(small).to_contain_text("38")
    small.get_by_role("button", name="Use the source").click()
    expect_revised(page, TEXT.replace("41", "38"))
    # The small card of the next mark comes up; it is sent away before a click on the words opens the large one.
    expect(small).to_be_visible()
    page.keyboard.press("Escape")
    expect(small).to_be_hidden()
    click_mark(mark)
    expect(small).to_be_hidden()
    expect(page.locator(".card.is-current")).to_contain_text("1967")


def test_a_whole_review_by_keyboard_in_the_text(page: Page) -> None:
    send(page, text=TEXT, source=SOURCE)
    wait_until_done(page)
    small = page.locator("#quick-card")
    page.locator("#text").evaluate("text => text.querySelector('.mark').focus()")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(small).to_be_visible()
    assert page.evaluate(IN_TEXT)
    describing = page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-describedby')).id")
    assert describing == "quick-message"
    tab_to(page, "Use the source")
    page.keyboard.press("Enter")
    expect(page.locator(".card.is-accepted")).to_have_count(1)
    # The next mark has the focus, and its card: one key for each is enough.
    for decided in range(2, len(RIGHT)):
        expect(small).to_be_visible()
        assert page.evaluate(IN_TEXT)
        page.keyboard.press("Alt+Enter")
        expect(page.locator(".card.is-accepted")).to_have_count(decided)
    expect(small).to_be_visible()
    tab_to(page, "Keep the original")
    page.keyboard.press("Enter")
    expect(page.locator("#feed-state")).to_contain_text("All decided")
    expect(small).to_be_hidden()
    expect(page.locator(".card.is-rejected")).to_have_count(1)


def test_one_card_for_what_the_source_and_the_text_itself_say_otherwise(page: Page) -> None:
    text = "The Orrin Theatre has 210 seats. It was built by Clara Voss. The Orrin Theatre has 240 seats today."
    send(page, text=text, source="The Orrin Theatre has 180 seats. It was built by Clara Voss.")
    wait_until_done(page)
    cards = page.locator(".card")
    expect(cards).to_have_count(2)
    expect(page.locator("#panel-position")).to_have_text("1 of 2 open warnings")
    both = cards.nth(1)
    both.locator("h2").click()
    expect(both.locator(".quote")).to_have_count(3)
    expect(both).to_contain_text("The text itself also says otherwise: sentence 1.")
    expect(both.locator(".option .button").first).to_have_text("Use the source")
    both.get_by_role("button", name="Keep the original").click()
    expect(page.locator("#panel-position")).to_have_text("1 of 1 open warning")
    expect(cards).to_have_count(2)
    page.locator("#undo").click()
    expect(both).to_have_class(re.compile("is-open is-current"))
    expect(both.locator(".quote")).to_have_count(3)
    page.keyboard.press("Alt+Enter")
    expect_revised(page, text.replace("240", "180"))
    expect(cards).to_have_count(2)


REPEATING = """\
The trial enrolled 412 patients in seven hospitals. The 412 patients were followed for a year. The doctors were young. \
An earlier study had 412 patients, too.
"""
REPEATING_SOURCE = """\
The trial enrolled 312 patients in seven hospitals. The patients were followed for a year. The doctors were young.
"""


def test_sentences_that_repeat_a_wrong_value_are_changed_together_and_each_change_is_shown(page: Page) -> None:
    send(page, text=REPEATING, source=REPEATING_SOURCE, topic="")
    wait_until_done(page)
    card = page.locator(".card", has_text="312 patients").first
    card.locator("h2").click()
    first = card.locator(".option").first
    expect(first).to_contain_text("Sentence 4 keeps the old figure.")
    others = first.locator("summary", has_text="Also in sentence 2.")
    others.focus()
    page.keyboard.press("Enter")
    expect(first.locator("li ins")).to_have_text("312")
    first.get_by_role("button", name="Change all 2 sentences").click()
    expect_revised(page, REPEATING.replace("412", "312", 2))
    page.locator("#undo").click()
    expect_revised(page, REPEATING)
