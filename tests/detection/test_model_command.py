"""``manage.py model`` with a hub on this machine: installations, and refusals that leave no files."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from chatprotect_web.checks import check_models
from detection import wiring
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.model_hub import client as hub_client
from detection.core.model_hub import install as hub_install
from detection.core.model_hub import plan as hub_plan
from detection.core.model_hub.trial import try_model
from detection.core.model_hub.types import HubLimits
from detection.core.types import NliPair
from tests.fakes.model_hub import COMMIT, LOGITS, ModelHub, files_of, model_hub
from tests.fakes.onnx_model import tiny_model, weights
from tests.fakes.page_server import Page, redirect

NAME = "owner/small-nli"
PAIR = NliPair("The mill was built in 1820.", "The mill was built in 1870.")


@pytest.fixture
def hub(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelHub]:
    """A hub in the settings, and a folder for models."""
    for variable in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    settings.MODELS_DIR = tmp_path / "models"
    # Starting a process takes seconds; only the tests with ``with_trial`` need it.
    monkeypatch.setattr(hub_install, "try_model", lambda folder, *, seconds: NliScorer(folder).inputs)
    with model_hub() as hub:
        settings.MODEL_HUB = hub.address
        yield hub


@pytest.fixture
def with_trial(hub: ModelHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Try models in a separate process, as outside of tests."""
    monkeypatch.setattr(hub_install, "try_model", try_model)


def model(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command("model", *arguments, stdout=out, **options)
    return out.getvalue()


def limit(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    def small() -> HubLimits:
        return replace(HubLimits(), **limits)  # type: ignore[arg-type]

    for module in (hub_client, hub_install, hub_plan):
        monkeypatch.setattr(module, "HubLimits", small)


def refused(root: Path, *arguments: str) -> str:
    """The error of the command, after checking that no files are left."""
    with pytest.raises(CommandError) as error:
        model("install", *(arguments or (NAME, "--yes")))
    assert error.value.returncode == 2
    assert not root.exists() or not list(root.iterdir())
    return str(error.value)


@pytest.mark.usefixtures("with_trial")
def test_a_model_is_installed_with_all_that_is_known_of_it(hub: ModelHub, settings: Settings) -> None:
    files = files_of()
    hub.add(NAME, files, licence="apache-2.0")
    told = model("install", NAME, "--yes")
    assert told.index("licence  apache-2.0") < told.index("size ") < told.index("installed in")
    assert "contradiction, entailment, neutral; reads 64 tokens" in told
    assert "manage.py model calibrate" in told
    assert f"manage.py model use {NAME}" in told
    folder = settings.MODELS_DIR / NAME
    assert (folder / "model.onnx").read_bytes() == files["onnx/model.onnx"]
    assert json.loads((folder / "model.json").read_text()) == {
        "name": NAME,
        "licence": "apache-2.0",
        "hub": hub.address,
        "revision": COMMIT,
        "file": "onnx/model.onnx",
        "labels": ["contradiction", "entailment", "neutral"],
        "inputs": ["input_ids", "attention_mask"],
        "max_tokens": 64,
        "pad_id": 0,
        "sha256": {
            "model.onnx": hashlib.sha256(files["onnx/model.onnx"]).hexdigest(),
            "tokenizer.json": hashlib.sha256(files["tokenizer.json"]).hexdigest(),
        },
    }
    (score,) = NliScorer(folder).score([PAIR])
    assert score.entailment > score.neutral > score.contradiction
    assert [path.name for path in settings.MODELS_DIR.iterdir()] == ["owner"]


def test_what_was_fitted_to_the_shipped_model_is_a_start(hub: ModelHub, settings: Settings, tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    fitted = {"decision_pair.json", "decision_claim.json", "histograms.json", "calibration.json"}
    for name in fitted | {"CARD.md", "topics.json"}:
        (shipped / name).write_text(json.dumps({"temperature": 1.0, "of": name}))
    settings.SHIPPED_NLI_MODEL = shipped
    hub.add(NAME, files_of())
    model("install", NAME, "--yes")
    there = {path.name for path in (settings.MODELS_DIR / NAME).iterdir()}
    assert there == fitted | {"model.onnx", "tokenizer.json", "model.json"}


def test_a_groundedness_model_has_two_classes(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of(labels={"0": "hallucinated", "1": "supported"}))
    assert "not entailed, entailment" in model("install", NAME, "--yes")
    (score,) = NliScorer(settings.MODELS_DIR / NAME).score([PAIR])
    assert score.entailment > score.neutral > score.contradiction == 0


def test_classes_that_say_nothing_can_be_named(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of(labels={"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}))
    assert "--labels" in refused(settings.MODELS_DIR)
    assert not [visit for visit in hub.site.visits if ".onnx" in visit.path]
    model("install", NAME, "--yes", "--labels", "neutral,entailment,contradiction")
    (score,) = NliScorer(settings.MODELS_DIR / NAME).score([PAIR])
    assert score.entailment > score.contradiction > score.neutral


def test_weights_in_a_file_of_their_own_come_along(hub: ModelHub, settings: Settings) -> None:
    files = {
        **files_of(),
        "onnx/model.onnx": tiny_model((0.0, 0.0, 0.0), weights_in="model.onnx_data"),
        "onnx/model.onnx_data": weights(LOGITS),
        "onnx/other.onnx_data": b"of another",
    }
    hub.add(NAME, files)
    model("install", NAME, "--yes")
    folder = settings.MODELS_DIR / NAME
    assert not (folder / "other.onnx_data").exists()
    (score,) = NliScorer(folder).score([PAIR])
    assert score.entailment > score.neutral > score.contradiction


def test_a_file_and_a_revision_can_be_named(hub: ModelHub, settings: Settings) -> None:
    files = files_of()
    small = files.pop("onnx/model.onnx")
    hub.add(NAME, {**files, "onnx/int8.onnx": small, "onnx/fp16.onnx": b"?"}, revision="v1.0")
    refused_words = refused(settings.MODELS_DIR, NAME, "--yes", "--revision", "v1.0")
    assert "--file. It has onnx/fp16.onnx, onnx/int8.onnx." in refused_words
    assert "has no onnx/x.onnx" in refused(
        settings.MODELS_DIR, NAME, "--yes", "--revision", "v1.0", "--file", "onnx/x.onnx"
    )
    model("install", NAME, "--yes", "--revision", "v1.0", "--file", "onnx/int8.onnx")
    assert (settings.MODELS_DIR / NAME / "model.onnx").read_bytes() == small


def test_checksums_of_the_answer_do_where_the_list_has_none(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())
    for entry in hub.info[NAME]["siblings"]:
        for key in ("lfs", "blobId", "size"):
            entry.pop(key, None)
    assert "size     unknown" in model("install", NAME, "--yes")
    assert (settings.MODELS_DIR / NAME / "model.onnx").is_file()


@pytest.mark.parametrize(
    ("settings_of_model", "tokens"),
    [
        ({"max_position_embeddings": 128}, 128),
        ({"max_position_embeddings": 8192}, 512),
        ({"max_position_embeddings": 130, "model_type": "roberta", "pad_token_id": 1}, 128),
        ({"max_position_embeddings": "many"}, 512),
    ],
)
def test_the_length_is_that_of_the_configuration(hub: ModelHub, settings_of_model: dict[str, Any], tokens: int) -> None:
    hub.add(NAME, {**files_of(**settings_of_model), "tokenizer_config.json": b'{"model_max_length": 1e30}'})
    assert f"reads {tokens} tokens" in model("install", NAME, "--yes")


def test_nobody_installs_without_a_yes(hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(NAME, files_of())
    monkeypatch.setattr(sys, "stdin", StringIO())
    assert "give --yes" in refused(settings.MODELS_DIR, NAME)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _question: "n")
    assert "Nothing was installed" in refused(settings.MODELS_DIR, NAME)
    monkeypatch.setattr("builtins.input", lambda _question: "Y")
    assert "installed in" in model("install", NAME)


def test_what_is_installed_is_not_replaced(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())
    model("install", NAME, "--yes")
    own = settings.MODELS_DIR / NAME / "decision_pair.json"
    own.write_text("fitted")
    with pytest.raises(CommandError, match="installed already"):
        model("install", NAME, "--yes")
    assert own.read_text() == "fitted"


# --- Refusals ---------------------------------------------------------------------------------------------------


def test_without_a_hub_the_command_says_how_to_name_one(settings: Settings) -> None:
    settings.MODEL_HUB = ""
    with pytest.raises(CommandError, match=r"Set CHATPROTECT_MODEL_HUB to its address, or give --hub"):
        model("install", NAME, "--yes")


@pytest.mark.parametrize("address", ["hub.example", "ftp://hub.example", "https://", "https://a:b@hub.example"])
def test_an_address_that_is_none_is_refused(hub: ModelHub, settings: Settings, address: str) -> None:
    assert "address" in refused(settings.MODELS_DIR, NAME, "--yes", "--hub", address)


@pytest.mark.parametrize("name", ["../../etc", "/etc/x", "a/b/c", "shipped", "owner/..", "a?b=c"])
def test_a_name_that_leads_elsewhere_is_never_asked_for(hub: ModelHub, settings: Settings, name: str) -> None:
    assert "no name of a model" in refused(settings.MODELS_DIR, name, "--yes")
    assert hub.site.visits == []


@pytest.mark.parametrize("revision", ["../main", "a?b", "", "/main"])
def test_a_revision_that_leads_elsewhere_is_never_asked_for(hub: ModelHub, settings: Settings, revision: str) -> None:
    assert "no revision" in refused(settings.MODELS_DIR, NAME, "--yes", "--revision", revision)
    assert hub.site.visits == []


@pytest.mark.parametrize(
    ("without", "words"),
    [
        ("tokenizer.json", "has no tokenizer.json"),
        ("config.json", "has no config.json"),
        ("onnx/model.onnx", "has no .onnx"),
    ],
)
def test_a_model_without_one_of_its_parts_is_refused(
    hub: ModelHub, settings: Settings, without: str, words: str
) -> None:
    hub.add(NAME, {path: body for path, body in files_of().items() if path != without})
    assert words in refused(settings.MODELS_DIR)


def test_another_kind_of_model_is_refused_before_its_weights_come(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of(labels={"0": "positive", "1": "negative"}))
    assert "positive, negative" in refused(settings.MODELS_DIR)
    assert not [visit for visit in hub.site.visits if ".onnx" in visit.path]


@pytest.mark.parametrize("part", ["tokenizer.json", "onnx/model.onnx"])
def test_a_wrong_checksum_is_refused(hub: ModelHub, settings: Settings, part: str) -> None:
    hub.add(NAME, files_of())
    body = files_of()[part]
    hub.replace(part, Page(bytes([body[0] ^ 1]) + body[1:]))
    assert f"{part} does not have the checksum" in refused(settings.MODELS_DIR)


def test_a_file_without_any_checksum_is_refused(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())
    for entry in hub.info[NAME]["siblings"]:
        del entry["blobId"]
        entry.pop("lfs", None)
    hub.replace("model.onnx", Page(files_of()["onnx/model.onnx"]))
    assert "no checksum of onnx/model.onnx" in refused(settings.MODELS_DIR)


@pytest.mark.parametrize("declared", [True, False])
def test_a_cut_download_is_refused(hub: ModelHub, settings: Settings, *, declared: bool) -> None:
    hub.add(NAME, files_of())
    body = files_of()["onnx/model.onnx"]
    cut = Page(body[:50], declared_length=len(body)) if declared else Page(body[:50])
    hub.replace("model.onnx", cut)
    assert "onnx/model.onnx broke off" in refused(settings.MODELS_DIR)


def test_a_file_that_goes_on_is_cut(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())

    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 10_000

    hub.replace("model.onnx", Page(endless))
    assert "onnx/model.onnx is larger than the" in refused(settings.MODELS_DIR)


def test_a_model_that_is_too_large_is_refused_before_it_comes(
    hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(NAME, files_of())
    limit(monkeypatch, model_bytes=1_000)
    assert "more than the 0 MB" in refused(settings.MODELS_DIR)
    for entry in hub.info[NAME]["siblings"]:
        for key in ("lfs", "blobId", "size"):
            entry.pop(key, None)
    assert "is larger than the" in refused(settings.MODELS_DIR)


def test_lists_and_configurations_are_bounded(
    hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(NAME, files_of())
    limit(monkeypatch, answer_bytes=100)
    assert "is larger than the 100 bytes" in refused(settings.MODELS_DIR)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"siblings": 7}', b"[" * 100_000, b"\xff"])
def test_an_answer_that_is_no_list_of_files_is_refused(hub: ModelHub, settings: Settings, body: bytes) -> None:
    hub.site.pages[f"/api/models/{NAME}/revision/main"] = Page(body, "application/json")
    assert refused(settings.MODELS_DIR)


def test_paths_that_lead_elsewhere_are_no_files_of_the_model(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())
    hub.info[NAME]["siblings"] += [
        {"rfilename": "../../model.onnx"},
        {"rfilename": "onnx/model.onnx_data/../../../x"},
        {"rfilename": "/etc/x.onnx"},
        {"rfilename": 7},
        "model.onnx",
        None,
    ]
    model("install", NAME, "--yes")
    assert {path.name for path in settings.MODELS_DIR.rglob("*.onnx*")} == {"model.onnx"}


def test_licences_of_strangers_are_words(hub: ModelHub) -> None:
    hub.add(NAME, files_of())
    hub.info[NAME]["cardData"] = {"license": "other", "license_name": "own\x1b[31m\nterms", "license_link": "LICENSE"}
    assert "licence  own[31m terms, LICENSE\n" in model("install", NAME, "--yes")


def test_a_model_without_a_licence_says_so(hub: ModelHub) -> None:
    hub.add(NAME, files_of())
    hub.info[NAME].update(cardData=None, tags=[])
    assert "licence  none is stated" in model("install", NAME, "--yes")


@pytest.mark.parametrize(
    ("status", "words"), [(401, "or there is none"), (404, "Check the name"), (500, "Try again later")]
)
def test_what_the_hub_refuses_is_told(hub: ModelHub, settings: Settings, status: int, words: str) -> None:
    hub.site.pages[f"/api/models/{NAME}/revision/main"] = Page(status=status)
    assert words in refused(settings.MODELS_DIR)


def test_a_hub_that_leads_in_circles_is_left(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())
    hub.replace("config.json", redirect(f"/{NAME}/resolve/{COMMIT}/config.json"))
    assert "again and again" in refused(settings.MODELS_DIR)


def test_a_hub_that_cannot_be_reached_is_named(settings: Settings, hub: ModelHub) -> None:
    assert "127.0.0.1:9 cannot be reached" in refused(settings.MODELS_DIR, NAME, "--yes", "--hub", "http://127.0.0.1:9")


def test_a_hub_that_says_nothing_is_left(hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(NAME, files_of())
    limit(monkeypatch, silence_seconds=0.3)
    hub.replace("model.onnx", Page(hangs=True))
    assert "sent nothing of onnx/model.onnx for 0.3 seconds" in refused(settings.MODELS_DIR)


def test_a_hub_that_drips_is_left(hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.add(NAME, files_of())
    limit(monkeypatch, seconds=0.3)
    body = files_of()["onnx/model.onnx"]
    drips = Page(lambda: iter([body[i : i + 1] for i in range(len(body))]), seconds_per_piece=0.05)
    hub.replace("model.onnx", drips)
    assert "did not come within 0.3 seconds" in refused(settings.MODELS_DIR)


@pytest.mark.usefixtures("with_trial")
@pytest.mark.parametrize(
    ("part", "body", "words"),
    [
        ("onnx/model.onnx", b"no model", "cannot be used here"),
        ("onnx/model.onnx", tiny_model(LOGITS, inputs=("input_ids", "pixel_values")), "'pixel_values'"),
        ("onnx/model.onnx", tiny_model((1.0, 2.0)), "where its labels want 3"),
        ("onnx/model.onnx", tiny_model((1.0, float("nan"), 2.0)), "numbers that are none"),
        ("onnx/model.onnx", tiny_model(LOGITS, weights_in="../../secret_key"), "cannot be used here"),
        ("tokenizer.json", b"{}", "cannot be used here"),
    ],
)
def test_a_model_that_cannot_judge_is_refused(
    hub: ModelHub, settings: Settings, part: str, body: bytes, words: str
) -> None:
    hub.add(NAME, {**files_of(), part: body})
    assert words in refused(settings.MODELS_DIR)


@pytest.mark.usefixtures("with_trial")
def test_a_model_that_takes_too_long_is_refused(
    hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(NAME, files_of())
    limit(monkeypatch, trial_seconds=0.01)
    assert "judged nothing within 0.01 seconds" in refused(settings.MODELS_DIR)


def test_an_interrupted_installation_leaves_nothing(
    hub: ModelHub, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(NAME, files_of())

    def interrupt(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hub_install, "try_model", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model("install", NAME, "--yes")
    assert list(settings.MODELS_DIR.iterdir()) == []


# --- Chosen models ----------------------------------------------------------------------------------------------


@pytest.fixture
def nli_model(tmp_path: Path) -> Callable[..., str]:
    """The folder that a new process uses."""

    def ask(**variables: str) -> str:
        code = "from chatprotect_web import settings; print(settings.NLI_MODEL)"
        environment = {**os.environ, "CHATPROTECT_DATA_DIR": str(tmp_path), **variables}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    return ask


def test_a_chosen_model_is_used_from_the_next_start_on(
    hub: ModelHub, settings: Settings, nli_model: Callable[..., str]
) -> None:
    hub.add(NAME, files_of())
    model("install", NAME, "--yes")
    assert "from the next start" in model("use", NAME)
    assert nli_model() == str(settings.MODELS_DIR / NAME)
    assert nli_model(CHATPROTECT_NLI_MODEL="/elsewhere") == "/elsewhere"
    model("use", "shipped")
    assert wiring.installed_models().chosen_folder(settings.SHIPPED_NLI_MODEL) == settings.SHIPPED_NLI_MODEL


def test_what_is_not_installed_is_not_used(hub: ModelHub) -> None:
    with pytest.raises(CommandError, match=r"owner/x is not installed\. There are: shipped"):
        model("use", "owner/x")


def test_the_variable_goes_before_the_choice_and_that_is_told(settings: Settings, hub: ModelHub) -> None:
    settings.NLI_MODEL_OF_ENVIRONMENT = Path("elsewhere")
    assert "CHATPROTECT_NLI_MODEL is set" in model("use", "shipped")


def test_models_are_listed_with_the_one_in_use(hub: ModelHub, settings: Settings) -> None:
    hub.add(NAME, files_of())
    model("install", NAME, "--yes")
    shipped, other = model("list").splitlines()
    assert shipped.startswith("* shipped")
    assert other.startswith(f"  {NAME}")
    assert "contradiction, entailment, neutral  (mit)" in other
    settings.NLI_MODEL = settings.MODELS_DIR / NAME
    (settings.MODELS_DIR / NAME / "model.json").write_text("{")
    shipped, other = model("list").splitlines()
    assert shipped.startswith("  shipped")
    assert other.startswith(f"* {NAME}")
    assert "cannot be read" in other


def test_a_chosen_model_that_is_gone_is_told_at_the_start(settings: Settings, tmp_path: Path) -> None:
    settings.NLI_MODEL = tmp_path / "models" / NAME
    (message,) = check_models(None)
    assert "manage.py model use shipped" in str(message.hint)


def test_the_model_that_ships_is_not_calibrated_again(tmp_path: Path, settings: Settings) -> None:
    settings.NLI_MODEL = settings.SHIPPED_NLI_MODEL
    with pytest.raises(CommandError, match="ships is calibrated"):
        model("calibrate", "--data", str(tmp_path))


def test_data_that_is_not_there_is_named(hub: ModelHub, tmp_path: Path) -> None:
    hub.add(NAME, files_of())
    model("install", NAME, "--yes")
    with pytest.raises(CommandError, match=r"pairs|dev_permissive|is missing\. DIR has to hold"):
        model("calibrate", NAME, "--data", str(tmp_path))
