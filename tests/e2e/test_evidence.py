"""Evidence in a real browser: chosen in the form, looked up in a Wikipedia of this machine, shown with its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fakes.page_server import PageServer

pytestmark = pytest.mark.browser

TEXT = (
    "The Sorrel Bridge is a road bridge across the river Arn. It was designed by the engineer Ada Lind and opened in "
    "1911. The bridge rests on nine arches of grey stone."
)


def test_a_claim_is_looked_up_and_shown_with_what_was_read(page: Page, site: PageServer, screenshots: Path) -> None:
    page.emulate_media(reduced_motion="reduce")  # no picture is taken half way
    page.goto("/")
    expect(page.get_by_label("How much to read")).to_be_hidden()
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_label("In Wikipedia").check()
    expect(page.get_by_text(f"are sent to {site.host}.")).to_be_visible()
    page.get_by_label("How much to read").select_option("balanced")
    page.screenshot(path=screenshots / "evidence-form.png", full_page=True)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#progress:not([aria-busy])")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("looked up in Wikipedia")

    card = page.locator(".card", has_text="Contradicted by evidence")
    expect(card).to_contain_text("opened in 1911.")
    expect(card).to_contain_text("of at most 10 documents")
    link = card.locator(".quote--source").get_by_role("link")
    assert (link.get_attribute("href") or "").startswith(site.url("/wiki/"))
    assert "#:~:text=" in (link.get_attribute("href") or "")
    assert link.get_attribute("rel") == "noreferrer noopener"
    expect(card.get_by_role("img", name="Probability that the claim is right")).to_be_visible()
    page.screenshot(path=screenshots / "evidence-card.png")
    card.locator("details", has_text="documents read").locator("summary").click()
    expect(card.locator(".documents").first).to_contain_text("likely to be right")
    page.screenshot(path=screenshots / "evidence-card-open.png")
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=screenshots / "evidence-dark.png")

    report = page.locator("#report")
    page.locator(".asked", has_text="road bridge").click()
    expect(report.get_by_role("heading")).to_contain_text("Sentence 1: ")
    expect(report.locator(".documents").first).to_contain_text("Sorrel Bridge")
    page.emulate_media(color_scheme="light")
    page.screenshot(path=screenshots / "evidence-report.png")
    page.emulate_media(forced_colors="active")
    page.screenshot(path=screenshots / "evidence-forced.png")
    page.emulate_media(forced_colors="none")

    report.get_by_role("button", name="Back to the text").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".mark b", has_text="1911").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=screenshots / "evidence-narrow.png")
    page.goto("/")
    page.get_by_label("In Wikipedia").check()
    page.screenshot(path=screenshots / "evidence-form-narrow.png", full_page=True)
