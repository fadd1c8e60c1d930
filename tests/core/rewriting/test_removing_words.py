"""When a sentence without some of its words is offered."""

from __future__ import annotations

import pytest

from detection.core.labels import SuggestionLabel
from detection.core.local_models.process import InProcessModels
from detection.core.rewriting.recheck import Recheck
from detection.core.rewriting.rewrites import proposal
from detection.core.types import FindingKind

from ..conftest import Prepare

CONFLICT = FindingKind.CONFLICTS_WITH_SOURCE
SENTENCE = "The mill was sold in 1902, and the old family moved to Bergen."


@pytest.mark.parametrize(
    ("wording", "still_wrong", "is_offered"),
    [
        ("The mill was sold in 1902, and the family moved to Bergen.", "", True),
        ("The mill was sold in 1902, and the family moved to Bergen.", "Bergen", False),
        ("The mill sold 1902 and the old family.", "", False),
        ("The mill was sold. The old family moved to Bergen.", "", False),
    ],
)
async def test_the_structure_stays_and_the_problem_goes(
    local_models: InProcessModels, prepare_all: Prepare, wording: str, still_wrong: str, is_offered: bool
) -> None:
    async def find(index: int, sentence: object, left_out: frozenset[int]) -> frozenset[FindingKind]:
        return frozenset({CONFLICT} if still_wrong and still_wrong in getattr(sentence, "text", "") else ())

    (sentence,) = prepare_all(SENTENCE)
    recheck = Recheck(local_models, find)
    found = await proposal(sentence, wording, SuggestionLabel.REMOVE_WORDS.of(), recheck, fixes=CONFLICT)
    assert (found is not None) is is_offered
    assert found is None or (found.replacement == wording and not found.verified)
