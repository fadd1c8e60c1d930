"""Links to web pages that a search found. Their addresses are untrusted, like their texts."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

#: A longer quote is abbreviated to its first and last words.
_MAX_WORDS = 8
_WORDS_AT_AN_END = 4


def web_link(url: str, words: str = "") -> str:
    """A link that opens the page at ``words``; "" if the address is not a web address."""
    if not site_of(url):
        return ""
    if not words:
        return url
    separator = ":~:" if "#" in url else "#:~:"
    return f"{url}{separator}text={_directive(words.split())}"


def site_of(url: str) -> str:
    """The host of a web page for display; "" if the address is not a web address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2].removeprefix("www.") if parts.scheme in ("http", "https") else ""


def _directive(words: list[str]) -> str:
    """The words as a text fragment of an address, with commas and hyphens escaped."""
    stretches = [words] if len(words) <= _MAX_WORDS else [words[:_WORDS_AT_AN_END], words[-_WORDS_AT_AN_END:]]
    return ",".join(quote(" ".join(stretch), safe="").replace("-", "%2D") for stretch in stretches)
