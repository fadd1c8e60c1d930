"""``manage.py generate_text``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.writing import BASIN, BRED, CRANE, FOUNDED, PROMPT, SOURCE, TRUE, WRONG_CRANE, WritingModel

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def server(settings: Settings) -> Iterator[ModelServer]:
    with ModelServer(WritingModel()).running() as running:
        settings.LLM_BASE_URL, settings.LLM_API_KEY = running.base_url, "sk-secret"
        settings.GENERATOR_MODEL, settings.ANALYZER_MODEL = "generator", "analyzer"
        yield running


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "chronicle.txt"
    path.write_text(SOURCE)
    return str(path)


def test_the_result_has_each_sentence_with_what_was_asked(server: ModelServer, source: str, capsys: Capture) -> None:
    call_command("generate_text", PROMPT, source=[source], json="-")
    result = json.loads(capsys.readouterr().out)
    assert result["text"] == f"{FOUNDED} {CRANE} {TRUE} {BASIN}"
    assert (result["ending"], result["premise"]) == ("complete", None)
    states = [sentence["state"] for sentence in result["sentences"]]
    assert states == ["passed", "repaired", "passed", "passed"]
    second = result["sentences"][1]
    assert second["first_version"] == WRONG_CRANE
    first, again = second["validations"]
    assert (first["concept"], first["answer"], again["answer"]) == ("1941", "no", "yes")
    assert WRONG_CRANE[slice(*first["span"])] == "1941"
    (evidence,) = first["evidence"]
    assert evidence["source"] == source
    assert SOURCE[evidence["start"] : evidence["end"]] == evidence["quote"]
    assert result["usage"]["model_calls"] >= len(server.asked) - 1


def test_people_read_what_was_corrected_and_why(server: ModelServer, source: str, capsys: Capture) -> None:
    call_command("generate_text", PROMPT, source=[source])
    out = capsys.readouterr().out
    assert f"  2  {CRANE}\n     [corrected]\n     first: {WRONG_CRANE}\n" in out
    assert "       ? 1941 (30\u00a0% sure): " in out
    assert out.count(f"{FOUNDED} {CRANE} {TRUE} {BASIN}") == 1
    assert "The model had no more to say." in out


def test_without_validation_the_text_is_as_the_model_writes_it(server: ModelServer, capsys: Capture) -> None:
    call_command("generate_text", PROMPT, validate="none", json="-")
    result = json.loads(capsys.readouterr().out)
    assert result["text"] == f"{FOUNDED} {WRONG_CRANE} {BRED} {BASIN}"


@pytest.mark.parametrize(
    ("choice", "asked_for", "ending"),
    [
        ("stop", None, "false_premise"),
        ("rectify", "Why by Ada Lind?", "complete"),
        ("ignore", "Why by Jon Berg?", "complete"),
    ],
)
def test_a_question_on_a_false_premise_is_told_and_its_user_decides(
    server: ModelServer, capsys: Capture, choice: str, asked_for: str | None, ending: str
) -> None:
    model = WritingModel(text=lambda prefix: "END" if prefix else FOUNDED)

    def script(asked: Asked) -> Reply:
        if "Rewrite the question" in asked.last:
            return Reply(("Why by Ada Lind?",))
        if "takes for granted" in asked.last:
            said = {"assumption": "Jon Berg did.", "quote": "", "reason": "It was Ada Lind.", "answer": "no"}
            return Reply((json.dumps(said),))
        return model(asked)

    server.script = script
    call_command("generate_text", "Why by Jon Berg?", premise=choice, json="-")
    result = json.loads(capsys.readouterr().out)
    assert (result["ending"], result["text"]) == (ending, FOUNDED if asked_for else "")
    written_for = [asked.last for asked in server.asked if asked.body.get("stream")]
    assert written_for == ([asked_for] if asked_for else [])
    if choice != "ignore":
        assert result["premise"]["rectified"] == "Why by Ada Lind?"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"validate": "search"}, "needs a --retriever"),
        ({"validate": "search", "retriever": "library"}, "give one with --source"),
        ({"sentences": 0}, "a number from 1"),
    ],
)
def test_bad_input_is_refused_in_one_line(server: ModelServer, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(CommandError, match=message) as error:
        call_command("generate_text", PROMPT, **arguments)
    assert error.value.returncode == 2
    with pytest.raises(CommandError, match="prompt is empty"):
        call_command("generate_text", " ")


def test_without_a_language_model_it_says_how_to_set_one_up() -> None:
    with pytest.raises(CommandError, match="CHATPROTECT_LLM_BASE_URL"):
        call_command("generate_text", PROMPT)
