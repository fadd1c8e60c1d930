"""Allowed compressions of untrusted bodies."""

from __future__ import annotations

import httpx2

#: At most one: a body that is compressed twice can occupy a processor for hours without producing a byte.
_ALLOWED: tuple[list[str], ...] = ([], ["gzip"], ["deflate"])


def is_compressed_as_allowed(headers: httpx2.Headers) -> bool:
    """Whether a body has at most one compression, which can be decompressed in pieces of a megabyte."""
    codings = headers.get_list("Content-Encoding", split_commas=True)
    return [coding for coding in (coding.strip().lower() for coding in codings) if coding not in ("", "identity")] in (
        _ALLOWED
    )
