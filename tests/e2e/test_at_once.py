"""Decisions that are shown before the server has answered, in a browser with delayed requests."""

from __future__ import annotations

import re
from collections import deque

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.waiting import wait_until

from .test_main_job import card_about, expect_revised, send, wait_until_done

pytestmark = pytest.mark.browser

TEXT = """\
Sorrel is a village of 1,400 inhabitants. The railway reached Sorrel in 1898. The old station was closed in 1971.

The church tower is 41 metres tall.
"""
SOURCE = """\
Sorrel is a village of 1,200 inhabitants. The railway reached Sorrel in 1894. The old station was closed in 1967. \
The church tower is 38 metres tall.
"""
DECISIONS = re.compile(r"/checks/[^/]+/(findings|suggestions|undo|redo)/")
ACCEPTED = TEXT.replace("1,400", "1,200")


class Gate:
    """Delays the requests of decisions until a test releases them."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._held: deque[Route] = deque()
        self._is_open = False
        page.route(DECISIONS, self._take)

    @property
    def held(self) -> int:
        return len(self._held)

    def next(self) -> Route:
        """The request that has waited longest, once there is one."""
        wait_until(lambda: self._held, pause=lambda: self._page.wait_for_timeout(20))
        return self._held.popleft()

    def open(self) -> None:
        """Let everything through, also what comes later."""
        self._is_open = True
        while self._held:
            self._held.popleft().continue_()

    def _take(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._held.append(route)


def review(page: Page) -> None:
    send(page, text=TEXT, source=SOURCE)
    wait_until_done(page)
    expect(page.locator(".text .mark")).to_have_count(4)


def accept(page: Page, words: str) -> None:
    card_about(page, words).get_by_role("button", name="Use the source").click()


def expect_undecided(page: Page) -> None:
    """Nothing is decided: neither on the cards, nor in the words, nor in the counts."""
    expect(page.locator(".card.is-open")).to_have_count(4)
    expect(page.locator(".text .mark")).to_have_count(4)
    expect(page.locator(".text :is(ins, del)")).to_have_count(0)
    expect(page.locator("#progress")).to_contain_text("4 sentences to review")
    expect(page.get_by_role("button", name="Open 4", exact=True)).to_be_visible()
    expect_revised(page, TEXT)


def expect_accepted(page: Page) -> None:
    expect(page.locator(".card.is-accepted")).to_contain_text("Sentence 1 · “Use the source”")
    expect(page.locator(".text ins")).to_have_text("1,200")
    expect(page.locator(".text del")).to_have_text("1,400")
    expect(page.locator(".text .mark")).to_have_count(3)
    expect(page.locator("#progress")).to_contain_text("3 sentences to review")
    expect(page.get_by_role("button", name="Open 3", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Decided 1", exact=True)).to_be_visible()
    # The next one is current, and has the focus.
    expect(page.locator(".card.is-current:focus")).to_contain_text("1894")


def test_a_decision_and_its_undo_are_shown_before_the_server_answers_and_told_once(page: Page) -> None:
    review(page)
    told = page.locator("#announcer")
    expect(told).to_contain_text("4 sentences to review")
    page.evaluate(
        """() => {
             window.told = [];
             const line = document.getElementById("announcer");
             new MutationObserver(() => told.push(line.textContent)).observe(line, { childList: true });
           }"""
    )
    gate = Gate(page)
    card_about(page, "1,200").focus()
    page.keyboard.press("Alt+Enter")
    expect_accepted(page)
    expect_revised(page, TEXT)
    words = page.locator("#text").inner_text()
    expect(told).to_contain_text("3 sentences to review")
    gate.next().continue_()
    expect_revised(page, ACCEPTED)
    expect(page.locator(".card.is-sent")).to_have_count(0)
    expect_accepted(page)
    assert page.locator("#text").inner_text() == words

    page.keyboard.press("Control+z")
    expect(page.locator(".card.is-open")).to_have_count(4)
    expect(page.locator(".text :is(ins, del)")).to_have_count(0)
    expect(page.locator(".card.is-current")).to_contain_text("1,200")
    expect_revised(page, ACCEPTED)
    expect(told).to_contain_text("4 sentences to review")
    gate.next().continue_()
    expect_undecided(page)
    expect(page.locator(".card:focus")).to_contain_text("1,200")
    gate.open()
    accept(page, "1,200")
    expect(told).to_contain_text("3 sentences to review")
    assert [re.findall(r"(\d) sentences to review", line) for line in page.evaluate("told")] == [["3"], ["4"], ["3"]]


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        pytest.param("dropped", "The server cannot be reached; nothing was saved.", id="the connection drops"),
        pytest.param("silent", "The server cannot be reached; nothing was saved.", id="no answer in time"),
        pytest.param("error", "The server failed to answer, so this may not be saved.", id="an error of the server"),
    ],
)
def test_a_decision_that_fails_is_taken_back_with_a_message_and_can_be_made_again(
    page: Page, failure: str, message: str
) -> None:
    page.expected_problems += ["ERR_CONNECTION_RESET", "500", "htmx:"]  # type: ignore[attr-defined]
    if failure == "silent":
        page.add_init_script(
            """const { get, set } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "timeout");
               Object.defineProperty(XMLHttpRequest.prototype, "timeout", {
                 get,
                 set(value) { set.call(this, window.isHurried && value ? 500 : value); },
               });"""
        )
    review(page)
    page.evaluate("window.isHurried = true")
    gate = Gate(page)
    accept(page, "1,200")
    request = gate.next()
    if failure != "silent":  # of that, little can be seen before its time is over
        expect_accepted(page)
        page.keyboard.press("Alt+Shift+Enter")  # the next one, which waits behind it
    if failure == "dropped":
        expect(page.locator(".card.is-rejected")).to_be_visible()
        request.abort("connectionreset")
    elif failure == "error":
        request.fulfill(status=500, body="<h1>Something went wrong</h1>")
        gate.next().fulfill(status=500, body="<h1>Something went wrong</h1>")
    expect(page.get_by_role("alert").filter(has_text=message)).to_be_visible()
    expect_undecided(page)
    if failure == "silent":
        request.abort()
    page.evaluate("window.isHurried = false")
    gate.open()
    accept(page, "1,200")
    expect_revised(page, ACCEPTED)


def test_a_refused_decision_gives_way_to_what_was_decided_elsewhere(page: Page, context: BrowserContext) -> None:
    page.expected_problems += ["409", "WebSocket"]  # type: ignore[attr-defined]
    other = context.new_page()
    review(other)
    page.route_web_socket(re.compile(".*"), lambda socket: None)  # the tab hears nothing of what the other one does
    page.goto(other.url)
    gate = Gate(page)
    accept(page, "1,200")
    expect_accepted(page)
    page.keyboard.press("Alt+Enter")  # the next one, which waits
    expect(page.locator(".card.is-accepted")).to_have_count(2)
    card_about(other, "1,200").get_by_role("button", name="Keep the original").click()
    expect_revised(other, TEXT)
    expect(other.locator(".card.is-rejected:not(.is-sent)")).to_be_visible()

    gate.next().continue_()
    expect(page.get_by_role("alert")).to_contain_text("has changed since this page showed it")
    expect(page.locator(".card.is-rejected.is-current")).to_contain_text("Sentence 1")
    expect(page.locator(".text ins")).to_have_text("1894")  # that of the second one, on its way
    gate.open()
    expect_revised(page, TEXT.replace("1898", "1894"))


def test_quick_decisions_are_shown_one_by_one_and_end_in_the_state_of_the_server(page: Page) -> None:
    review(page)
    gate = Gate(page)
    page.keyboard.press("Alt+ArrowUp")
    for decided in (1, 2, 3):
        page.keyboard.press("Alt+Shift+Enter" if decided == 2 else "Alt+Enter")
        expect(page.locator(".card:is(.is-accepted, .is-rejected)")).to_have_count(decided)
        expect(page.get_by_role("button", name=f"Decided {decided}", exact=True)).to_be_visible()
    expect(page.locator(".card.is-sent")).to_have_count(3)
    assert gate.held == 1, "they are sent one after the other"
    page.keyboard.press("Control+z")  # is about the last of them, and so waits for it
    gate.next().continue_()
    expect(page.locator(".card.is-sent")).to_have_count(2)
    expect(page.locator(".card:is(.is-accepted, .is-rejected)")).to_have_count(3)
    gate.next().continue_()
    expect(page.locator(".card.is-sent")).to_have_count(1)
    gate.open()
    expected = TEXT.replace("1,400", "1,200")
    expect(page.locator(".card:is(.is-accepted, .is-rejected)")).to_have_count(2)
    expect_revised(page, expected)
    expect(page.locator(".card.is-open")).to_have_count(2)
    page.reload()
    expect_revised(page, expected)
    expect(page.locator(".card.is-rejected")).to_contain_text("Sentence 2")


def test_the_way_to_check_again_waits_until_the_decision_is_saved(page: Page) -> None:
    review(page)
    gate = Gate(page)
    accept(page, "1,200")
    expect_accepted(page)
    page.get_by_role("link", name="Check again").click()
    gate.open()
    expect(page.get_by_label("Text", exact=True)).to_have_value(ACCEPTED)
