"""What comes from an endpoint over the wire, with a limit on everything that an endpoint could send without end."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

import httpx2

from ..content_codings import is_compressed_as_allowed
from .body import MAX_BODY_BYTES, Unusable
from .failures import Failure, FailureKind

#: The events of a stream say a few hundred bytes about each token.
_MAX_STREAM_BYTES = 10 * MAX_BODY_BYTES
#: What an error says beside its status is a code and a sentence.
_MAX_ERROR_BYTES = 16_000

TOO_LONG = Failure(FailureKind.UNREADABLE, "The answer of the endpoint is too long.")
COMPRESSED = Failure(FailureKind.UNREADABLE, "The endpoint compressed its answer in a way that nobody asked for.")


async def cut_error(response: httpx2.Response) -> None:
    """Let only the first bytes of an error be read: the client library reads errors to their end."""
    if not response.is_success and isinstance(response.stream, httpx2.AsyncByteStream):
        allowed = _MAX_ERROR_BYTES if is_compressed_as_allowed(response.headers) else 0
        response.stream = _FirstBytes(response.stream, allowed)


class _FirstBytes(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, allowed: int) -> None:
        self._stream = stream
        self._allowed = allowed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._allowed
        if not left:
            return
        async for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._stream.aclose()


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
