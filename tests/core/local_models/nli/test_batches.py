from hypothesis import given
from hypothesis import strategies as st

from detection.core.local_models.nli.batches import MAX_PAIRS, MAX_TOKENS, batches, estimated_tokens


def test_short_pairs_share_a_batch_with_those_of_their_length() -> None:
    found = batches([90, 40] * MAX_PAIRS)
    assert found == [list(range(0, 2 * MAX_PAIRS, 2)), list(range(1, 2 * MAX_PAIRS, 2))]


def test_pairs_of_unlike_length_are_apart_where_their_padding_would_cost_more_than_a_batch() -> None:
    assert batches([40, 300, 42]) == [[1], [0, 2]]
    assert batches([40, 50, 42]) == [[0, 2, 1]]


def test_long_pairs_share_a_batch_as_far_as_their_padded_size_allows() -> None:
    third = MAX_TOKENS // 3
    assert sorted(map(len, batches([third] * 4))) == [1, 3]
    assert batches([MAX_TOKENS // 2 - 1, MAX_TOKENS // 2]) == [[0, 1]]
    assert batches([MAX_TOKENS // 2 - 1, MAX_TOKENS // 2 + 1]) == [[1], [0]]


def test_a_pair_that_is_too_long_is_alone() -> None:
    assert batches([MAX_TOKENS + 5, 40, MAX_TOKENS * 4]) == [[2], [0], [1]]


def test_nothing_makes_no_batch() -> None:
    assert batches([]) == []


def test_two_cores_share_what_would_fit_into_one_batch() -> None:
    assert batches([40, 40, 40, 40], cores=2) == [[0, 1], [2, 3]]
    assert batches([40, 40, 40], cores=2) == [[0], [1], [2]]
    assert batches([40, 40, 40, MAX_TOKENS], cores=2) == [[3], [0, 1, 2]]
    assert batches([40], cores=2) == [[0]]


@given(tokens=st.lists(st.integers(0, 2 * MAX_TOKENS), max_size=40), cores=st.integers(1, 4))
def test_each_pair_is_in_one_batch(tokens: list[int], cores: int) -> None:
    found = batches(tokens, cores=cores)
    assert sorted(position for batch in found for position in batch) == list(range(len(tokens)))
    assert all(len(batch) <= MAX_PAIRS for batch in found)
    assert all(len(batch) == 1 or len(batch) * max(tokens[i] for i in batch) <= MAX_TOKENS for batch in found)


def test_the_tokens_of_a_text_are_estimated_from_its_length() -> None:
    assert estimated_tokens("The mill was built in 1843.") == 7
