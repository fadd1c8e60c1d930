"""The command ``chatprotect`` in pipelines."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.conf import settings

from detection.doors.cli.main import main
from detection.doors.python import MAX_TEXT_CHARS
from tests.doors.corpus import CORPUS

CLEAN, BAD = CORPUS[0].text, CORPUS[1].text
COMMAND = [sys.executable, "-m", "detection.doors.cli.main"]
#: Works from any folder, even if the package is not installed.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(settings.BASE_DIR), "TERM": "xterm-256color"}
SCHEMA = Path(__file__).with_name("sarif-2.1.0-subset.json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "clean.md").write_text(CLEAN)
    (tmp_path / "bad.md").write_text(f"# The bridge\n\n{BAD}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["clean.md"], 0),
        (["clean.md", "bad.md"], 1),
        (["bad.md", "--fail-on", "never"], 0),
        (["bad.md", "--fail-on", "contradiction"], 1),
        (["bad.md", "missing.md"], 2),
    ],
)
def test_the_status_says_what_was_found(arguments: list[str], status: int) -> None:
    assert main(["check", *arguments]) == status


def test_what_a_source_does_not_say_is_no_contradiction(folder: Path) -> None:
    (folder / "said.txt").write_text("The harbour lies on the west coast.")
    arguments = ["check", "clean.md", "--source", "said.txt"]
    assert main(arguments) == 1
    assert main([*arguments, "--fail-on", "contradiction"]) == 0


@pytest.mark.usefixtures("folder")
def test_a_file_that_cannot_be_read_keeps_no_other_from_being_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "missing.md", "bad.md"]) == 2
    told = capsys.readouterr()
    assert "bad.md:3:" in told.out
    assert "missing.md cannot be read: No such file" in told.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\xff\xfe\xff", "not"),
        (b"a\0b", "U+0000"),
        (b"a" * (4 * MAX_TEXT_CHARS + 100), "longer than"),
        (b"a" * (MAX_TEXT_CHARS + 1), "the limit is"),
    ],
)
def test_bad_files_are_told_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    (folder / "file.txt").write_bytes(content)
    assert main(["check", "file.txt"]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.startswith("chatprotect: ")
    assert "Traceback" not in told.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "bad.md", "--source", "missing.txt"],
        ["check", "bad.md", "--detector", "no-such"],
        ["check", "-", "-"],
        ["check", "bad.md", "--output", "no/such/folder/file"],
        ["batch", "missing.csv", "--text", "a"],
        ["batch", "bad.md", "--text", "a"],
        ["mcp", "--http", "nowhere"],
        ["mcp", "--http", "0.0.0.0:8765"],
    ],
)
def test_bad_options_are_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("chatprotect: ")


def test_in_a_pipe_it_is_quiet_and_has_no_colours() -> None:
    done = subprocess.run([*COMMAND, "check"], input=BAD.encode(), capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    assert done.stdout.decode().startswith("standard input:1:")


def test_on_a_terminal_it_has_colours_and_a_bar(folder: Path) -> None:
    mine, theirs = os.openpty()
    process = subprocess.Popen([*COMMAND, "check", "bad.md"], stdout=theirs, stderr=theirs, env=ENVIRONMENT)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(mine, 4096):
            seen += chunk
    except OSError:
        pass  # the reader closed the pipe
    assert process.wait() == 1
    assert b"\x1b[" in seen
    assert "━".encode() in seen


def test_whoever_stops_reading_gets_no_traceback() -> None:
    process = subprocess.Popen(
        [*COMMAND, "check"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.communicate(BAD.encode())[1] == b""
    assert process.returncode == 2


# --- Formats --------------------------------------------------------------------------------------------------------


def _output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(["check", "clean.md", "bad.md", *arguments])
    return capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_sarif_is_accepted_by_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    log = json.loads(_output(capsys, "--format", "sarif"))
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft7Validator(schema).validate(log)
    (result,) = log["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    line = (Path("bad.md").read_text().splitlines())[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "1941"
    assert result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"]


@pytest.mark.usefixtures("folder")
def test_the_schema_refuses_what_is_no_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    log = json.loads(_output(capsys, "--format", "sarif"))
    validator = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text()))
    for spoil in (_without_message, _with_line_zero, _with_unknown_field, _without_version):
        spoilt = json.loads(json.dumps(log))
        spoil(spoilt)
        assert not validator.is_valid(spoilt), spoil.__name__


def _without_message(log: Any) -> None:
    del log["runs"][0]["results"][0]["message"]


def _with_line_zero(log: Any) -> None:
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0


def _with_unknown_field(log: Any) -> None:
    log["runs"][0]["results"][0]["severity"] = "high"


def _without_version(log: Any) -> None:
    del log["version"]


@pytest.mark.usefixtures("folder")
def test_github_gets_an_annotation_at_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = _output(capsys, "--format", "github").splitlines()
    assert line.startswith("::error file=bad.md,line=3,endLine=3,col=")
    assert "title=Contradiction inside the text::" in line


def test_a_name_of_a_file_writes_no_command_of_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a,b\n::error::x").write_text(BAD)
    main(["check", "a,b\n::error::x", "--format", "github"])
    (line,) = capsys.readouterr().out.splitlines()
    assert "file=a%2Cb%0A%3A%3Aerror%3A%3Ax," in line


def test_the_page_has_no_markup_of_the_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.md").write_text(f"{BAD} The <img src=x onerror=alert(1)> of it was painted.")
    page = _output(capsys, "--format", "html")
    assert "<img" not in page
    assert ">1941</mark>" in page
    assert "http" not in page.replace('http-equiv="', "")


@pytest.mark.usefixtures("folder")
def test_json_goes_to_a_file_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert _output(capsys, "--format", "json", "--output", "out.json") == ""
    files = json.loads(Path("out.json").read_text())["files"]
    assert [file["file"] for file in files] == ["clean.md", "bad.md"]


# --- Batches --------------------------------------------------------------------------------------------------------


@pytest.fixture
def table(folder: Path) -> Path:
    path = folder / "answers.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([("id", "answer", "context"), (1, CLEAN, ""), (2, BAD, ""), (3, "", "")])
        writer.writerow((4, "The hall seats 210 people.", "The hall seats 180 people."))
    return path


def _results(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_row_gets_a_result(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", "answers.csv", "--text", "answer", "--source", "context"]) == 2  # for the empty one
    results = _results(table.with_name("answers.checked.jsonl"))
    assert [(r["row"], r["findings"], bool(r["error"])) for r in results] == [
        (1, 0, False), (2, 1, False), (3, 0, True), (4, 1, False),
    ]  # fmt: skip
    summary = capsys.readouterr().err
    assert "with findings" in summary
    assert "Conflicts with the source" in summary


def test_a_second_start_does_only_what_is_missing(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from detection.doors import python

    out = table.with_name("answers.checked.jsonl")
    arguments = ["batch", "answers.csv", "--text", "answer", "--source", "context"]
    main(arguments)
    whole = sorted(out.read_text().splitlines())
    lines = out.read_text().splitlines(keepends=True)
    out.write_text(lines[0] + lines[1][: len(lines[1]) // 2])  # simulates a kill while writing the second line
    checked = []
    check_async = python.check_async

    async def counting(text: Any, *args: Any, **options: Any) -> Any:
        checked.append(text)
        return await check_async(text, *args, **options)

    monkeypatch.setattr(python, "check_async", counting)
    main(arguments)
    assert CLEAN not in checked
    assert BAD in checked
    assert sorted(out.read_text().splitlines()) == whole


def test_a_changed_row_is_checked_anew(table: Path) -> None:
    arguments = ["batch", "answers.csv", "--text", "answer"]
    main(arguments)
    table.write_text(table.read_text().replace("1941", "1932"))
    main(arguments)
    assert [r["findings"] for r in _results(table.with_name("answers.checked.jsonl")) if r["row"] == 2] == [0]


def test_results_as_csv_can_be_taken_up(table: Path) -> None:
    arguments = ["batch", "answers.csv", "--text", "answer", "--output", "out.csv"]
    main(arguments)
    first = Path("out.csv").read_text()
    main(arguments)
    with Path("out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["row"] for row in rows) == ["1", "2", "3", "4"]
    assert sorted(first.splitlines()) == sorted(Path("out.csv").read_text().splitlines())


def test_json_lines_are_rows(folder: Path) -> None:
    (folder / "in.jsonl").write_text(json.dumps({"answer": BAD}) + "\n\n" + json.dumps({"answer": 7}) + "\n")
    assert main(["batch", "in.jsonl", "--text", "answer"]) == 2
    results = _results(folder / "in.checked.jsonl")
    assert [r["findings"] for r in results] == [1, 0]
    assert "not a string" in results[1]["error"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.jsonl", b"{\n"),
        ("t.jsonl", b"[1]\n"),
        ("t.jsonl", b"[" * 100_000),
        ("t.csv", b"answer\n\xff\n"),
        ("t.csv", b"other\nx\n"),
        ("t.csv", b'answer\n"never closed'),
    ],
)
def test_tables_that_are_none_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes
) -> None:
    (folder / name).write_bytes(content)
    assert main(["batch", name, "--text", "answer"]) == 2
    assert capsys.readouterr().err.startswith("chatprotect: ")
    assert not (folder / "t.checked.jsonl").exists()


def test_ctrl_c_keeps_what_is_done(table: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "batch", "answers.csv", "--text", "answer"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    out = table.with_name("answers.checked.jsonl")
    while process.poll() is None and not (out.exists() and out.read_text().count("\n")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1]
    assert process.returncode in (130, 2)  # 2 if it ended before the signal
    assert _results(out)[0]["row"] == 1
    assert b"Traceback" not in told


def test_help_loads_no_engine() -> None:
    code = "import sys, detection.doors.cli.main as m\ntry: m.main(['--help'])\nexcept SystemExit: pass\n"
    code += "assert not {'spacy', 'numpy', 'django', 'mcp', 'pygls'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert io.StringIO(done.stdout).readline().startswith("usage: chatprotect")
