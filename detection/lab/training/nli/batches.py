"""Batches of token ids with few fixed shapes.

Batches group pairs of similar length, because padding costs time. Few shapes, because oneDNN compiles a kernel for
every new shape: a step takes 3.1 seconds with arbitrary shapes, and 0.9 seconds with these.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from .units import Unit

# Batches are formed within pools of this many units: similar lengths within a pool, random order across pools.
_POOL_SIZE = 600
_LEAST_ROWS = 4


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Token ids and token types of ``[CLS] premise [SEP] hypothesis [SEP]``."""

    ids: tuple[int, ...]
    type_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded arrays with one row per pair, and empty rows to fill the shape.

    ``allowed`` and ``weights`` have no empty rows. ``ranks`` has rows of class, better pair, worse pair.
    """

    input_ids: NDArray[np.int64]
    attention_mask: NDArray[np.int64]
    token_type_ids: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    weights: NDArray[np.float32]
    ranks: NDArray[np.int64]


def load_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    """The tokenizer with the runtime's settings: longest-first truncation, no padding."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[EncodedPair]:
    """Token ids of (premise, hypothesis) pairs."""
    return [EncodedPair(tuple(e.ids), tuple(e.type_ids)) for e in tokenizer.encode_batch(list(pairs))]


def padded(
    pairs: Sequence[EncodedPair], *, rows: int = 0, length: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Input ids, attention mask and token types as arrays [pair, longest pair], or larger ones.

    An empty row has one unmasked token, because attention over nothing is NaN.
    """
    shape = (max(rows, len(pairs)), max(length, *(len(pair.ids) for pair in pairs)))
    ids, mask, types = (np.zeros(shape, np.int64) for _ in range(3))
    mask[:, 0] = 1
    for row, pair in enumerate(pairs):
        length = len(pair.ids)
        ids[row, :length] = pair.ids
        mask[row, :length] = 1
        types[row, :length] = pair.type_ids
    return ids, mask, types


class TrainingSet:
    """Units with their token ids. Equal seeds give equal batches, so that a run can resume.

    Args:
        units: the training data; a unit stays in one batch.
        tokenizer: truncates pairs to the last of ``lengths``.
        tokens_per_batch: rows times length of a batch, with padding.
        lengths: the permitted lengths of a batch, ascending.
    """

    def __init__(
        self, units: Sequence[Unit], tokenizer: Tokenizer, tokens_per_batch: int, lengths: Sequence[int]
    ) -> None:
        self._units = units
        self._pairs = [encode(tokenizer, [(e.premise, e.hypothesis) for e in unit.examples]) for unit in units]
        self._tokens_per_batch = tokens_per_batch
        self._lengths = lengths

    def plan(self, seed: str) -> list[list[int]]:
        """Indices of the units of every batch, in training order."""
        chooser = random.Random(seed)  # noqa: S311 - order of units, not secrecy
        order = list(range(len(self._units)))
        chooser.shuffle(order)
        plan: list[list[int]] = []
        for start in range(0, len(order), _POOL_SIZE):
            cuts = list(self._cut(sorted(order[start : start + _POOL_SIZE], key=self._longest)))
            chooser.shuffle(cuts)
            plan += cuts
        return plan

    def batch(self, indices: Sequence[int]) -> Batch:
        """The batch of these units, in the shape of the longest pair."""
        pairs = [pair for index in indices for pair in self._pairs[index]]
        examples = [example for index in indices for example in self._units[index].examples]
        length = self._fixed_length(max(len(pair.ids) for pair in pairs))
        return Batch(
            *padded(pairs, rows=self._rows(length), length=length),
            allowed=np.array([example.label.allowed for example in examples]),
            weights=np.array([example.weight for example in examples], np.float32),
            ranks=self._ranks(indices),
        )

    def _ranks(self, indices: Sequence[int]) -> NDArray[np.int64]:
        rows = []
        first = 0
        for index in indices:
            unit = self._units[index]
            rows += [(rank.of, first + rank.better, first + rank.worse) for rank in unit.ranks]
            first += len(unit.examples)
        return np.array(rows, np.int64).reshape(-1, 3)

    def _cut(self, pool: Sequence[int]) -> Iterator[list[int]]:
        """Split a pool sorted by length into batches that fit their shape."""
        current: list[int] = []
        pairs = 0
        for index in pool:
            added = len(self._pairs[index])
            if current and pairs + added > self._rows(self._fixed_length(self._longest(index))):
                yield current
                current, pairs = [], 0
            current.append(index)
            pairs += added
        if current:
            yield current

    def _longest(self, index: int) -> int:
        return max(len(pair.ids) for pair in self._pairs[index])

    def _fixed_length(self, tokens: int) -> int:
        return next(length for length in self._lengths if length >= tokens)

    def _rows(self, length: int) -> int:
        return max(_LEAST_ROWS, self._tokens_per_batch // length // 2 * 2)
