"""``from detection import check``: without Django, a database or a server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

import detection
from detection import BadInput, LanguageModel, Report, check, check_async, check_stream
from detection.core.types import Engine, Finding, SourceText
from detection.doors.python import MAX_TEXT_CHARS
from tests.doors.corpus import CORPUS
from tests.fakes.model_server import ModelServer
from tests.fakes.scripts import contradicting

TEXT = CORPUS[1].text

#: Processor time, which does not depend on the load of the machine.
MOST_SECONDS_TO_IMPORT = 0.3

_MEASURE = """
import sys, time
begun = time.process_time()
from detection import check
print(time.process_time() - begun, *sorted(name for name in sys.modules if "." not in name))
"""
_CHECK = """
import sys
from detection import check
report = check("The bridge was opened in 1932. The bridge was opened in 1941.")
assert len(report.findings) == 1
assert not {"django", "celery", "channels"} & set(sys.modules), sys.modules
"""


def test_importing_costs_little_and_loads_no_model() -> None:
    seconds, *modules = _run(_MEASURE).split()
    assert float(seconds) < MOST_SECONDS_TO_IMPORT
    assert {"django", "spacy", "onnxruntime", "numpy", "openai"}.isdisjoint(modules)


def test_it_works_without_django() -> None:
    _run(_CHECK)


def _run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_contradiction_is_found_with_a_rewrite() -> None:
    report = check(TEXT)
    assert [finding.quoted for finding in report.findings] == ["1941"]
    wordings = [suggestion.replacement for suggestion in report.findings[0].suggestions]
    assert "The bridge was opened in 1932." in wordings
    assert report.revised == TEXT  # the correct side is unknown
    assert report.checked == len(report.sentences) == 3


async def test_it_works_where_a_loop_runs_already() -> None:
    """For example in a notebook."""
    assert check(TEXT).findings == (await check_async(TEXT)).findings


async def test_findings_come_before_the_report() -> None:
    steps = [step async for step in check_stream(TEXT)]
    assert [type(step) for step in steps] == [Finding, Report]


async def test_a_stream_that_nobody_reads_ends_its_check() -> None:
    before = asyncio.all_tasks()
    stream = check_stream(TEXT)
    await anext(stream)
    await stream.aclose()
    assert asyncio.all_tasks() == before


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    check(TEXT, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_sources_are_texts_files_and_named_texts(tmp_path: Path) -> None:
    said = "The town hall was built in 1894. It seats 180 people."
    file = tmp_path / "chronicle.md"
    file.write_text(f"# Hall\n\n{said}\n")
    for source, name in (
        (said, "source 1"),
        (file, str(file)),
        (SourceText("x", "the chronicle", said), "the chronicle"),
    ):
        report = check("The hall was built in 1894. It seats 210 people.", [source])
        assert [finding.kind.value for finding in report.findings] == ["conflicts_with_source"]
        assert report.findings[0].evidence[0].source == report.sources[0].id
        assert report.sources[0].name == name


def test_a_single_source_need_not_be_in_a_list() -> None:
    assert len(check("It seats 210 people.", "It seats 180 people.").sources) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("",), "empty"),
        ((" \n",), "empty"),
        ((b"bytes",), "not a string"),
        ((None,), "not a string"),
        (("a" * (MAX_TEXT_CHARS + 1),), "the limit is"),
        (("nul \0 here",), "U+0000"),
        (("Text.", [7]), "Source 1 is int"),
        (("Text.", [""]), "source 1 is empty"),
        (("Text.", [Path("/no/such/file")]), "cannot be read"),
    ],
)
def test_bad_input_is_told(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said.replace("+", r"\+")):
        check(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["engine", "strictness", "detectors"])
def test_options_that_are_none_are_told(option: str) -> None:
    with pytest.raises(BadInput, match="no-such"):
        check(TEXT, **{option: ["no-such"] if option == "detectors" else "no-such"})  # type: ignore[arg-type]


def test_a_language_model_is_asked_where_one_is_named() -> None:
    with ModelServer(contradicting).running() as models:
        asked = LanguageModel(models.base_url, "some-model", api_key="sk-mine")
        report = check("The mill was built in 1825.", engine="llm", language_model=asked, topic="the mill")
        assert {request.key for request in models.asked} == {"sk-mine"}
    assert report.engine is Engine.LLM
    assert [finding.kind.value for finding in report.findings] == ["self_contradiction"]
    assert report.usage.model_calls > 0


def test_without_a_language_model_the_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHATPROTECT_LLM_BASE_URL", raising=False)
    with pytest.raises(BadInput, match="CHATPROTECT_LLM_BASE_URL"):
        check(TEXT, engine="llm")


def test_a_notebook_shows_marks_and_no_markup_of_the_text() -> None:
    report = check(f"{TEXT} <script>alert(1)</script> stands in the text of the page.")
    html = report._repr_html_()
    assert ">1941</mark>" in html
    assert "<script>" not in html


def test_names_that_are_not_there_are_told() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = detection.no_such_name
