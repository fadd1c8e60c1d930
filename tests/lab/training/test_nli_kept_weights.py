"""Trained weights are kept as what they differ by from the model that ships."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch comes with the `train` extra")
pytest.importorskip("onnx", reason="ONNX comes with the `train` extra")

import torch

from detection.lab.training.nli.kept_weights import keep_weights, kept_weights
from detection.lab.training.nli.read_back import read_weights

SHIPPED = Path(__file__).parents[3] / "detection" / "data" / "nli" / "model.onnx"
MATRIX, BIAS = "layers.11.narrow.weight", "classifier.bias"


def test_kept_weights_come_back_within_half_a_step(tmp_path: Path) -> None:
    trained = read_weights(SHIPPED)
    change = torch.linspace(-0.01, 0.01, trained[MATRIX].numel()).reshape(trained[MATRIX].shape)
    trained[MATRIX] = trained[MATRIX] + change
    trained[BIAS] = trained[BIAS] + 0.5
    torch.save(trained, tmp_path / "model.pt")

    keep_weights(tmp_path / "model.pt", SHIPPED, tmp_path / "kept.npz")
    restored = kept_weights(tmp_path / "kept.npz", SHIPPED)

    half_a_step = 0.01 / 127 / 2
    assert torch.allclose(restored[MATRIX], trained[MATRIX], atol=half_a_step * 1.01, rtol=0)
    assert torch.allclose(restored[BIAS], trained[BIAS], atol=0.5 / 127)
    assert torch.equal(restored["words.weight"], trained["words.weight"])
    assert (tmp_path / "kept.npz").stat().st_size < 1_000_000


def test_a_difference_from_another_model_is_refused(tmp_path: Path) -> None:
    torch.save(read_weights(SHIPPED), tmp_path / "model.pt")
    keep_weights(tmp_path / "model.pt", SHIPPED, tmp_path / "kept.npz")
    other = tmp_path / "model.onnx"
    import onnx

    model = onnx.load(SHIPPED)
    model.producer_name = "another"
    onnx.save(model, other)

    with pytest.raises(ValueError, match="from another model"):
        kept_weights(tmp_path / "kept.npz", other)
