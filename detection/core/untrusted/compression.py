"""How bodies from elsewhere may be compressed."""

from __future__ import annotations

import httpx2

#: One at most: what is compressed twice can keep a processor busy for hours without giving a byte.
_ALLOWED: tuple[list[str], ...] = ([], ["gzip"], ["deflate"])


def is_compressed_as_allowed(headers: httpx2.Headers) -> bool:
    """Whether a body is compressed once at most, and in a way that is taken apart in pieces of a megabyte."""
    codings = headers.get_list("Content-Encoding", split_commas=True)
    return [coding for coding in (coding.strip().lower() for coding in codings) if coding not in ("", "identity")] in (
        _ALLOWED
    )
