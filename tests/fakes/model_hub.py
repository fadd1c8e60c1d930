"""A model hub on a socket of this machine: lists of files, small files, and large ones by way of another address."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.fakes.onnx_model import tiny_model, tiny_tokenizer
from tests.fakes.page_server import Page, PageServer, redirect

COMMIT = hashlib.sha1(b"a commit").hexdigest()
NLI = {"0": "CONTRADICTION", "1": "entailment", "2": "Neutral"}
#: In the order of these labels: entailment is by far the likeliest.
LOGITS = (1.0, 4.0, 2.0)


def files_of(*, labels: Mapping[str, str] = NLI, **settings: Any) -> dict[str, bytes]:
    """What a small model consists of."""
    config = {"model_type": "bert", "id2label": dict(labels), "max_position_embeddings": 64, **settings}
    return {
        "config.json": json.dumps(config).encode(),
        "tokenizer.json": tiny_tokenizer(),
        "onnx/model.onnx": tiny_model(LOGITS[: len(labels)]),
        "README.md": b"# A model",
        "pytorch_model.bin": b"not for us",
    }


class ModelHub:
    """``info`` and ``site.pages`` of what was added may be changed before anybody asks."""

    def __init__(self, site: PageServer) -> None:
        self.site = site
        self.info: dict[str, dict[str, Any]] = {}

    @property
    def address(self) -> str:
        return self.site.url("")

    def add(self, name: str, files: Mapping[str, bytes], *, revision: str = "main", licence: str = "mit") -> None:
        """Publish a model; its .onnx files and their data are stored apart, as what is large is."""
        self.info[name] = {
            "id": name,
            "sha": COMMIT,
            "tags": ["onnx", f"license:{licence}"],
            "cardData": {"license": licence},
            "siblings": [self._publish(name, path, body) for path, body in files.items()],
        }
        self.site.pages[f"/api/models/{name}/revision/{revision}"] = lambda _visit: Page(
            json.dumps(self.info[name]).encode(), "application/json"
        )

    def _publish(self, name: str, path: str, body: bytes) -> dict[str, Any]:
        sha256, address = hashlib.sha256(body).hexdigest(), f"/{name}/resolve/{COMMIT}/{path}"
        git = hashlib.sha1(b"blob %d\0" % len(body) + body).hexdigest()
        entry: dict[str, Any] = {"rfilename": path, "size": len(body), "blobId": git}
        if ".onnx" not in path:
            self.site.pages[address] = Page(body, headers={"ETag": f'"{git}"'})
            return entry
        self.site.pages[f"/stored/{sha256}"] = Page(body)
        self.site.pages[address] = Page(
            status=302,
            headers={
                **redirect(self.site.url(f"/stored/{sha256}?signature=1")).headers,
                "X-Linked-ETag": f'"{sha256}"',
                "ETag": f'"{sha256[:40]}"',
            },
        )
        return {**entry, "blobId": sha256[:40], "lfs": {"sha256": sha256, "size": len(body), "pointerSize": 130}}

    def replace(self, path: str, page: Page) -> None:
        """Send something else for every file of this name, wherever it is stored."""
        for address, was in list(self.site.pages.items()):
            if address.endswith(f"/{path}") and isinstance(was, Page):
                self.site.pages[address] = page


@contextmanager
def model_hub() -> Iterator[ModelHub]:
    with PageServer({}).running() as site:
        yield ModelHub(site)
