"""The weights of a training score pairs of many texts in one batch."""

import asyncio

import numpy as np
import pytest

from detection.core.types import NliPair, NliScore, PairKind
from detection.lab.training.decisions.features import gathered
from detection.lab.training.decisions.trained_models import TrainedModels


class Recorded:
    """A scorer that contradicts in hundredths of the length of the hypothesis, and records its batches."""

    def __init__(self):
        self.batches = []

    def __call__(self, pairs):
        self.batches.append(list(pairs))
        if any(hypothesis == "broken" for _, hypothesis in pairs):
            raise ValueError("broken pair")
        return np.array([[0, 1 - len(second) / 100, len(second) / 100] for _, second in pairs])


class OfSlots:
    async def score(self, pairs):
        return [NliScore(1, 0, 0)] * len(pairs)


def contradictions(scores):
    return [score.contradiction for score in scores]


async def test_texts_that_ask_at_one_time_share_a_batch():
    scorer = Recorded()
    models = TrainedModels(OfSlots(), scorer)

    first, second = await asyncio.gather(
        models.score([NliPair("a", "x"), NliPair("a", "xxx")]), models.score([NliPair("b", "xx")])
    )

    assert scorer.batches == [[("a", "x"), ("a", "xxx"), ("b", "xx")]]
    assert (contradictions(first), contradictions(second)) == ([0.01, 0.03], [0.02])


async def test_pairs_of_slots_are_left_to_their_own_model():
    models = TrainedModels(OfSlots(), Recorded())

    assert await models.score([NliPair("a", "b", PairKind.SLOT)]) == [NliScore(1, 0, 0)]


async def test_an_error_reaches_every_text_of_its_batch_and_no_later_one():
    models = TrainedModels(OfSlots(), Recorded())

    found = await asyncio.gather(
        models.score([NliPair("a", "broken")]), models.score([NliPair("a", "x")]), return_exceptions=True
    )

    assert [str(error) for error in found] == ["broken pair"] * 2
    assert contradictions(await models.score([NliPair("a", "x")])) == [0.01]


@pytest.mark.parametrize("texts", [0, 1, 60])
async def test_cases_keep_the_order_of_their_texts(texts):
    async def cases(text):
        for number in range(2):
            await asyncio.sleep(0)
            yield {"text": text, "number": number}, number, f"g{text}"

    found = await gathered(2, (cases(text) for text in range(texts)))

    assert found.rows.tolist() == [[text, number] for text in range(texts) for number in range(2)]
    assert found.groups == tuple(f"g{text}" for text in range(texts) for _ in range(2))
