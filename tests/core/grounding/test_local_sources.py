"""Several sources and long ones: which of them support a sentence, and the share that was read."""

from __future__ import annotations

import pytest

from detection.core.grounding.local_reading import MAX_PASSAGES
from detection.core.types import FindingKind, ReadShare, Verdict

from .conftest import Ground

LEDGER = "The mill at Sallow was built in 1870. It has nine rooms and a slate roof.\n"
LETTER = "My uncle owned the old mill at Sallow, built in 1870. He kept bees behind it.\n"
MENU = "The inn serves trout and dark bread. A room costs forty crowns a night.\n"
FILLER = "The council met on a rainy day and talked about the harbour wall for a long while. "


async def test_each_source_that_supports_a_sentence_is_quoted(ground: Ground) -> None:
    result = await ground("The mill at Sallow was built in 1870.", MENU, LETTER, LEDGER)
    assert result.verdict is Verdict.SUPPORTED
    assert [evidence.source for evidence in result.evidence] == ["2", "1"]
    for evidence, text in zip(result.evidence, (LEDGER, LETTER), strict=True):
        assert evidence.span.of(text) == evidence.quote
    scores = [evidence.score for evidence in result.evidence]
    assert scores == sorted(scores, key=lambda score: score or 0.0, reverse=True)


async def test_sources_that_disagree_are_named(ground: Ground) -> None:
    other = "The mill at Sallow was built in 1780.\n"
    result = await ground("The mill at Sallow was built in 1780.", LEDGER, other)
    (finding,) = result.findings
    assert result.verdict is Verdict.CONFLICTS_WITH_SOURCE
    assert finding.evidence[0].source == "0"
    assert (
        "The sources disagree: “Source 1” supports this sentence (“The mill at Sallow was built in 1780.”)."
        in finding.explanation
    )


async def test_one_source_against_the_sentence_says_nothing_of_a_disagreement(ground: Ground) -> None:
    (finding,) = (await ground("The mill at Sallow was built in 1780.", LEDGER, MENU)).findings
    assert "disagree" not in finding.explanation


async def test_a_short_source_is_read_whole_and_nothing_is_said_of_it(ground: Ground) -> None:
    result = await ground("The mill at Sallow was built in 1780.", LEDGER)
    assert result.read == ReadShare(1, 1)
    assert "passages" not in result.findings[0].explanation


async def test_of_a_long_source_the_reader_is_told_what_was_read(ground: Ground) -> None:
    pages = [f"{FILLER * 12}\n\n" for _ in range(40)]
    pages[36] = f"{FILLER * 4}The mill at Sallow was built in 1870. {FILLER * 4}\n\n"
    result = await ground("The mill at Sallow was built in 1780.", "".join(pages))
    (finding,) = result.findings
    assert str(finding.message) == "The source says “built in 1870”, this sentence says “built in 1780”."
    assert result.read is not None
    assert result.read.read == MAX_PASSAGES < result.read.total
    assert f"Of {result.read.total:,} passages the {MAX_PASSAGES} nearest were read." in finding.explanation


async def test_what_a_long_source_says_for_a_supported_sentence_carries_the_share_too(ground: Ground) -> None:
    result = await ground("The mill at Sallow was built in 1870.", FILLER * 300 + LEDGER)
    assert result.verdict is Verdict.SUPPORTED
    assert result.read is not None
    assert result.read.read < result.read.total


async def test_a_value_in_a_sentence_that_crosses_lines_is_found(ground: Ground) -> None:
    source = (
        "The mill at Sallow, which stands on the northern bank\nof the river Arn, was built\nin 1870 by two brothers.\n"
    )
    (finding,) = (await ground("The mill at Sallow was built in 1780.", source)).findings
    assert str(finding.message) == "The source says “built in 1870”, this sentence says “built in 1780”."
    assert finding.evidence[0].span.of(source) == finding.evidence[0].quote


async def test_rows_and_items_of_a_source_are_read(ground: Ground) -> None:
    source = (
        "# The mill\n\n- The mill has nine rooms.\n- The roof is made of slate.\n\n"
        "| Owner | Year |\n|---|---|\n| Ada Lind | 1894 |\n"
    )
    (finding,) = (await ground("The mill has twelve rooms.", source)).findings
    assert str(finding.message) == "The source says “nine rooms”, this sentence says “twelve rooms”."
    assert (await ground("The roof is made of slate.", source)).verdict is Verdict.SUPPORTED


async def test_a_known_value_in_a_near_copy_is_a_conflict_and_no_gap_in_the_source(ground: Ground) -> None:
    source = "Nordlys makes sensors for ships. The company has 32 employees in Bergen.\n"
    result = await ground("The company has 23 employees in the port of Bergen.", source)
    assert result.verdict is Verdict.CONFLICTS_WITH_SOURCE
    (finding,) = result.findings
    assert str(finding.message) == "The source says “32 employees”, this sentence says “23 employees”."


BREAD = (
    "For the dough mix 500 g of rye flour with 350 ml of lukewarm water and the starter, and leave it overnight in a "
    "warm place. In the morning add the salt and knead it for no longer than four minutes: rye has little gluten, and "
    "long kneading makes the crumb sticky. Shape it with wet hands. Bake it for 15 minutes at 250 degrees and then for "
    "40 minutes at 200. Do not cut the loaf before the next day. It keeps for ten days in a linen bag; plastic makes "
    "the crust soft."
)
MOVE = (
    "The move to the third floor is fixed for the weekend of 9 May. Please pack your own desk by Friday noon. Monitors "
    "stay where they are, since the new desks have their own. Finance moves a week later because of the audit. If you "
    "want a place near the window, tell Samira before Wednesday. Badges need not be changed."
)


@pytest.mark.parametrize(
    ("sentence", "source", "quoted"),
    [
        ("It tastes best when sliced straight from the oven.", BREAD, "Do not cut the loaf before the next day."),
        ("All badges have to be exchanged.", MOVE, "Badges need not be changed."),
    ],
)
async def test_a_conflict_in_other_words_quotes_the_sentence_that_decides(
    ground: Ground, sentence: str, source: str, quoted: str
) -> None:
    """Three other sentences share as many words with it or more, and one of them contradicts it more."""
    (finding,) = (await ground(sentence, source)).findings
    assert finding.kind is FindingKind.CONFLICTS_WITH_SOURCE
    assert [evidence.quote for evidence in finding.evidence] == [quoted]
