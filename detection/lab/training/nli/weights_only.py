"""Store the matrices of an ONNX model in int8, and compute in float32.

Quantised activations change what the encoder with 12 layers says: some of its inputs are far larger than the others.
onnxruntime multiplies the stored steps by their scales once, when it loads the model.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

_LEAST_SIZE = 50_000  # smaller arrays stay in float32
_MOST_STEPS = 127
_STEPS, _SCALES = ".steps", ".scales"


def quantise_weights(full: Path, small: Path) -> None:
    """Write the model with its large arrays in int8, with a scale per row of an embedding or column of a matrix."""
    model = onnx.load(full)
    _share_equal_arrays(model.graph)
    gathers = {node.input[0]: node for node in model.graph.node if node.op_type == "Gather"}
    restoring: list[NodeProto] = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _LEAST_SIZE:
            continue
        model.graph.initializer.remove(tensor)
        gather = gathers.get(tensor.name)
        steps, scales = _quantised(values, axis=0 if gather is None else 1)
        model.graph.initializer.extend(
            [
                numpy_helper.from_array(steps, _steps(tensor.name)),
                numpy_helper.from_array(scales, _scales(tensor.name)),
            ]
        )
        if gather is None:
            restoring += _restoring(tensor.name)
        else:
            _replace(model.graph, gather, list(_gathered(gather)))
    for place, node in enumerate(restoring):
        model.graph.node.insert(place, node)
    onnx.checker.check_model(model)
    onnx.save(model, small)


def restored(arrays: Mapping[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    """All arrays of a model by their own names, those in int8 in float32."""
    for name, values in arrays.items():
        if name.endswith(_STEPS):
            plain = name.removesuffix(_STEPS)
            yield plain, values.astype(np.float32) * arrays[_scales(plain)]
        elif not name.endswith(_SCALES):
            yield name, values


def _steps(name: str) -> str:
    return f"{name}{_STEPS}"


def _scales(name: str) -> str:
    return f"{name}{_SCALES}"


def _quantised(values: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    scales = np.abs(values).max(axis=axis, keepdims=True) / _MOST_STEPS
    scales[scales == 0] = 1.0
    return np.round(values / scales).astype(np.int8), scales.astype(np.float32)


def _restoring(name: str) -> list[NodeProto]:
    whole = f"{name}.whole"
    return [
        helper.make_node("Cast", [_steps(name)], [whole], to=TensorProto.FLOAT),
        helper.make_node("Mul", [whole, _scales(name)], [name]),
    ]


def _gathered(gather: NodeProto) -> Iterator[NodeProto]:
    """Take the rows of an embedding first and restore these only, so that the whole one stays in int8 in memory."""
    name, rows = gather.input
    (output,) = gather.output
    yield helper.make_node("Gather", [_steps(name), rows], [f"{output}.steps"])
    yield helper.make_node("Cast", [f"{output}.steps"], [f"{output}.whole"], to=TensorProto.FLOAT)
    yield helper.make_node("Gather", [_scales(name), rows], [f"{output}.scales"])
    yield helper.make_node("Mul", [f"{output}.whole", f"{output}.scales"], [output])


def _replace(graph: GraphProto, old: NodeProto, new: list[NodeProto]) -> None:
    place = list(graph.node).index(old)
    graph.node.remove(old)
    for offset, node in enumerate(new):
        graph.node.insert(place + offset, node)


def _share_equal_arrays(graph: GraphProto) -> None:
    """Keep one of equal arrays: the exporter writes a matrix twice that multiplies contents and distances."""
    first_of: dict[tuple[bytes, tuple[int, ...], int], str] = {}
    renamed: dict[str, str] = {}
    for tensor in list(graph.initializer):
        key = tensor.raw_data, tuple(tensor.dims), tensor.data_type
        first = first_of.setdefault(key, tensor.name)
        if first != tensor.name:
            renamed[tensor.name] = first
            graph.initializer.remove(tensor)
    for node in graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = renamed.get(name, name)
