"""Class probabilities of sentence pairs, from the exported file or from PyTorch weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from detection.core.local_models.nli.products import open_session

from .batches import EncodedPair, encode, load_tokenizer, padded

Pair = tuple[str, str]
Probabilities = NDArray[np.float64]

#: The inputs of a model; one without token types has the first two.
INPUTS = ("input_ids", "attention_mask", "token_type_ids")

_TOKENS_PER_BATCH = 4096


class Scorer(Protocol):
    """Gives probabilities [pair, class] of (premise, hypothesis) pairs."""

    def __call__(self, pairs: Sequence[Pair]) -> Probabilities: ...


def softmax(logits: NDArray[np.floating], temperature: float = 1.0) -> Probabilities:
    """Probabilities of logits [pair, class]."""
    scaled = np.asarray(logits, np.float64) / temperature
    exponentials = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    probabilities: Probabilities = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return probabilities


class OnnxScorer:
    """Scores with an exported model, like the runtime."""

    def __init__(self, model: Path, tokenizer: Path, *, max_tokens: int, threads: int = 2) -> None:
        self._session = open_session(model, threads=threads)
        self._inputs = [node.name for node in self._session.get_inputs()]
        self._tokenizer = load_tokenizer(tokenizer, max_tokens)

    def __call__(self, pairs: Sequence[Pair]) -> Probabilities:
        """Probabilities [pair, class]; duplicate pairs are scored once."""
        return softmax(self.logits(pairs))

    def logits(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Logits [pair, class]."""
        unique = list(dict.fromkeys(pairs))
        encoded = encode(self._tokenizer, unique)
        logits = np.empty((len(unique), 3), np.float32)
        for chosen in by_length(encoded, _TOKENS_PER_BATCH):
            arrays = dict(zip(INPUTS, padded([encoded[index] for index in chosen]), strict=True))
            logits[chosen] = self._session.run(["logits"], {name: arrays[name] for name in self._inputs})[0]
        row_of = {pair: row for row, pair in enumerate(unique)}
        return logits[[row_of[pair] for pair in pairs]]


def by_length(encoded: Sequence[EncodedPair], tokens: int) -> list[list[int]]:
    """The numbers of the pairs in groups of about one length, of at most so many tokens with the padding."""
    groups: list[list[int]] = []
    for index in sorted(range(len(encoded)), key=lambda number: len(encoded[number].ids)):
        if not groups or len(encoded[index].ids) * (len(groups[-1]) + 1) > tokens:
            groups.append([])
        groups[-1].append(index)
    return groups
