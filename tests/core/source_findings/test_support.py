"""Which quotes bear out a sentence that several sentences of a source support together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from detection.core.comparing.sentence import ComparableSentence
from detection.core.grounding.local_reading import read_for
from detection.core.local_models.decision import CERTAIN_SUPPORT
from detection.core.local_models.process import InProcessModels
from detection.core.source_findings.judgement import Judgement
from detection.core.source_findings.support import supporting_evidence
from detection.core.sources.library import open_library
from detection.core.types import NliPair, NliScore, SourceText, Verdict

STATEMENT = "The mill of Tom Berg grinds oats by the power of water."
OWNER, GRINDS, POWER = (
    "The mill belongs to Tom Berg.",
    "His mill grinds oats and barley.",
    "The power of the mill comes from water.",
)
SOURCE = f"Sallow lies by a river. {OWNER} {GRINDS} {POWER} The village has a market on Fridays."


class Entailing:
    """The local models, whose scorer entails from a premise that has all of ``needed``, and from no other."""

    def __init__(self, models: InProcessModels, needed: Sequence[str]) -> None:
        self.parse, self.cut, self.parse_stretches = models.parse, models.cut, models.parse_stretches
        self.decision = models.decision
        self._needed = needed

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return [self._score(all(one in pair.premise for one in self._needed)) for pair in pairs]

    @staticmethod
    def _score(entails: bool) -> NliScore:
        return NliScore(0.9, 0.1, 0.0) if entails else NliScore(0.1, 0.9, 0.0)


@pytest.mark.parametrize(
    ("needed", "quotes"),
    [
        ((GRINDS,), [GRINDS]),
        ((OWNER, GRINDS), [OWNER, GRINDS]),
        ((OWNER, POWER), [OWNER, POWER]),
        # No few sentences are enough: the whole passage is told.
        (("Sallow lies", OWNER, GRINDS, POWER, "Fridays"), [SOURCE]),
    ],
)
async def test_only_the_sentences_that_are_needed_for_the_support_are_quoted(
    local_models: InProcessModels,
    prepare_all: Callable[[str], list[ComparableSentence]],
    needed: Sequence[str],
    quotes: list[str],
) -> None:
    models = Entailing(local_models, needed)
    (sentence,) = prepare_all(STATEMENT)
    library = await open_library([SourceText("s", "Source", SOURCE)], models)
    judgement = Judgement(Verdict.SUPPORTED, CERTAIN_SUPPORT, await read_for(sentence, library, models), ())
    evidence = await supporting_evidence(judgement, sentence, models)
    assert [item.quote for item in evidence] == quotes
    assert [item.span.of(SOURCE) for item in evidence] == quotes
