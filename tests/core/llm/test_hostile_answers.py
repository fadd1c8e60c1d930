"""Hostile answers result in an answer or in a failure with a reason."""

from __future__ import annotations

import contextlib
import json
import math

import pytest

from detection.core.llm.body import Unusable, read_completion
from detection.core.llm.probabilities import read_tokens
from detection.core.llm.stream import read_line
from detection.core.llm.structured import NoJson, find_array, find_objects
from detection.core.llm.types import ModelAnswer
from detection.core.untrusted.json import plain, read_json

DEEP = 100_000
HUGE = "9" * 4_000


def completion(content: str, usage: str = "null", logprobs: str = "null", finish: str = '"stop"') -> bytes:
    """A completion from raw JSON parts."""
    return (
        f'{{"choices": [{{"message": {{"role": "assistant", "content": {content}}}, "finish_reason": {finish}, '
        f'"logprobs": {logprobs}}}], "usage": {usage}}}'
    ).encode()


def token(logprob: str, data: str = "[65]") -> str:
    return f'{{"content": [{{"token": "A", "logprob": {logprob}, "bytes": {data}}}]}}'


ANSWERS = {
    "nested in itself": completion("[" * DEEP + "]" * DEEP),
    "nested and open": completion("[" * DEEP),
    "objects in objects": completion('{"a":' * DEEP),
    "nothing but brackets": b"[" * DEEP,
    "a number of 4,000 digits": completion(HUGE),
    "a number of 5,000 digits": completion("9" * 5_000),
    "no number": completion("NaN"),
    "tokens without number": completion('"A"', usage='{"prompt_tokens": NaN, "completion_tokens": Infinity}'),
    "more tokens than there are": completion('"A"', usage=f'{{"prompt_tokens": {HUGE}, "completion_tokens": {HUGE}}}'),
    "fewer tokens than none": completion('"A"', usage='{"prompt_tokens": -1, "completion_tokens": -1}'),
    "the same name twice": completion('"A", "content": "B", "content": {}'),
    "halves of characters": completion('"A \\ud800 \\udfff B"'),
    "null characters": completion('"A \\u0000 \\u0008 B"'),
    "nothing but null characters": completion('"\\u0000\\u0000"'),
    "names that are none": completion('[{"type": "text", "text": "A\\u0000", "\\ud800": 1}]'),
    "two megabytes": completion(json.dumps("x" * 1_900_000)),
    "parts that are none": completion('[1, null, {"type": "text"}]'),
    "an unsure word without number": completion('"A"', logprobs=token("NaN")),
    "an unsure word beyond all numbers": completion('"A"', logprobs=token(HUGE)),
    "bytes that are a size": completion('"A"', logprobs=token("-1", "4000000000")),
    "bytes beyond bytes": completion('"A"', logprobs=token("-1", f"[{HUGE}]")),
    "bytes that are none": completion('"A"', logprobs=token("-1", '"AAAA"')),
    "choices that are none": b'{"choices": {"0": {}}}',
    "an ending that is none": completion('"A"', finish='{"length": 1}'),
    "not text at all": b"\xff\xfe\x00\x01" * 100,
}


@pytest.mark.parametrize("body", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_body_is_an_answer_that_can_be_stored_or_a_failure(body: bytes) -> None:
    try:
        answer = read_completion(body)
    except Unusable:
        return
    assert_storable(answer)


def assert_storable(answer: ModelAnswer) -> None:
    for text in answer.texts:
        text.encode()
        assert "\0" not in text
        assert text.strip()
    if answer.usage:
        assert 0 <= answer.usage.prompt < 2**31
    for tokens in answer.tokens:
        assert all(math.isfinite(one.probability) for one in tokens)


@pytest.mark.parametrize("logprob", ["NaN", HUGE, f"-{HUGE}", '"x"', "null", "{}"])
def test_a_word_without_a_probability_is_not_one_that_the_model_was_sure_of(logprob: str) -> None:
    assert read_tokens({"logprobs": json.loads(token(logprob))}) == ()


@pytest.mark.parametrize("body", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_line_of_a_stream_is_read_or_refused(body: bytes) -> None:
    line = "data: " + body.decode(errors="replace").replace('"message"', '"delta"')
    try:
        piece = read_line(line)
    except Unusable:
        return
    assert piece is not None
    assert "\0" not in piece.text
    piece.text.encode()


@pytest.mark.parametrize(
    "answer",
    [
        '{"a":' * DEEP,
        '{"a":{' * DEEP,
        "{" * DEEP,
        "[" * DEEP,
        "[{" * DEEP,
        '[{"a": "' + "{" * DEEP,
        '{"a": [' + "1," * DEEP,
        "```json\n" * DEEP,
        '{"words": "\\ud800", "question": "\\u0000"}' * 3,
        '[{"words": NaN, "question": ' + HUGE + "}]",
    ],
)
def test_json_in_an_answer_is_found_or_not(answer: str) -> None:
    found: list[object] = [*find_objects(answer)]
    with contextlib.suppress(NoJson):
        found += find_array(answer)
    assert "\\u0000" not in json.dumps(found)
    assert "\\ud8" not in json.dumps(found)


def test_an_answer_after_many_braces_that_begin_nothing_is_still_found() -> None:
    assert find_objects("{ not yet } " * 100 + '{"answer": "yes"}') == [{"answer": "yes"}]


def test_what_is_plain_stays_as_it_is() -> None:
    value = {"a": ["é 👩‍🔬 שלום\n\t", 1, 2.5, None, True], "b": {"c": []}}
    assert read_json(json.dumps(value)) == value
    assert plain("a\0b\ud800c") == "abc"
