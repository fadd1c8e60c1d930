"""Which words of a sentence the source contradicts where no values clash, and what is offered instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.grounding.local_reading import Reading
from detection.core.local_models.process import InProcessModels
from detection.core.source_findings.wrong_words import contradicted_words
from detection.core.sources.library import open_library
from detection.core.types import NliPair, NliScore, SourceText

AGAINST, FOR, NEITHER = NliScore(0.0, 0.1, 0.9), NliScore(0.95, 0.05, 0.0), NliScore(0.3, 0.6, 0.1)


class Scorer:
    """The local models, whose scorer says of each hypothesis what ``judge`` says; it keeps what was asked."""

    def __init__(self, models: InProcessModels, judge: Callable[[str], NliScore]) -> None:
        self.parse, self.cut, self.parse_stretches = models.parse, models.cut, models.parse_stretches
        self.decision = models.decision
        self.asked: list[NliPair] = []
        self._judge = judge

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        self.asked += pairs
        return [self._judge(pair.hypothesis) for pair in pairs]


async def words_of(
    models: InProcessModels,
    prepare_all: Callable[[str], list[ComparableSentence]],
    sentence: str,
    judge: Callable[[str], NliScore],
    score: NliScore = AGAINST,
) -> tuple[str | None, Scorer]:
    (prepared,) = prepare_all(sentence)
    library = await open_library(
        [SourceText("1", "Source", "The tray and the lid can be washed; the blade cannot.")], models
    )
    (source,) = await library.sentences_of(library.sections)
    scorer = Scorer(models, judge)
    span = await contradicted_words(prepared, Reading(source, 0.5, score), scorer)
    return (span.of(prepared.text) if span else None), scorer


async def test_the_shortest_phrase_without_which_the_source_bears_the_sentence_out_is_named(
    local_models: InProcessModels, prepare_all: Callable[[str], list[ComparableSentence]]
) -> None:
    named, _ = await words_of(
        local_models,
        prepare_all,
        "The tray and the sharp blade can be washed.",
        lambda hypothesis: AGAINST if "blade" in hypothesis else FOR,
    )
    assert named == "the sharp blade"


async def test_a_conjunction_before_the_words_is_not_named(
    local_models: InProcessModels, prepare_all: Callable[[str], list[ComparableSentence]]
) -> None:
    named, _ = await words_of(
        local_models,
        prepare_all,
        "The tray can be washed and goes in the oven.",
        lambda hypothesis: FOR if hypothesis == "The tray can be washed." else AGAINST,
    )
    assert named == "goes in the oven"


@pytest.mark.parametrize("rest", [AGAINST, NEITHER])
async def test_no_words_are_named_if_the_rest_is_not_borne_out_either(
    local_models: InProcessModels, prepare_all: Callable[[str], list[ComparableSentence]], rest: NliScore
) -> None:
    named, scorer = await words_of(local_models, prepare_all, "The blade can be washed.", lambda _: rest)
    assert named is None
    assert scorer.asked


async def test_nothing_is_tried_where_the_source_sentence_is_no_contradiction(
    local_models: InProcessModels, prepare_all: Callable[[str], list[ComparableSentence]]
) -> None:
    named, scorer = await words_of(local_models, prepare_all, "The blade can be washed.", lambda _: FOR, NEITHER)
    assert named is None
    assert scorer.asked == []


async def test_of_a_long_sentence_only_some_phrases_are_tried(
    local_models: InProcessModels, prepare_all: Callable[[str], list[ComparableSentence]]
) -> None:
    long = "The blade " + "and the blue lid of the old tray " * 10 + "can be washed."
    _, scorer = await words_of(local_models, prepare_all, long, lambda _: NEITHER)
    assert 0 < len(scorer.asked) <= 40
