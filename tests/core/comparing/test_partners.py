"""Which sentences are compared with each other, and how closely a sentence is related to the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from detection import wiring
from detection.core.comparing.partners import (
    MAX_OF_SHORT_TEXT,
    MAX_PARTNERS,
    EarlierPartners,
    mean_relatedness,
    nearest_in_words,
    partners,
)
from detection.core.local_models.decision import Decision, LogisticDecision, load_decision
from detection.core.local_models.process import InProcessModels
from detection.core.local_models.vectors import NO_VECTOR, Vector
from detection.core.types import NliPair, NliScore
from tests.core.conftest import Prepare

NEUTRAL = NliScore(entailment=0.01, neutral=0.98, contradiction=0.01)
AGAINST = NliScore(entailment=0.05, neutral=0.15, contradiction=0.8)
TEXT = "The mill stands in Orla. Its miller keeps two cows. The mill was built in 1849. The plan changed, however."


@dataclass
class ScriptedScores:
    """Gives the same score to all pairs with one hypothesis."""

    of_hypothesis: dict[str, NliScore]
    asked: list[NliPair] = field(default_factory=list)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        self.asked += pairs
        return [self.of_hypothesis.get(pair.hypothesis, NEUTRAL) for pair in pairs]

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return [NO_VECTOR] * len(texts)

    def decision(self, about: Decision) -> LogisticDecision:
        return load_decision(wiring.model_settings().nli, about)


async def test_partners_are_the_other_sentences_nearest_in_topic_first(prepare_all: Prepare) -> None:
    sentences, models = prepare_all(TEXT), ScriptedScores({})

    assert await partners(sentences, 2, range(2), models) == [0, 1]
    assert await partners(sentences, 0, [1, 2], models) == [2, 1]


async def test_a_sentence_of_a_long_text_has_a_limited_number_of_partners(
    prepare_all: Prepare, local_models: InProcessModels
) -> None:
    sentences = prepare_all(" ".join(f"The mill of Orla has {number} sacks of flour." for number in range(20, 50)))

    assert len(await partners(sentences, 29, range(29), local_models)) == MAX_PARTNERS


LONG = (
    "The museum of Orla opened in 1962. It stands on the market square. The architect was Ada Lorn. "
    "The roof was repaired twice. A collector left it 300 paintings. The largest one shows a harbour. "
    "Most rooms face the river. The café serves soup and bread. A lift leads to the second floor. "
    "The garden has old apple trees. Schools come in the morning. The guards wear blue coats. "
    "Nobody has to pay for admission. The windows were made in Lorgen. The library holds 9,000 volumes. "
    "The director speaks four languages. A tram stops at the corner. In winter the galleries are heated. "
)
LAST = "At the desk, visitors buy a ticket for six euros."


@pytest.mark.parametrize("model", ["shipped", "without vectors"])
async def test_a_sentence_in_other_words_is_a_partner_if_the_model_gives_vectors(
    prepare_all: Prepare, local_models: InProcessModels, model: str
) -> None:
    sentences = prepare_all(LONG + LAST)
    models = local_models if model == "shipped" else ScriptedScores({})
    free = next(i for i, sentence in enumerate(sentences) if "Nobody has to pay" in sentence.text)
    last = len(sentences) - 1
    assert sentences[free].overlap(sentences[last]) == 0.0

    found = await partners(sentences, last, range(last), models)

    assert (free in found) is (model == "shipped")
    assert len(found) == MAX_PARTNERS


async def test_for_a_rewrite_the_sentences_with_its_words_are_enough(prepare_all: Prepare) -> None:
    sentences = prepare_all(f"{LONG} At the desk a ticket costs six euros. {LAST}")
    last = len(sentences) - 1
    models = ScriptedScores({})  # gives no vectors

    nearest = nearest_in_words(sentences, last, range(last))

    assert nearest[0] == last - 1
    assert len(nearest) == MAX_OF_SHORT_TEXT
    assert (await partners(sentences, last, nearest, models))[0] == last - 1


async def test_a_sentence_about_something_else_is_no_partner(
    prepare_all: Prepare, local_models: InProcessModels
) -> None:
    sentences = prepare_all("".join(f"{text}. " for text in LONG.split(". ")[:9]) + "The roof was never repaired.")
    last = len(sentences) - 1

    found = await partners(sentences, last, range(last), local_models)

    assert found[0] == next(i for i, sentence in enumerate(sentences) if "repaired twice" in sentence.text)
    assert len(found) < last


async def test_a_sentence_that_seems_to_contradict_all_others_is_closely_related_to_them(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    models = ScriptedScores({"The plan changed, however.": AGAINST})

    of_all = [await mean_relatedness(EarlierPartners(sentences), index, models) for index in range(4)]

    assert max(of_all) == of_all[3]
    assert of_all[2] < of_all[1] < of_all[0] < of_all[3], "neutral scores lower it, the more the surer"


async def test_only_sentences_before_it_count(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    models = ScriptedScores({})

    await mean_relatedness(EarlierPartners(sentences), 1, models)

    assert [(pair.premise, pair.hypothesis) for pair in models.asked] == [(sentences[0].text, sentences[1].text)]


async def test_sentences_under_a_parallel_heading_are_no_partners_and_do_not_count(prepare_all: Prepare) -> None:
    sentences = prepare_all("## Alden\n\nThe mill was built in 1849.\n\n## Berrow\n\nThe mill was built in 1871.\n")
    models = ScriptedScores({})

    await mean_relatedness(EarlierPartners(sentences), 3, models)

    assert 1 not in await partners(sentences, 3, range(3), models)
    assert models.asked == []


async def test_the_partners_of_a_sentence_are_computed_once(prepare_all: Prepare) -> None:
    @dataclass
    class CountedVectors(ScriptedScores):
        calls: int = 0

        async def vectors(self, texts: Sequence[str]) -> list[Vector]:
            self.calls += 1
            return await super().vectors(texts)

    sentences = prepare_all(f"{TEXT} The mill is built of brick.")
    earlier, models = EarlierPartners(sentences), CountedVectors({})

    found = [await earlier.of(4, models) for _ in range(2)]

    assert found == [await partners(sentences, 4, range(4), ScriptedScores({}))] * 2
    assert models.calls == 1
