"""Store the matrices of an ONNX model in int8, and multiply in int8 with activations that are quantised in blocks.

Processors without instructions for int8 are faster in float32, so the model can do both: each product is an ``If`` of
one constant for all (``core/local_models/nli/products.py``). onnxruntime keeps one branch when it loads the model.

Some inputs of the encoder with 12 layers are far larger than the others. With one scale for a whole batch, what it says
of a pair depends on the other pairs and on padding. With a scale for each block of a token, nothing is lost.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

from detection.core.local_models.nli.products import SWITCH, switch_file

_LEAST_SIZE = 50_000  # smaller arrays stay in float32
_MOST_STEPS = 127
_BLOCK = 128  # numbers with one scale, of a column of a matrix or of a token; one of the sizes that onnxruntime knows
_OFFSET = 128  # onnxruntime stores int8 as uint8
_INT8_PRODUCTS = 4  # onnxruntime's name ("accuracy level") for activations in int8
_DOMAIN = "com.microsoft"
STEPS, SCALES = ".steps", ".scales"  # behind the name of an array


def quantise(full: Path, small: Path) -> None:
    """Write the model with its large arrays in int8: rows of embeddings and columns of single matrices with a scale
    each, matrices that activations are multiplied with in blocks.
    """
    model = onnx.load(full)
    _share_equal_arrays(model.graph)
    gathers = {node.input[0]: node for node in model.graph.node if node.op_type == "Gather"}
    computed = _computed(model.graph)
    restoring: list[NodeProto] = []
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _LEAST_SIZE:
            continue
        model.graph.initializer.remove(tensor)
        products = [node for node in model.graph.node if node.op_type == "MatMul" and node.input[1] == tensor.name]
        gather = gathers.get(tensor.name)
        steps: NDArray[Any]
        if products and len(values) % _BLOCK == 0:
            steps, scales = _in_blocks(values)
        else:
            steps, scales = quantised(values, axis=0 if gather is None else 1)
        model.graph.initializer.extend(
            [
                numpy_helper.from_array(steps, _steps(tensor.name)),
                numpy_helper.from_array(scales, _scales(tensor.name)),
            ]
        )
        if steps.dtype == np.uint8:
            for product in (product for product in products if product.input[0] in computed):
                _replace(model.graph, product, [_product(product, values.shape)])
            if not all(product.input[0] in computed for product in products):
                restoring += _restoring_blocks(tensor.name, values.shape, tensor.name)
        elif gather is None:
            restoring += _restoring(tensor.name)
        else:
            _replace(model.graph, gather, list(_gathered(gather)))
    for place, node in enumerate(restoring):
        model.graph.node.insert(place, node)
    if any(SWITCH in node.input for node in model.graph.node):
        file = switch_file(small)
        file.write_bytes(b"\x01")
        model.graph.initializer.append(_switch(file.name))
    model.opset_import.append(helper.make_opsetid(_DOMAIN, 1))
    onnx.save(model, small)
    onnx.checker.check_model(small)


def matrix_of(product: NodeProto) -> str:
    """The name of the matrix that a product multiplies with, before its quantisation."""
    if product.op_type == "If":
        in_int8 = next(branch.g for branch in product.attribute if branch.name == "then_branch")
        (product,) = in_int8.node
    return str(product.input[1]).removesuffix(STEPS)


def restored(arrays: Mapping[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    """All arrays of a model by their own names, those in int8 in float32."""
    for name, values in arrays.items():
        if name.endswith(STEPS):
            plain = name.removesuffix(STEPS)
            scales = arrays[_scales(plain)]
            yield plain, _of_blocks(values, scales) if values.dtype == np.uint8 else values * scales
        elif not name.endswith(SCALES) and name != SWITCH:
            yield name, values


def _steps(name: str) -> str:
    return f"{name}{STEPS}"


def _scales(name: str) -> str:
    return f"{name}{SCALES}"


def quantised(values: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Steps of int8, and the size of a step for each stretch of values along the axis; their product is the values."""
    scales = np.abs(values).max(axis=axis, keepdims=True) / _MOST_STEPS
    scales[scales == 0] = 1.0
    return np.round(values / scales).astype(np.int8), scales.astype(np.float32)


def _in_blocks(matrix: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Steps [column, block, row of the block] and scales [column, block] of a matrix [row, column]."""
    blocks = matrix.T.reshape(matrix.shape[1], -1, _BLOCK)
    steps, scales = quantised(blocks, axis=2)
    return (steps.astype(np.int16) + _OFFSET).astype(np.uint8), scales[:, :, 0]


def _of_blocks(steps: NDArray[np.uint8], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    """The matrix [row, column] of :func:`_in_blocks`."""
    whole: NDArray[np.float32] = (steps.astype(np.float32) - _OFFSET) * scales[:, :, None]
    return whole.reshape(len(steps), -1).T


def _switch(file: str) -> TensorProto:
    """The constant that chooses between the products. onnxruntime can exchange only one that lies in its own file."""
    switch = TensorProto(name=SWITCH, data_type=TensorProto.BOOL, data_location=TensorProto.EXTERNAL)
    switch.external_data.add(key="location", value=file)
    switch.external_data.add(key="length", value="1")
    return switch


def _product(product: NodeProto, shape: tuple[int, ...]) -> NodeProto:
    """The product in int8 or in float32."""
    (output,) = product.output
    branches = {
        "then_branch": _branch(f"{output}.int8", [_product_in_int8(product, shape, f"{output}.int8")]),
        "else_branch": _branch(f"{output}.float", _product_in_float(product, shape, f"{output}.float")),
    }
    return helper.make_node("If", [SWITCH], [output], name=product.name, **branches)


def _branch(output: str, nodes: list[NodeProto]) -> GraphProto:
    given = helper.make_tensor_value_info(output, TensorProto.FLOAT, None)
    return helper.make_graph(nodes, output, [], [given])


def _product_in_float(product: NodeProto, shape: tuple[int, ...], output: str) -> list[NodeProto]:
    """The restored matrix, with names of its own: constants may be multiplied with the same one."""
    states, matrix = product.input
    own = f"{matrix}.float"
    # Without its transposition, loading the model takes 85 MB less.
    *restoring, _ = _restoring_blocks(matrix, shape, own)
    turned = restoring[-1].output[0]
    name = f"{product.name}.float"
    return [
        *restoring,
        helper.make_node("FusedMatMul", [states, turned], [output], name=name, domain=_DOMAIN, transB=1),
    ]


def _product_in_int8(product: NodeProto, shape: tuple[int, ...], output: str) -> NodeProto:
    states, matrix = product.input
    rows, columns = shape
    return helper.make_node(
        "MatMulNBits",
        [states, _steps(matrix), _scales(matrix)],
        [output],
        name=f"{product.name}.int8",
        domain=_DOMAIN,
        K=rows,
        N=columns,
        bits=8,
        block_size=_BLOCK,
        accuracy_level=_INT8_PRODUCTS,
    )


def _restoring(name: str) -> list[NodeProto]:
    whole = f"{name}.whole"
    return [
        helper.make_node("Cast", [_steps(name)], [whole], to=TensorProto.FLOAT),
        helper.make_node("Mul", [whole, _scales(name)], [name]),
    ]


def _turned(name: str) -> str:
    return f"{name}.turned"


def _restoring_blocks(matrix: str, shape: tuple[int, ...], name: str) -> list[NodeProto]:
    """Nodes for the whole matrix under a name, which onnxruntime computes when it loads a model."""
    transposed = helper.make_node("Transpose", [_turned(name)], [name], perm=[1, 0])
    return [*_restoring_turned(matrix, shape, name), transposed]


def _restoring_turned(matrix: str, shape: tuple[int, ...], name: str) -> list[NodeProto]:
    """The same for the matrix [column, row]."""
    rows, columns = shape
    whole, offset, scales, blocks = (f"{name}.{part}" for part in ("whole", "offset", "each", "blocks"))
    return [
        helper.make_node("Cast", [_steps(matrix)], [whole], to=TensorProto.FLOAT),
        _constant(f"{offset}.by", np.float32(_OFFSET)),
        helper.make_node("Sub", [whole, f"{offset}.by"], [offset]),
        _constant(f"{scales}.axis", np.array([2])),
        helper.make_node("Unsqueeze", [_scales(matrix), f"{scales}.axis"], [scales]),
        helper.make_node("Mul", [offset, scales], [blocks]),
        _constant(f"{_turned(name)}.shape", np.array([columns, rows])),
        helper.make_node("Reshape", [blocks, f"{_turned(name)}.shape"], [_turned(name)]),
    ]


def _constant(name: str, value: NDArray[Any] | np.float32) -> NodeProto:
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(value)))


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


def _computed(graph: GraphProto) -> set[str]:
    """The names of what depends on the inputs of the model."""
    found = {given.name for given in graph.input}
    for node in graph.node:  # in the order of computation
        if found.intersection(node.input):
            found.update(node.output)
    return found


def _share_equal_arrays(graph: GraphProto) -> None:
    """Keep one of equal arrays: the exporter writes or copies a matrix for contents and for distances."""
    first_of: dict[tuple[bytes, tuple[int, ...], int], str] = {}
    renamed: dict[str, str] = {}
    for tensor in list(graph.initializer):
        key = tensor.raw_data, tuple(tensor.dims), tensor.data_type
        first = first_of.setdefault(key, tensor.name)
        if first != tensor.name:
            renamed[tensor.name] = first
            graph.initializer.remove(tensor)
    arrays = {*first_of.values(), *renamed}
    for node in list(graph.node):
        if node.op_type == "Identity" and node.input[0] in arrays:
            renamed[node.output[0]] = renamed.get(node.input[0], node.input[0])
            graph.node.remove(node)
    for node in graph.node:
        for place, name in enumerate(node.input):
            node.input[place] = renamed.get(name, name)
