"""How like sentences are by their vectors."""

from __future__ import annotations

import numpy as np
import pytest

from detection.core.local_models.vectors import NO_VECTOR, likenesses


def test_what_all_have_in_common_does_not_count() -> None:
    one, near, far = (np.array(row, dtype=np.float32) for row in ([5.0, 1.0], [5.0, 0.9], [5.0, -1.0]))

    likeness = likenesses(one, [near, far])

    assert likeness == pytest.approx([1.0, -1.0], abs=0.01)


def test_without_vectors_all_are_alike() -> None:
    assert likenesses(NO_VECTOR, [NO_VECTOR, NO_VECTOR]) == [0.0, 0.0]


def test_equal_sentences_are_alike() -> None:
    same = np.array([0.6, 0.8], dtype=np.float32)
    assert likenesses(same, [same, same]) == [0.0, 0.0]
