"""Batches of training data with few fixed shapes.

Batches group pairs of similar length, because padding costs time. Few shapes, because oneDNN compiles a kernel for
every new shape: a step takes 3.1 seconds with arbitrary shapes, and 0.9 seconds with these.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .packing import PackedUnits

# Batches are formed within pools of this many units: similar lengths within a pool, random order across pools.
_POOL_SIZE = 600
_LEAST_ROWS = 4


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


class TrainingSet:
    """Forms batches of units. Equal seeds give equal batches, so that a run can resume.

    Args:
        units: the training data; a unit stays in one batch, and the passes over the data follow each other.
        tokens_per_batch: rows times length of a batch, with padding.
        lengths: the permitted lengths of a batch, ascending; pairs are truncated to the last one.
    """

    def __init__(self, units: PackedUnits, tokens_per_batch: int, lengths: Sequence[int]) -> None:
        self._units = units
        self._tokens_per_batch = tokens_per_batch
        self._lengths = lengths
        longest = np.maximum.reduceat(units.lengths(lengths[-1]), units.pair_starts[:-1])
        self._longest: list[int] = longest.tolist()
        self._sizes: list[int] = np.diff(units.pair_starts).tolist()

    def plan(self, seed: str) -> list[list[int]]:
        """Indices of the units of every batch, in training order."""
        chooser = random.Random(seed)  # noqa: S311 - order of units, not secrecy
        plan: list[list[int]] = []
        for first, end in pairwise(self._units.unit_starts.tolist()):
            order = list(range(first, end))
            chooser.shuffle(order)
            for start in range(0, len(order), _POOL_SIZE):
                cuts = list(self._cut(sorted(order[start : start + _POOL_SIZE], key=self._longest.__getitem__)))
                chooser.shuffle(cuts)
                plan += cuts
        return plan

    def batch(self, indices: Sequence[int]) -> Batch:
        """The batch of these units, in the shape of the longest pair."""
        starts = self._units.pair_starts
        numbers = np.concatenate([np.arange(starts[index], starts[index + 1]) for index in indices])
        length = self._fixed_length(max(self._longest[index] for index in indices))
        return Batch(
            *self._units.padded(numbers, self._rows(length), length),
            allowed=self._units.allowed[numbers],
            weights=self._units.weights[numbers],
            ranks=self._ranks(indices),
        )

    def _ranks(self, indices: Sequence[int]) -> NDArray[np.int64]:
        """The ranks of these units, with the places of the pairs in the batch."""
        rows = [np.zeros((0, 3), np.int64)]
        first = 0
        for index in indices:
            start, end = self._units.rank_starts[index : index + 2]
            rows.append(self._units.ranks[start:end].astype(np.int64) + np.array([0, first, first]))
            first += self._sizes[index]
        return np.concatenate(rows)

    def _cut(self, pool: Sequence[int]) -> Iterator[list[int]]:
        """Split a pool sorted by length into batches that fit their shape."""
        current: list[int] = []
        pairs = 0
        for index in pool:
            added = self._sizes[index]
            if current and pairs + added > self._rows(self._fixed_length(self._longest[index])):
                yield current
                current, pairs = [], 0
            current.append(index)
            pairs += added
        if current:
            yield current

    def _fixed_length(self, tokens: int) -> int:
        return next(length for length in self._lengths if length >= tokens)

    def _rows(self, length: int) -> int:
        return max(_LEAST_ROWS, self._tokens_per_batch // length // 2 * 2)
