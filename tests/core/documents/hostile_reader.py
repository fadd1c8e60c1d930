"""A reader that simulates a successful attack; the first word of the file selects it."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from detection.core.documents.child import serve
from detection.core.documents.types import Document, Progress


def misbehave(data: bytes, *, progress: Progress, **_: Any) -> Document:
    match data.decode().split()[0]:
        case "sleep":
            time.sleep(600)
        case "spin":
            while True:
                pass
        case "eat":
            eaten = []
            while True:
                eaten.append(bytearray(50_000_000))
        case "crash":
            os.abort()
        case "flood":
            while True:
                progress(1, 2)
        case "lie":
            os.write(_reports(), b'{"text": "short", "title": "", "pages": null, "places": [["page", "1", 0, 900]]}\n')
        case "babble":
            os.write(_reports(), b"[[[[\n")
        case "print":
            sys.stdout.write('{"refused": "what a library prints"}\n')
            return Document(title="", text=" ".join(sorted(os.environ)))
    return Document(title="", text="nothing happened")


def _reports() -> int:
    """The file descriptor of the pipe to the parent: the first one after standard error."""
    return 3


if __name__ == "__main__":
    serve(misbehave)
