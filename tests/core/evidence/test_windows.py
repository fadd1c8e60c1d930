from __future__ import annotations

from itertools import pairwise

import pytest

from detection.core.evidence.windows import MAX_WINDOWS, entailments, nearest_windows, windows
from detection.core.local_models.process import InProcessModels
from detection.core.types import NliPair

FILLER = "The valley has many farms, and the farms grow rye and flax on small fields. "
CLAIM = "The Sorrel Bridge was opened in 1911."
TOLD = "The Sorrel Bridge was opened in May 1911."


def test_a_short_text_is_read_as_it_stands() -> None:
    assert windows("Two  words") == ["Two  words"]


@pytest.mark.parametrize("length", [91, 135, 136, 400])
def test_windows_hold_every_word_and_overlap(length: int) -> None:
    words = [str(number) for number in range(length)]
    parts = [window.split() for window in windows(" ".join(words))]
    assert all(len(part) <= 90 for part in parts)
    assert [part[0] for part in parts] == [str(45 * number) for number in range(len(parts))]
    assert parts[-1][-1] == words[-1]
    assert all(later[0] in earlier for earlier, later in pairwise(parts))


def test_of_a_long_document_the_nearest_windows_are_read() -> None:
    document = FILLER * 200 + TOLD + " " + FILLER * 60
    found = nearest_windows(document, CLAIM)
    assert len(found) == MAX_WINDOWS < len(windows(document))
    assert TOLD in found[0]


@pytest.mark.parametrize(("document", "claim"), [("", CLAIM), ("- " * 2_000, CLAIM), (FILLER * 200, "..."), ("", "")])
def test_where_there_are_no_words_some_windows_are_read(document: str, claim: str) -> None:
    assert 1 <= len(nearest_windows(document, claim)) <= MAX_WINDOWS


async def test_the_best_window_of_each_document_counts(local_models: InProcessModels) -> None:
    document = FILLER * 100 + TOLD + " " + FILLER * 100
    pairs = [NliPair(document, CLAIM), NliPair(FILLER * 100, CLAIM), NliPair(TOLD, CLAIM)]
    told, silent, alone = await entailments(pairs, local_models)
    assert told > silent + 0.3
    assert alone > silent + 0.3


async def test_no_documents_have_no_scores(local_models: InProcessModels) -> None:
    assert await entailments([], local_models) == []
