"""An OpenAI-compatible server on a socket that answers by a script, well or badly, and remembers what it was asked."""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What the server sends. ``body`` is sent as it is; else the texts are put into a chat completion."""

    texts: tuple[str, ...] = ()
    status: int = 200
    code: str | None = None
    """The code of an error, as in ``insufficient_quota``."""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | Callable[[], Iterator[bytes]] | None = None
    """A function gives pieces, which are sent until they end or the client is gone."""
    delay_s: float = 0.0
    seconds_per_chunk: float = 0.0
    """The body comes in pieces of a few bytes, with a pause after each."""
    breaks_off: bool = False
    """The connection is closed in the middle of the body."""
    finish_reason: str = "stop"
    refusal: str | None = None
    thoughts: str = ""
    """What comes beside the texts, as ``reasoning_content``."""
    counted: dict[str, Any] = field(default_factory=dict)
    """What the usage has besides the two usual numbers."""
    usage: bool = True
    tokens: tuple[tuple[bytes, float], ...] = ()
    """The bytes and the logarithmic probability of each token of the first text, for who asks for them."""


@dataclass(frozen=True)
class Asked:
    """One request that the server got."""

    body: dict[str, Any]
    key: str
    at: float

    @property
    def samples(self) -> int:
        return int(self.body.get("n") or 1)

    @property
    def prompt(self) -> str:
        return "\n".join(message["content"] for message in self.body["messages"])

    @property
    def last(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def question(self) -> str:
        """The last turn that asks for something new: not one that asks for the same again."""
        turns = [message["content"] for message in self.body["messages"] if message["role"] == "user"]
        return str(next((turn for turn in reversed(turns) if "boundary" in turn), turns[-1]))


Script = Callable[[Asked], Reply]


class ModelServer:
    """Runs in a thread. ``script`` may be exchanged at any time; ``asked`` grows, and the bytes ``sent`` in pieces."""

    def __init__(self, script: Script, *, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        """At a free port, unless one is named. ``tls`` is that of a server of the name ``localhost``."""
        self.script = script
        self.asked: list[Asked] = []
        self.models: list[dict[str, Any]] | None = None
        """What it says when it is asked for its models; None for nothing."""
        self.looked_at: list[str] = []
        self.most_at_once = 0
        self.sent = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self._origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        if tls is not None:
            # Each connection shakes hands in its own thread: one that breaks it off holds nobody up.
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
            self._origin = f"https://localhost:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        return f"{self._origin}/v1"

    @contextmanager
    def running(self) -> Iterator[ModelServer]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._ended.set()
            self._server.shutdown()
            self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # the body of an answer would wait 40 ms until its headers are confirmed

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                key = self.headers.get("Authorization", "").removeprefix("Bearer ")
                asked = Asked(json.loads(data), key, time.monotonic())
                with server._lock:
                    server.asked.append(asked)
                    server._at_once += 1
                    server.most_at_once = max(server.most_at_once, server._at_once)
                try:
                    self._send(server.script(asked), asked)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client went away, as it may
                finally:
                    with server._lock:
                        server._at_once -= 1

            def do_GET(self) -> None:
                """The list of models."""
                server.looked_at.append(self.path)
                is_list = server.models is not None and self.path.partition("?")[0].endswith("/models")
                body = json.dumps({"object": "list", "data": server.models}).encode() if is_list else b"{}"
                self.send_response(200 if is_list else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def _send(self, reply: Reply, asked: Asked) -> None:
                time.sleep(reply.delay_s)
                if asked.body.get("stream") and reply.status == 200 and reply.body is None:
                    self._stream(reply, asked)
                    return
                if callable(reply.body):
                    self._send_pieces(reply, reply.body())
                    return
                body = _body(reply, asked)
                self._begin(reply, {"Content-Length": str(len(body))})
                if reply.breaks_off:
                    self.wfile.write(body[: len(body) // 2])
                    self.close_connection = True
                elif reply.seconds_per_chunk:
                    for start in range(0, len(body), 8):
                        self.wfile.write(body[start : start + 8])
                        self.wfile.flush()
                        time.sleep(reply.seconds_per_chunk)
                else:
                    self.wfile.write(body)

            def _begin(self, reply: Reply, headers: dict[str, str]) -> None:
                self.send_response(reply.status)
                for name, value in {"Content-Type": "application/json", **headers, **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()

            def _send_pieces(self, reply: Reply, pieces: Iterator[bytes]) -> None:
                self._begin(reply, {"Connection": "close"})
                self.close_connection = True
                for piece in pieces:
                    self.wfile.write(piece)
                    server.sent += len(piece)
                    if server._ended.wait(reply.seconds_per_chunk):
                        return

            def _stream(self, reply: Reply, asked: Asked) -> None:
                """The first text, word by word; half of it when the connection breaks off. All tokens come first."""
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                words = re.findall(r"\S+\s*", reply.texts[0])
                logprobs = _logprobs(reply, asked)
                if reply.thoughts:
                    self._event({"choices": [{"index": 0, "delta": {"reasoning_content": reply.thoughts}}]})
                for word in words[: len(words) // 2] if reply.breaks_off else words:
                    self._event({"choices": [{"index": 0, "delta": {"content": word}, "logprobs": logprobs}]})
                    logprobs = None
                    time.sleep(reply.seconds_per_chunk)
                self.close_connection = True
                if reply.breaks_off:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return  # closed with a reset, in the middle
                if reply.finish_reason != "stop":
                    self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]})
                self._event({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": len(words)}})
                self.wfile.write(b"data: [DONE]\n\n")

            def _event(self, event: dict[str, Any]) -> None:
                self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
                self.wfile.flush()

            def log_message(self, *args: object) -> None:
                pass

        return Handler


@contextmanager
def answering(models: ModelServer, script: Script) -> Iterator[None]:
    """The language model answers otherwise meanwhile."""
    before, models.script = models.script, script
    try:
        yield
    finally:
        models.script = before


def _logprobs(reply: Reply, asked: Asked) -> dict[str, Any] | None:
    if not asked.body.get("logprobs"):
        return None
    tokens = [
        {"token": data.decode(errors="replace"), "logprob": logprob, "bytes": list(data), "top_logprobs": []}
        for data, logprob in reply.tokens
    ]
    return {"content": tokens}


def _body(reply: Reply, asked: Asked) -> bytes:
    if isinstance(reply.body, bytes):
        return reply.body
    if reply.status >= 400:
        return json.dumps({"error": {"message": "from the script", "code": reply.code}}).encode()
    message: dict[str, Any] = {"role": "assistant", "refusal": reply.refusal}
    if reply.thoughts:
        message["reasoning_content"] = reply.thoughts
    completion: dict[str, Any] = {
        "id": "script",
        "object": "chat.completion",
        "model": asked.body["model"],
        "choices": [
            {
                "index": i,
                "finish_reason": reply.finish_reason,
                "message": {**message, "content": text},
                "logprobs": _logprobs(reply, asked),
            }
            for i, text in enumerate(reply.texts)
        ],
    }
    if reply.usage:
        words = sum(len(text.split()) for text in reply.texts)
        completion["usage"] = {"prompt_tokens": len(asked.prompt.split()), "completion_tokens": words, **reply.counted}
    return json.dumps(completion).encode()
