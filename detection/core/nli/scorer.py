"""The NLI cross-encoder: does a premise entail, contradict or leave open a hypothesis?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from ..errors import ModelUnavailable
from ..types import NliPair, NliScore
from .calibration import load_temperature

#: What the encoder has positions for. A pair of a passage and a sentence within the pipeline's limits fits.
MAX_TOKENS = 512
BATCH_SIZE = 32


class NliScorer:
    """An ONNX model with its tokenizer, loaded once a process. Safe to call from several threads.

    Args:
        folder: holds ``model.onnx`` (inputs ``input_ids, attention_mask, token_type_ids``: int64 ``[batch, tokens]``;
            output logits ``[batch, 3]`` in the order of :class:`NliScore`), ``tokenizer.json`` and, where the model
            was calibrated, ``calibration.json``.
        threads: how many cores one batch may use.

    Raises:
        ModelUnavailable: the folder has no model that can be loaded.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Threads that spin while they wait for work would take the core from the process that serves the pages.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # neither library has a base class for its errors
            raise ModelUnavailable(f"The NLI model in {folder} cannot be loaded: {error}") from error
        self._temperature = load_temperature(folder)
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
        self._tokenizer.enable_padding()

    def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        """Judge every pair; the result has the order of ``pairs``.

        Pairs of similar length share a batch, so that short ones are not padded to the length of long ones.
        """
        by_length = sorted(range(len(pairs)), key=lambda i: len(pairs[i].premise) + len(pairs[i].hypothesis))
        scores: list[NliScore] = [NliScore(0.0, 1.0, 0.0)] * len(pairs)
        for start in range(0, len(by_length), BATCH_SIZE):
            positions = by_length[start : start + BATCH_SIZE]
            for position, row in zip(positions, self._score_batch([pairs[i] for i in positions]), strict=True):
                scores[position] = NliScore(*row.tolist())
        return scores

    def _score_batch(self, pairs: Sequence[NliPair]) -> NDArray[np.float64]:
        encodings = self._tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in pairs])
        inputs = {
            "input_ids": np.array([encoding.ids for encoding in encodings], dtype=np.int64),
            "attention_mask": np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64),
            "token_type_ids": np.array([encoding.type_ids for encoding in encodings], dtype=np.int64),
        }
        (logits,) = self._session.run(["logits"], inputs)
        return _softmax(np.asarray(logits, dtype=np.float64) / self._temperature)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: NDArray[np.float64] = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities
