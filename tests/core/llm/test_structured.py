"""Extract JSON from model answers."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.llm.structured import NoJson, find_array, find_list, find_objects


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('[["a", "b", "c"]]', [["a", "b", "c"]]),
        ('Here you are:\n```json\n[["a", "b", "c"]]\n```\nAnything else?', [["a", "b", "c"]]),
        ('Sure! [["a", "b", "c"],] I hope this helps.', [["a", "b", "c"]]),
        ('[["a", "b", "c"], ["d", "e", "f"], ["g", "h', [["a", "b", "c"], ["d", "e", "f"]]),
        ('[["a", "b ] c", "d"]]', [["a", "b ] c", "d"]]),
        ('[["a \\"quoted\\" word", "b", "c"]]', [['a "quoted" word', "b", "c"]]),
        ("[]", []),
    ],
)
def test_arrays_are_found_in_prose_fences_and_torn_off_answers(answer: str, expected: list[object]) -> None:
    assert find_array(answer) == expected


@pytest.mark.parametrize("answer", ["", "I cannot do that.", '{"a": 1}', "[", '["torn', "[1, 2", "[" * 50_000])
def test_an_answer_without_one_is_refused(answer: str) -> None:
    with pytest.raises(NoJson):
        find_array(answer)


@given(st.text(alphabet='[]{}",\\ab1\n`', max_size=60))
def test_no_answer_breaks_it(answer: str) -> None:
    with suppress(NoJson):
        assert isinstance(find_array(answer), list)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"facts": []}', []),
        ('Sure!\n```json\n{"facts": []}\n```', []),
        ("There is nothing to find: []", []),
        ('{"notes": [], "facts": [1]}', [1]),
        ('{"results": [1, 2]}', [1, 2]),
        ('[{"words": "a"}]', [{"words": "a"}]),
        ('{"facts": [1, [2], {"torn', [1, [2]]),
    ],
)
def test_a_list_is_found_under_its_name_under_another_and_bare(answer: str, expected: list[object]) -> None:
    assert find_list(answer, "facts") == expected


@pytest.mark.parametrize(
    "answer",
    ['{"results": []}', '{"error": [], "code": 3}', '{"data": {"facts": []}}', '{"facts": null}', "{} []", "No facts."],
)
def test_that_there_is_nothing_is_not_taken_from_a_list_of_another_name(answer: str) -> None:
    with pytest.raises(NoJson):
        find_list(answer, "facts")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('As for [ 1894 ]: {"a": [{"b": 1}]} That is all.', [{"a": [{"b": 1}]}]),
        ('{"a": [{"b": 1}, {"b": 2}, {"b', [{"b": 1}, {"b": 2}]),
        ('{"b": 1}\n{"b": 2}', [{"b": 1}, {"b": 2}]),
        ('```json\n{"a": "two\nlines",}\n```', [{"a": "two\nlines"}]),
        ("[1, 2]", []),
        ("I cannot do that.", []),
        ('{"a":' * 5_000, []),
    ],
)
def test_objects_are_found_wherever_they_stand(answer: str, expected: list[object]) -> None:
    assert find_objects(answer) == expected


@given(st.text(alphabet='[]{}",\\ab1:\n`', max_size=60))
def test_no_answer_breaks_the_search_for_objects(answer: str) -> None:
    assert all(isinstance(found, dict) for found in find_objects(answer))
