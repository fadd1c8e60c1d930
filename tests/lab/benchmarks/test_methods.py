"""The table of methods and costs, with a language model on a socket."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from detection.lab.benchmarks import methods
from detection.lab.evaluation.rows import BadData
from tests.fakes import reading
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting
from tests.lab.evaluation.conftest import TEXT_PAIRS, TEXTS, write_rows_into

PAGE = Path(settings.BASE_DIR) / "docs" / "methods-and-costs.md"


def surely(asked: Asked) -> Reply:
    """The fake with probability 1 for every decisive word."""
    reply = contradicting(asked)
    if reading.compares(asked):
        reply.tokens = ((reply.texts[0].encode(), -0.001),)
    return reply


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The measurement, shared by all tests; none modifies it."""
    data = tmp_path_factory.mktemp("data")
    write_rows_into(data, "chatprotect_pairs", TEXT_PAIRS)
    write_rows_into(data, "chatprotect_texts", TEXTS)
    with ModelServer(surely).running() as server:
        return methods.run(base_url=server.base_url, model="m", data=data, pairs=None)


def test_every_setting_has_a_row_and_each_way_saves_calls(result: dict[str, Any]) -> None:
    lines = result["table"].splitlines()
    assert len(lines) == 2 + len(methods.SETTINGS)
    assert {len(line.split(" | ")) for line in lines} == {len(lines[0].split(" | "))}
    by_name = {row["setting"]: row for row in result["settings"]}
    paper, default = (by_name[setting.name] for setting in (methods.SETTINGS[0], methods.SETTINGS[5]))
    assert default["texts"]["calls_per_sentence"] < paper["texts"]["calls_per_sentence"]
    assert default["pairs"]["calls_per_pair"] < paper["pairs"]["calls_per_pair"]
    assert default["texts"]["failed"] == default["pairs"]["failed"] == 0


def test_the_page_gets_what_was_measured_and_keeps_the_rest(result: dict[str, Any], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    methods.write_page(page, result)
    assert methods.as_section(result) in page.read_text(encoding="utf-8")
    assert _besides_table(page) == _besides_table(PAGE)


def test_the_page_has_a_row_for_every_setting() -> None:
    names = [line.split(" | ")[0].removeprefix("| ") for line in _table(PAGE)]
    assert names[2:] == [setting.name for setting in methods.SETTINGS]


def test_a_page_without_a_place_for_the_table_is_left_alone(result: dict[str, Any], tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Words.", encoding="utf-8")
    with pytest.raises(BadData, match=r"page\.md has no lines"):
        methods.write_page(page, result)
    assert page.read_text(encoding="utf-8") == "Words."


def _table(page: Path) -> list[str]:
    measured = page.read_text(encoding="utf-8").split("<!-- measured by")[1].split("<!-- end of")[0]
    return [line for line in measured.splitlines() if line.startswith("|")]


def _besides_table(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [text.split("<!-- measured by")[0], text.split("<!-- end of")[1]]


def test_a_folder_without_the_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="chatprotect_pairs"):
        methods.run(base_url="http://127.0.0.1:9/v1", model="m", data=tmp_path, pairs=None)
