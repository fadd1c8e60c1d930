"""A tiny ONNX model, written byte by byte: its logits are always the same, whatever it reads.

No package writes ONNX where the tests run. The fields are those of ``onnx.proto``, by number.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

_FLOAT, _INT64 = 1, 7
_EXTERNAL = 1
_OPSET = 13


def tiny_model(
    logits: Sequence[float],
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    output: str = "logits",
    weights_in: str = "",
) -> bytes:
    """A model of these inputs. ``weights_in`` names the file that has its weights (:func:`weights`) in its place."""
    width = len(logits)
    graph = b"".join(
        (
            _node("Cast", ["input_ids"], "numbers", _integer_attribute("to", _FLOAT)),
            _node("ReduceMean", ["numbers"], "mean", _axes(1), _integer_attribute("keepdims", 1)),
            _node("MatMul", ["mean", "nothing"], "zeros"),
            _node("Add", ["zeros", "bias"], output),
            _text(2, "tiny"),
            _bytes(5, _tensor("nothing", [1, width], weights([0.0] * width))),
            _bytes(5, _tensor("bias", [width], weights(logits), external=weights_in)),
            *(_bytes(11, _value(name, _INT64, ["batch", "tokens"])) for name in inputs),
            _bytes(12, _value(output, _FLOAT, ["batch", width])),
        )
    )
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, _OPSET))


def weights(numbers: Sequence[float]) -> bytes:
    """As a file of external data holds them."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def tiny_tokenizer() -> bytes:
    """Words by white space, two texts to a pair."""
    tokenizer = Tokenizer(WordLevel({"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "mill": 4}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return str(tokenizer.to_str()).encode()


def _node(operation: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    body = b"".join(_text(1, name) for name in inputs) + _text(2, output) + _text(4, operation)
    return _bytes(1, body + b"".join(_bytes(5, attribute) for attribute in attributes))


def _integer_attribute(name: str, value: int) -> bytes:
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _axes(axis: int) -> bytes:
    return _text(1, "axes") + _number(8, axis) + _number(20, 7)


def _tensor(name: str, shape: Sequence[int], data: bytes, *, external: str = "") -> bytes:
    head = b"".join(_number(1, size) for size in shape) + _number(2, _FLOAT) + _text(8, name)
    if not external:
        return head + _bytes(9, data)
    entries = {"location": external, "offset": "0", "length": str(len(data))}
    stored = b"".join(_bytes(13, _text(1, key) + _text(2, value)) for key, value in entries.items())
    return head + stored + _number(14, _EXTERNAL)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = b"".join(_bytes(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in shape)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, sizes)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
