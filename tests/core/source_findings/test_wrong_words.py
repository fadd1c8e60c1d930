"""Which words of a sentence the source contradicts where no values clash, and what is offered instead."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import pytest

from detection.core.local_models.process import InProcessModels
from detection.core.source_findings.wrong_words import clashing_words, contradicted_words
from detection.core.types import NliPair, NliScore
from tests.core.conftest import Prepare

PREMISE = "The tray and the lid can be washed; the blade cannot."
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


Named = Callable[..., Awaitable[tuple[str | None, list[NliPair]]]]


@pytest.fixture
def name_words(local_models: InProcessModels, prepare_all: Prepare) -> Named:
    """Gives the named words of a sentence, and the pairs that were scored for them."""

    async def named(
        sentence: str, judge: Callable[[str], NliScore], score: NliScore = AGAINST
    ) -> tuple[str | None, list[NliPair]]:
        (prepared,) = prepare_all(sentence)
        scorer = Scorer(local_models, judge)
        span = await contradicted_words(prepared, PREMISE, score, scorer)
        return (span.of(prepared.text) if span else None), scorer.asked

    return named


async def test_the_shortest_phrase_without_which_the_source_bears_the_sentence_out_is_named(name_words: Named) -> None:
    named, _ = await name_words(
        "The tray and the sharp blade can be washed.",
        lambda hypothesis: AGAINST if "blade" in hypothesis else FOR,
    )
    assert named == "the sharp blade"


async def test_a_conjunction_before_the_words_is_not_named(name_words: Named) -> None:
    named, _ = await name_words(
        "The tray can be washed and goes in the oven.",
        lambda hypothesis: FOR if hypothesis == "The tray can be washed." else AGAINST,
    )
    assert named == "goes in the oven"


async def test_a_negation_is_named_with_what_it_denies(name_words: Named) -> None:
    named, _ = await name_words(
        "The tray and the lid can never be washed.", lambda hypothesis: AGAINST if "never" in hypothesis else FOR
    )
    assert named == "never be washed"


@pytest.mark.parametrize("rest", [AGAINST, NEITHER])
async def test_no_words_are_named_if_the_rest_is_not_borne_out_either(name_words: Named, rest: NliScore) -> None:
    named, asked = await name_words("The blade can be washed.", lambda _: rest)
    assert named is None
    assert asked


async def test_nothing_is_tried_where_the_source_sentence_is_no_contradiction(name_words: Named) -> None:
    named, asked = await name_words("The blade can be washed.", lambda _: FOR, NEITHER)
    assert named is None
    assert asked == []


async def test_of_a_long_sentence_only_some_phrases_are_tried(name_words: Named) -> None:
    long = "The blade " + "and the blue lid of the old tray " * 10 + "can be washed."
    _, asked = await name_words(long, lambda _: NEITHER)
    assert 0 < len(asked) <= 40


@pytest.mark.parametrize(
    ("earlier", "later", "of_earlier", "of_later"),
    [
        (
            "Please leave a key with the caretaker, Mrs Gwilym, whose flat is on the ground floor.",
            "Mrs Gwilym lives on the top floor and is usually in before noon.",
            "ground",
            "top",
        ),
        (
            "Do not take two tablets to make up for a missed one.",
            "If you missed yesterday's dose, take a double dose today.",
            "not take",
            "a double dose",
        ),
        (
            "A flood wall for the lower part of town, planned since 2015, has still not been built.",
            "In the lower part of town, the flood wall completed three years ago prevented even greater damage.",
            None,
            None,
        ),
    ],
)
async def test_words_without_which_two_sentences_agree_are_named_in_both(
    local_models: InProcessModels,
    prepare_all: Prepare,
    earlier: str,
    later: str,
    of_earlier: str | None,
    of_later: str | None,
) -> None:
    first, second = prepare_all(f"{earlier} {later}")
    spans = await clashing_words(first, second, local_models), await clashing_words(second, first, local_models)
    named = [span and span.of(one.text) for span, one in zip(spans, (first, second), strict=True)]
    assert named == [of_earlier, of_later]


async def test_neither_the_subject_nor_shared_words_are_where_two_sentences_differ(
    local_models: InProcessModels, prepare_all: Prepare
) -> None:
    first, second = prepare_all("The tray can be washed by machine. The tray and the lid never go in a machine.")
    rests = {"Can be washed by machine.", "The tray can be washed."}
    scorer = Scorer(local_models, lambda hypothesis: NEITHER if hypothesis in rests else AGAINST)
    assert await clashing_words(first, second, scorer) is None
    assert {pair.hypothesis for pair in scorer.asked} >= rests
