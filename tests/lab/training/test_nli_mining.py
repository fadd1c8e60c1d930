"""Compatible pairs that a model mistakes for contradictions."""

import random

import numpy as np

from detection.lab.training.nli.data import fold_of, read_rows
from detection.lab.training.nli.mining import hardest_pairs, save_pairs
from detection.lab.training.nli.natural import Document

SENTENCES = (
    "The harbour of Orla opened in the spring.",
    "The harbour of Orla was never opened.",
    "The harbour master of Orla kept bees.",
    "Nobody knows why.",
)


def scores_of(pairs):
    """A model that scores "never" as a contradiction."""
    alarm = np.array(["never" in f"{premise} {hypothesis}" for premise, hypothesis in pairs]) * 0.8 + 0.1
    return np.stack([0.9 - alarm, np.full(len(pairs), 0.1), alarm], axis=1)


def document(trains: bool) -> Document:
    name = next(name for name in map(str, range(99)) if (fold_of(name, 2) == 0) == trains)
    return Document(name, SENTENCES)


def test_the_pairs_that_alarm_the_model_most_come_first():
    pairs = hardest_pairs(scores_of, [document(trains=True)], 2, random.Random(1))

    assert all(any("never" in sentence for sentence in pair) for pair in pairs)
    assert len(pairs) == 2


def test_sentences_without_a_word_in_common_are_not_paired():
    pairs = hardest_pairs(scores_of, [document(trains=True)], 99, random.Random(1))

    assert not any("Nobody knows why." in pair for pair in pairs)
    assert len(pairs) == 3


def test_texts_that_are_held_out_are_not_mined(tmp_path):
    mixed = [document(trains=False), document(trains=True)]
    assert len(hardest_pairs(scores_of, mixed, 99, random.Random(1))) == 3


def test_saved_pairs_are_rows(tmp_path):
    save_pairs([("First – one.", "Second.")], tmp_path / "mined.jsonl")

    assert list(read_rows(tmp_path / "mined.jsonl")) == [{"premise": "First – one.", "hypothesis": "Second."}]
