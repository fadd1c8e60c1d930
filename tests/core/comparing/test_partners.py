"""Which sentences are compared with each other, and how closely a sentence is related to the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from detection.core.comparing.partners import MAX_PARTNERS, mean_relatedness, partners
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


def test_partners_are_the_other_sentences_nearest_in_topic_first(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)

    assert partners(sentences, 2, range(2)) == [0, 1]
    assert partners(sentences, 0, [1, 2]) == [2, 1]


def test_a_sentence_of_a_long_text_has_a_limited_number_of_partners(prepare_all: Prepare) -> None:
    sentences = prepare_all(" ".join(f"The mill of Orla has {number} sacks of flour." for number in range(20, 50)))

    assert len(partners(sentences, 29, range(29))) == MAX_PARTNERS


async def test_a_sentence_that_seems_to_contradict_all_others_is_closely_related_to_them(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    models = ScriptedScores({"The plan changed, however.": AGAINST})

    of_all = [await mean_relatedness(sentences, index, models) for index in range(4)]

    assert max(of_all) == of_all[3]
    assert of_all[2] < of_all[1] < of_all[0] < of_all[3], "neutral scores lower it, the more the surer"


async def test_only_sentences_before_it_count(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    models = ScriptedScores({})

    await mean_relatedness(sentences, 1, models)

    assert [(pair.premise, pair.hypothesis) for pair in models.asked] == [(sentences[0].text, sentences[1].text)]


async def test_sentences_under_a_parallel_heading_are_no_partners_and_do_not_count(prepare_all: Prepare) -> None:
    sentences = prepare_all("## Alden\n\nThe mill was built in 1849.\n\n## Berrow\n\nThe mill was built in 1871.\n")
    models = ScriptedScores({})

    await mean_relatedness(sentences, 3, models)

    assert sentences[1].text not in {sentences[i].text for i in partners(sentences, 3, range(3))}
    assert models.asked == []
