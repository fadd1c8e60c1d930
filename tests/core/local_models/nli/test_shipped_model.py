"""Evaluate the shipped NLI model on a small sample to detect a broken file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from detection import wiring
from detection.core.local_models.process import InProcessModels
from detection.core.types import NliScore

from .sample import PAIRS

LARGEST_BYTES = 40 * 1024 * 1024
#: Processors differ in the last points (core/local_models/nli/products.py).
TOLERANCE = 1


@pytest.fixture(scope="module")
def folder() -> Path:
    return wiring.model_settings().nli


def choice(score: NliScore) -> int:
    shares = (score.entailment, score.neutral, score.contradiction)
    return shares.index(max(shares))


def test_the_model_gets_as_many_right_as_its_card_says(local_models: InProcessModels, folder: Path) -> None:
    stated = re.search(r"own sample of (\d+) pairs: (\d+) right", (folder / "CARD.md").read_text())
    assert stated, "the card must state the figure"
    pairs = [pair for of_class in PAIRS for pair in of_class]
    truths = [position for position, of_class in enumerate(PAIRS) for _ in of_class]
    right = sum(choice(score) == truth for score, truth in zip(local_models.scorer.score(pairs), truths, strict=True))
    assert len(pairs) == int(stated[1])
    assert abs(right - int(stated[2])) <= TOLERANCE
    assert right > len(pairs) / 2


async def test_sentences_of_one_topic_have_similar_vectors(local_models: InProcessModels) -> None:
    free, paid, roof = await local_models.vectors(
        ["Nobody has to pay for admission.", "Visitors buy a ticket for six euros.", "The roof was repaired twice."]
    )
    assert free @ paid > max(free @ roof, paid @ roof)


def test_the_model_is_small_enough_to_ship(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) <= LARGEST_BYTES
