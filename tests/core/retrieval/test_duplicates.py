"""Addresses of the same page."""

from __future__ import annotations

import pytest

from detection.core.retrieval.duplicates import Seen, canonical_url


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/bridge",
        "HTTPS://www.Example.org:443/bridge/",
        "https://example.org/bridge#history",
        "https://example.org/bridge?utm_source=mail&utm_campaign=1",
    ],
)
def test_what_does_not_tell_pages_apart_does_not_count(url: str) -> None:
    assert canonical_url(url) == "https://example.org/bridge"


@pytest.mark.parametrize(
    "url", ["https://example.org/bridges", "https://example.org/bridge?id=2", "http://example.org/bridge"]
)
def test_another_page_is_another_page(url: str) -> None:
    assert canonical_url(url) != canonical_url("https://example.org/bridge")


def test_a_text_is_the_same_whatever_its_spaces() -> None:
    seen = Seen()
    assert seen.is_new_text("The bridge\nis long.")
    assert not seen.is_new_text("The  bridge is long. ")
    assert seen.is_new_text("The bridge is short.")
