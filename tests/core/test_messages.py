"""Messages of findings: codes with arguments, and robust parsing of stored ones."""

from __future__ import annotations

import json

import pytest

from detection.core.messages import _NAMES, Message, MessageCode

SAYS = MessageCode.SOURCE_SAYS.of(theirs="1870", own="1780")


def test_a_message_is_stored_as_codes_and_comes_back() -> None:
    both = Message.joined([SAYS, MessageCode.SOURCE_SAYS_TOO.of(theirs="nine", own="“twelve”\n")])
    assert json.loads(both.stored)[0] == ["source_says", {"theirs": "1870", "own": "1780"}]
    assert Message.read(both.stored) == both


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("Ada Lind",), "The source does not mention “Ada Lind”."),
        (("1894", "Ada Lind"), "The source does not mention “1894” and “Ada Lind”."),
        (("1894", "Jon", "34 %(own)s"), "The source does not mention “1894”, “Jon” and “34 %(own)s”."),
    ],
)
def test_several_words_are_named_one_after_the_other(words: tuple[str, ...], shown: str) -> None:
    assert str(Message.read(MessageCode.SOURCE_LACKS_WORDS.of(words=words).stored)) == shown


@pytest.mark.parametrize("code", MessageCode)
def test_every_code_has_words_that_use_all_its_arguments(code: MessageCode) -> None:
    message = code.of(**{name: ("given",) if name == "words" else f"<{name}>" for name in _NAMES[code]})
    shown = str(message)
    assert "%" not in shown
    assert all("given" in shown if name == "words" else f"<{name}>" in shown for name in _NAMES[code])
    assert Message.read(message.stored) == message


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "The source says “1870”, this sentence says “1780”.",
        "[[source]] says so.",
        '[["source_says", {"theirs": "1870"}]]',
        '[["source_says", {"theirs": "1870", "own": null}]]',
        '[["source_says", {"theirs": "1870", "own": "1", "more": "2"}]]',
        '[["source_lacks_words", {"words": []}]]',
        '[["no_such_code", {}]]',
        '[["model_says_otherwise"]]',
        '[["model_says_otherwise", []]]',
        "[[1, 2]]",
        "[[" * 100_000,
    ],
)
def test_a_text_of_an_earlier_version_or_of_a_file_is_shown_as_it_stands(stored: str) -> None:
    message = Message.read(stored)
    assert str(message) == stored
    assert message.stored == stored


def test_words_go_through_the_catalogue_and_arguments_do_not() -> None:
    asked: list[str] = []

    def translate(words: str) -> str:
        asked.append(words)
        return words.replace("The source says", "Die Quelle sagt")

    assert SAYS.words(translate) == "Die Quelle sagt “1870”, this sentence says “1780”."
    assert asked == ["The source says “%(theirs)s”, this sentence says “%(own)s”."]
