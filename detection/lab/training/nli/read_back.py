"""Read the weights of an exported model with 12 layers back, to train on from a model that ships.

The exporter renames the matrices of the layers to numbers; the nodes that apply them keep their names.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray

from .weights_only import is_scales, is_steps, name_of_steps, restored, steps_of

_PREFIX = "_model."
#: A node that applies a matrix to contents; one with a number applies it to distances.
_PRODUCT = re.compile(r"/_model/(layers\.\d+(?:/attention)?/(?:query|key|value|output|widen|narrow))/MatMul")


def read_weights(exported: Path) -> dict[str, torch.Tensor]:
    """Weights of a ``model.onnx`` by the names of the PyTorch model. Those in int8 are off by half a step at most."""
    graph = onnx.load(exported).graph
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    return {
        name.removeprefix(_PREFIX): torch.tensor(np.ascontiguousarray(value)) for name, value in _named(graph, arrays)
    }


def _named(
    graph: onnx.GraphProto, arrays: Mapping[str, NDArray[np.generic]]
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Matrices by the nodes that apply them, which have them transposed; the others by their own names."""
    for node in graph.node:
        product = _PRODUCT.fullmatch(node.name)
        if product and steps_of(node.input[1]) in arrays:
            yield f"{product[1].replace('/', '.')}.weight", restored(arrays, node.input[1]).T
    for name, values in arrays.items():
        if name.startswith(_PREFIX) and is_steps(name):
            plain = name_of_steps(name)
            yield plain, restored(arrays, plain)
        elif name.startswith(_PREFIX) and values.dtype == np.float32 and not is_scales(name):
            yield name, values.astype(np.float32)
