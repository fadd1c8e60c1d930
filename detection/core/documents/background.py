"""Reading a file from an event loop: in a thread that waits for the child process, and ends with whoever waits."""

from __future__ import annotations

import asyncio
import threading

from .reading import read_document
from .types import Document, DocumentLimits, Progress


def _tell_nobody(_done: int, _total: int) -> None:
    pass


async def read_in_background(
    data: bytes, *, name: str, media_type: str, limits: DocumentLimits, progress: Progress = _tell_nobody
) -> Document:
    """As :func:`read_document`; ``progress`` is called by the thread.

    Raises:
        UnreadableDocument: it is of a kind that cannot be read, damaged, protected, empty, or beyond ``limits``.
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
        # A thread cannot be cancelled: it is asked to end, and waited for, so that its process is gone as well.
        halt.set()
        await asyncio.gather(thread, return_exceptions=True)
        raise
