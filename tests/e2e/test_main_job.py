"""The main job in a real browser, through the real server and the real models."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from detection.lab.benchmarks.server import Server
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TEXT = """\
The village of Sorrel has 1,200 inhabitants. It lies on the northern shore of Lake Ferrin. A railway reached the \
village in 1894. Fishing was the main trade until the 1950s.

The old station closed in 1971 and is now a museum. Sorrel lies on the southern shore of the lake. What a place!
"""
SOURCE = """\
Sorrel is a village of 1,200 inhabitants on the southern shore of Lake Ferrin. The railway reached Sorrel in 1894. \
Until the 1950s most people lived from fishing. The old station was closed in 1967; the building is now a museum.
"""
UNDO = re.compile("^Undo the last decision")


def send(page: Page, *, text: str = TEXT, source: str = "", topic: str = "Sorrel") -> None:
    page.goto("/")
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_label("Source", exact=True).fill(source)
    page.get_by_label("Topic", exact=True).fill(topic)
    page.get_by_role("button", name="Check", exact=True).click()


def wait_until_done(page: Page) -> None:
    expect(page.locator("#progress:not([aria-busy])")).to_be_visible()


def click_mark(mark: Locator) -> None:
    """Click the first line of a mark: the middle of one that is broken over several may lie outside it."""
    # The last event of a check may replace the mark meanwhile by another one at the same place: it has no lines then.
    place = None
    while place is None:
        place = mark.evaluate(
            """mark => {
                 mark.scrollIntoView({ block: "center", behavior: "instant" });
                 const line = mark.getClientRects()[0];
                 return line ? [line.x + Math.min(line.width / 2, 20), line.y + line.height / 2] : null;
               }"""
        )
    mark.page.mouse.click(*place)


def card_about(page: Page, words: str) -> Locator:
    """The card that says these words, opened where another one is the current one."""
    card = page.locator(".card", has=page.locator(".card__head"), has_text=words).first
    if card.is_visible() and page.locator("html.has-script").count():
        card.locator(".card__head").click()
    return card


def use_the_source(page: Page) -> None:
    """Accept the correction of the year, as soon as its card is there: the end of a check renders all cards anew."""
    page.locator(".card", has_text="1967").first.wait_for(state="attached")
    card_about(page, "1967").get_by_role("button", name="Use the source").click()


def expect_revised(page: Page, expected: str | re.Pattern[str]) -> None:
    """The fragments of a decision come after its answer, so this waits for them."""
    expect(page.locator("#revised")).to_have_value(expected)


def without(words: str) -> re.Pattern[str]:
    return re.compile(rf"^(?!.*{words})", re.DOTALL)


def test_paste_check_accept_undo_and_reload(page: Page) -> None:
    send(page, source=SOURCE)
    expect(page.locator(".sentence")).to_have_count(7)
    wait_until_done(page)
    expect(page.locator(".text .mark", has_text="closed in")).to_be_visible()
    card = card_about(page, "1967")
    expect(card.locator("h2")).to_have_text("Conflicts with your source")
    expect(card.locator("blockquote b")).to_have_text(["1971", "1967"])

    card.get_by_role("button", name="Use the source").click()
    expect(page.locator(".text ins")).to_have_text("1967")
    expect_revised(page, TEXT.replace("1971", "1967"))

    page.keyboard.press("Control+z")
    expect(page.locator(".text ins")).to_have_count(0)
    expect_revised(page, TEXT)

    use_the_source(page)
    expect(page.locator(".text ins")).to_have_text("1967")
    expect_revised(page, TEXT.replace("1971", "1967"))  # shown before, and saved now
    before = page.locator("#text").inner_html()
    page.reload()
    expect_revised(page, TEXT.replace("1971", "1967"))
    assert _without_script_marks(page.locator("#text").inner_html()) == _without_script_marks(before)


def test_two_sentences_that_contradict_each_other_are_linked_both_ways(page: Page) -> None:
    text = TEXT.replace("It lies", "Sorrel lies")  # of what "it" is no rewrite is sure
    send(page, text=text)
    wait_until_done(page)
    card = card_about(page, "northern")
    expect(card.locator("blockquote b")).to_have_text(["northern", "southern"])
    marks = page.locator(".text .mark")
    expect(marks).to_have_count(2)
    click_mark(marks.nth(1))
    expect(card).to_have_class(re.compile("is-current"))
    for mark in marks.all():
        expect(mark).to_have_class(re.compile("is-current"))
    card.get_by_role("button", name="Keep sentence 6").click()
    expect_revised(page, text.replace("northern", "southern"))


def test_own_words_keep_and_accept_all(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    card = card_about(page, "1967")
    card.get_by_role("button", name="Edit").click()
    card.get_by_label("Your wording").fill("The old station is a museum today.")
    card.get_by_role("button", name="Use my wording").click()
    expect(page.locator(".card__done", has_text="your wording")).to_be_visible()
    expect_revised(page, re.compile(re.escape("The old station is a museum today.")))
    # The shores contradict each other within the text, and the source decides which is right.
    page.get_by_role("link", name="Accept all (1)").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li")).to_have_count(1)
    expect(dialog.locator("li ins")).to_have_text("southern")
    expect(dialog.locator("li .quote--source b")).to_have_text("southern")
    dialog.get_by_role("button", name="Accept selected").click()
    expect(page.locator("#accept-all")).to_be_disabled()
    expect_revised(page, without("on the northern shore"))
    page.get_by_role("button", name=UNDO).click()
    expect(page.locator(".card.is-open").first).to_be_visible()
    expect_revised(page, re.compile("on the northern shore"))
    page.keyboard.press("Control+Shift+z")
    expect_revised(page, without("on the northern shore"))


def test_accept_all_takes_no_side_where_the_text_contradicts_itself_and_no_key_removes(page: Page) -> None:
    text = "Marta Linde was a botanist. In 1920 she married the chemist Jens Holm. She never married."
    send(page, text=text, topic="Marta Linde")
    wait_until_done(page)
    card = page.locator(".card.is-open").first
    expect(card).to_contain_text("No reliable rewrite found.")
    expect(page.locator("#accept-all")).to_be_disabled()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+Enter")
    expect(page.locator("#announcer")).to_have_text("This warning has nothing to accept.")
    expect(card.get_by_role("button").last).to_have_text(re.compile("^Remove sentence"))
    expect_revised(page, re.compile("never married"))


def test_what_the_source_does_not_mention_is_folded_behind_what_conflicts(page: Page) -> None:
    send(page, text=f"Its bakery was opened by Tom Berg in 1912. {TEXT}Which way is the harbour?", source=SOURCE)
    wait_until_done(page)
    silent = page.locator(".card[data-is-silent]")
    expect(page.locator(".card").first).not_to_have_attribute("data-is-silent", "")
    expect(silent).to_be_hidden()
    head = page.get_by_role("button", name="1 statement that your sources do not mention")
    expect(head).to_have_attribute("aria-expanded", "false")
    head.click()
    expect(silent.locator(".quote--source")).to_be_visible()  # the nearest passage, before the card is opened
    expect(silent.get_by_role("button", name="Edit")).to_be_hidden()
    silent.locator(".card__head").click()
    expect(silent.get_by_role("button", name="Edit")).to_be_visible()
    head.click()
    expect(silent).to_be_hidden()
    # By keyboard it comes after the last of the others; a click on its words opens it, too.
    for _ in range(page.locator(".card.is-open").count()):
        page.keyboard.press("Alt+ArrowDown")
    expect(silent).to_be_focused()
    head.click()
    click_mark(page.locator(".text .mark", has_text="bakery"))
    expect(silent).to_be_visible()
    summary = page.locator("#summary")
    expect(summary).to_contain_text("compared with each other and with 1 source.")
    folded = summary.locator("#not-checked")
    expect(folded.locator("summary")).to_contain_text("Not checked: 2 sentences (no statement of fact, for example")
    expect(summary).to_contain_text("“No problem found” does not mean “true”.")
    link = folded.get_by_role("link").last
    expect(link).to_be_hidden()
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    tab_to(page, link.inner_text())
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(f"{link.get_attribute('href')} *:focus, {link.get_attribute('href')}:focus")).to_be_visible()


def test_where_nothing_can_be_offered_the_words_of_the_source_are_ready_to_copy(
    page: Page, context: BrowserContext
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    says = "The dose is taken twice a day with water."
    send(page, text="The dose is taken once a day with water.", source=f"{says} It is made in Oslo.", topic="")
    wait_until_done(page)
    card = page.locator(".card.is-open").first
    card.get_by_role("button", name="Copy what the source says").click()
    expect(page.locator("#announcer")).to_have_text("The passage was copied.")
    assert page.evaluate("navigator.clipboard.readText()") == says


def tab_to(page: Page, words: str) -> None:
    """Go on with the tabulator until what has the focus says these words."""
    for _ in range(100):
        if (page.evaluate("document.activeElement.textContent.trim()") or "").startswith(words):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not come to “{words}”")


def test_from_paste_to_the_file_that_is_taken_away_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    page.keyboard.type("Sorrel lies on the northern shore of Lake Ferrin. ")
    page.keyboard.type("Sorrel lies on the southern shore of Lake Ferrin.")
    tab_to(page, "Check")
    page.keyboard.press("Enter")
    page.wait_for_url("**/checks/*-*/")
    wait_until_done(page)
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator(".card:focus")).to_be_visible()
    page.keyboard.press("Alt+Enter")
    expect(page.locator("#feed-state")).to_contain_text("All decided")
    expect_revised(page, re.compile("northern.*northern", re.DOTALL))
    page.keyboard.press("Control+z")
    expect(page.locator(".card.is-open")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+Shift+Enter")
    expect(page.locator(".card__done", has_text="kept as it is")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator(".card.is-open")).to_be_visible()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+Enter")
    expect(page.locator("#feed-state")).to_contain_text("All decided")
    tab_to(page, "Export")
    page.keyboard.press("Enter")
    tab_to(page, "Plain text")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    taken = Path(download.value.path()).read_text()
    assert taken == " ".join(["Sorrel lies on the northern shore of Lake Ferrin."] * 2)


def test_the_three_views(page: Page) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    use_the_source(page)
    sentence = page.locator(".sentence", has_text="station")
    expect(sentence.locator("ins")).to_be_visible()
    page.get_by_role("button", name="Original", exact=True).click()
    expect(sentence.locator("ins")).to_be_hidden()
    page.get_by_role("button", name="Revised", exact=True).click()
    expect(sentence.locator("ins")).to_be_visible()
    expect(sentence.locator("del")).to_be_hidden()


def test_a_quote_opens_the_source_at_its_place(page: Page) -> None:
    emoji = "👩‍🔬🇩🇪 before everything. "
    send(page, source=emoji + SOURCE)
    wait_until_done(page)
    card_about(page, "1967").locator(".quote--source a").click()
    expect(page.get_by_role("dialog").locator("mark").first).to_contain_text("The old station was closed in")
    expect(page.get_by_role("dialog").locator("mark b")).to_have_text("1967")
    assert page.locator(".excerpt__text").inner_text().strip() == (emoji + SOURCE).strip()


def test_two_tabs_agree(page: Page, context: BrowserContext) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    other = context.new_page()
    other.goto(page.url)
    use_the_source(page)
    expect(other.locator(".text ins")).to_have_text("1967")
    other.get_by_role("button", name=UNDO).click()
    expect(page.locator(".text ins")).to_have_count(0)
    assert_same_is_shown(page, other)


def test_a_page_that_lost_its_connection_catches_up(page: Page, context: BrowserContext) -> None:
    page.expected_problems.append("WebSocket")  # type: ignore[attr-defined]
    send(page, source=SOURCE)
    wait_until_done(page)
    context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    other = context.browser.new_context(storage_state=context.storage_state(), base_url=page.url)  # type: ignore[union-attr]
    elsewhere = other.new_page()
    elsewhere.goto(page.url)
    card_about(elsewhere, "1967").get_by_role("button", name="Use the source").click()
    expect(elsewhere.locator(".text ins")).to_have_text("1967")
    context.set_offline(False)
    expect(page.locator(".text ins")).to_have_text("1967")
    page.reload()
    assert_same_is_shown(elsewhere, page)
    other.close()


def test_a_server_that_restarts_is_found_again_and_nothing_is_missing_or_double(page: Page, server: Server) -> None:
    page.expected_problems += ["WebSocket", "ERR_CONNECTION_REFUSED", "htmx:"]  # type: ignore[attr-defined]
    send(page, source=SOURCE)
    wait_until_done(page)
    server.stop()
    try:
        message = page.get_by_text("The server cannot be reached")
        expect(message).to_be_visible()
        # What is asked of it meanwhile is answered by the same message, not by a second one.
        use_the_source(page)
        expect(message).to_have_count(1)
        expect(page.locator(".card.is-accepted")).to_have_count(0)
    finally:
        server.start()
    expect(message).to_have_count(0)
    use_the_source(page)
    expect_revised(page, TEXT.replace("1971", "1967"))
    fresh = page.context.new_page()
    fresh.goto(page.url)
    assert_same_is_shown(page, fresh)


def test_a_decision_that_cannot_be_sent_is_not_lost_silently(page: Page, context: BrowserContext) -> None:
    page.expected_problems += ["ERR_INTERNET_DISCONNECTED", "WebSocket", "htmx:sendError", "htmx:afterRequest"]  # type: ignore[attr-defined]
    send(page, source=SOURCE)
    wait_until_done(page)
    context.set_offline(True)
    use_the_source(page)
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached; nothing was saved.")
    context.set_offline(False)
    use_the_source(page)
    expect(page.locator(".text ins")).to_have_text("1967")


HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


def test_markup_in_every_field_is_shown_as_text_and_never_runs(page: Page) -> None:
    text = f"{HOSTILE} opened in 1932. Ada {HOSTILE} was born in Oslo. Ada {HOSTILE} was born in Bergen."
    send(page, text=text, source=f"{HOSTILE} opened in 1936.", topic=HOSTILE)
    wait_until_done(page)
    assert page.locator("#text").inner_text().count("<script>") == 3
    for details in page.locator("details:not(.card details)").all():
        details.locator("summary").click()
    for card in page.locator(".card").all():
        card.locator("h2").click()
        for details in card.locator("details").all():
            details.locator("summary").click()
    page.goto("/checks/")
    expect(page.get_by_text("<script>", exact=False).first).to_be_visible()
    assert "owned" not in page.title()


def test_without_javascript_the_page_can_be_read_and_decided_on(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    send(page, source=SOURCE)
    page.wait_for_url("**/checks/*-*/")

    def is_done() -> bool:
        page.reload()
        return page.locator("#progress:not([aria-busy])").count() > 0

    wait_until(is_done, pause=lambda: page.wait_for_timeout(100))
    use_the_source(page)
    assert page.locator(".text ins").inner_text() == "1967"
    page.get_by_role("button", name=UNDO).click()
    assert page.locator(".text ins").count() == 0
    context.close()


def test_a_refused_text_is_still_in_the_form(page: Page) -> None:
    page.expected_problems.append("422")  # type: ignore[attr-defined]
    long = "Long. " * 4_000
    send(page, text=long)
    expect(page.get_by_role("alert")).to_contain_text("the limit is 20,000")
    assert page.get_by_label("Text", exact=True).input_value() == long


def test_a_text_in_another_language_is_refused_and_a_foreign_sentence_is_not_checked(page: Page) -> None:
    page.expected_problems.append("422")  # type: ignore[attr-defined]
    german = (
        "Die Brücke wurde im Jahre 1934 eröffnet und ist 402 Meter lang. Sie wurde von einem Mann aus Oslo gebaut. "
    )
    send(page, text=german * 2)
    expect(page.get_by_role("alert")).to_contain_text("not in English")
    assert page.get_by_label("Text", exact=True).input_value() == german * 2
    send(page, text=f"{TEXT}Die Brücke wurde im Jahre 1934 eröffnet.")
    wait_until_done(page)
    expect(page.locator(".sentence.verdict-not_checked", has_text="Brücke")).to_have_attribute(
        "title", "Not checked: the local models read English only"
    )


def test_a_draft_survives_leaving_the_page(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Text", exact=True).fill("My long work.")
    page.goto("/help/")
    page.goto("/")
    assert page.get_by_label("Text", exact=True).input_value() == "My long work."
    page.get_by_role("link", name="a biography").click()
    page.get_by_role("button", name="Back to my text").click()
    assert page.get_by_label("Text", exact=True).input_value() == "My long work."


def test_a_draft_survives_a_server_that_does_not_answer(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Text", exact=True).fill("The mill opened in 1894.")
    page.route("**/*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Check", exact=True).click()
    page.unroute("**/*")
    page.goto("/")
    expect(page.get_by_label("Text", exact=True)).to_have_value("The mill opened in 1894.")
    page.get_by_role("button", name="Check", exact=True).click()
    wait_until_done(page)
    page.goto("/")
    expect(page.get_by_label("Text", exact=True)).to_have_value("")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x" * 20_000, id="one word of 20,000 characters"),
        pytest.param(("word " * 4_000)[:20_000], id="one sentence of 20,000 characters"),
        pytest.param("👩‍🔬 Ada 🇩🇪 was born in 1921. " * 3, id="emoji"),
        pytest.param("Ada Lind (עדה לינד) was born in Oslo. She painted (ציירה).", id="right to left"),
        pytest.param("ha! " * 400, id="many tiny sentences"),
    ],
)
def test_unusual_texts_come_out_as_they_went_in(page: Page, text: str) -> None:
    send(page, text=text, source=SOURCE, topic="")
    wait_until_done(page)
    shown = page.locator("#text").evaluate(
        """text => {
            const copy = text.cloneNode(true);
            copy.querySelectorAll(".visually-hidden").forEach((hint) => hint.remove());
            return copy.textContent;
        }"""
    )
    assert re.sub(r"\s+", "", shown) == re.sub(r"\s+", "", text)
    expect(page.locator("#progress")).to_contain_text("checked")


# --- What it looks like -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_fits_its_window(browser: Browser, server: Server, screenshots: Path, scheme: str, width: int) -> None:
    context = browser.new_context(
        base_url=server.url,
        viewport={"width": width, "height": 820},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto("/?example=summary")
    page.screenshot(path=screenshots / f"start-{width}-{scheme}.png")
    assert_no_sideways_scrolling(page)
    page.get_by_role("button", name="Check", exact=True).click()
    wait_until_done(page)
    page.screenshot(path=screenshots / f"review-{width}-{scheme}.png")
    assert_no_sideways_scrolling(page)
    click_mark(page.locator(".text .mark").first)
    expect(page.locator(".card.is-current")).to_be_visible()
    page.screenshot(path=screenshots / f"card-{width}-{scheme}.png")
    context.close()


def assert_no_sideways_scrolling(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate(
        "[...document.querySelectorAll('#cards')].every((cards) => cards.scrollWidth <= cards.clientWidth)"
    )


def assert_same_is_shown(page: Page, fresh: Page) -> None:
    """A page that follows the log comes to show what a fresh one does, though not at once."""
    wait_until(lambda: _shown(page) == _shown(fresh), pause=lambda: page.wait_for_timeout(100))


def _shown(page: Page) -> str:
    parts = [page.locator(selector).inner_html() for selector in ("#text", "#cards", "#feed-state", "#overview")]
    return _without_script_marks("\n".join([*parts, page.locator("#revised").input_value()]))


def _without_script_marks(html: str) -> str:
    """HTML as the server sends it: without what scripts add to it, and without tokens."""
    html = re.sub(r' (aria-posinset|aria-setsize)="[^"]*"', "", html)
    html = re.sub(r'<input type="hidden" name="csrfmiddlewaretoken" value="[^"]*">', "", html)
    html = re.sub(r"\s*\b(is-current|is-hinted|htmx-[a-z]+)\b", "", html)
    return re.sub(r">\s+<", "><", re.sub(r"\s+", " ", html))
