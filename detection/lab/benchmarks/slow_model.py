"""A slow scripted language model on this machine: it writes the text of the benchmarks with its wrong figures.

It gives low probabilities to the wrong figures and to some right ones, and answers by the report of the benchmarks.
It says that two statements contradict each other if one has a wrong figure.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .texts import SOURCE, TEXT

SENTENCES = re.split(r"(?<=\.)\s+", " ".join(TEXT.split()))
_REPORT = re.split(r"(?<=\.)\s+", " ".join(SOURCE.split()))
_FIGURE = re.compile(r"\d[\d,]*|\b(?:three|second)\b")
#: What the text says, and what the report does.
CORRECTIONS = {"3 May": "3 March", "31 million": "34 million", "65,000": "56,000", "1,130": "1,310", "2026": "2025"}
#: Figures that are right, and the model is not sure of.
_DOUBTED = ("48,000", "27", "412", "2017", "22")
_SURE, _UNSURE = -0.02, -1.4


class Behaviour(StrEnum):
    """How the model writes."""

    SAME_AGAIN = "same_again"  # the same sentences after a correction
    OTHER_WORDS = "other_words"  # other wordings of all sentences after a correction
    ALL_RIGHT = "all_right"  # nothing wrong, and as unsure of it


#: The beginning of a sentence, by the number of corrections before it.
_TURNS = ("", "Also, ", "Besides, ", "Further, ", "Moreover, ", "Then, ")


@dataclass(slots=True)
class SlowModel:
    """Times are in seconds. ``calls`` were answered so far, or broken off."""

    seconds_to_first_word: float
    seconds_per_word: float
    behaviour: Behaviour
    url: str = ""
    calls: int = 0


@contextmanager
def slow_model(
    seconds_to_first_word: float, seconds_per_word: float, behaviour: Behaviour = Behaviour.SAME_AGAIN
) -> Iterator[SlowModel]:
    """The model behind an OpenAI-compatible address."""
    model = SlowModel(seconds_to_first_word, seconds_per_word, behaviour)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


def _handler(model: SlowModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            model.calls += 1
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][-1]["content"]
            size = sum(len(message["content"]) for message in body["messages"])
            time.sleep(model.seconds_to_first_word)
            try:
                if body.get("stream"):
                    self._stream(_text_behind(prompt, model.behaviour), size)
                else:
                    self._send(_answer(prompt), size, int(body.get("n") or 1))
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has left: it does not need the draft any more

        def _send(self, text: str, size: int, samples: int) -> None:
            time.sleep(len(text.split()) * model.seconds_per_word)
            message = {"role": "assistant", "content": text}
            choices = [{"index": i, "finish_reason": "stop", "message": message} for i in range(samples)]
            data = json.dumps({"choices": choices, "usage": _usage(text, size)}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, text: str, size: int) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            unsure = [*CORRECTIONS, *CORRECTIONS.values(), *_DOUBTED]
            for match in re.finditer(r"\S+\s*", text):
                time.sleep(model.seconds_per_word)
                word = match[0]
                is_unsure = any(word.strip(" .,") in figure.split() for figure in unsure)
                token = {"token": word, "logprob": _UNSURE if is_unsure else _SURE, "bytes": list(word.encode())}
                self._event({"index": 0, "delta": {"content": word}, "logprobs": {"content": [token]}})
            self._event({"index": 0, "delta": {}, "finish_reason": "stop"}, _usage(text, size))
            self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, choice: dict[str, Any], usage: dict[str, int] | None = None) -> None:
            event = {"choices": [choice], "usage": usage}
            self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
            self.wfile.flush()

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def _usage(text: str, size: int) -> dict[str, int]:
    """The tokens of a prompt: on average four characters of English make a token."""
    return {"prompt_tokens": size // 4, "completion_tokens": len(text) // 4}


def _text_behind(prompt: str, behaviour: Behaviour) -> str:
    """The sentences that are not in the prompt yet."""
    # Ignore first letters, which may be lower case after an introductory phrase.
    written = sum(sentence[1:] in prompt or _corrected(sentence)[1:] in prompt for sentence in SENTENCES)
    rest = SENTENCES[written:]
    if behaviour is Behaviour.ALL_RIGHT:
        rest = [_corrected(sentence) for sentence in rest]
    turn = _TURNS[sum(right in prompt for right in CORRECTIONS.values())]
    if behaviour is Behaviour.OTHER_WORDS and turn:
        rest = [f"{turn}{sentence[0].lower()}{sentence[1:]}" for sentence in rest]
    return " ".join(rest) or "END"


def _answer(prompt: str) -> str:
    if "Fill the gap:" in prompt:
        return _nearest(prompt.rsplit("Fill the gap:", 1)[1])
    if "are the two statements contradictory?" in prompt:
        return "Yes" if any(wrong in prompt for wrong in CORRECTIONS) else "No"
    if "Explain in at most three sentences" in prompt:
        return "One gives another figure than the other."
    if "Rewrite the original sentence" in prompt:
        return _corrected(prompt.split("Original sentence: ", 1)[1].split("\n", 1)[0])
    if "--- passages," in prompt:
        return json.dumps(_verdict(_section(prompt, "question"), _section(prompt, "sentence")))
    if "Correct the sentence." in prompt:
        return _corrected(_section(prompt, "sentence"))
    sentence = _section(prompt, "sentence")
    lines = _section(prompt, "words").splitlines() if "--- words," in prompt else _FIGURE.findall(sentence)
    return json.dumps({"questions": [{"words": line, "question": _question(line, sentence)} for line in lines]})


def _question(figure: str, sentence: str) -> str:
    """About a figure with a few words around it."""
    before, _, behind = sentence.partition(figure)
    return f"Is it {figure}: {' '.join([*before.split()[-5:], figure, *behind.split()[:4]])}?"


def _verdict(question: str, written: str) -> dict[str, str]:
    """By the sentence of the report that is nearest; wrong figures are known."""
    is_wrong = any(wrong in question for wrong in CORRECTIONS)
    said = {"quote": _nearest(question), "reason": "The report tells.", "answer": "no" if is_wrong else "yes"}
    return {**said, "correction": _corrected(written) if is_wrong else ""}


def _nearest(words: str) -> str:
    """The sentence of the report that has most of the words."""
    wanted = set(re.findall(r"\w+", words.casefold()))
    return max(_REPORT, key=lambda sentence: len(wanted & set(re.findall(r"\w+", sentence.casefold()))))


def _corrected(sentence: str) -> str:
    for wrong, right in CORRECTIONS.items():
        sentence = sentence.replace(wrong, right)
    return sentence


def _section(prompt: str, name: str) -> str:
    found = re.search(rf"^--- {name}, boundary \w+ ---\n(.*?)\n--- ", prompt, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""
