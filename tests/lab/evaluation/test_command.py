from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from detection.lab.evaluation import SETS
from tests.fakes import reading
from tests.fakes.model_server import Asked, ModelServer, Reply
from tests.fakes.scripts import contradicting

from .conftest import (
    AUTHORED_SUMMARIES,
    AUTHORED_TABLES,
    AUTHORED_TEXTS,
    BIOGRAPHIES,
    BIOGRAPHY_CLAIMS,
    CLAIMS,
    EXCERPTS,
    INFERENCES,
    LABELLED_RESPONSES,
    PAGES,
    PAIRS,
    RESPONSES,
    SIDES,
    SUBCLAIMS,
    TEXTS,
    WriteRows,
    pair,
)

CLUSTERED = [{**claim, "group": "bridge", "round": "r1"} for claim in CLAIMS]
FEVER = [{**claim, "orig_split": "test"} for claim in CLAIMS[:2]]
NBC = [
    {"premise": claim["evidence"], "hypothesis": claim["claim"], "factual": claim["label"] == "SUPPORTS"}
    for claim in CLAIMS
]
TRIGGERS = [{**row, "trigger": "continue"} for row in PAIRS]
#: The rows of the data files, by file name.
FILES: dict[str, list[dict[str, Any]]] = {
    "chatprotect_pairs": PAIRS,
    "chatprotect_texts": TEXTS,
    "chatprotect_trigger_ablation_pairs": TRIGGERS,
    "conli_summeval": RESPONSES,
    "conli_qags_cnndm": RESPONSES,
    "conli_qags_xsum": RESPONSES,
    "vitaminc_test": CLAIMS,
    "fever_symmetric": FEVER,
    "bayes_nbc": NBC,
    "bayes_pages": PAGES,
    "bayes_subclaims": SUBCLAIMS,
    "wikibio_gpt3": BIOGRAPHIES,
    "authored_texts": AUTHORED_TEXTS,
    "authored_summaries": AUTHORED_SUMMARIES,
    "authored_tables": AUTHORED_TABLES,
    "sides": SIDES,
    "contradoc_excerpt": EXCERPTS,
    "ragtruth_qa": LABELLED_RESPONSES,
    "faithbench": LABELLED_RESPONSES,
    "storysumm": LABELLED_RESPONSES,
    "factscore_qcnli": BIOGRAPHY_CLAIMS,
    "fever_adversarial": CLUSTERED[:2],
    "anli_test": CLUSTERED,
    "nli_lingnli": INFERENCES,
    "nli_cad": INFERENCES,
}
#: The number of rows that count in each set.
ROWS = {
    "chatprotect-pairs": len([row for row in PAIRS if row["in_paper_eval"]]),
    "chatprotect-triggers": len(TRIGGERS),
    "chatprotect-texts": len(TEXTS),
    "conli-summeval": len(RESPONSES),
    "conli-qags-cnndm": len(RESPONSES),
    "conli-qags-xsum": len(RESPONSES),
    "vitaminc": len(CLAIMS),
    "fever-symmetric": len(FEVER),
    "nbc": len(NBC),
    "wikibio": len(BIOGRAPHIES),
    "authored-texts": len(AUTHORED_TEXTS),
    "authored-summaries": len(AUTHORED_SUMMARIES),
    "authored-tables": len(AUTHORED_TABLES),
    "authored-groups": 1,
    "human-documents": 1,
    "contradoc": 2,
    "ragtruth-qa": 2,
    "faithbench": 2,
    "storysumm": 2,
    "factscore": len(BIOGRAPHY_CLAIMS),
    "fever-adversarial": 2,
    "anli": len(CLUSTERED),
    "lingnli": 2,
    "cad": 2,
}


def _with_interval(*names: str) -> set[str]:
    return {f"{name}{end}" for name in names for end in ("", "_low", "_high")}


CONTRACT = {
    "chatprotect-pairs": {"precision", "recall", "f1", "f1_low", "f1_high"},
    "chatprotect-triggers": {"precision", "recall", "f1", "f1_low", "f1_high"},
    "chatprotect-texts": {"precision", "recall", "f1", "f1_low", "f1_high", "found", "removed", "facts_kept", "new"},
    "conli-summeval": {"macro_f1", "f1_hallucinated", "f1_consistent", "balanced_accuracy"},
    "conli-qags-cnndm": {"macro_f1", "f1_hallucinated", "f1_consistent", "balanced_accuracy"},
    "conli-qags-xsum": {"macro_f1", "f1_hallucinated", "f1_consistent", "balanced_accuracy"},
    "vitaminc": {"accuracy", "ece"},
    "fever-symmetric": {"accuracy", "ece"},
    "nbc": {"accuracy", "ece"},
    "wikibio": {"auc_pr_nonfactual", "auc_pr_factual", "accuracy", "pearson", "spearman", "mean_documents"},
    "authored-texts": _with_interval("recall", "recall_easy", "precision", "false_per_100", "rewrites_right"),
    "authored-summaries": _with_interval(
        "recall_c",
        "recall_c_as_conflict",
        "c_as_supported",
        "recall_u",
        "flagged_per_100",
        "unsure_s",
        "rewrites_right",
    ),
    "authored-tables": _with_interval(
        "recall_c", "precision", "flagged_per_100", "rows_supported", "rows_as_supported"
    ),
    "authored-groups": _with_interval("two_sided"),
    "human-documents": _with_interval("false_per_100"),
    "contradoc": _with_interval("recall", "false_per_100"),
    "ragtruth-qa": _with_interval("f1", "span_f1"),
    "faithbench": _with_interval("balanced_accuracy"),
    "storysumm": _with_interval("balanced_accuracy"),
    "factscore": _with_interval("balanced_accuracy"),
    "fever-adversarial": _with_interval("accuracy"),
    "anli": _with_interval("accuracy"),
    "lingnli": _with_interval("accuracy"),
    "cad": _with_interval("accuracy"),
}


@pytest.fixture
def data(write_rows: WriteRows) -> Path:
    """A folder with a small file for every set."""
    for name, rows in FILES.items():
        folder = write_rows(name, rows, packed=name.startswith("conli"))
    return folder


def evaluate(capsys: pytest.CaptureFixture[str], name: str, *options: str) -> dict[str, Any]:
    call_command("evaluate", name, *options, "--json", "-")
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


@pytest.mark.parametrize("name", SETS)
def test_json_holds_what_the_contract_says(name: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluate(capsys, name, "--data", str(data))
    assert (result["set"], result["engine"]) == (name, "local")
    assert result["rows"] == ROWS[name]
    assert CONTRACT[name] | {"seconds", "pairs_per_second"} <= result["metrics"].keys()
    assert all(0 <= result["metrics"][metric] <= 100 for metric in CONTRACT[name])
    assert result["baselines"]


def test_pairs_are_grouped_by_the_model_that_wrote_them(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluate(capsys, "chatprotect-pairs", "--data", str(data))
    assert {name: group["rows"] for name, group in result["groups"].items()} == {
        "chatgpt": 2,
        "gpt4": 2,
        "topics new to the NLI model": 2,
    }
    assert result["metrics"]["f1"] == 100.0
    recorded = [baseline for baseline in result["baselines"] if baseline["origin"] == "recorded"]
    assert {(baseline["group"], baseline["name"]) for baseline in recorded} == {
        ("all", "chatgpt"),
        ("chatgpt", "chatgpt"),
        ("gpt4", "chatgpt"),
        ("topics new to the NLI model", "chatgpt"),
    }


def test_the_limit_is_the_number_of_rows(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(capsys, "chatprotect-pairs", "--data", str(data), "--limit", "2")["rows"] == 2
    assert evaluate(capsys, "chatprotect-pairs", "--data", str(data), "--limit", "50")["rows"] == 4


def test_the_table_shows_the_engine_beside_the_baselines(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("evaluate", "chatprotect-pairs", "--data", str(data))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("chatprotect-pairs, engine local: 4 rows in ")
    starts = ("engine local", "recorded: chatgpt", "published: chatgpt", "trivial: always contradictory")
    assert all(any(line.strip().startswith(start) for line in lines) for start in starts)


def test_json_goes_to_a_file_and_the_table_to_standard_output(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("evaluate", "nbc", "--data", str(data), "--json", str(tmp_path / "result.json"))
    assert capsys.readouterr().out.startswith("nbc, engine local: 3 rows")
    assert json.loads((tmp_path / "result.json").read_text())["rows"] == 3


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("nothing", ["--data", "{data}"], "no set 'nothing'; there are chatprotect-pairs,"),
        ("nbc", ["--data", "{data}/nowhere"], "no folder"),
        ("nbc", ["--data", "{data}/empty"], "neither bayes_nbc.jsonl nor bayes_nbc.jsonl.gz"),
        ("nbc", ["--data", "{data}", "--limit", "0"], "--limit 0 leaves no rows"),
        ("nbc", ["--data", "{data}", "--json", "{data}"], "cannot be written"),
        ("vitaminc", ["--data", "{data}/broken"], "line 1: the field 'label' should be 'SUPPORTS' or"),
    ],
)
def test_bad_input_is_said_in_one_line(data: Path, name: str, options: list[str], reason: str) -> None:
    (data / "empty").mkdir()
    (data / "broken").mkdir()
    (data / "broken" / "vitaminc_test.jsonl").write_text(json.dumps({**CLAIMS[0], "label": "MAYBE"}))
    with pytest.raises(CommandError, match=reason) as caught:
        call_command("evaluate", name, *(option.format(data=data) for option in options))
    assert caught.value.returncode == 2
    assert "\n" not in str(caught.value)


def test_bad_input_ends_the_process_with_status_2(tmp_path: Path) -> None:
    completed = subprocess.run(
        [sys.executable, "manage.py", "evaluate", "vitaminc", "--data", str(tmp_path), "--json", "-"],
        cwd=project.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (completed.returncode, completed.stdout) == (2, "")
    assert len(completed.stderr.splitlines()) == 1


def left_open(other: str) -> dict[str, object]:
    """A compatible pair that the local models do not settle."""
    painted = "Marta Lindqvist painted {}."
    return pair(painted.format("landscapes of the north"), painted.format(other), contradictory=False)


@pytest.mark.parametrize("method", ["screened", "early-votes", "two-turn", "direct", "step-by-step", "multi-path"])
def test_a_language_model_judges_pairs_by_every_method(
    write_rows: WriteRows, capsys: pytest.CaptureFixture[str], settings: Settings, method: str
) -> None:
    data = write_rows("chatprotect_pairs", [*PAIRS, left_open("portraits of the court")])

    def analyzer(asked: Asked) -> Reply:
        if "Explain in at most" in asked.last:
            return Reply(("They give two years.",) * asked.samples)
        word = "Yes" if "1936" in asked.prompt or "1911" in asked.prompt else "No"
        thought = "No doubt about that.\nConclusion: " if "step by step" in asked.last else ""
        return Reply((thought + word,) * asked.samples)

    with ModelServer(analyzer).running() as server:
        settings.LLM_BASE_URL, settings.GENERATOR_MODEL = server.base_url, "some-model"
        options = ("--data", str(data), "--engine", "llm", "--method", method)
        result = evaluate(capsys, "chatprotect-pairs", *options)
        votes = {asked.samples for asked in server.asked if "Explain in at most" not in asked.last}
    assert result["engine"] == "llm"
    assert result["metrics"]["f1"] == 100
    assert votes == {{"two-turn": 10, "multi-path": 1}.get(method, 3)}


@pytest.mark.parametrize("method", ["joined", "joined-unscreened", "joined-votes"])
def test_pairs_for_one_place_are_judged_in_one_prompt(
    write_rows: WriteRows, capsys: pytest.CaptureFixture[str], settings: Settings, method: str
) -> None:
    rows = [left_open("portraits of the court"), left_open("portraits of fishermen")]
    folder = write_rows("chatprotect_pairs", [*rows, *PAIRS[1:]])
    with ModelServer(contradicting).running() as server:
        settings.LLM_BASE_URL, settings.GENERATOR_MODEL = server.base_url, "some-model"
        options = ("--data", str(folder), "--engine", "llm", "--method", method)
        assert evaluate(capsys, "chatprotect-pairs", *options)["metrics"]["f1"] == 100
        asked = [len(reading.pairs(one)) for one in server.asked if reading.compares(one)]
    assert max(asked) == 2


def test_an_engine_or_a_method_that_a_set_does_not_know(data: Path) -> None:
    with pytest.raises(CommandError, match="--engine local only"):
        call_command("evaluate", "nbc", "--data", str(data), "--engine", "llm")
    with pytest.raises(CommandError, match="no method 'guess' for this; there are nli"):
        call_command("evaluate", "nbc", "--data", str(data), "--method", "guess")


def test_the_levels_are_measured_one_by_one(write_rows: WriteRows, capsys: pytest.CaptureFixture[str]) -> None:
    source = "The engineer Ada Lind had trained in Bergen. The engineer Tom Berg supervised the building site."
    rows = [
        {"source": source, "response": text, "sentences": [text], "hallucinated": hallucinated}
        for text, hallucinated in [
            ("Ada Lind had trained in Bergen.", False),
            ("Tom Berg had trained in Bergen.", True),
            ("The site was closed to the public.", True),
        ]
    ]
    folder = write_rows("conli_summeval", rows)
    figures = {
        level: evaluate(capsys, "conli-summeval", "--data", str(folder), "--level", level)["metrics"]["macro_f1"]
        for level in ("sentence", "entity", "both")
    }
    assert figures["entity"] < figures["sentence"] == figures["both"] == 100.0
    assert evaluate(capsys, "conli-summeval", "--data", str(folder))["metrics"]["macro_f1"] == figures["both"]


@pytest.mark.parametrize(
    ("name", "level", "reason"),
    [
        ("conli-summeval", "word", "There is no level 'word'; there are sentence, entity, both."),
        ("vitaminc", "entity", "The set vitaminc has no levels"),
    ],
)
def test_a_level_that_a_set_does_not_know(data: Path, name: str, level: str, reason: str) -> None:
    with pytest.raises(CommandError, match=reason) as caught:
        call_command("evaluate", name, "--data", str(data), "--level", level)
    assert "\n" not in str(caught.value)


def test_strictness_changes_what_is_shown(write_rows: WriteRows, capsys: pytest.CaptureFixture[str]) -> None:
    """Strict settings show all findings of lenient ones."""
    folder = str(write_rows("authored_texts", AUTHORED_TEXTS))
    recall = {
        strictness: evaluate(capsys, "authored-texts", "--data", folder, "--strictness", strictness)["metrics"][
            "recall"
        ]
        for strictness in ("lenient", "strict")
    }
    assert recall["lenient"] <= recall["strict"] == 100.0


def test_a_file_of_ones_own_is_measured(write_rows: WriteRows, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_rows("fresh", AUTHORED_TEXTS[:1]) / "fresh.jsonl"
    assert evaluate(capsys, "authored-texts", "--file", str(file))["rows"] == 1


def test_without_a_family_the_figures_with_all_stand_beside(
    write_rows: WriteRows, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(write_rows("authored_texts", AUTHORED_TEXTS))
    result = evaluate(capsys, "authored-texts", "--data", folder, "--without", "date", "--without", "time")
    assert result["without"] == ["date", "time"]
    assert ("all", "all rules", "measured") in [
        (baseline["group"], baseline["name"], baseline["origin"]) for baseline in result["baselines"]
    ]


def test_all_sets_that_there_is_data_for_are_measured(
    write_rows: WriteRows, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows("authored_texts", AUTHORED_TEXTS)
    folder = str(write_rows("ragtruth_qa", LABELLED_RESPONSES))
    page = tmp_path / "page.md"
    result = evaluate(capsys, "all", "--data", folder, "--limit", "2", "--write-docs", str(page))
    assert list(result["sets"]) == ["authored-texts", "ragtruth-qa"]
    assert result["sets"]["authored-texts"]["metrics"]["recall"] == 100.0
    assert set(result["missing"]) == set(SETS) - set(result["sets"])
    text = page.read_text()
    assert "`manage.py evaluate all --data DIR --limit 2 --write-docs`" in text
    assert "| `authored-texts` (2 rows) | `recall` | 100.0 |" in text
    [line] = [line for line in text.splitlines() if "| `f1` |" in line]
    assert "GPT-4-turbo (published) 45.6" in line

    result = evaluate(capsys, "all", "--data", folder, "--except", "ragtruth-qa", "--write-docs", str(page))
    assert list(result["sets"]) == ["authored-texts"]
    assert result["missing"]["ragtruth-qa"] == "It was left out with --except."
    assert "`manage.py evaluate all --data DIR --except ragtruth-qa --write-docs`" in page.read_text()

    call_command("evaluate", "all", "--data", folder, "--limit", "2")
    shown = capsys.readouterr().out
    assert "authored-texts, engine local: 2 rows" in shown
    assert "nbc: not measured." in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nbc", "--strictness", "strict"], "nbc has no use for --strictness"),
        (["nbc", "--without", "colour"], "no family 'colour' of rules; there are date,"),
        (["conli-summeval", "--without", "date", "--engine", "llm"], "--without is for --engine local"),
        (["nbc", "--write-docs"], "--write-docs writes of all sets"),
        (["all", "--method", "nli"], "--method is for a single set"),
        (["all", "--except", "wiki"], "no set 'wiki' to leave out"),
        (["nbc", "--except", "wikibio"], "--except is of all"),
        (["all"], "none of the sets"),
    ],
)
def test_options_that_make_no_sense_together(tmp_path: Path, options: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason) as caught:
        call_command("evaluate", *options, "--data", str(tmp_path))
    assert caught.value.returncode == 2


def test_only_sets_of_one_file_take_a_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="reads no file of one's own"):
        call_command("evaluate", "nbc", "--file", str(tmp_path / "some.jsonl"))
