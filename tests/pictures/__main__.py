"""Take a picture of every state of the pages and of every step of a review, and write the pages that show them.

``python -m tests.pictures`` (or ``make pictures``) starts the server, a language model and a Wikipedia of this machine,
and a browser, and replaces ``docs/pictures``, ``docs/screens.md`` and ``docs/review-by-keyboard.md``. It needs the test
tools and Chromium.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from detection.lab.benchmarks.server import ROOT, Server
from tests.e2e.conftest import NO_CHROMIUM, QUIET, find_chromium
from tests.e2e.test_main_job import SOURCE as VILLAGE
from tests.e2e.test_main_job import TEXT as VILLAGE_TEXT
from tests.e2e.test_main_job import card_about, click_mark, send, wait_until_done
from tests.fakes import wiki
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting
from tests.fakes.writing import PROMPT, SOURCE, GatedModel, WritingModel, is_validation, is_writing
from tests.servers import server_with_model

from .camera import NARROW, TALL, WIDE, Camera

PICTURES = ROOT / "docs" / "pictures"
SCREENS = ROOT / "docs" / "screens.md"
FILM = ROOT / "docs" / "review-by-keyboard.md"
#: What the names of the pictures of the film begin with.
STEP = "step-"

_BRIDGE = (
    "The Sorrel Bridge is a road bridge across the river Arn. It was designed by the engineer Ada Lind and opened in "
    "1911. The bridge rests on nine arches of grey stone."
)
_MILL = (
    "The mill at Sorrel was built in 1894 by Ada Lind. It has twelve rooms and stands on the northern bank of the Arn. "
    "The mill employs 34 people. It has been a museum since 1990."
)


class _Model:
    """Writes and validates slowly, and can be told to refuse."""

    def __init__(self) -> None:
        self.is_refusing = False
        self.delay_s = 0.0
        self._writing = GatedModel()
        self._writing.writing = WritingModel(reply=Reply(seconds_per_chunk=0.05))
        self.gate = self._writing.gate
        """Behind the corrected sentence the writing waits until it is open."""

    def __call__(self, asked: Asked) -> Reply:
        if self.is_refusing:
            return Reply(status=401, code="invalid_api_key")
        if is_writing(asked):
            return self._writing(asked)
        reply = self._writing(asked) if is_validation(asked) else contradicting(asked)
        reply.delay_s = 1.5 if is_validation(asked) else self.delay_s
        return reply


class Studio:
    """The server, the browser and the camera, for one picture after the other."""

    def __init__(self, server: Server, model: _Model, browser: Browser, camera: Camera) -> None:
        self.server = server
        self.model = model
        self.browser = browser
        self.camera = camera

    @contextmanager
    def reader(self, **options: object) -> Iterator[Page]:
        """Somebody new, with a browser of their own, who has read the hint of the first use unless told otherwise."""
        context: BrowserContext = self.browser.new_context(
            base_url=self.server.url,
            viewport=WIDE,  # type: ignore[arg-type]
            reduced_motion="reduce",
            **options,  # type: ignore[arg-type]
        )
        page = context.new_page()
        try:
            yield page
        finally:
            context.close()


def _begin(page: Page, example: str) -> None:
    page.goto(f"/?example={example}")


def _check(page: Page) -> None:
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*-*/")


def _ask_the_model(page: Page, text: str) -> None:
    page.goto("/")
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_label("Topic", exact=True).fill("the mill")
    page.get_by_label("A language model as well").check()
    _check(page)


def _understood(page: Page) -> None:
    button = page.get_by_role("button", name="Understood")
    if button.is_visible():
        button.click()


def starting(studio: Studio) -> None:
    take = studio.camera.take
    with studio.reader() as page:
        page.goto("/checks/")
        take(page, "empty-checks", "“Your checks” before there are any")
        page.goto("/sources/")
        take(page, "empty-sources", "“Sources” before there are any")
        page.goto("/")
        take(page, "start", "The form, empty")
        _begin(page, "summary")
        take(page, "start-filled", "The form with an example: a summary and the report that it must agree with")
        page.locator("#id_text").fill("x" * 20_001)
        page.get_by_role("button", name="Check", exact=True).click()
        expect(page.locator("#form-errors")).to_be_visible()
        take(page, "start-refused", "The form refuses invalid input, says why, and loses nothing")
        page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        _begin(page, "summary")
        take(page, "start-narrow", "The form on a telephone")


def reviewing(studio: Studio) -> None:
    take = studio.camera.take
    with studio.reader() as page:
        _begin(page, "biography")
        _check(page)
        wait_until_done(page)
        take(page, "first-use", "The first check in this browser: a hint says what the marks are")
        _understood(page)
        page.reload()
        take(page, "review", "A checked text: two sentences contradict each other, and can be kept, merged or removed")
        card = page.locator(".card.is-current")
        card.get_by_text("Why this was flagged").click()
        card.get_by_text("Why this was flagged").scroll_into_view_if_needed()
        take(page, "card-details", "Why a sentence was flagged: detector, cost, prompts")
        page.keyboard.press("Alt+Enter")
        expect(page.locator(".card.is-accepted:not(.is-sent)")).to_have_count(1)
        take(page, "accepted", "A suggestion was accepted: the change is in the text, and the next warning is open")
        page.keyboard.press("?")
        take(page, "keys", "All keys")
        page.keyboard.press("Escape")
        page.emulate_media(color_scheme="dark")
        take(page, "review-dark", "The same page in the dark")
        page.emulate_media(color_scheme="light", forced_colors="active")
        take(page, "review-forced-colours", "The same page with the colours of the reader's system")
        page.emulate_media(forced_colors="none")
        page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        page.reload()
        take(page, "review-narrow", "The text on a telephone")
        click_mark(page.locator(".text .mark").first)
        take(page, "card-narrow", "A warning on a telephone: the sheet can be closed to go back to the text")
        page.emulate_media(color_scheme="dark")
        take(page, "card-narrow-dark", "The same in the dark")


def deciding(studio: Studio) -> None:
    take = studio.camera.take
    with studio.reader() as page:
        _begin(page, "summary")
        _check(page)
        wait_until_done(page)
        _understood(page)
        take(page, "review-source", "A text that contradicts its source")
        page.locator(".card.is-current .quote--source a").first.click()
        expect(page.locator(".pane__body mark, .excerpt mark").first).to_be_visible()
        take(page, "source", "A quote opens the source at its passage")
        page.keyboard.press("Escape")
        card_about(page, "180").get_by_role("button", name="Use the source").click()
        expect(page.locator(".card.is-accepted:not(.is-sent)")).to_have_count(1)
        card = page.locator(".card.is-current")
        card.locator("summary", has_text="Ignore").click()
        card.get_by_label("Why is it not a problem?").fill("The press office said so on 3 May.")
        card.get_by_role("button", name="Always ignore").scroll_into_view_if_needed()
        take(page, "dismissing", "A warning is always ignored, with a reason")
        card.get_by_role("button", name="Always ignore").click()
        expect(page.locator(".card.is-dismissed:not(.is-sent)")).to_have_count(1)
        current = page.locator(".card.is-current")
        current.get_by_role("button", name="Edit").click()
        current.get_by_label(re.compile("Your wording")).fill("Since September it has also been open on Sundays.")
        current.get_by_role("button", name="Use my wording").scroll_into_view_if_needed()
        take(page, "editing", "Your own wording, edited in place")
        current.get_by_role("button", name="Use my wording").click()
        expect(page.locator(".card.is-accepted")).to_have_count(2)
        page.evaluate("scrollTo(0, 0)")
        page.locator("#decisions-link").click()
        expect(page.locator(".decisions")).to_be_visible()
        take(page, "decisions", "Decisions and their times")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Revised", exact=True).click()
        take(page, "revised", "The revised text with its changes")
        page.get_by_role("button", name="Changes", exact=True).click()
        page.locator("#take-away summary").click()
        take(page, "take-away", "The export formats of a check")
        page.keyboard.press("Escape")
        page.locator("[data-ask]", has_text="214,000").first.click()
        expect(page.locator("#report")).to_be_visible()
        take(page, "sentence", "A sentence without a warning, and the passages that support it")
        page.get_by_role("link", name="Check again").click()
        take(page, "again", "The revised text, to be edited and checked again, with the estimate")
        page.get_by_role("button", name="Check again").click()
        page.wait_for_url(lambda url: "again" not in url)
        wait_until_done(page)
        take(page, "comparison", "The same text checked again: fixed, new, unchanged")
        page.goto("/checks/")
        take(page, "checks", "“Your checks”")
        page.goto("/sources/")
        take(page, "sources", "“Sources”: what was added, which checks use it")


#: Two warnings name the year of the third sentence.
THREE_YEARS = """\
The mill was built in 1894. It has twelve rooms. The mill was built in 1912. In 1894 the mill was built by Ada Lind.\
"""


def outdating(studio: Studio) -> None:
    with studio.reader() as page:
        send(page, source=VILLAGE)
        wait_until_done(page)
        _understood(page)
        page.locator("#accept-all").click()
        expect(page.locator(".changes")).to_be_visible()
        studio.camera.take(page, "accept-all", "Accept all lists its changes first, each beside its passage")
    with studio.reader() as page:
        send(page, text=THREE_YEARS)
        wait_until_done(page)
        _understood(page)
        page.get_by_role("button", name="Keep sentence 1").first.click()
        stale = page.locator(".card.is-stale")
        expect(stale.first).to_be_visible()
        stale.first.scroll_into_view_if_needed()
        caption = "A change removed the words of another warning: it says so, and undo restores it"
        studio.camera.take(page, "stale", caption)


def agreeing(studio: Studio) -> None:
    with studio.reader() as page:
        send(page, text="Sorrel lies on Lake Ferrin. The village has 1,200 inhabitants. What a place!")
        wait_until_done(page)
        _understood(page)
        studio.camera.take(page, "no-warning", "No problem found does not mean “true”")


def looking_up(studio: Studio) -> None:
    take = studio.camera.take
    with studio.reader() as page:
        page.goto("/")
        page.get_by_label("Text", exact=True).fill(_BRIDGE)
        page.get_by_label("In Wikipedia").check()
        page.get_by_label("In Wikipedia").scroll_into_view_if_needed()
        take(page, "evidence-form", "The form says where evidence is searched and what is sent there")
        _check(page)
        wait_until_done(page)
        _understood(page)
        take(page, "evidence", "A claim that was looked up: quote, probability, documents")
        documents = page.locator(".card details", has_text="documents read").first
        documents.locator("summary").click()
        documents.locator(".documents").first.scroll_into_view_if_needed()
        take(page, "evidence-documents", "Every document and its effect")


def asking(studio: Studio) -> None:
    take = studio.camera.take
    with studio.reader() as page:
        studio.model.delay_s = 1.2
        _ask_the_model(page, _MILL)
        expect(page.locator("#progress")).to_contain_text("to go")
        expect(page.locator("#progress")).to_contain_text("model call")
        take(page, "checking", "A check at work: sentences one by one, calls, tokens and cost")
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("button", name="Check the rest")).to_be_visible()
        take(page, "stopped", "A stopped check: findings stay, the rest is shown as not checked")
        studio.model.delay_s = 0.0
        page.get_by_role("button", name="Check the rest").click()
        expect(page.get_by_role("button", name="Check the rest")).to_have_count(0)
        wait_until_done(page)
        _understood(page)
        take(page, "asked-again", "The model, asked again, contradicts the text")
        studio.model.is_refusing = True
        _ask_the_model(page, _MILL.replace("34", "43"))
        wait_until_done(page)
        take(page, "failed", "The endpoint refuses the key: what to do, and what was not checked")
        studio.model.is_refusing = False
        page.goto("/settings/")
        page.set_viewport_size(TALL)  # type: ignore[arg-type]
        take(page, "settings", "Your settings and the operator's settings")
        page.set_viewport_size(WIDE)  # type: ignore[arg-type]
        page.goto("/help/")
        take(page, "help", "What the marks mean, and what the program cannot know")


def writing(studio: Studio) -> None:
    take = studio.camera.take
    with studio.reader() as page:
        page.goto("/")
        page.get_by_label("Question or prompt").fill(PROMPT)
        page.get_by_label("Source", exact=True).fill(SOURCE)
        page.get_by_label("In your sources").check()
        page.get_by_label("With evidence").check()
        page.get_by_label("A language model as well").check()
        _check(page)
        note = page.locator(".written-note", has_text="Is 1941 right in")
        expect(note).to_contain_text("1914", timeout=60_000)
        expect(note.get_by_role("button", name="Use the first version")).to_be_visible()
        _understood(page)
        take(page, "writing", "A text that is checked while it is written: held, corrected, continued")
        studio.model.gate.set()
        wait_until_done(page)
        _understood(page)
        take(page, "written", "The first version of a corrected sentence can be restored")


def losing_the_server(studio: Studio) -> None:
    with studio.reader() as page:
        send(page, text=_BRIDGE)
        wait_until_done(page)
        _understood(page)
        studio.server.stop()
        expect(page.locator(".offline")).to_be_visible(timeout=20_000)
        studio.camera.take(page, "offline", "The server cannot be reached: the page stays readable")


def reviewing_by_keyboard(studio: Studio) -> None:
    """The film: from the empty form to the exported text, without a mouse."""
    with studio.reader() as page:
        press = page.keyboard.press

        def step(caption: str) -> None:
            page.evaluate("scrollTo(0, 0)")
            taken = sum(name.startswith(STEP) for name, _ in studio.camera.taken)
            studio.camera.take(page, f"{STEP}{taken + 1:02}", caption)

        page.goto("/")
        page.get_by_label("Text", exact=True).focus()
        page.keyboard.insert_text(VILLAGE_TEXT)
        page.get_by_label("Source", exact=True).focus()
        page.keyboard.insert_text(VILLAGE)
        step("The text and its source are pasted. `Tab` goes from field to field.")
        page.get_by_role("button", name="Check", exact=True).focus()
        press("Enter")
        page.wait_for_url("**/checks/*-*/")
        wait_until_done(page)
        _understood(page)
        step("`Enter` on “Check” starts it. The first warning is open.")
        press("Alt+ArrowDown")
        step("`Alt+↓` goes to the next warning.")
        press("Alt+ArrowUp")
        press("Alt+Enter")
        expect(page.locator(".card.is-accepted:not(.is-sent)")).to_have_count(1)
        step("`Alt+↑` goes back, and `Alt+Enter` accepts the suggestion. The next warning opens.")
        press("Alt+Shift+Enter")
        expect(page.locator("#feed-state")).to_contain_text("All decided")
        step("`Alt+Shift+Enter` keeps the original words.")
        press("Control+z")
        expect(page.locator(".card.is-open")).to_be_visible()
        step("`Ctrl+Z` takes the last decision back.")
        press("Control+Shift+z")
        expect(page.locator("#feed-state")).to_contain_text("All decided")
        step("`Ctrl+Shift+Z` makes it again.")
        press("?")
        step("`?` lists all keys; `Esc` closes the list.")
        press("Escape")
        page.get_by_role("button", name="Revised", exact=True).focus()
        press("Enter")
        step("“Revised” shows the text with every accepted change.")
        page.locator("#take-away summary").focus()
        press("Enter")
        step("“Export” has the revised text as Word, Markdown, HTML or plain text.")


SESSIONS = (
    starting,
    reviewing,
    deciding,
    outdating,
    agreeing,
    looking_up,
    asking,
    writing,
    reviewing_by_keyboard,
    losing_the_server,
)


def main(names: Sequence[str]) -> None:
    """Take all pictures, or those of the named sessions."""
    executable = find_chromium()
    if executable is None:
        sys.exit(NO_CHROMIUM)
    expect.set_options(timeout=30_000)
    model = _Model()
    with (
        wiki.wikipedia() as site,
        ModelServer(model).running() as models,
        server_with_model(
            models,
            CHATPROTECT_WIKIPEDIA_URL=site.url("/w/api.php"),
            CHATPROTECT_FETCH_ALLOW=site.host,
            CHATPROTECT_LLM_SCREEN="0",
        ) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        PICTURES.mkdir(exist_ok=True)
        camera = Camera(PICTURES)
        try:
            for session in SESSIONS:
                if not names or session.__name__ in names:
                    session(Studio(server, model, browser, camera))
        finally:
            browser.close()
    if not names:
        for old in PICTURES.iterdir():
            if old.stem not in dict(camera.taken):
                old.unlink()
        film = [picture for picture in camera.taken if picture[0].startswith(STEP)]
        screens = [picture for picture in camera.taken if picture not in film]
        SCREENS.write_text(_document("The pages in pictures", screens))
        FILM.write_text(_document("A review by keyboard", film))


def _document(title: str, taken: Sequence[tuple[str, str]]) -> str:
    parts = [
        f"# {title}",
        "Made by `make pictures`, which drives the real server in a browser. Texts, model and Wikipedia are made up.",
        *(f"## {caption}\n\n![{caption}](pictures/{name}.webp)" for name, caption in taken),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
