"""What comes from an endpoint over the wire, with a limit on everything that an endpoint could send without end."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2

from ..untrusted.compression import is_compressed_as_allowed
from .body import MAX_BODY_BYTES, Unusable
from .failures import Failure, FailureKind

#: The events of a stream say a few hundred bytes about each token.
_MAX_STREAM_BYTES = 10 * MAX_BODY_BYTES
#: What an error says beside its status is a code and a sentence.
_MAX_ERROR_BYTES = 16_000

TOO_LONG = Failure(FailureKind.UNREADABLE, "The answer of the endpoint is too long.")
COMPRESSED = Failure(FailureKind.UNREADABLE, "The endpoint compressed its answer in a way that nobody asked for.")


async def first_bytes_of(response: httpx2.Response) -> bytes:
    """The beginning of an error; nothing of one that is compressed in another way than was asked for."""
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
        Unusable: it is too long, or compressed in another way than was asked for.
    """
    body = bytearray()
    async for piece in _pieces(response, MAX_BODY_BYTES):
        body += piece
    return bytes(body)


async def lines_of(response: httpx2.Response) -> AsyncGenerator[str]:
    """The lines of a stream as they come. Raises what :func:`body_of` does.

    Only line feeds end a line: JSON may hold the other signs as they are, and many servers send them so.
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
    """The body in pieces of a megabyte at most."""
    if not is_compressed_as_allowed(response.headers):
        raise Unusable(COMPRESSED)
    received = 0
    async for piece in response.aiter_bytes():
        received += len(piece)
        if received > most_bytes:
            raise Unusable(TOO_LONG)
        yield piece
