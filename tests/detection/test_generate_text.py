"""``manage.py generate_text``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.writing import BASIN, BRED, CRANE, FOUNDED, PROMPT, SOURCE, TRUE, WRONG_CRANE, GatedModel, WritingModel

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
    assert "The model finished its text." in out


def test_without_validation_the_text_is_as_the_model_writes_it(server: ModelServer, capsys: Capture) -> None:
    call_command("generate_text", PROMPT, validate="none", json="-")
    result = json.loads(capsys.readouterr().out)
    assert result["text"] == f"{FOUNDED} {WRONG_CRANE} {BRED} {BASIN}"


def _many_sentences(prefix: str) -> str:
    return " ".join(f"{FOUNDED[:-1]}, and a crane in {year}." for year in range(1914, 1924))


ENDINGS = [
    pytest.param({}, {"sentences": 2}, "length", "reached the maximum length", id="length"),
    pytest.param(
        {"text": lambda prefix: f"{FOUNDED} {BASIN} {FOUNDED} {BASIN}"}, {}, "repeated", "repeat", id="repeated"
    ),
    pytest.param({"text": lambda prefix: "I'm sorry, but I cannot do that."}, {}, "refused", "refused", id="refused"),
    pytest.param({"text": lambda prefix: " "}, {}, "empty", "wrote nothing", id="empty"),
    pytest.param(
        {"text": _many_sentences, "reply": Reply(breaks_off=True), "unsure": []},
        {},
        "failed",
        "broke off",
        id="broken off",
    ),
]


@pytest.mark.parametrize(("model", "arguments", "ending", "told"), ENDINGS)
def test_why_a_text_ends_is_told_in_plain_words(
    server: ModelServer,
    source: str,
    capsys: Capture,
    model: dict[str, Any],
    arguments: dict[str, Any],
    ending: str,
    told: str,
) -> None:
    server.script = WritingModel(**model)
    with pytest.raises(SystemExit) if ending == "failed" else nullcontext():
        call_command("generate_text", PROMPT, source=[source], json="-", **arguments)
    result = json.loads(capsys.readouterr().out)
    assert result["ending"] == ending
    assert told in result["reason"]
    assert bool(result["text"]) == (ending in ("length", "repeated", "failed"))


def test_a_budget_that_is_used_up_ends_the_text_and_says_so(
    server: ModelServer, source: str, capsys: Capture, settings: Settings
) -> None:
    settings.BUDGET_CALLS = 2
    call_command("generate_text", PROMPT, source=[source])
    out = capsys.readouterr().out
    assert "budget of 2 model calls" in out
    assert "[not checked: " in out


def test_who_stops_it_keeps_what_was_settled(tmp_path: Path, source: str) -> None:
    """In a separate process that receives SIGINT, as from Ctrl+C."""
    with ModelServer(GatedModel()).running() as models:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("DJANGO_")},
            "CHATPROTECT_DATA_DIR": str(tmp_path),
            "CHATPROTECT_LLM_BASE_URL": models.base_url,
            "CHATPROTECT_GENERATOR_MODEL": "some-model",
        }
        command = [sys.executable, "manage.py", "generate_text", PROMPT, "--source", source, "--json", "-"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True, preexec_fn=_as_from_a_terminal
        ) as process:
            while not any("Is 1914 right in" in asked.last for asked in models.asked):
                assert process.poll() is None
                time.sleep(0.02)
            time.sleep(0.5)  # the answer arrives
            process.send_signal(signal.SIGINT)
            result = json.loads(process.communicate(timeout=60)[0])
    assert (process.returncode, result["ending"], result["reason"]) == (1, "cancelled", "You stopped it.")
    assert result["text"].startswith(FOUNDED)


def _as_from_a_terminal() -> None:
    """Restore the SIGINT handler, because background processes of a script and their children ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


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
