"""The review in a real browser: dismissing, two tabs at odds, filters, and the text checked again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from detection.lab.benchmarks.server import Server

from .test_main_job import SOURCE, TEXT, UNDO, card_about, expect_revised, send, use_the_source, wait_until_done

pytestmark = pytest.mark.browser


def test_a_dismissed_warning_stays_away_and_can_be_asked_for_again(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    page.keyboard.press("Alt+ArrowDown")
    while "1967" not in (page.locator(".card.is-current").text_content() or ""):
        page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("d")
    page.keyboard.type("The plaque says so.")
    page.get_by_role("button", name="Always ignore").click()
    expect(page.locator(".card.is-dismissed")).to_contain_text("The plaque says so.")
    page.keyboard.press("Control+z")
    expect(page.locator(".card.is-dismissed")).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".card.is-dismissed")).to_be_visible()

    send(page, source=SOURCE)
    wait_until_done(page)
    dismissed = page.locator(".card.is-dismissed")
    expect(dismissed).to_contain_text("ignored in an earlier check")
    dismissed.get_by_role("button", name="Reopen").click()
    expect(card_about(page, "1967")).to_be_visible()


def test_a_decision_in_a_tab_that_has_fallen_behind_is_refused_and_says_so(page: Page, context: BrowserContext) -> None:
    page.expected_problems += ["409", "WebSocket"]  # type: ignore[attr-defined]
    other = context.new_page()
    send(other, source=SOURCE)
    wait_until_done(other)
    # The tab hears nothing of what the other one does.
    page.route_web_socket(re.compile(".*"), lambda socket: None)
    page.goto(other.url)
    card_about(other, "1967").get_by_role("button", name="Keep the original").click()
    expect(other.locator(".card.is-rejected")).to_be_visible()

    use_the_source(page)
    expect(page.get_by_role("alert")).to_contain_text("has changed since this page showed it")
    expect(page.locator(".card.is-rejected")).to_be_visible()
    expect_revised(page, TEXT)
    page.get_by_role("button", name="Reopen").click()
    expect(other.locator(".card.is-rejected")).to_have_count(0)
    use_the_source(page)
    expect_revised(page, TEXT.replace("1971", "1967"))


def test_filters_show_some_warnings_and_stay_after_a_reload(page: Page) -> None:
    send(page, text=f"{TEXT}Its bakery was opened by Tom Berg in 1912.", source=SOURCE)
    wait_until_done(page)
    cards = page.locator(".card:visible")
    everything = page.locator(".card").count()
    assert cards.count() == everything - 1 > 0, "what the source does not mention is folded"
    page.get_by_label("Type", exact=True).select_option(label="Not in your source (1)")
    expect(cards).to_have_count(1)
    page.reload()
    expect(cards).to_have_count(1)
    cards.get_by_role("button", name="Keep the original").click()
    page.get_by_role("button", name=re.compile("^Open ")).click()
    expect(page.get_by_text("No warnings match this filter.")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(cards).to_have_count(everything)
    contradicted = page.locator(".overview__count", has_text="contradicted")
    contradicted.click()
    expect(contradicted).to_have_attribute("aria-pressed", "true")
    # The other side of the contradiction conflicts with the source, and its mark says so.
    expect(page.locator(".sentence:not(.is-dimmed)")).to_have_count(1)


def test_the_revised_text_is_checked_again_and_compared(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    use_the_source(page)
    expect(page.locator(".text ins")).to_have_text("1967")
    before = page.url
    page.get_by_role("link", name="Check again").click()
    field = page.get_by_label("Text", exact=True)
    expect(field).to_have_value(TEXT.replace("1971", "1967"))
    expect(page.locator("#again-estimate")).to_contain_text("About 1 of 7 sentences has changed.")
    field.fill(field.input_value() + "The lake has 40 islands.")
    expect(page.locator("#again-estimate")).to_contain_text("About 2 of 8 sentences have changed.")
    page.get_by_role("button", name="Check again").click()
    page.wait_for_url(lambda url: url != before and not url.endswith("again/"))
    wait_until_done(page)
    comparison = page.locator("#comparison")
    expect(comparison).to_contain_text("1 fixed")
    expect(comparison).to_contain_text("1 new")
    expect(page.locator(".card__new")).to_have_count(1)
    comparison.get_by_role("link", name="the check before").click()
    expect(page.get_by_text("There is a later version of this text")).to_be_visible()
    page.get_by_role("button", name=UNDO).click()
    expect_revised(page, TEXT)


def test_what_is_typed_before_the_script_is_loaded_is_estimated_too(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    held: list[Route] = []
    page.route("**/again*.js", lambda route: held.append(route))
    with page.expect_request("**/again*.js"):
        page.get_by_role("link", name="Check again").click()
    field = page.get_by_label("Text", exact=True)
    field.fill(f"{TEXT} The lake has 40 islands.")
    held[0].continue_()
    expect(page.locator("#again-estimate")).to_contain_text("About 1 of 8 sentences has changed.")


def test_two_sentences_are_merged_and_parted_again_and_loaded_as_they_are(
    page: Page, browser: Browser, server: Server, tmp_path: Path
) -> None:
    text = "The bridge opened in 1932. It is made of steel. The bridge, opened in 1931, is 1,149 metres long."
    merged = "The bridge, opened in 1932, is 1,149 metres long. It is made of steel."
    send(page, text=text, topic="")
    wait_until_done(page)
    card = page.locator(".card")
    expect(card).to_contain_text("Merges sentence 3 and removes it.")
    card.get_by_role("button", name="Merge").click()
    expect_revised(page, merged)
    expect(page.locator("#sentence-2 del")).to_have_text("The bridge, opened in 1931, is 1,149 metres long.")
    page.keyboard.press("Control+z")
    expect_revised(page, text)
    expect(card.get_by_role("button", name="Merge")).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect_revised(page, merged)
    page.reload()
    expect_revised(page, merged)

    response = page.request.get(f"{page.url}exports/json/")
    taken = tmp_path / "check.json"
    taken.write_bytes(response.body())
    somebody_else = browser.new_context(base_url=server.url)
    other = somebody_else.new_page()
    other.goto("/checks/")
    other.get_by_label("File").set_input_files(taken)
    other.get_by_role("button", name="Load").click()
    expect_revised(other, merged)
    other.get_by_role("button", name="Reopen").click()
    expect_revised(other, text)
    other.locator(".card").get_by_role("button", name="Merge").click()
    expect_revised(other, merged)
    somebody_else.close()


def test_a_warning_comes_up_beside_its_sentence_at_a_touch(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        base_url=server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    send(page, source=SOURCE)
    wait_until_done(page)
    mark = page.locator(".text .mark", has_text="station")
    mark.scroll_into_view_if_needed()
    # Its box may span two lines, with other words in its middle.
    x, y = mark.evaluate(
        "mark => { const r = mark.getClientRects()[0]; return [r.x + r.width / 2, r.y + r.height / 2]; }"
    )
    page.touchscreen.tap(x, y)
    card = page.locator(".card.is-current")
    expect(card).to_be_in_viewport()
    expect(mark).to_be_in_viewport()
    card.get_by_role("button", name="Use the source").tap()
    expect(page.locator(".text ins")).to_have_text("1967")
    page.get_by_role("button", name="Back to the text").tap()
    expect(page.locator(".card.is-current")).to_have_count(0)
    context.close()


def test_sharing_asks_first_then_shows_the_link_and_copies_it(
    page: Page, context: BrowserContext, browser: Browser
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    send(page, source=SOURCE)
    wait_until_done(page)
    menu = page.locator("#share-menu")
    menu.locator("summary").click()
    expect(menu).to_contain_text("until you stop sharing")
    expect(page.locator("#share-link")).to_have_count(0)
    menu.get_by_role("button", name="Create the link").click()
    link = page.locator("#share-link")
    expect(link).to_be_visible()
    menu.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#announcer")).to_have_text("The link was copied.")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == link.evaluate("link => link.href")
    reader = browser.new_context()
    shared = reader.new_page()
    shared.goto(address)
    expect(shared.get_by_text("Shared with you (read-only)")).to_be_visible()
    reader.close()
    menu.get_by_role("button", name="Stop sharing").click()
    expect(page.locator("#share-link")).to_have_count(0)


def test_print_has_every_card(page: Page) -> None:
    send(page, text=f"Its bakery was opened by Tom Berg in 1912. {TEXT}", source=SOURCE)
    wait_until_done(page)
    page.set_viewport_size({"width": 700, "height": 900})
    cards = page.locator(".card")
    expect(page.locator(".card:visible")).to_have_count(1)  # the current one, on the sheet
    page.emulate_media(media="print")
    expect(page.locator(".card:visible")).to_have_count(cards.count())
    assert cards.count() > 1
    assert page.locator(".panel").evaluate("panel => getComputedStyle(panel).position") == "static"


def test_print_has_no_buttons_and_all_counts(page: Page) -> None:
    send(page, text=TEXT, source=SOURCE)
    wait_until_done(page)
    page.keyboard.press("Alt+Enter")
    expect(page.locator(".card.is-accepted:not(.is-sent)")).to_have_count(1)
    page.set_viewport_size({"width": 320, "height": 900})
    page.emulate_media(media="print")
    expect(page.locator("main button:visible:not([data-silent])")).to_have_count(0)
    assert page.locator(".overview__counts").evaluate("counts => counts.scrollWidth <= counts.clientWidth")


def test_the_mark_of_a_wrong_cell_stands_on_the_cell(page: Page) -> None:
    table = "| Plan | Price | Storage |\n|---|---|---|\n| Basic | $15 | 50 GB |\n"
    text = f"All plans of the village library can be cancelled at the end of the month.\n\n{table}"
    send(page, text=text, source="The Basic plan costs $12 per month and includes 50 GB of storage.", topic="")
    wait_until_done(page)
    expect(page.locator(".sentence mark b", has_text="$15")).to_have_text("$15")
    expect(card_about(page, "Basic, Price: $15")).to_contain_text("The source says “costs $12”")
