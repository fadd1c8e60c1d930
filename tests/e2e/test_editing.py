"""Editing the revised text in place, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .test_main_job import SOURCE, TEXT, card_about, expect_revised, send, wait_until_done

pytestmark = pytest.mark.browser


def open_revised(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    page.get_by_role("button", name="Revised", exact=True).click()


def caret_after(page: Page, block: int, words: str) -> None:
    """Click behind some words of a paragraph."""
    page.evaluate(
        """([block, words]) => {
             const element = document.querySelector(`#text [data-block="${block}"]`);
             element.scrollIntoView({ block: "center", behavior: "instant" });
             const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
             while (walker.nextNode()) {
               const at = walker.currentNode.data.indexOf(words);
               if (at < 0) continue;
               element.focus();
               getSelection().setPosition(walker.currentNode, at + words.length);
               return;
             }
             throw new Error(words);
           }""",
        [block, words],
    )


def test_a_conflict_typed_away_is_gone_and_one_typed_in_is_found_without_leaving_the_paragraph(page: Page) -> None:
    open_revised(page)
    before = page.url
    expect(card_about(page, "1967")).to_be_visible()
    paragraph = page.get_by_role("textbox", name="Paragraph, editable").nth(1)
    caret_after(page, 1, "1971")
    for _ in "1971":
        page.keyboard.press("Backspace")
    page.keyboard.type("1967")
    expect(page.locator("#edit-state")).to_have_text("Checked again.")
    expect(paragraph).to_be_focused()
    expect(card_about(page, "1967")).to_have_count(0)
    expect_revised(page, TEXT.replace("1971", "1967"))
    assert page.url != before
    assert page.evaluate("getSelection().focusOffset") == TEXT.index("1971") + 4 - TEXT.index("The old")
    for _ in "1967":
        page.keyboard.press("Backspace")
    page.keyboard.type("1969")
    expect(card_about(page, "1969")).to_be_visible()
    expect(paragraph).to_be_focused()

    # What was typed is on the page again after a reload, with its marks, and one step back leads to the text before.
    revised = TEXT.replace("1971", "1969")
    expect_revised(page, revised)
    page.reload()
    expect_revised(page, revised)
    page.go_back()
    expect_revised(page, TEXT)
    expect(card_about(page, "1967")).to_be_visible()


def test_words_typed_while_a_check_is_on_its_way_or_refused_stay(page: Page) -> None:
    page.expected_problems += ["503"]  # type: ignore[attr-defined]
    open_revised(page)
    caret_after(page, 0, "1,200 inhabitants")
    page.keyboard.type(" today")
    with page.expect_response("**/blocks/0/"):
        pass
    page.keyboard.type(" and")
    page.keyboard.type(" before")
    expect(page.locator("#revised")).to_have_value(TEXT.replace("inhabitants", "inhabitants today and before"))
    # Another paragraph, after the caret has left the first one.
    page.route("**/blocks/**", lambda route: route.fulfill(status=503))
    caret_after(page, 1, "What a place")
    page.keyboard.type(" it is")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.locator("#text")).to_contain_text("What a place it is!")
    page.unroute("**/blocks/**")
    expect(page.locator("#revised")).to_have_value(
        TEXT.replace("inhabitants", "inhabitants today and before").replace("What a place", "What a place it is")
    )


def test_an_edit_is_undone_by_the_same_key_as_a_decision(page: Page) -> None:
    open_revised(page)
    caret_after(page, 1, "1971")
    page.keyboard.press("Backspace")
    expect_revised(page, TEXT.replace("1971", "197"))
    page.keyboard.press("Escape")
    page.locator("#title").click()
    page.keyboard.press("Control+z")
    expect_revised(page, TEXT)
