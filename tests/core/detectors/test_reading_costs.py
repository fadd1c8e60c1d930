"""The cost of reading a text: 1.4 times its tokens, and 250 tokens for each pair that the model judges.

Tokens are counted as four characters each, plus four for the frame of each message.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

import pytest

from tests.fakes import reading
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting

from .conftest import ReadLong

OF_TEXT, OF_PAIR = 1.4, 250
#: The instructions of a prompt have the same length for a short text and for a single pair.
OF_SHORT_TEXT, OF_SINGLE_PAIR = 100, 150


class Meter:
    """A model that reports neighbours as contradictory, confirms them, and counts tokens."""

    def __init__(self, pairs: int) -> None:
        self._wanted = pairs
        self.named: set[int] = set()
        self.tokens = 0

    def __call__(self, asked: Asked) -> Reply:
        reply = self._answer(asked)
        if reading.reads(asked) or reading.compares(asked) or reading.concludes(asked):
            self.tokens += sum(_tokens(message["content"]) + 4 for message in asked.body["messages"])
            self.tokens += sum(map(_tokens, reply.texts))
        return reply

    def _answer(self, asked: Asked) -> Reply:
        if reading.reads(asked):
            return reading.naming(list(self._items(reading.to_read(asked))))
        if not reading.compares(asked):
            return contradicting(asked)
        reply = reading.judging(dict.fromkeys(reading.pairs(asked), True))
        reply.tokens = ((reply.texts[0].encode(), -0.001),)
        return reply

    def _items(self, numbers: Iterable[int]) -> Iterable[dict[str, object]]:
        for number in numbers:
            if number % 5 == 0 and (number in self.named or len(self.named) < self._wanted):
                self.named.add(number)
                yield reading.item(number - 1, number, "windows", "windows")


def _tokens(text: str) -> int:
    return ceil(len(text) / 4)


def text_of(sentences: int) -> str:
    """Sentences of 23 tokens, about the average length."""
    return " ".join(
        f"The house at number {number} on Mill Street has {number + 3} windows to the front and {number % 5 + 2} doors "
        "to the yard."
        for number in range(sentences)
    )


async def cost(read_long: ReadLong, server: ModelServer, sentences: int, pairs: int) -> tuple[int, int]:
    """The number of tokens of the text, and of its reading."""
    meter = Meter(pairs)
    server.script = meter
    text = text_of(sentences)
    result = await read_long(text)
    assert len(meter.named) == len(result.findings) == pairs
    return _tokens(text), meter.tokens


@pytest.mark.parametrize(
    ("sentences", "pairs"),
    [(14, 0), (20, 2), (20, 4), (30, 1), (30, 6), (60, 0), (60, 1), (60, 2), (60, 10), (400, 0), (400, 40)],
)
async def test_a_reading_keeps_to_its_bound(
    read_long: ReadLong, model_server: ModelServer, sentences: int, pairs: int
) -> None:
    of_text, of_reading = await cost(read_long, model_server, sentences, pairs)
    assert of_reading <= OF_TEXT * of_text + OF_PAIR * pairs


@pytest.mark.parametrize(("sentences", "pairs"), [(2, 0), (6, 1), (10, 1)])
async def test_a_short_text_pays_for_the_instructions_besides(
    read_long: ReadLong, model_server: ModelServer, sentences: int, pairs: int
) -> None:
    of_text, of_reading = await cost(read_long, model_server, sentences, pairs)
    assert of_reading <= OF_TEXT * of_text + OF_PAIR * pairs + OF_SHORT_TEXT + OF_SINGLE_PAIR * pairs


async def test_a_model_that_reads_half_of_everything_costs_four_readings_at_most(
    read_long: ReadLong, model_server: ModelServer
) -> None:
    """Unread sentences are read again in smaller parts, twice."""
    meter = Meter(0)

    def script(asked: Asked) -> Reply:
        reply = meter(asked)
        if not reading.reads(asked):
            return reply
        numbers = reading.to_read(asked)
        return reading.naming([], read=(numbers[0], numbers[len(numbers) // 2 - 1]))

    model_server.script = script
    text = text_of(60)
    await read_long(text)
    assert sum(map(reading.reads, model_server.asked)) == 1 + 2 + 4
    assert meter.tokens <= 4 * OF_TEXT * _tokens(text)
