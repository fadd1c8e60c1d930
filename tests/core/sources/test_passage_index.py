from __future__ import annotations

import pytest

from detection.core.sources.passage_index import PassageIndex

PASSAGES = ["The mill opened in 1894.", "Rye and flax grow here.", "The council met on a rainy day."]


def test_the_passage_that_shares_most_scores_highest() -> None:
    scores = PassageIndex(PASSAGES).scores("When was the opening of the mill?")
    assert scores.argmax() == 0
    assert scores[1] == 0


@pytest.mark.parametrize(("passages", "text"), [(PASSAGES, "..."), (["- -", "..."], "The mill"), ([], "The mill")])
def test_where_there_are_no_words_nothing_is_shared(passages: list[str], text: str) -> None:
    assert PassageIndex(passages).scores(text).tolist() == [0.0] * len(passages)
