"""How many sentences of a changed text are asked about again."""

from __future__ import annotations

import pytest

from detection.core.rewriting.changes import TextChange, text_change

OLD = "The mill burned down. It was rebuilt soon. The wheel is of oak. Guests are welcome."


def test_nothing_is_asked_about_a_text_that_stays() -> None:
    assert text_change(OLD, OLD, reach=100) == TextChange(total=4, changed=0, in_reach=0)


@pytest.mark.parametrize(("reach", "in_reach"), [(0, 0), (1, 1), (4, 1), (5, 2), (9, 2), (10, 3)])
def test_sentences_are_in_reach_until_the_words_of_the_prompt_end(reach: int, in_reach: int) -> None:
    new = OLD.replace("burned down", "was sold")
    assert text_change(OLD, new, reach=reach) == TextChange(total=4, changed=1, in_reach=in_reach)
