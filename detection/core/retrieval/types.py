"""The result of fetching a page, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One page as its site sent it, decompressed.

    ``url`` is its address after all redirects. ``charset`` is the declared one; None if it is missing or unknown, and
    ``body`` may then declare it.
    """

    url: str
    status: int
    media_type: str
    charset: str | None
    body: bytes = field(repr=False)

    @property
    def content_type(self) -> str:
        """Media type and character set in the form of a Content-Type header."""
        return f"{self.media_type}; charset={self.charset}" if self.charset else self.media_type


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits for one page. ``seconds`` includes name resolution, redirects and the whole body.

    ``body_bytes`` limits both the compressed and the decompressed body.
    """

    seconds: float = 20.0
    connect_seconds: float = 5.0
    body_bytes: int = 10_000_000
    redirects: int = 5
