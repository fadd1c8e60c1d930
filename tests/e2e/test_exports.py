"""Exporting a check and loading it again, in a real browser."""

from __future__ import annotations

import io
from pathlib import Path

import docx
import pytest
from playwright.sync_api import Browser, Page, expect

from detection.lab.benchmarks.server import Server

from .test_main_job import SOURCE, TEXT, send, use_the_source, wait_until_done

pytestmark = pytest.mark.browser

FORMATS = {
    "Plain text": ".txt",
    "Markdown": ".md",
    "Word": ".docx",
    "Report": ".html",
    "Everything": ".json",
}


def open_menu(page: Page) -> None:
    page.locator("#take-away summary").click()


def test_a_check_is_taken_away_in_every_format_and_loaded_again(
    page: Page, browser: Browser, server: Server, tmp_path: Path, screenshots: Path
) -> None:
    send(page, source=SOURCE)
    wait_until_done(page)
    use_the_source(page)
    expect(page.locator(".text ins")).to_have_text("1967")
    open_menu(page)
    page.screenshot(path=screenshots / "take-away.png")
    page.keyboard.press("Escape")
    expect(page.locator("ul.menu__list")).to_be_hidden()
    files = {}
    for name, suffix in FORMATS.items():
        open_menu(page)
        with page.expect_download() as download:
            page.locator("#take-away").get_by_role("link", name=name).click()
        files[suffix] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[suffix])
        assert files[suffix].suffix == suffix
    assert files[".txt"].read_text() == TEXT.replace("1971", "1967")
    assert "station" in "".join(p.text for p in docx.Document(io.BytesIO(files[".docx"].read_bytes())).paragraphs)

    somebody_else = browser.new_context(java_script_enabled=False, base_url=server.url)
    other = somebody_else.new_page()
    other.goto("/checks/")
    other.get_by_label("File").set_input_files(files[".json"])
    other.get_by_role("button", name="Load").click()
    expect(other.locator(".text ins")).to_have_text("1967")
    expect(other.locator(".card")).to_have_count(page.locator(".card").count())
    open_menu(other)
    with other.expect_download() as again:
        other.locator("#take-away").get_by_role("link", name="Plain text").click()
    assert again.value.path().read_text() == files[".txt"].read_text()
    somebody_else.close()


def test_the_report_is_read_in_three_views_without_a_script_and_asks_for_nothing(
    page: Page, browser: Browser, tmp_path: Path, screenshots: Path
) -> None:
    send(page, text=f"{TEXT}\n<script>document.title='owned'</script> It lies there.", source=SOURCE)
    wait_until_done(page)
    use_the_source(page)
    expect(page.locator(".text ins")).to_have_text("1967")
    open_menu(page)
    with page.expect_download() as download:
        page.locator("#take-away").get_by_role("link", name="Report").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme, viewport={"width": 900, "height": 1200})
        report = context.new_page()
        problems: list[str] = []
        requests: list[str] = []
        report.on("console", lambda message, problems=problems: problems.append(message.text))
        report.on("request", lambda request, requests=requests: requests.append(request.url))
        report.goto(file.as_uri())
        report.screenshot(path=screenshots / f"report-{scheme}.png")
        expect(report.locator("del", has_text="1971")).to_be_visible()
        report.get_by_text("Revised", exact=True).click()
        expect(report.locator("del", has_text="1971")).to_be_hidden()
        expect(report.locator("ins", has_text="1967")).to_be_visible()
        report.get_by_text("Original", exact=True).click()
        expect(report.locator("ins", has_text="1967")).to_be_hidden()
        assert report.title().endswith("checked")
        assert (problems, requests) == ([], [file.as_uri()])
        context.close()
