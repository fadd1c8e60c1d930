"""Token ids in batches of like length: padding is time, and on two cores time is what there is least of."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from .data import Example

# Batches are cut from pools of this many examples, so that like lengths meet yet the order stays random.
_POOL_SIZE = 4096


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Token ids of ``[CLS] premise [SEP] hypothesis [SEP]``, and which sentence each belongs to."""

    ids: tuple[int, ...]
    type_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded arrays, one row a pair."""

    input_ids: NDArray[np.int64]
    attention_mask: NDArray[np.int64]
    token_type_ids: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    weights: NDArray[np.float32]


def load_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    """The tokenizer as the runtime sets it up: the longer sentence is cut first, nothing is padded."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[EncodedPair]:
    """Token ids of (premise, hypothesis) pairs."""
    return [EncodedPair(tuple(e.ids), tuple(e.type_ids)) for e in tokenizer.encode_batch(list(pairs))]


def padded(pairs: Sequence[EncodedPair]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Input ids, attention mask and token types as arrays [pair, longest pair]."""
    shape = (len(pairs), max(len(pair.ids) for pair in pairs))
    ids, mask, types = (np.zeros(shape, np.int64) for _ in range(3))
    for row, pair in enumerate(pairs):
        length = len(pair.ids)
        ids[row, :length] = pair.ids
        mask[row, :length] = 1
        types[row, :length] = pair.type_ids
    return ids, mask, types


class TrainingSet:
    """Examples with their token ids; gives the same batches for the same seed and epoch, so that a run can resume."""

    def __init__(self, examples: Sequence[Example], tokenizer: Tokenizer, tokens_per_batch: int) -> None:
        self._examples = examples
        self._pairs = encode(tokenizer, [(example.premise, example.hypothesis) for example in examples])
        self._tokens_per_batch = tokens_per_batch

    def plan(self, seed: str) -> list[list[int]]:
        """Indices of the examples of every batch, in training order."""
        chooser = random.Random(seed)  # noqa: S311 - order of examples, not secrecy
        order = list(range(len(self._pairs)))
        chooser.shuffle(order)
        plan: list[list[int]] = []
        for start in range(0, len(order), _POOL_SIZE):
            pool = sorted(order[start : start + _POOL_SIZE], key=lambda index: len(self._pairs[index].ids))
            cuts = list(self._cut(pool))
            chooser.shuffle(cuts)
            plan += cuts
        return plan

    def batch(self, indices: Sequence[int]) -> Batch:
        """The padded batch of these examples."""
        chosen = [self._examples[index] for index in indices]
        return Batch(
            *padded([self._pairs[index] for index in indices]),
            allowed=np.array([example.label.allowed for example in chosen]),
            weights=np.array([example.weight for example in chosen], np.float32),
        )

    def _cut(self, pool: Sequence[int]) -> Iterator[list[int]]:
        """Cuts a pool sorted by length into runs that fit the token budget once padded."""
        current: list[int] = []
        for index in pool:
            if current and len(self._pairs[index].ids) * (len(current) + 1) > self._tokens_per_batch:
                yield current
                current = []
            current.append(index)
        if current:
            yield current
