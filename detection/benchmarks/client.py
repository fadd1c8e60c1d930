"""A browser's part of the conversation with the server: cookies, the CSRF token, forms."""

from __future__ import annotations

import re
import time
import urllib.parse
import urllib.request
import uuid
from http.cookiejar import CookieJar

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class PageClient:
    """One visitor."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        with self._opener.open(self._url + path, timeout=60) as response:
            page: str = response.read().decode()
            return page

    def seconds_to_get(self, path: str) -> float:
        begun = time.perf_counter()
        self.get(path)
        return time.perf_counter() - begun

    def send_check(self, *, text: str, source: str = "", topic: str = "") -> str:
        """Send the form, and return the id of the check."""
        fields = {"csrfmiddlewaretoken": self._token(), "text": text, "source": source, "topic": topic}
        data = urllib.parse.urlencode(fields).encode()
        with self._opener.open(f"{self._url}/checks/new/", data, timeout=60) as response:
            path: str = urllib.parse.urlparse(response.geturl()).path
        return path.removeprefix("/checks/").strip("/")

    def add_file(self, name: str, data: bytes) -> None:
        """Add a file to the sources."""
        boundary = uuid.uuid4().hex
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{self._token()}\r\n',
            f'--{boundary}\r\nContent-Disposition: form-data; name="uploads"; filename="{name}"\r\n\r\n',
        ]
        body = "".join(parts).encode() + data + f"\r\n--{boundary}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        with self._opener.open(urllib.request.Request(f"{self._url}/sources/add/", body, headers), timeout=60):
            pass

    def _token(self) -> str:
        token = _TOKEN.search(self.get("/"))
        if token is None:
            raise RuntimeError("the form has no CSRF token")
        return token[1]
