"""Keep trained weights in the repository before they ship, as what they differ by from the model that ships.

Steps of int8 for each row of a matrix: a third of the size of the exported model, and what they are off by is a
fraction of what the training changed.
"""

import hashlib
from pathlib import Path

import numpy as np
import torch

from .int8_blocks import SCALES, STEPS, quantised, restored
from .read_back import read_weights

_MODEL = "model"  # the name of its checksum in the file


def keep_weights(weights: Path, model: Path, output: Path) -> None:
    """Write the difference of a weight file from an exported ``model.onnx``; equal weights are left out."""
    shipped = read_weights(model)
    arrays: dict[str, np.ndarray] = {_MODEL: np.array(_checksum(model))}
    for name, value in torch.load(weights, map_location="cpu", weights_only=True).items():
        difference = (value - shipped[name]).numpy()
        if not difference.any():
            continue
        arrays[name + STEPS], arrays[name + SCALES] = quantised(difference, axis=-1)
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
        differences = restored({name: arrays[name] for name in arrays.files if name != _MODEL})
        for name, difference in differences:
            weights[name] = weights[name] + torch.from_numpy(difference)
    return weights


def _checksum(model: Path) -> str:
    return hashlib.sha256(model.read_bytes()).hexdigest()
