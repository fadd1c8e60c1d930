"""Let an exported encoder also give a vector of each input, for ranking sentences by topic.

The vector is the mean of the token states after the sixth of 12 layers. Of layers 2 to 11 that layer ranks best the
sentence that another one of its text contradicts: in 368 cases of 285 held-out texts it and the overlap of words put
that sentence first in 58 % and among the first three in 80 %; overlap alone in 41 % and 65 %.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

from detection.core.local_models.nli.scorer import VECTOR

LAYER = 5
_STATES = "/layers.{layer}/norm/LayerNormalization_output_0"
_TOKENS, _LAST = "vector.tokens", "vector.last"


def add_vectors(path: Path, layer: int = LAYER) -> None:
    """Add the output to the model file, from the states after ``layer`` (the first is 0). The logits do not change.

    Raises:
        ValueError: the model has no such layer, or has the output already.
    """
    model = onnx.load(path, load_external_data=False)
    graph = model.graph
    if any(output.name == VECTOR for output in graph.output):
        raise ValueError(f"{path} gives vectors already.")
    states = _states(graph, layer)
    graph.initializer.extend(
        [
            numpy_helper.from_array(np.array([1], dtype=np.int64), _TOKENS),
            numpy_helper.from_array(np.array([-1], dtype=np.int64), _LAST),
        ]
    )
    graph.node.extend(_mean(states))
    graph.output.append(helper.make_tensor_value_info(VECTOR, TensorProto.FLOAT, ["batch", "width"]))
    onnx.save(model, path)
    onnx.checker.check_model(path)


def _states(graph: GraphProto, layer: int) -> str:
    """The name of the states after the layer [batch, token, width]."""
    ending = _STATES.format(layer=layer)
    names: list[str] = [name for node in graph.node for name in node.output if name.endswith(ending)]
    if len(names) != 1:
        raise ValueError(f"The model has {len(names)} outputs of layer {layer}.")
    return names[0]


def _mean(states: str) -> list[NodeProto]:
    """The mean of the states over the tokens that are no padding [batch, width]."""
    return [
        helper.make_node("Cast", ["attention_mask"], ["vector.mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["vector.mask", _LAST], ["vector.weights"]),
        helper.make_node("Mul", [states, "vector.weights"], ["vector.states"]),
        helper.make_node("ReduceSum", ["vector.states", _TOKENS], ["vector.sum"], keepdims=0),
        helper.make_node("ReduceSum", ["vector.mask", _TOKENS], ["vector.count"], keepdims=1),
        helper.make_node("Div", ["vector.sum", "vector.count"], [VECTOR]),
    ]
