"""Vectors of sentences, for ranking them by topic."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Of length 1: the product of two vectors is the larger, the more similar their sentences are.
Vector = NDArray[np.float32]

#: What a model without vectors gives: every product is 0.
NO_VECTOR: Vector = np.zeros(0, dtype=np.float32)
