"""Export PyTorch weights to ONNX with dynamic int8, and check that all three formats agree."""

import logging
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic

from . import int8_blocks, sentence_vectors
from .batches import encode, load_tokenizer, padded
from .disentangled import DisentangledClassifier
from .model import Classifier, load_model, tokenizer_of
from .scoring import INPUTS, OnnxScorer, Pair, softmax

logger = logging.getLogger(__name__)

OPSET = 17
LARGEST_FILE_BYTES = 35_000_000
_LARGEST_EXPORT_DIFFERENCE = 1e-3
_LEAST_INT8_AGREEMENT = 0.95
#: The feed-forward part of the first layer stays in float32: one of its inputs has four times the range of the others,
#: too wide for int8.
_LEFT_OUT = ("/layer.0/intermediate/", "/layer.0/output/")


class ExportError(Exception):
    """The exported model differs from the trained one, or is too large to ship."""


@dataclass(frozen=True, slots=True)
class Parity:
    """Differences in probability between the exported models and the trained one over the compared pairs."""

    fp32_largest_difference: float
    int8_mean_difference: float
    int8_same_class: float


def export(weights: Path, directory: Path, pairs: Sequence[Pair], max_tokens: int) -> Parity:
    """Write ``model.onnx`` (int8) and ``tokenizer.json``, unless the model differs from the trained one."""
    directory.mkdir(parents=True, exist_ok=True)
    full, small = directory / "model.fp32.onnx", directory / "model.onnx"
    tokenizer_copy = directory / "tokenizer.json"
    shutil.copyfile(tokenizer_of(weights), tokenizer_copy)
    model = load_model(weights)
    write_onnx(model, full)
    if isinstance(model, DisentangledClassifier):
        int8_blocks.quantise(full, small)
        sentence_vectors.add_vectors(small)
    else:
        quantise(full, small)
    parity = compare_exports(
        trained=torch_probabilities(model, pairs, max_tokens, tokenizer_copy),
        full=softmax(OnnxScorer(full, tokenizer_copy, max_tokens=max_tokens).logits(pairs)),
        small=softmax(OnnxScorer(small, tokenizer_copy, max_tokens=max_tokens).logits(pairs)),
    )
    require_parity(parity, small)
    full.unlink()
    logger.info("exported %s: %s", small, parity)
    return parity


def quantise(full: Path, small: Path) -> None:
    """Matrices and activations in int8, but for the products with the largest error."""
    quantize_dynamic(full, small, weight_type=QuantType.QInt8, per_channel=True, nodes_to_exclude=_nodes_left_out(full))


def _nodes_left_out(full: Path) -> list[str]:
    """The matrix products with the largest quantisation error; keeping them in float32 costs 4 MB."""
    products = (node.name for node in onnx.load(full).graph.node if node.op_type == "MatMul")
    return [name for name in products if any(part in name for part in _LEFT_OUT)]


class _LogitsOnly(torch.nn.Module):
    """A wrapper for the exporter: positional inputs, and only the logits as output."""

    def __init__(self, model: Classifier) -> None:
        super().__init__()
        self._model = model

    def forward(self, *inputs: torch.Tensor) -> object:
        return self._model(**dict(zip(INPUTS, inputs, strict=False))).logits


def inputs_of(model: torch.nn.Module) -> tuple[str, ...]:
    """The inputs of a model: the one with 12 layers takes no token types."""
    return INPUTS[:2] if isinstance(model, DisentangledClassifier) else INPUTS


def write_onnx(model: Classifier, path: Path) -> None:
    inputs = inputs_of(model)
    example = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in inputs)
    torch.onnx.export(
        _LogitsOnly(model).eval(),
        example,
        path,
        input_names=list(inputs),
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in inputs} | {"logits": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )
    onnx.checker.check_model(path)


@torch.inference_mode()
def torch_probabilities(
    model: torch.nn.Module, pairs: Sequence[Pair], max_tokens: int, tokenizer_file: Path
) -> NDArray[np.float64]:
    """Probabilities [pair, class] of the trained weights without batching: the reference for the exports."""
    tokenizer = load_tokenizer(tokenizer_file, max_tokens)
    rows = []
    for encoded in encode(tokenizer, pairs):
        tensors = map(torch.from_numpy, padded([encoded]))
        rows.append(model(**dict(zip(INPUTS, tensors, strict=True))).logits[0].numpy())
    return softmax(np.stack(rows))


def compare_exports(trained: NDArray[np.float64], full: NDArray[np.float64], small: NDArray[np.float64]) -> Parity:
    return Parity(
        fp32_largest_difference=float(np.abs(trained - full).max()),
        int8_mean_difference=float(np.abs(trained - small).mean()),
        int8_same_class=float((trained.argmax(axis=1) == small.argmax(axis=1)).mean()),
    )


def require_parity(parity: Parity, exported: Path) -> None:
    """Raise ``ExportError`` if the exported model must not ship."""
    if parity.fp32_largest_difference > _LARGEST_EXPORT_DIFFERENCE:
        raise ExportError(f"the ONNX model differs from the trained one: {parity}")
    if parity.int8_same_class < _LEAST_INT8_AGREEMENT:
        raise ExportError(f"int8 changes too many decisions: {parity}")
    if exported.stat().st_size > LARGEST_FILE_BYTES:
        raise ExportError(f"{exported} has {exported.stat().st_size} bytes, more than {LARGEST_FILE_BYTES}")
