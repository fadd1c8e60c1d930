"""Detect duplicates: a page with two addresses, or a text on two pages, counts as one document."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from courlan import clean_url


def canonical_url(url: str) -> str:
    """Normalise an address: remove the fragment, tracking, "www." and last slash, and the case of the host."""
    cleaned = urlsplit(clean_url(url) or url)
    host = cleaned.netloc.removeprefix("www.")
    query = f"?{cleaned.query}" if cleaned.query else ""
    return f"{cleaned.scheme}://{host}{cleaned.path.rstrip('/')}{query}"


class Seen:
    """The addresses and texts found so far for one query."""

    def __init__(self) -> None:
        self._urls: set[str] = set()
        self._texts: set[bytes] = set()

    def is_new_url(self, url: str) -> bool:
        """False from the second time on."""
        url = canonical_url(url)
        is_new = url not in self._urls
        self._urls.add(url)
        return is_new

    def is_new_text(self, text: str) -> bool:
        """False from the second time on; white space and case do not count."""
        digest = hashlib.sha256(" ".join(text.casefold().split()).encode()).digest()
        is_new = digest not in self._texts
        self._texts.add(digest)
        return is_new
