"""Read the weights of an exported int8 model back, to train on from a model that ships.

The exporter renames the weight matrices of the layers to numbers, in the order in which the model applies them.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray

_PREFIX = "_model."
_NUMBERED = "onnx::MatMul_"
_QUANTISED = "_quantized"
#: The matrices of a layer in the order of its computation.
_MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


def read_weights(exported: Path) -> dict[str, torch.Tensor]:
    """Weights of a ``model.onnx`` by the names of the PyTorch model. Quantised ones are off by half a step at most."""
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in onnx.load(exported).graph.initializer}
    weights = {name: torch.tensor(value) for name, value in _named(dict(_restored(arrays)))}
    return {name.removeprefix(_PREFIX): value for name, value in weights.items()}


def _restored(arrays: Mapping[str, NDArray[np.generic]]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    for name, values in arrays.items():
        if name.endswith(_QUANTISED):
            plain = name.removesuffix(_QUANTISED)
            shifted = values.astype(np.float32) - arrays[f"{plain}_zero_point"].astype(np.float32)
            yield plain, shifted * arrays[f"{plain}_scale"].astype(np.float32)
        elif not name.endswith(("_scale", "_zero_point")):
            yield name, values.astype(np.float32)


def _named(arrays: Mapping[str, NDArray[np.float32]]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Arrays by their names in PyTorch, which stores matrices of products transposed."""
    numbered = sorted((name for name in arrays if name.startswith(_NUMBERED)), key=lambda name: int(name[13:]))
    for place, name in enumerate(numbered):
        layer, matrix = divmod(place, len(_MATRICES))
        yield f"bert.encoder.layer.{layer}.{_MATRICES[matrix]}.weight", arrays[name].T
    for name, values in arrays.items():
        if not name.startswith(_NUMBERED):
            is_product = name.endswith(("pooler.dense.weight", "classifier.weight"))
            yield name, values.T if is_product else values
