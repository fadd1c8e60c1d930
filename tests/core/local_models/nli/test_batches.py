from hypothesis import given
from hypothesis import strategies as st

from detection.core.local_models.nli.batches import MAX_CHARS, MAX_PAIRS, batches
from detection.core.types import NliPair


def _pairs(*lengths: int) -> list[NliPair]:
    return [NliPair("p" * (length - 1), "h") for length in lengths]


def test_short_pairs_share_a_batch_with_those_of_their_length() -> None:
    found = batches(_pairs(*([90, 40] * MAX_PAIRS)))
    assert found == [list(range(1, 2 * MAX_PAIRS, 2)), list(range(0, 2 * MAX_PAIRS, 2))]


def test_long_pairs_share_a_batch_as_far_as_their_padded_size_allows() -> None:
    third = MAX_CHARS // 3
    assert batches(_pairs(third, third, third, third)) == [[0, 1, 2], [3]]
    assert batches(_pairs(40, MAX_CHARS // 2, MAX_CHARS // 2 + 1)) == [[0, 1], [2]]


def test_a_pair_that_is_too_long_is_alone() -> None:
    assert batches(_pairs(MAX_CHARS + 5, 40, MAX_CHARS * 4)) == [[1], [0], [2]]


def test_nothing_makes_no_batch() -> None:
    assert batches([]) == []


def test_two_cores_share_what_would_fit_into_one_batch() -> None:
    assert batches(_pairs(40, 40, 40, 40), cores=2) == [[0, 1], [2, 3]]
    assert batches(_pairs(40, 40, 40), cores=2) == [[0], [1], [2]]
    assert batches(_pairs(40, 40, 40, MAX_CHARS), cores=2) == [[0, 1, 2], [3]]
    assert batches(_pairs(40), cores=2) == [[0]]


@given(lengths=st.lists(st.integers(1, 2 * MAX_CHARS), max_size=40), cores=st.integers(1, 4))
def test_each_pair_is_in_one_batch(lengths: list[int], cores: int) -> None:
    found = batches(_pairs(*lengths), cores=cores)
    assert sorted(position for batch in found for position in batch) == list(range(len(lengths)))
