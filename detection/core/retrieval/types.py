"""The result of fetching a page, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One page as its site sent it, decompressed.

    ``url`` is where it was found after all redirects. ``charset`` is what the site says, and None if it says nothing
    or something unknown: ``body`` may then say it itself.
    """

    url: str
    status: int
    media_type: str
    charset: str | None
    body: bytes = field(repr=False)

    @property
    def content_type(self) -> str:
        """Media type and character set as a reader of documents takes them."""
        return f"{self.media_type}; charset={self.charset}" if self.charset else self.media_type


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one page may take. ``seconds`` is for everything together: names, redirects, the whole body.

    ``body_bytes`` holds for what is sent and for what comes of it when it is decompressed.
    """

    seconds: float = 20.0
    connect_seconds: float = 5.0
    body_bytes: int = 10_000_000
    redirects: int = 5
