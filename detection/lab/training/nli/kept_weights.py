"""Keep trained weights in the repository before they ship, as what they differ by from the model that ships.

Steps of int8 for each row of a matrix: a third of the size of the exported model, and what they are off by is a
fraction of what the training changed.
"""

import hashlib
from pathlib import Path

import numpy as np
import torch

from .read_back import read_weights

_MOST_STEPS = 127
_STEPS, _SCALES, _MODEL = ".steps", ".scales", "model"


def keep_weights(weights: Path, model: Path, output: Path) -> None:
    """Write the difference of a weight file from an exported ``model.onnx``; equal weights are left out."""
    shipped = read_weights(model)
    arrays: dict[str, np.ndarray] = {_MODEL: np.array(_checksum(model))}
    for name, value in torch.load(weights, map_location="cpu", weights_only=True).items():
        difference = (value - shipped[name]).numpy()
        if not difference.any():
            continue
        scales = np.abs(difference).max(axis=-1, keepdims=True) / _MOST_STEPS
        scales[scales == 0] = 1.0
        arrays[name + _STEPS] = np.round(difference / scales).astype(np.int8)
        arrays[name + _SCALES] = scales.astype(np.float32)
    np.savez_compressed(output, **arrays)  # type: ignore[arg-type]  # numpy types the keyword of its own option only


def kept_weights(kept: Path, model: Path) -> dict[str, torch.Tensor]:
    """The weights of a file of :func:`keep_weights`.

    Raises:
        ValueError: another model has shipped since.
    """
    weights = read_weights(model)
    with np.load(kept) as arrays:
        if str(arrays[_MODEL]) != _checksum(model):
            raise ValueError(f"{kept} holds the difference from another model than {model}")
        for name in (name.removesuffix(_STEPS) for name in arrays.files if name.endswith(_STEPS)):
            weights[name] = weights[name] + torch.from_numpy(arrays[name + _STEPS] * arrays[name + _SCALES])
    return weights


def _checksum(model: Path) -> str:
    return hashlib.sha256(model.read_bytes()).hexdigest()
