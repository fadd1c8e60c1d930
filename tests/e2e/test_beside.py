"""The source beside the text: a sentence leads to its passage, and the passage back to the sentence."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from . import test_main_job
from .test_accessibility import violations
from .test_cards import SOURCE, TEXT
from .test_main_job import assert_no_sideways_scrolling, click_mark, send, wait_until_done

pytestmark = pytest.mark.browser

SUPPORTED = "The lighthouse was built of granite."
#: So long that a passage at its end is not in view at first.
LONG_SOURCE = SOURCE + "\n\nThe chronicle tells of wind and weather." * 40 + f"\n\n{SUPPORTED}"

IN_VIEW = """
passage => {
  const box = passage.getBoundingClientRect(), frame = document.getElementById("beside-text").getBoundingClientRect();
  return frame.top <= box.top && box.bottom <= frame.bottom;
}
"""


def test_a_sentence_leads_to_its_passage_and_a_passage_to_its_sentence(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    send(page, text=f"{TEXT}\n{SUPPORTED}\n", source=LONG_SOURCE)
    wait_until_done(page)
    toggle = page.get_by_role("button", name="Source beside")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    # On a small laptop the text keeps half of the page.
    page.set_viewport_size({"width": 1024, "height": 768})
    page.wait_for_function("document.querySelector('#text').getBoundingClientRect().width > 1024 * 0.4")
    page.set_viewport_size({"width": 1280, "height": 860})
    passage = page.locator(".passage", has_text=SUPPORTED)
    expect(passage).to_have_class(re.compile("passage--support"))
    assert not passage.evaluate(IN_VIEW)
    sentence = page.locator(".text .sentence", has_text=SUPPORTED)
    sentence.locator("[data-ask]").focus()
    page.keyboard.press("Enter")
    expect(passage).to_have_class(re.compile("is-linked"))
    assert passage.evaluate(IN_VIEW)
    expect(sentence).to_have_class(re.compile("is-linked"))

    # The cards have made room: the small card beside the words does their work.
    mark = page.locator(".text .mark", has_text="1971")
    expect(page.locator(".panel")).to_be_hidden()
    click_mark(mark)
    expect(page.locator("#quick-card")).to_contain_text("1967")
    conflict = page.locator(".passage.is-linked")
    expect(conflict.first).to_contain_text("The old station was closed in 1967.")
    assert conflict.first.evaluate(IN_VIEW)
    page.keyboard.press("Alt+Shift+Enter")
    expect(page.locator(".card.is-rejected:not(.is-sent)")).to_have_count(1)

    passage.press("Enter")
    expect(sentence).to_have_class(re.compile("is-linked"))
    expect(sentence.locator("[data-ask]")).to_be_focused()
    coloured = "sentence => getComputedStyle(sentence).backgroundColor"
    before = sentence.evaluate(coloured)
    page.get_by_label("colour by support").check()
    assert sentence.evaluate(coloured) != before
    assert violations(page) == []
    assert_no_sideways_scrolling(page)
    page.get_by_role("button", name="Back to the cards").click()
    expect(page.locator(".panel")).to_be_visible()
    expect(toggle).to_be_focused()


def test_a_sentence_that_is_rendered_anew_keeps_its_link(page: Page) -> None:
    send(page, text=TEXT, source=SOURCE)
    wait_until_done(page)
    page.get_by_role("button", name="Source beside").click()
    page.locator(".passage", has_text="closed in 1967").hover()
    linked = page.locator(".text .sentence.is-linked")
    expect(linked).to_contain_text("1971")
    other = page.context.new_page()
    other.goto(page.url)
    click_mark(other.locator(".text .mark", has_text="1971"))
    other.keyboard.press("Alt+Shift+Enter")
    expect(page.locator(".card.is-rejected")).to_have_count(1)
    expect(linked).to_contain_text("1971")
    other.close()


def test_of_a_short_source_only_what_bears_on_a_sentence_is_marked(page: Page) -> None:
    trade, unsure = "Fishing was the main trade until the 1950s.", "Fishing was an important trade."
    assert trade in test_main_job.TEXT
    send(page, text=test_main_job.TEXT.replace(trade, unsure), source=test_main_job.SOURCE)
    wait_until_done(page)
    page.get_by_role("button", name="Source beside").click()
    marked = page.locator("a.passage")
    expect(marked).to_have_text([re.compile("southern shore"), re.compile("in 1894"), re.compile("closed in 1967")])
    expect(marked.last).to_have_attribute("title", "Conflicts with: sentence 5")
    # Nearest to sentence 4, which it does not bear out: nothing is seen of that until the sentence is chosen.
    nearest = page.locator(".passage", has_text="lived from fishing")
    expect(nearest).to_have_css("text-decoration-line", "none")
    expect(nearest).to_have_attribute("title", "Nearest to: sentence 4")
    page.locator(".text .sentence", has_text="Fishing").locator("[data-ask]").focus()
    page.keyboard.press("Enter")
    expect(nearest).to_have_class(re.compile("is-linked"))
    expect(marked.last).not_to_have_class(re.compile("is-linked"))
    assert violations(page) == []
