"""Which of two contradicting sentences is changed where the sources give one of the two values only."""

from __future__ import annotations

import pytest

from detection.core.detectors.cross_contradiction import CrossContradiction
from detection.core.detectors.grounding import Grounding
from detection.core.types import FindingKind

from .conftest import Check

TEXT = (
    "The Holm Bridge was opened in 1911. It carries two lanes of traffic. Painters renew its colour every ten years. "
    "The Holm Bridge was opened in 1923."
)
NEITHER = "The Holm Bridge crosses the Arne. It carries two lanes of traffic."


async def _offered(check: Check, source: str) -> tuple[list[str], list[int]]:
    """The rewrites of the contradiction, and the sentences that it offers to remove."""
    result = await check(TEXT, source, detectors=(CrossContradiction.id, Grounding.id))
    (found,) = (f for f in result.findings if f.kind is FindingKind.CROSS_CONTRADICTION)
    rewrites = [s.replacement for s in found.suggestions if s.replacement]
    return rewrites, [s.sentence for s in found.suggestions if not s.replacement]


@pytest.mark.parametrize(
    ("year", "wrong"), [pytest.param(1911, 3, id="the later one is wrong"), pytest.param(1923, 0, id="the earlier one")]
)
async def test_only_the_value_of_the_source_is_offered(check: Check, year: int, wrong: int) -> None:
    rewrites, removed = await _offered(check, f"The bridge over the Arne was inaugurated in {year}. It has two lanes.")
    assert rewrites == [f"The Holm Bridge was opened in {year}."]
    assert removed == [wrong]


async def test_where_no_source_decides_both_are_offered(check: Check) -> None:
    rewrites, removed = await _offered(check, NEITHER)
    assert sorted(rewrites) == ["The Holm Bridge was opened in 1911.", "The Holm Bridge was opened in 1923."]
    assert removed == [3]
