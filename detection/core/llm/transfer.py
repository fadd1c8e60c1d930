"""Receive responses of an endpoint, with a limit on everything that it could send without end."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2

from ..untrusted.compression import is_compressed_as_allowed
from .body import MAX_BODY_BYTES, Unusable
from .failures import Failure, FailureKind

#: Each token of a stream takes a few hundred bytes.
_MAX_STREAM_BYTES = 10 * MAX_BODY_BYTES
#: An error body has a code and a sentence.
_MAX_ERROR_BYTES = 16_000

TOO_LONG = Failure(FailureKind.UNREADABLE, "The answer of the endpoint is too long.")
COMPRESSED = Failure(FailureKind.UNREADABLE, "The endpoint compressed its answer in a way that nobody asked for.")


async def first_bytes_of(response: httpx2.Response) -> bytes:
    """The beginning of an error body; nothing if it has an unrequested compression."""
    if not is_compressed_as_allowed(response.headers):
        return b""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) >= _MAX_ERROR_BYTES:
            break
    return bytes(body[:_MAX_ERROR_BYTES])


async def body_of(response: httpx2.Response) -> bytes:
    """The body, decompressed.

    Raises:
        Unusable: it is too long or has an unrequested compression.
    """
    body = bytearray()
    async for piece in _pieces(response, MAX_BODY_BYTES):
        body += piece
    return bytes(body)


async def lines_of(response: httpx2.Response) -> AsyncGenerator[str]:
    """The lines of a stream as they arrive. Raises the errors of :func:`body_of`.

    Only line feeds end a line: JSON may contain other line separators, and many servers send them.
    """
    rest = b""
    async for piece in _pieces(response, _MAX_STREAM_BYTES):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace").removesuffix("\r")
        if len(rest) > MAX_BODY_BYTES:
            raise Unusable(TOO_LONG)
    if rest:
        yield rest.decode(errors="replace")


async def _pieces(response: httpx2.Response, most_bytes: int) -> AsyncGenerator[bytes]:
    """The body in pieces of at most a megabyte."""
    if not is_compressed_as_allowed(response.headers):
        raise Unusable(COMPRESSED)
    received = 0
    async for piece in response.aiter_bytes():
        received += len(piece)
        if received > most_bytes:
            raise Unusable(TOO_LONG)
        yield piece
