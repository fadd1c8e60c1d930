"""Which pairs of sentences are read twice, and what is read of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from detection.core.comparing.pair_reading import read_pairs
from detection.core.comparing.partners import EarlierPartners
from detection.core.comparing.surroundings import Surroundings
from detection.core.types import NliPair, NliScore
from tests.core.conftest import Prepare

NEUTRAL = NliScore(entailment=0.01, neutral=0.98, contradiction=0.01)
AGAINST = NliScore(entailment=0.05, neutral=0.15, contradiction=0.8)
DOUBTFUL = NliScore(entailment=0.1, neutral=0.7, contradiction=0.2)
TEXT = "The mill was built in 1849. Its miller keeps two cows. The mill burned down. The mill was built in 1902."


@dataclass
class ScriptedScores:
    """Gives the same score to all pairs with one premise and hypothesis."""

    of_pair: dict[tuple[str, str], NliScore]
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        self.asked += [(pair.premise, pair.hypothesis) for pair in pairs]
        return [self.of_pair.get((pair.premise, pair.hypothesis), NEUTRAL) for pair in pairs]


async def test_a_pair_that_nothing_speaks_against_is_read_once_and_left_out(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    models = ScriptedScores({})

    assert await read_pairs(EarlierPartners(sentences), [(0, 1)], models) == []
    assert models.asked == [(sentences[0].text, sentences[1].text)]


async def test_a_pair_with_a_sign_of_a_contradiction_is_read_in_both_directions(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    mill, fire = sentences[0].text, sentences[2].text
    models = ScriptedScores({(mill, fire): AGAINST, (fire, mill): DOUBTFUL})

    [found] = await read_pairs(EarlierPartners(sentences), [(0, 1), (0, 2)], models)

    assert (found.earlier, found.later, found.clash) == (0, 2, 0.0)
    assert (found.forward, found.backward) == (AGAINST, DOUBTFUL)
    assert found.contradiction == (0.8 + 0.2) / 2


async def test_a_pair_that_the_other_direction_speaks_against_is_left_out(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    mill, fire = sentences[0].text, sentences[2].text
    models = ScriptedScores({(mill, fire): AGAINST})

    assert await read_pairs(EarlierPartners(sentences), [(0, 2)], models) == []
    assert models.asked == [(mill, fire), (fire, mill)]


async def test_the_surroundings_of_a_close_pair_are_read_with_and_without_its_sentences(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)
    mill, cows, fire, again = (sentence.text for sentence in sentences)
    models = ScriptedScores(
        {
            (mill, fire): AGAINST,
            (fire, mill): AGAINST,
            (f"{mill} {cows}", fire): NliScore(0.1, 0.2, 0.7),
            (cows, fire): NliScore(0.1, 0.6, 0.3),
            (f"{cows} {fire} {again}", mill): NliScore(0.1, 0.3, 0.6),
            (f"{cows} {again}", mill): NliScore(0.1, 0.5, 0.4),
        }
    )

    [found] = await read_pairs(EarlierPartners(sentences), [(0, 2)], models)

    assert found.around_earlier == Surroundings(with_sentence=0.7, without_sentence=0.3)
    assert found.around_later == Surroundings(with_sentence=0.6, without_sentence=0.4)


async def test_two_sentences_alone_have_nothing_around_them_that_speaks_against_either(prepare_all: Prepare) -> None:
    sentences = prepare_all("The mill burned. The mill stands.")
    models = ScriptedScores(
        {(sentences[0].text, sentences[1].text): AGAINST, (sentences[1].text, sentences[0].text): AGAINST}
    )

    [found] = await read_pairs(EarlierPartners(sentences), [(0, 1)], models)

    assert found.around_earlier == found.around_later == Surroundings(with_sentence=0.8, without_sentence=0.0)


async def test_values_that_exclude_each_other_are_a_sign_of_a_contradiction(prepare_all: Prepare) -> None:
    sentences = prepare_all(TEXT)

    [found] = await read_pairs(EarlierPartners(sentences), [(0, 3), (1, 3)], ScriptedScores({}))

    assert (found.earlier, found.later) == (0, 3)
    assert found.clash > 0.5
