"""The list of English words is made of the authored texts, and of their texts only."""

from __future__ import annotations

from detection.core.language.english import ENGLISH_WORDS_FILE
from detection.lab.training.language.english_words import frequent_words


def test_a_word_counts_once_for_each_row_and_names_of_rows_and_of_people_do_not() -> None:
    rows = [
        {"g": "va-1", "text": "The pump runs, and the pump stops.", "claims": [{"t": "Anna’s pump", "l": "s"}]},
        {"g": "va-2", "text": "A pump of Anna."},
    ]
    assert frequent_words(rows, at_least=2) == ["pump"]


def test_the_file_has_words_that_english_sentences_have_and_none_of_other_languages() -> None:
    words = set(ENGLISH_WORDS_FILE.read_text(encoding="utf-8").split())
    assert {"the", "pump", "rained", "house"} <= words
    assert not {"ist", "nous", "muy", "anche", "niet", "muito"} & words
