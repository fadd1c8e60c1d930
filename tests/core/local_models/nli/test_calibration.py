from __future__ import annotations

import json
from pathlib import Path

import pytest

from detection import wiring
from detection.core.errors import ModelUnavailable
from detection.core.local_models.nli.calibration import FILE, load_temperature, save_temperature
from detection.core.local_models.nli.products import switch_file
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.types import NliPair

PAIR = NliPair("The mill was built in 1820.", "The mill was built in 1870.")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The shipped model without its calibration."""
    for name in ("model.onnx", switch_file(Path("model.onnx")), "tokenizer.json"):
        (tmp_path / name).symlink_to(wiring.model_settings().nli / name)
    return tmp_path


def test_a_temperature_is_read_as_it_was_written(tmp_path: Path) -> None:
    save_temperature(1.23456, tmp_path)
    assert load_temperature(tmp_path) == 1.235


def test_a_model_without_calibration_is_taken_at_its_word(model: Path) -> None:
    plain = NliScorer(model).score([PAIR])
    save_temperature(1.0, model)
    assert NliScorer(model).score([PAIR]) == plain


def test_a_high_temperature_makes_a_model_less_sure_of_the_same_answer(model: Path) -> None:
    (plain,) = NliScorer(model).score([PAIR])
    save_temperature(3.0, model)
    (cooled,) = NliScorer(model).score([PAIR])
    assert 1 / 3 < cooled.contradiction < plain.contradiction
    assert cooled.contradiction == max(cooled.entailment, cooled.neutral, cooled.contradiction)


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", json.dumps({"temperature": 0}), json.dumps({"temperature": "warm"})]
)
def test_a_broken_calibration_is_named(model: Path, content: str) -> None:
    (model / FILE).write_text(content)
    with pytest.raises(ModelUnavailable, match=r"calibration\.json"):
        NliScorer(model)
