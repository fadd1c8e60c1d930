"""Third-party models: classes in any order, with or without token types, weights in one or two files."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from detection.core.errors import ModelUnavailable
from detection.core.local_models.nli.description import (
    FILE,
    Label,
    ModelDescription,
    load_description,
    save_description,
)
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.types import NliPair, NliScore
from tests.fakes.onnx_model import tiny_model, tiny_tokenizer, weights

ENTAILMENT, NEUTRAL, CONTRADICTION, REST = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION, Label.REST
PAIR = NliPair("The mill was built in 1820.", "The mill was built in 1870.")


def write_model(folder: Path, labels: tuple[Label, ...], logits: Sequence[float], **options: Any) -> None:
    (folder / "model.onnx").write_bytes(tiny_model(logits, **options))
    (folder / "tokenizer.json").write_bytes(tiny_tokenizer())
    save_description(ModelDescription(labels=labels), folder)


def expected(*logits: float) -> list[float]:
    """Probabilities in the order of :class:`NliScore`."""
    return [math.exp(logit) / sum(map(math.exp, logits)) for logit in logits]


def score(folder: Path) -> NliScore:
    (one, other) = NliScorer(folder).score([PAIR, NliPair("A mill.", "A much longer sentence about a mill.")])
    assert tuple(one) == pytest.approx(tuple(other))
    return one


@pytest.mark.parametrize(
    ("labels", "logits"),
    [
        ((ENTAILMENT, NEUTRAL, CONTRADICTION), (3.0, 2.0, 1.0)),
        ((CONTRADICTION, NEUTRAL, ENTAILMENT), (1.0, 2.0, 3.0)),
        ((NEUTRAL, ENTAILMENT, CONTRADICTION), (2.0, 3.0, 1.0)),
    ],
)
def test_classes_in_any_order_become_one_score(
    tmp_path: Path, labels: tuple[Label, ...], logits: tuple[float, ...]
) -> None:
    write_model(tmp_path, labels, logits)
    assert tuple(score(tmp_path)) == pytest.approx(expected(3.0, 2.0, 1.0))


def test_what_a_model_of_two_classes_does_not_call_entailed_is_no_contradiction(tmp_path: Path) -> None:
    write_model(tmp_path, (REST, ENTAILMENT), (2.0, 1.0))
    rest, entailment = expected(2.0, 1.0)
    assert tuple(score(tmp_path)) == pytest.approx((entailment, rest, 0.0))


def test_a_model_of_two_classes_may_know_contradictions(tmp_path: Path) -> None:
    write_model(tmp_path, (CONTRADICTION, ENTAILMENT), (2.0, 1.0))
    contradiction, entailment = expected(2.0, 1.0)
    assert tuple(score(tmp_path)) == pytest.approx((entailment, 0.0, contradiction))


@pytest.mark.parametrize(
    "inputs",
    [("input_ids",), ("input_ids", "attention_mask"), ("attention_mask", "token_type_ids", "input_ids")],
)
def test_the_session_decides_what_it_is_given(tmp_path: Path, inputs: tuple[str, ...]) -> None:
    write_model(tmp_path, (ENTAILMENT, NEUTRAL, CONTRADICTION), (3.0, 2.0, 1.0), inputs=inputs)
    assert NliScorer(tmp_path).inputs == inputs
    assert tuple(score(tmp_path)) == pytest.approx(expected(3.0, 2.0, 1.0))


def test_an_input_that_nobody_knows_is_named(tmp_path: Path) -> None:
    write_model(tmp_path, (ENTAILMENT, REST), (2.0, 1.0), inputs=("input_ids", "pixel_values"))
    with pytest.raises(ModelUnavailable, match="'pixel_values'"):
        NliScorer(tmp_path)


def test_the_only_output_may_have_another_name(tmp_path: Path) -> None:
    write_model(tmp_path, (ENTAILMENT, NEUTRAL, CONTRADICTION), (3.0, 2.0, 1.0), output="scores")
    assert tuple(score(tmp_path)) == pytest.approx(expected(3.0, 2.0, 1.0))


def test_weights_may_lie_in_a_file_of_their_own(tmp_path: Path) -> None:
    options = {"weights_in": "model.onnx_data"}
    write_model(tmp_path, (ENTAILMENT, NEUTRAL, CONTRADICTION), (0.0, 0.0, 0.0), **options)
    (tmp_path / "model.onnx_data").write_bytes(weights((3.0, 2.0, 1.0)))
    assert tuple(score(tmp_path)) == pytest.approx(expected(3.0, 2.0, 1.0))


@pytest.mark.parametrize("place", ["../model.onnx_data", "/etc/hostname"])
def test_weights_from_elsewhere_are_not_read(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "model.onnx_data").write_bytes(weights((3.0, 2.0, 1.0)))
    write_model(folder, (ENTAILMENT, NEUTRAL, CONTRADICTION), (0.0, 0.0, 0.0), weights_in=place)
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        NliScorer(folder)


def test_another_number_of_classes_than_the_labels_is_an_error(tmp_path: Path) -> None:
    write_model(tmp_path, (ENTAILMENT, REST), (3.0, 2.0, 1.0))
    with pytest.raises(ModelUnavailable, match="where its labels want 2"):
        score(tmp_path)


def test_a_description_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = ModelDescription(
        labels=(REST, ENTAILMENT), max_tokens=256, pad_id=1, name="a/b", licence="mit", inputs=("input_ids",)
    )
    save_description(written, tmp_path)
    assert load_description(tmp_path) == written


def test_a_model_without_a_description_is_one_of_ours(tmp_path: Path) -> None:
    assert load_description(tmp_path).labels == (ENTAILMENT, NEUTRAL, CONTRADICTION)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        json.dumps({"labels": ["entailment"], "max_tokens": 512, "pad_id": 0}),
        json.dumps({"labels": ["entailment", "rest"], "max_tokens": 100_000, "pad_id": 0}),
        json.dumps({"labels": ["entailment", "something"], "max_tokens": 512, "pad_id": 0}),
        json.dumps({"labels": ["entailment", "rest"], "max_tokens": 512, "pad_id": 0, "sha256": []}),
    ],
)
def test_a_broken_description_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ModelUnavailable, match=r"model\.json"):
        load_description(tmp_path)
