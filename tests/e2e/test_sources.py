"""Sources in a real browser: uploaded, read, opened at the quote, reused and deleted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Locator, Page, expect

from detection.lab.benchmarks.server import Server
from tests.e2e.test_main_job import HOSTILE, card_about, wait_until_done
from tests.fakes.page_server import Page as WebPage
from tests.fakes.page_server import PageServer
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

TEXT = """\
The village of Sorrel has 1,200 inhabitants. The railway reached Sorrel in 1894. The old station closed in 1971 and is \
now a museum.
"""
PAGES = (
    "The parish council met four times during the year. Its minutes are kept in the chapel. " * 12,
    "Sorrel is a village of 1,200 inhabitants. The old station of Sorrel was closed in 1967; it is now a museum.",
    "The accounts were approved without a vote. The council thanks its treasurer. " * 12,
)
NOTES = "The railway reached Sorrel in 1894. It came from Tarn."


@pytest.fixture(scope="module")
def station(site: PageServer) -> str:
    """The address of a web page."""
    body = f"<h1>Station</h1><p>{PAGES[1]}</p><script>document.title='owned'</script>"
    html = f"<html><title>The station of Sorrel</title><body>{body}</body></html>"
    site.pages["/station.html"] = WebPage(html.encode())
    return site.url("/station.html")


@pytest.fixture(scope="module")
def files(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A PDF of three pages, as a browser prints it, and others."""
    folder = tmp_path_factory.mktemp("files")
    printer = browser.new_page()
    printer.set_content("".join(f'<p style="break-after: page">{text}</p>' for text in PAGES))
    printer.pdf(path=folder / "parish.pdf")
    printer.close()
    (folder / "notes.txt").write_text(NOTES)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nthis is no document")
    with (folder / "large.txt").open("wb") as large:
        large.truncate(settings.MAX_SOURCE_BYTES + 1)
    (folder / f"{HOSTILE.replace('/', '')[:60]}.txt").write_text("The station closed in 1967.")
    return {path.name: path for path in folder.iterdir()}


def fill(page: Page, text: str = TEXT) -> None:
    page.goto("/")
    page.get_by_label("Text", exact=True).fill(text)


def upload(page: Page, *paths: Path) -> None:
    page.get_by_label("Files", exact=True).set_input_files(paths)


def row(page: Page, name: str) -> Locator:
    return page.locator(".source-row", has_text=name)


def check(page: Page) -> None:
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*-*/")
    wait_until_done(page)


def reload_until_done(page: Page) -> None:
    """What a reader without JavaScript does."""

    def is_done() -> bool:
        page.reload()
        return page.locator("#progress:not([aria-busy])").count() > 0

    wait_until(is_done, pause=lambda: page.wait_for_timeout(100))


def is_in_view(inner: Locator, outer: Locator) -> bool:
    a, b = inner.bounding_box(), outer.bounding_box()
    assert a is not None
    assert b is not None
    return bool(b["y"] <= a["y"] and a["y"] + a["height"] <= b["y"] + b["height"])


def test_upload_two_files_check_and_open_the_quote(page: Page, files: dict[str, Path]) -> None:
    fill(page)
    upload(page, files["parish.pdf"], files["notes.txt"])
    expect(row(page, "parish.pdf")).to_contain_text("3 pages")
    expect(row(page, "notes.txt")).to_contain_text("characters")
    check(page)
    expect(page.locator("#sources")).to_contain_text("2 sources")
    link = card_about(page, "1967").locator(".quote--source a")
    expect(link).to_contain_text("parish.pdf, page 2")
    link.focus()
    page.keyboard.press("Enter")
    pane = page.get_by_role("dialog", name="parish.pdf")
    expect(pane.locator(".quoted b")).to_have_text("1967")
    expect(pane.locator(".excerpt__page")).to_have_text(["Page 1", "Page 2", "Page 3"])
    assert is_in_view(pane.locator(".quoted b"), pane.locator(".pane__body"))
    page.keyboard.press("Escape")
    expect(pane).to_be_hidden()
    expect(link).to_be_focused()


def test_a_sentence_says_which_source_supports_it(page: Page, files: dict[str, Path]) -> None:
    fill(page)
    upload(page, files["parish.pdf"], files["notes.txt"])
    expect(row(page, "notes.txt")).to_contain_text("characters")
    check(page)
    sentence = page.locator("[data-ask]", has_text="The railway reached")
    sentence.focus()
    page.keyboard.press("Enter")
    report = page.locator("#report")
    expect(report.get_by_role("heading")).to_have_text("Sentence 2: supported by your source")
    expect(report.get_by_role("heading")).to_be_focused()
    best = report.locator(".quote--source").first
    expect(best).to_contain_text("notes.txt")
    best.get_by_role("link").click()
    expect(page.get_by_role("dialog").locator(".quoted")).to_contain_text("The railway reached Sorrel in 1894.")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(report).to_be_hidden()
    expect(sentence).to_be_focused()


def test_a_file_that_is_refused_says_why_in_its_row_and_the_rest_stays(page: Page, files: dict[str, Path]) -> None:
    fill(page)
    upload(page, files["large.txt"], files["broken.pdf"], files["notes.txt"])
    expect(row(page, "large.txt")).to_contain_text("It is larger than")
    expect(row(page, "broken.pdf").locator(".source-row__error")).to_be_visible()
    expect(row(page, "notes.txt")).to_contain_text("characters")
    row(page, "large.txt").get_by_role("button").click()
    expect(row(page, "large.txt")).to_have_count(0)
    assert page.get_by_label("Text", exact=True).input_value() == TEXT
    check(page)
    expect(page.locator("#sources")).to_contain_text("notes.txt")
    expect(page.locator("#sources")).not_to_contain_text("broken.pdf")


def test_a_check_sent_before_its_file_is_read_goes_on_without_it_and_says_so(
    browser: Browser, server: Server, files: dict[str, Path]
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    fill(page)
    upload(page, files["broken.pdf"])
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*-*/")
    reload_until_done(page)
    expect(page.locator("#sources")).to_contain_text("broken.pdf could not be read")
    expect(page.locator("#sources")).to_contain_text("nothing is compared with a source")
    context.close()


def test_what_was_added_survives_leaving_the_page(page: Page, files: dict[str, Path]) -> None:
    fill(page)
    upload(page, files["notes.txt"])
    expect(row(page, "notes.txt")).to_contain_text("characters")
    page.goto("/help/")
    page.goto("/")
    expect(page.locator('[name="sources"]:checked')).to_have_count(1)
    expect(page.get_by_label("Text", exact=True)).to_have_value(TEXT)


def test_files_can_be_dropped_onto_the_field(page: Page) -> None:
    fill(page)
    dropped = page.evaluate_handle(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(["Sorrel lies on a lake."], "dropped.txt", { type: "text/plain" }));
            return transfer;
        }"""
    )
    page.dispatch_event("#source-field", "drop", {"dataTransfer": dropped})
    expect(row(page, "dropped.txt")).to_contain_text("22 characters")


def test_a_web_page_is_fetched_and_called_by_its_title(page: Page, station: str) -> None:
    fill(page)
    page.get_by_label("Web page").fill(station)
    page.keyboard.press("Enter")
    expect(row(page, "The station of Sorrel")).to_contain_text("characters")
    check(page)
    expect(card_about(page, "1967").locator(".quote--source a")).to_contain_text("The station of Sorrel")
    assert "owned" not in page.title()


def test_an_address_in_ones_own_network_is_refused_in_the_row(page: Page, server: Server) -> None:
    fill(page)
    page.get_by_label("Web page").fill(f"http://127.0.0.1:{server.port}/help/")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(row(page, "127.0.0.1").locator(".source-row__error")).to_be_visible()
    expect(row(page, "127.0.0.1")).not_to_contain_text("What the marks mean")


def test_a_source_is_reused_renamed_kept_and_deleted(page: Page, files: dict[str, Path]) -> None:
    page.goto("/sources/")
    page.get_by_label("Files").set_input_files(files["parish.pdf"])
    page.get_by_role("button", name="Add", exact=True).click()
    item = page.locator(".library__item", has_text="parish.pdf")
    expect(item).to_contain_text("3 pages")
    item.get_by_text("Rename").click()
    item.get_by_label("New name").fill("Parish history")
    item.get_by_role("button", name="Save").click()

    fill(page)
    page.get_by_text(re.compile(r"^From your sources")).click()
    page.get_by_label("Parish history").check()
    check(page)
    review = page.url
    expect(card_about(page, "1967").locator(".quote--source a")).to_contain_text("Parish history, page 2")

    page.goto("/sources/")
    item = page.locator(".library__item", has_text="Parish history")
    expect(item).to_contain_text("used in 1 check")
    item.get_by_role("link", name="Delete").click()
    expect(page.get_by_role("main")).to_contain_text("1 check compares with it")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing here yet")).to_be_visible()
    page.goto(review)
    expect(page.locator("#sources")).to_contain_text("This source was deleted.")
    expect(card_about(page, "1967").locator(".quote--source a")).to_have_count(0)
    expect(card_about(page, "1967").locator(".quote--source")).to_contain_text("1967")


def test_markup_in_the_name_of_a_file_is_shown_as_text_and_never_runs(page: Page, files: dict[str, Path]) -> None:
    fill(page)
    upload(page, next(path for name, path in files.items() if "script" in name))
    expect(row(page, "<script>")).to_contain_text("characters")
    check(page)
    page.locator("#sources a").click()
    expect(page.get_by_role("dialog").locator(".excerpt")).to_be_visible()
    for path in ("/sources/", "/"):
        page.goto(path)
        expect(page.get_by_text("<script>").first).to_be_attached()
    assert "owned" not in page.title()


def test_without_javascript_files_go_with_the_check_and_the_quote_is_a_link(
    browser: Browser, server: Server, files: dict[str, Path]
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=server.url)
    page = context.new_page()
    fill(page)
    upload(page, files["parish.pdf"], files["notes.txt"])
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*-*/")
    reload_until_done(page)
    card_about(page, "1967").locator(".quote--source a").click()
    expect(page.locator("#quote")).to_be_visible()
    expect(page.locator(".quoted b")).to_have_text("1967")
    context.close()


# --- What it looks like -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 360])
def test_sources_fit_the_window(
    browser: Browser, server: Server, files: dict[str, Path], screenshots: Path, width: int
) -> None:
    context = browser.new_context(base_url=server.url, viewport={"width": width, "height": 820})
    page = context.new_page()
    fill(page)
    upload(page, files["parish.pdf"], files["broken.pdf"], files["notes.txt"])
    expect(row(page, "notes.txt")).to_contain_text("characters")
    for name, step in (("start", None), ("review", check)):
        if step:
            step(page)
        page.screenshot(path=screenshots / f"sources-{name}-{width}.png")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("#sources a").first.click()
    expect(page.get_by_role("dialog").locator(".excerpt")).to_be_visible()
    page.screenshot(path=screenshots / f"sources-pane-{width}.png")
    page.goto("/sources/")
    page.screenshot(path=screenshots / f"sources-list-{width}.png")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()


def test_the_text_is_a_file_chosen_or_dropped_and_what_was_typed_can_be_put_back(page: Page, tmp_path: Path) -> None:
    mill = tmp_path / "mill.md"
    mill.write_text("# The mill\n\n1. It was **built** in 1894.\n")
    page.goto("/")
    field = page.get_by_label("Text", exact=True)
    field.fill("Typed before.")
    page.get_by_label("Or a file").set_input_files(mill)
    expect(field).to_have_value("# The mill\n\n1. It was **built** in 1894.")
    page.get_by_role("button", name="Put back what was there").click()
    expect(field).to_have_value("Typed before.")
    field.evaluate(
        """field => {
             const files = new DataTransfer();
             files.items.add(new File(["It has two gates."], "gates.txt", { type: "text/plain" }));
             field.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
           }"""
    )
    expect(field).to_have_value("It has two gates.")
    page.get_by_label("Or a file").set_input_files(mill)
    expect(field).to_have_value(re.compile("built"))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".text strong")).to_have_text("built")
    expect(page.locator(".block--list_item .block__marker")).to_have_text("1. ")


_CLIPBOARD = """async ([html, plain]) => {
  const as = (type, text) => new Blob([text], { type });
  await navigator.clipboard.write(
    [new ClipboardItem({ "text/html": as("text/html", html), "text/plain": as("text/plain", plain) })],
  );
}"""
_LIST = "<p>Two rules.</p><ol><li>Close the gate.</li><li>Ring the bell.</li></ol>"


@pytest.mark.parametrize("label", ["Text", "Source"])
def test_pasted_lists_keep_their_numbers(page: Page, label: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    field = page.get_by_label(label, exact=True)
    field.fill("Before. ")
    plain = "Two rules.\nClose the gate.\nRing the bell."
    page.evaluate(_CLIPBOARD, [_LIST, plain])
    field.press("Control+End")
    field.press("Control+v")
    expect(field).to_have_value("Before. Two rules.\n\n1. Close the gate.\n2. Ring the bell.")
    if label == "Text":
        page.get_by_role("button", name="Put back what was there").click()
        expect(field).to_have_value(f"Before. {plain}")


def test_pasted_rich_text_of_which_the_html_lacks_words_stays_plain(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    field = page.get_by_label("Text", exact=True)
    plain = "A long passage that the HTML of the clipboard lacks.\nOne."
    page.evaluate(_CLIPBOARD, ["<ul><li>One.</li></ul>", plain])
    field.focus()
    with page.expect_response("**/text/read/"):
        field.press("Control+v")
    # What is pasted next is replaced after the first answer has been read.
    page.evaluate(_CLIPBOARD, [_LIST, "Two rules."])
    field.press("Control+v")
    expect(field).to_have_value(f"{plain}Two rules.\n\n1. Close the gate.\n2. Ring the bell.")


def test_a_source_that_is_still_read_when_the_check_is_sent_is_not_in_the_next_one(
    page: Page, files: dict[str, Path]
) -> None:
    fill(page)
    upload(page, files["notes.txt"])
    expect(page.locator("#source-rows li")).to_have_count(1)
    # The answer about the source comes after the form was sent and before the page of the check.
    page.evaluate(
        """document.getElementById("check-form").addEventListener("submit", () =>
             document.querySelector("#source-rows li").append(document.createElement("i")))"""
    )
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/checks/*/")
    page.get_by_role("link", name="New check").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value("")
    expect(page.locator("#source-rows li")).to_have_count(0)
