"""Client of a model hub over HTTP, with the URL layout that hubs share.

``/api/models/NAME/revision/REVISION?blobs=true`` returns the files of a model with sizes and checksums, and the
licence. ``/NAME/resolve/REVISION/PATH`` returns a file, often by a redirect to another host; the first response also
has the checksum. The client enforces limits and does not interpret the files.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from ..errors import ModelNotInstalled
from ..untrusted.json import read_json
from .types import HubFile, HubLimits, HubModel

_REDIRECTS = 5
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*", re.ASCII)
_REVISION = re.compile(r"[\w.-]+(?:/[\w.-]+)*", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SHA1 = re.compile(r"[0-9a-f]{40}")
_LONGEST_LICENCE = 100

#: Called for each piece of a file with the number of bytes so far.
Progress = Callable[[int], None]


class HubClient:
    """Client of one hub, used as ``with``. Unlike for pages, it uses the proxy of the environment: the operator chose
    the hub.

    Raises:
        ModelNotInstalled: the address is invalid.
    """

    def __init__(self, address: str, limits: HubLimits | None = None) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ModelNotInstalled(f"{address!r} is no address of a hub: it begins with https:// and a host.")
        if parts.username or parts.password:
            raise ModelNotInstalled("The address of the hub has a name or password in it. Give it without.")
        self.address = address.rstrip("/")
        self.host = parts.netloc
        self._limits = limits or HubLimits()
        self._downloaded = 0

    def __enter__(self) -> HubClient:
        self._client = httpx2.Client(
            timeout=self._limits.silence_seconds,
            # Checksums are of the transferred bytes, so compression must be off.
            headers={"User-Agent": "ChatProtect-Web", "Accept-Encoding": "identity"},
            # Hubs close idle connections while files are checked; a reused connection would then fail.
            limits=httpx2.Limits(max_keepalive_connections=0),
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def model(self, name: str, revision: str) -> HubModel:
        """The hub's description of a model.

        Raises:
            ModelNotInstalled: there is none, or the hub is unreachable.
        """
        if not _REVISION.fullmatch(revision) or ".." in revision:
            raise ModelNotInstalled(f"{revision!r} is no revision: a branch, a tag or a commit.")
        url = f"{self.address}/api/models/{name}/revision/{quote(revision, safe='')}?blobs=true"
        what = f"{name} at {revision}"
        info = _parsed(self._body(url, what), what)
        if not isinstance(info, dict) or not isinstance(info.get("siblings"), list):
            raise ModelNotInstalled(f"{self.host} does not answer as a model hub does. Check its address.")
        commit = info.get("sha")
        known = isinstance(commit, str) and _SHA1.fullmatch(commit)
        files = [file for entry in info["siblings"] if (file := _file(entry)) is not None]
        return HubModel(
            name=name,
            revision=str(commit) if known else revision,
            licence=_licence(info),
            files={file.path: file for file in files},
        )

    def json(self, model: HubModel, path: str) -> Any:
        """A small JSON file of a model, parsed.

        Raises:
            ModelNotInstalled: it is not JSON, or the download failed.
        """
        return _parsed(self._body(self._url(model, path), path), path)

    def download(self, model: HubModel, file: HubFile, destination: Path, progress: Progress) -> HubFile:
        """Download a file of a model, and return its description by the hub, including size and checksum.

        The caller must compare the bytes with the checksum.

        Raises:
            ModelNotInstalled: the download failed or is incomplete, or is larger than the hub said.
        """
        left = self._limits.model_bytes - self._downloaded
        most = left if file.size is None else min(left, file.size)
        with self._answer(self._url(model, file.path), file.path) as (first, response):
            received = 0
            with destination.open("wb") as target:
                for piece in self._pieces(response, file.path, most):
                    target.write(piece)
                    received += len(piece)
                    self._downloaded += len(piece)
                    progress(received)
        if file.size is not None and received != file.size:
            raise ModelNotInstalled(f"{file.path} broke off after {received} of {file.size} bytes. Try again.")
        if file.sha256 or file.git_sha1:
            return replace(file, size=received)
        tag = str(first.headers.get("X-Linked-ETag") or first.headers.get("ETag")).removeprefix("W/").strip('"')
        return replace(file, size=received, sha256=_matching(_SHA256, tag), git_sha1=_matching(_SHA1, tag))

    def _url(self, model: HubModel, path: str) -> str:
        return f"{self.address}/{model.name}/resolve/{quote(model.revision, safe='')}/{quote(path)}"

    def _body(self, url: str, what: str) -> bytes:
        with self._answer(url, what) as (_first, response):
            return b"".join(self._pieces(response, what, self._limits.answer_bytes))

    def _pieces(self, response: httpx2.Response, what: str, most: int) -> Iterator[bytes]:
        if response.headers.get("Content-Encoding", "identity") not in ("", "identity"):
            raise ModelNotInstalled(f"{what} comes compressed, which nobody asked for.")
        end, received = time.monotonic() + self._limits.seconds, 0
        for piece in response.iter_raw():
            received += len(piece)
            if received > most:
                raise ModelNotInstalled(f"{what} is larger than the {most} bytes that it may have.")
            if time.monotonic() > end:
                raise ModelNotInstalled(f"{what} did not come within {self._limits.seconds:g} seconds. Try again.")
            yield piece

    @contextmanager
    def _answer(self, url: str, what: str) -> Iterator[tuple[httpx2.Response, httpx2.Response]]:
        """The hub's own response, and that after redirects: the same if the hub serves the file itself."""
        try:
            request = self._client.build_request("GET", url)
            first = None
            for _ in range(1 + _REDIRECTS):
                response = self._client.send(request, stream=True)
                first = first or response
                try:
                    if response.next_request is None:
                        self._refuse_failure(response, what)
                        yield first, response
                        return
                    if request.url.scheme == "https" and response.next_request.url.scheme != "https":
                        raise ModelNotInstalled(f"The hub leads from https to an address without it for {what}.")
                    request = response.next_request
                finally:
                    response.close()
            raise ModelNotInstalled(f"The hub leads on to other addresses again and again for {what}.")
        except httpx2.TimeoutException as error:
            raise ModelNotInstalled(
                f"{self.host} sent nothing of {what} for {self._limits.silence_seconds:g} seconds. Try again later."
            ) from error
        except httpx2.ConnectError as error:
            raise ModelNotInstalled(
                f"{self.host} cannot be reached ({error}). Check the network, the proxy and the address."
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ModelNotInstalled(f"{what} broke off ({error}). Try again.") from error

    def _refuse_failure(self, response: httpx2.Response, what: str) -> None:
        status = response.status_code
        if status in (401, 403):
            # Hubs also answer so for missing models, to hide which ones exist.
            raise ModelNotInstalled(
                f"{self.host} does not give {what} to everybody ({status}), or there is none. Check the name."
            )
        if status == 404:
            raise ModelNotInstalled(f"{self.host} has no {what}. Check the name and the revision.")
        if status != 200:
            raise ModelNotInstalled(f"{self.host} does not give {what} ({status}). Try again later.")


def _parsed(body: bytes, what: str) -> Any:
    try:
        return read_json(body)
    except ValueError as error:
        raise ModelNotInstalled(f"What came for {what} is no JSON.") from error


def _file(entry: Any) -> HubFile | None:
    """A file of the hub's list; None for an unsafe path."""
    path = entry.get("rfilename") if isinstance(entry, dict) else None
    if not isinstance(path, str) or not _PATH.fullmatch(path) or ".." in path:
        return None
    stored = entry["lfs"] if isinstance(entry.get("lfs"), dict) else {}
    return HubFile(
        path=path,
        size=_size(stored.get("size", entry.get("size"))),
        sha256=_matching(_SHA256, stored.get("sha256")),
        # For a file in large storage, this is the checksum of its pointer file in Git.
        git_sha1=None if stored else _matching(_SHA1, entry.get("blobId")),
    )


def _size(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _matching(form: re.Pattern[str], value: Any) -> str | None:
    return value if isinstance(value, str) and form.fullmatch(value) else None


def _licence(info: dict[str, Any]) -> str:
    """The licence from the model card, or from the hub's tag."""
    card = info.get("cardData")
    stated = card.get("license") if isinstance(card, dict) else None
    names = stated if isinstance(stated, list) else [stated]
    if isinstance(card, dict) and names == ["other"]:
        names = [card.get("license_name") or "other", card.get("license_link")]
    if names == [None]:
        tags = info.get("tags")
        named = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
        names = [tag.removeprefix("license:") for tag in named if tag.startswith("license:")]
    return ", ".join(" ".join(name.split()) for name in names if isinstance(name, str))[:_LONGEST_LICENCE]
