"""Read the weights of an exported model with 12 layers back, to train on from a model that ships.

The exporter renames the matrices of the layers to numbers; the nodes that apply them keep their names.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray

from .disentangled import Shape
from .int8_blocks import matrix_of, restored

_PREFIX = "_model."
#: A node that applies a matrix to contents (one with a number applies it to distances). The exporter leaves out the
#: scope of the last layer, whose ``of_first`` is called and not its ``forward``.
_PRODUCT = re.compile(r"/_model/(?:(layers\.\d+)/(?:attention/)?)?(query|key|value|output|widen|narrow)/MatMul")
_LAST = f"layers.{Shape(words=0).layers - 1}"
_OF_ATTENTION = ("query", "key", "value", "output")


def read_weights(exported: Path) -> dict[str, torch.Tensor]:
    """Weights of a ``model.onnx`` by the names of the PyTorch model. Those in int8 are off by half a step at most."""
    graph = onnx.load(exported).graph
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    named = _named(graph, dict(restored(arrays)))
    return {name.removeprefix(_PREFIX): torch.tensor(np.ascontiguousarray(value)) for name, value in named}


def _named(graph: onnx.GraphProto, arrays: Mapping[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Matrices by the nodes that apply them, which have them transposed; the others by their own names."""
    for node in graph.node:
        product = _PRODUCT.fullmatch(node.name)
        if product:
            layer, matrix = product[1] or _LAST, product[2]
            yield f"{layer}.{'attention.' if matrix in _OF_ATTENTION else ''}{matrix}.weight", arrays[matrix_of(node)].T
    for name, values in arrays.items():
        if name.startswith(_PREFIX) and values.dtype == np.float32:
            yield name, values
