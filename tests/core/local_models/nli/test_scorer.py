"""Int8 products: they must not depend on the processor."""

from __future__ import annotations

from pathlib import Path

import onnxruntime
import pytest

from detection.core.local_models.nli.scorer import NliScorer
from tests.fakes.onnx_model import tiny_model, tiny_tokenizer


def test_int8_products_are_exact_on_a_processor_without_vnni(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There onnxruntime adds products in 16 bits, which overflow, unless the session asks for exact ones."""
    asked: list[str] = []
    start = onnxruntime.InferenceSession

    def recorded(path: str, options: onnxruntime.SessionOptions, **other: object) -> onnxruntime.InferenceSession:
        asked.append(options.get_session_config_entry("session.x64quantprecision"))
        return start(path, options, **other)

    monkeypatch.setattr(onnxruntime, "InferenceSession", recorded)
    (tmp_path / "model.onnx").write_bytes(tiny_model([1.0, 0.0, 0.0]))
    (tmp_path / "tokenizer.json").write_bytes(tiny_tokenizer())

    NliScorer(tmp_path)

    assert asked == ["1"]


def test_vectors_of_a_model_that_gives_none_are_empty(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(tiny_model([1.0, 0.0, 0.0]))
    (tmp_path / "tokenizer.json").write_bytes(tiny_tokenizer())

    one, other = NliScorer(tmp_path).vectors(["A mill.", "A river."])

    assert one.size == other.size == 0
    assert one @ other == 0.0
