"""Labels of suggestions are stored as codes and rendered in one place; old rows stay readable."""

from __future__ import annotations

import pytest

from detection import wording
from detection.core.labels import SuggestionLabel, read_label


@pytest.mark.parametrize("label", SuggestionLabel)
def test_every_label_is_read_as_it_was_stored_and_has_words(label: SuggestionLabel) -> None:
    words = str(wording.SUGGESTION_LABELS[label])
    numbers = tuple(range(3, 3 + words.count("%s")))
    stored = label.of(*numbers)
    assert read_label(stored) == (label, numbers)
    assert len(stored) <= 80, "longer than the column"
    rendered = wording.suggestion_label(stored)
    assert rendered == words % numbers
    assert all(str(number) in rendered for number in numbers)


@pytest.mark.parametrize("stored", ["Keep sentence 3", "Put it back", "", "keep_sentence x", "use_source -1"])
def test_what_earlier_versions_stored_is_shown_as_it_is(stored: str) -> None:
    assert read_label(stored) is None
    assert wording.suggestion_label(stored) == stored


@pytest.mark.parametrize(("stored", "shown"), [("keep_sentence", "Keep sentence"), ("use_source 3", "Use the source")])
def test_a_label_with_too_few_or_too_many_numbers_breaks_no_page(stored: str, shown: str) -> None:
    assert wording.suggestion_label(stored) == shown
