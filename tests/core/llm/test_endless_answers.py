"""Endless, compressed and redirected endpoint responses: limits of bytes and time."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import zlib
from collections.abc import Iterator

import pytest

from detection.core.errors import EndpointRefused, ModelCallFailed
from detection.core.llm.body import MAX_BODY_BYTES
from detection.core.llm.client import ModelClient
from tests.bombs import gzip_bomb
from tests.fakes.model_server import ModelServer, Reply

from .test_client import opened, question, read

#: Far beyond every limit of these tests; a longer call has no limit.
PATIENT_S = 8.0
#: Bytes in the buffers of two sockets, in addition to those read.
IN_BUFFERS = 20_000_000
FINE = json.dumps({"choices": [{"message": {"content": "Fine."}, "finish_reason": "stop"}]}).encode()
SAYS_NOTHING = b'data: {"choices": [{"delta": {}}]}\n\n' * 1_000


def again_and_again(piece: bytes) -> Iterator[bytes]:
    return itertools.repeat(piece)


ENDLESS = {
    "an error": Reply(status=500, body=lambda: again_and_again(b"x" * 60_000)),
    "an error that drips": Reply(status=500, body=lambda: again_and_again(b"x"), seconds_per_chunk=0.01),
    "a refusal": Reply(status=400, body=lambda: again_and_again(b"x" * 60_000)),
    "a line": Reply(body=lambda: again_and_again(b"x" * 60_000)),
    "white space": Reply(body=lambda: again_and_again(b" " * 60_000)),
    "empty lines": Reply(body=lambda: again_and_again(b"\n" * 60_000)),
    "comments": Reply(body=lambda: again_and_again(b": still there\n" * 5_000)),
    "pieces without text": Reply(body=lambda: again_and_again(SAYS_NOTHING)),
    "pieces of text": Reply(
        body=lambda: again_and_again(b'data: {"choices": [{"delta": {"content": "a "}}]}\n\n' * 1_000)
    ),
}


async def ask(client: ModelClient, *, streams: bool) -> str:
    async with asyncio.timeout(PATIENT_S):
        return "".join(await read(client)) if streams else (await client.complete(question())).text


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("reply", ENDLESS.values(), ids=ENDLESS.keys())
async def test_an_answer_without_end_is_ended(reply: Reply, streams: bool) -> None:
    async with opened(lambda asked: reply, timeout_s=0.5, deadline_s=0.5) as (client, server):
        with pytest.raises(ModelCallFailed):
            await ask(client, streams=streams)
        assert server.sent < len(server.asked) * (10 * MAX_BODY_BYTES + IN_BUFFERS)


def codings(*names: str) -> bytes:
    body = FINE
    for name in names:
        body = gzip.compress(body) if name == "gzip" else zlib.compress(body)
    return body


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_an_answer_may_be_compressed_once(coding: str) -> None:
    reply = Reply(body=codings(coding), headers={"Content-Encoding": coding})
    async with opened(lambda asked: reply) as (client, _):
        assert (await client.complete(question())).text == "Fine."


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip_bomb(b"\0", 500_000_000)),
        ("gzip, gzip", codings("gzip", "gzip")),
        ("gzip, deflate, gzip", gzip.compress(zlib.compress(gzip.compress(bytes(1_000_000))))),
        ("br", FINE),
        ("zstd", FINE),
        ("gzip", FINE),
    ],
    ids=["bomb", "twice", "three times", "unasked", "unasked too", "not at all"],
)
async def test_a_bomb_is_no_answer(coding: str, body: bytes, status: int, streams: bool) -> None:
    reply = Reply(status=status, body=body, headers={"Content-Encoding": coding})
    async with opened(lambda asked: reply, timeout_s=0.5, deadline_s=0.5) as (client, _):
        with pytest.raises(ModelCallFailed):
            await ask(client, streams=streams)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_the_text_goes_nowhere_else(status: int) -> None:
    with ModelServer(lambda asked: Reply(("Fine.",))).running() as other:
        reply = Reply(status=status, body=b"", headers={"Location": f"{other.base_url}/chat/completions"})
        async with opened(lambda asked: reply) as (client, _):
            with pytest.raises(EndpointRefused, match="another address"):
                await client.complete(question("my private text"))
        assert other.asked == []


async def test_signs_that_end_a_line_elsewhere_do_not_cut_a_piece() -> None:
    """Most servers send them as they are, and JSON allows it."""
    text = "One\u2028two\u2029three\u0085four."
    piece = json.dumps({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}, ensure_ascii=False)
    reply = Reply(body=lambda: iter([f"data: {piece}\r\n\r\n".encode(), b"data: [DONE]\n\n"]))
    async with opened(lambda asked: reply) as (client, _):
        assert await ask(client, streams=True) == text
