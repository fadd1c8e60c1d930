"""What stands around a sentence, as a premise for another one."""

from __future__ import annotations

from detection.core.comparing.surroundings import around, premises_around
from tests.core.conftest import Prepare

TEXT = (
    "Ines went in May. She counted herons. She saw 43. Ruth went in June. She counted, too. She noted 29. It was cold. "
    "Both wrote a report."
)


def test_two_sentences_on_either_side_surround_a_sentence(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)

    assert around(sentences, 4) == [2, 3, 4, 5, 6]
    assert around(sentences, 0) == [0, 1, 2]
    assert around(sentences, 7) == [5, 6, 7]


def test_the_surroundings_are_a_premise_with_and_without_their_sentence(prepare_all: Prepare) -> None:
    whole, rest = premises_around(prepare_all(TEXT), 2, 6)

    assert rest is not None
    assert whole.hypothesis == rest.hypothesis == "It was cold."
    assert whole.premise == "Ines went in May. She counted herons. She saw 43. Ruth went in June. She counted, too."
    assert rest.premise == "Ines went in May. She counted herons. Ruth went in June. She counted, too."


def test_the_other_sentence_is_no_part_of_them(prepare_all: Prepare) -> None:
    whole, rest = premises_around(prepare_all(TEXT), 4, 5)

    assert rest is not None
    assert whole.hypothesis == "She noted 29."
    assert whole.premise == "She saw 43. Ruth went in June. She counted, too. It was cold."
    assert rest.premise == "She saw 43. Ruth went in June. It was cold."


def test_two_sentences_alone_have_no_surroundings(prepare_all: Prepare) -> None:
    whole, rest = premises_around(prepare_all("The mill burned. The mill stands."), 0, 1)

    assert (whole.premise, rest) == ("The mill burned.", None)


def test_rows_of_a_table_surround_nothing(prepare_all: Prepare) -> None:
    sentences = prepare_all("The mill burned.\n\n| Mill | Built |\n|---|---|\n| Orla | 1849 |\n\nThe mill stands.")
    mill, stands = 0, len(sentences) - 1

    assert around(sentences, mill) == [mill]
    assert around(sentences, stands) == [stands]
