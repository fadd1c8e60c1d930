"""The part of a browser: cookies, the CSRF token, forms."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

import httpx2

_SEQ = re.compile(r'data-seq="(\d+)"')
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class PageClient:
    """One visitor."""

    def __init__(self, url: str, *, address: str = "127.0.0.1") -> None:
        # No keep-alive connections, because visitors are never closed.
        limits = httpx2.Limits(max_keepalive_connections=0)
        transport = httpx2.HTTPTransport(local_address=address, limits=limits, trust_env=False)
        self._client = httpx2.Client(
            base_url=url, timeout=60, follow_redirects=True, trust_env=False, transport=transport
        )
        self.seq = 0
        """The newest event that the page of the check that was sent last shows."""

    @property
    def cookies(self) -> str:
        """The value of the header."""
        return "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())

    def get(self, path: str) -> str:
        return self._client.get(path).raise_for_status().text

    def seconds_to_get(self, path: str) -> float:
        begun = time.perf_counter()
        self.get(path)
        return time.perf_counter() - begun

    def send_check(self, *, files: Sequence[tuple[str, bytes]] = (), **fields: str) -> str:
        """Send the form with these fields, with files as (name, content), and return the id of the check."""
        page = self._send("/checks/new/", fields, files)
        shown = _SEQ.search(page.text)
        self.seq = int(shown[1]) if shown else 0
        return page.url.path.removeprefix("/checks/").strip("/")

    def cancel_check(self, check_id: str) -> None:
        self._send(f"/checks/{check_id}/cancel/", {}, ())

    def add_file(self, name: str, data: bytes) -> None:
        """Add a file to the sources."""
        self._send("/sources/add/", {}, [(name, data)])

    def load_file(self, name: str, data: bytes) -> None:
        """Load a check that was saved."""
        self._send("/checks/load/", {}, [(name, data)], field="file")

    def _send(
        self, path: str, fields: dict[str, str], files: Sequence[tuple[str, bytes]], *, field: str = "uploads"
    ) -> httpx2.Response:
        token = _TOKEN.search(self.get("/"))
        if token is None:
            raise RuntimeError("the form has no CSRF token")
        uploads = [(field, file) for file in files]
        return self._client.post(
            path, data={"csrfmiddlewaretoken": token[1], **fields}, files=uploads or None
        ).raise_for_status()
