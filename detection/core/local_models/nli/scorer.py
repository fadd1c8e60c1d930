"""The NLI cross-encoder: whether a premise entails or contradicts a hypothesis, or neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from ...errors import ModelUnavailable
from ...types import NliPair, NliScore
from ..vectors import NO_VECTOR, Vector
from .batches import batches
from .calibration import load_temperature
from .description import Label, load_description
from .products import open_session

#: The inputs of a session, with the attribute of the tokenizer's encoding for each.
_INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
_IDS = "input_ids"
#: The output with a vector of the input, which a model may have (``detection/lab/training/nli/sentence_vectors.py``).
VECTOR = "vector"
_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}

Number = TypeVar("Number", np.float32, np.float64)
Batch: TypeAlias = Sequence[Encoding]

#: The class that receives the probability of a label. A model with two classes cannot distinguish contradiction from
#: neutral, so everything that it does not entail counts as neutral.
_PLACES = {Label.ENTAILMENT: 0, Label.NEUTRAL: 1, Label.CONTRADICTION: 2, Label.REST: 1}


class NliScorer:
    """An ONNX model with its tokenizer, loaded once per process. Thread-safe.

    Args:
        folder: holds ``model.onnx`` (inputs ``input_ids``, ``attention_mask`` and, if the model has them,
            ``token_type_ids``: integers ``[batch, tokens]``; output logits ``[batch, classes]``, and for vectors of
            sentences ``vector`` ``[batch, width]``) with any external data, and ``tokenizer.json``; for a calibrated
            model ``calibration.json``; for a model that is not ours ``model.json`` with the meaning of its logits.
        threads: number of batches in parallel, each on one core: two batches on one core each take four fifths of the
            time of two consecutive batches on both cores.

    Raises:
        ModelUnavailable: the folder has no model that can be loaded.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        # Before the model, which takes long to load: a broken calibration is told at once.
        self._temperature = load_temperature(folder)
        self._cores = threads
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="nli")
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = open_session(folder / "model.onnx", threads=1)
        except Exception as error:  # neither library has a base class for its errors
            raise ModelUnavailable(f"The NLI model in {folder} cannot be loaded: {error}") from error
        description = load_description(folder)
        self._places = _places(description.labels)
        self._inputs = {node.name: node.type for node in self._session.get_inputs()}
        unknown = [name for name, kind in self._inputs.items() if name not in _INPUTS or kind not in _INTEGERS]
        if unknown or _IDS not in self._inputs:
            raise ModelUnavailable(
                f"The NLI model in {folder} wants the inputs {', '.join(map(repr, self._inputs))}. "
                f"Only {', '.join(_INPUTS)} are known, as integers."
            )
        outputs = [node.name for node in self._session.get_outputs()]
        self._output = "logits" if "logits" in outputs else outputs[0]
        self._gives_vectors = VECTOR in outputs
        self._tokenizer.enable_truncation(description.max_tokens, strategy="longest_first")
        self._tokenizer.no_padding()
        self._pad_id = description.pad_id

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the session's inputs."""
        return tuple(self._inputs)

    def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        """Judge every pair; the result has the order of ``pairs``."""
        encodings = self._tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in pairs])
        return [NliScore(*row.tolist()) for row in self._in_batches(self._scores, encodings)]

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length 1 of each text, by which topics can be compared; empty ones if the model gives none."""
        if not self._gives_vectors:
            return [NO_VECTOR] * len(texts)
        return self._in_batches(self._vectors, self._tokenizer.encode_batch(texts))

    def _in_batches(self, compute: Callable[[Batch], NDArray[Number]], encodings: Batch) -> list[NDArray[Number]]:
        """The row of each encoding."""
        positions = batches([len(encoding) for encoding in encodings], cores=self._cores)
        # With one core in this thread, whose computing time the caller may measure.
        run = map if self._cores == 1 else self._threads.map
        rows = run(compute, ([encodings[i] for i in batch] for batch in positions))
        found = dict(zip(chain.from_iterable(positions), chain.from_iterable(rows), strict=True))
        return [found[position] for position in range(len(encodings))]

    def _vectors(self, batch: Batch) -> Vector:
        vectors = self._run(VECTOR, batch)
        normed: Vector = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return normed

    def _scores(self, batch: Batch) -> NDArray[np.float64]:
        logits = self._run(self._output, batch)
        if logits.shape != (len(batch), len(self._places)):
            raise ModelUnavailable(
                f"The NLI model gives {list(logits.shape)} numbers for {len(batch)} pairs, "
                f"where its labels want {len(self._places)} for each."
            )
        return _softmax(np.asarray(logits, dtype=np.float64) / self._temperature) @ self._places

    def _run(self, output: str, batch: Batch) -> NDArray[np.float32]:
        result: NDArray[np.float32]
        (result,) = self._session.run([output], {name: self._padded(name, batch) for name in self._inputs})
        return result

    def _padded(self, name: str, batch: Batch) -> NDArray[np.int32] | NDArray[np.int64]:
        """An input of the session [pair, token]."""
        shape = len(batch), max(map(len, batch))
        padded = np.full(shape, self._pad_id if name == _IDS else 0, dtype=_INTEGERS[self._inputs[name]])
        for row, encoding in zip(padded, batch, strict=True):
            row[: len(encoding)] = getattr(encoding, _INPUTS[name])
        return padded


def _places(labels: Sequence[Label]) -> NDArray[np.float64]:
    """The matrix ``[label, place]`` that converts probabilities of the labels to those of :class:`NliScore`."""
    places = np.zeros((len(labels), len(NliScore._fields)))
    for column, label in enumerate(labels):
        places[column, _PLACES[label]] = 1.0
    return places


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: NDArray[np.float64] = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities
