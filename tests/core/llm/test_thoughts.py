"""Thoughts of reasoning models are removed from their answers in every format."""

from __future__ import annotations

import pytest

from detection.core.llm.probabilities import TokenProbability
from detection.core.llm.thoughts import ThoughtFilter, ThoughtsWithoutBeginning, tokens_of, without_thoughts
from tests.fakes.model_server import Asked, Reply

from .test_client import opened, read

HARMONY = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It fell."
CASES = {
    "tags": ("<think>\nHm.\n</think>\n\nIt fell.", "It fell."),
    "other tags": ("<thinking>Hm.</thinking>It fell.", "It fell."),
    "brackets": ("[THINK]Hm.[/THINK]It fell.", "It fell."),
    "channels": (HARMONY, "It fell."),
    "no end": ("<think>Hm. It fell", ""),
    "none": ("It fell <i>far</i> [1].", "It fell <i>far</i> [1]."),
    "empty": ("<think>\n\n</think>\n\nIt fell.", "It fell."),
}


@pytest.mark.parametrize(("answer", "expected"), CASES.values(), ids=CASES.keys())
def test_an_answer_without_its_thoughts(answer: str, expected: str) -> None:
    assert without_thoughts(answer).text == expected


def test_a_closing_tag_alone_ends_thoughts_too() -> None:
    found = without_thoughts("Hm. Yes.\n</think>\n\nIt fell.")
    assert (found.text, found.had_thoughts, found.opens_unseen) == ("It fell.", True, True)


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
@pytest.mark.parametrize(("answer", "expected"), CASES.values(), ids=CASES.keys())
def test_a_stream_without_its_thoughts(answer: str, expected: str, size: int) -> None:
    thoughts = ThoughtFilter()
    pieces = [thoughts.add(answer[start : start + size]) for start in range(0, len(answer), size)]
    assert "".join([*pieces, thoughts.end()]).strip() == expected


def test_a_stream_that_closes_what_it_did_not_open_is_no_answer() -> None:
    with pytest.raises(ThoughtsWithoutBeginning):
        list(map(ThoughtFilter().add, ["Hm. ", "Yes.", "</think>", "It fell."]))
    known = ThoughtFilter(begins_inside=True)
    assert "".join(map(known.add, ["Hm. ", "Yes.", "</think>", "It fell."])) == "It fell."


async def test_a_stream_of_thoughts_that_was_cut_gets_room_once() -> None:
    def script(asked: Asked) -> Reply:
        if asked.body["max_tokens"] < 4_000:
            return Reply(("<think> Hm. It",), finish_reason="length")
        return Reply(("<think> Hm. </think> It fell.",))

    async with opened(script) as (client, server):
        assert "".join(await read(client)).strip() == "It fell."
        assert "".join(await read(client)).strip() == "It fell."
        assert [asked.body["max_tokens"] for asked in server.asked] == [512, 4_512, 4_512]


def test_the_tokens_of_a_piece_are_those_of_what_is_left_of_it() -> None:
    tokens = tuple(TokenProbability(data, 0.5) for data in (b"</think>", b"\n\n", b"It", b" fell"))
    assert [token.data for token in tokens_of("It fell", tokens)] == [b"It", b" fell"]
    assert tokens_of("t fell", tokens) == ()
