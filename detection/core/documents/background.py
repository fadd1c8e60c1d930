"""Read a file from an event loop, in a thread that waits for the child process and ends with the caller."""

from __future__ import annotations

import asyncio
import threading

from .reading import read_document
from .types import Document, DocumentLimits, Progress


def _ignore(_done: int, _total: int) -> None:
    pass


async def read_in_background(
    data: bytes, *, name: str, media_type: str, limits: DocumentLimits, progress: Progress = _ignore
) -> Document:
    """Like :func:`read_document`; ``progress`` is called in the thread.

    Raises:
        UnreadableDocument: it is of an unsupported kind, damaged, protected, empty, or beyond ``limits``.
    """
    halt = threading.Event()
    thread = asyncio.create_task(
        asyncio.to_thread(
            read_document,
            data,
            name=name,
            media_type=media_type,
            limits=limits,
            progress=progress,
            stop=halt.is_set,
        )
    )
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        # A thread cannot be cancelled: signal it and wait, so that its child process has ended as well.
        halt.set()
        await asyncio.gather(thread, return_exceptions=True)
        raise
