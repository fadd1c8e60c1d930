"""Vectors of sentences, for ranking them by topic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: A row of numbers, of length 1.
Vector = NDArray[np.float32]

#: What a model without vectors gives: it is like every other one.
NO_VECTOR: Vector = np.zeros(0, dtype=np.float32)

_TINY = 1e-9


def likenesses(one: Vector, others: Sequence[Vector]) -> list[float]:
    """How like ``one`` each of ``others`` is, from -1 to 1.

    This is the cosine after the mean of all is subtracted, because sentences of one text have much in common.
    """
    vectors = np.stack([one, *others]).astype(np.float64)
    vectors -= vectors.mean(axis=0)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), _TINY)
    likeness: list[float] = (vectors[1:] @ vectors[0]).tolist()
    return likeness
