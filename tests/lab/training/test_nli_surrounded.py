"""A contradiction in its surroundings has a twin without the sentence that contradicts."""

import random

import pytest

from detection.lab.training.nli.labels import Label
from detection.lab.training.nli.surrounded import surrounded_twins, surrounded_unit

SENTENCES = [f"Sentence {number} of the mill." for number in range(10)]
TEXT = {
    "g": "t-1",
    "topic": "",
    "sentences": SENTENCES,
    "pairs": [{"a": 1, "b": 6, "fixed": "Repaired six."}, {"a": 4, "b": 9, "fixed": "Repaired nine."}],
}
CLEAN = {"g": "t-2", "topic": "", "sentences": SENTENCES, "pairs": []}
PLANTED = ({1, 6}, {4, 9})


def _numbers(text: str) -> set[int]:
    return {number for number, sentence in enumerate(SENTENCES) if sentence in text}


@pytest.mark.parametrize("seed", range(20))
def test_only_a_premise_with_the_other_side_contradicts(seed):
    unit = surrounded_unit(TEXT, random.Random(seed))

    for example in unit.examples:
        about = _numbers(example.hypothesis)
        clashing = any(about and about < pair and pair - about <= _numbers(example.premise) for pair in PLANTED)
        assert (example.label is Label.CONTRADICTION) == clashing
        assert not about & _numbers(example.premise)
    assert sum(example.label is Label.CONTRADICTION for example in unit.examples) == len(PLANTED)


@pytest.mark.parametrize("seed", range(20))
def test_a_contradiction_outranks_its_premise_without_the_sentence(seed):
    unit = surrounded_unit(TEXT, random.Random(seed))
    twins = 0
    for rank in unit.ranks:
        better, worse = unit.examples[rank.better], unit.examples[rank.worse]
        assert (better.label, worse.label) == (Label.CONTRADICTION, Label.NOT_CONTRADICTION)
        twins += better.hypothesis == worse.hypothesis and _numbers(worse.premise) < _numbers(better.premise)
    assert twins == len(PLANTED)


def test_repaired_texts_have_no_contradiction():
    units = [unit for seed in range(20) for unit in surrounded_twins([TEXT], random.Random(seed))]
    repaired = [unit for unit in units if all(e.label is Label.NOT_CONTRADICTION for e in unit.examples)]

    assert 0 < len(repaired) < 20
    texts = [text for unit in repaired for e in unit.examples for text in (e.premise, e.hypothesis)]
    assert any("Repaired six." in text for text in texts)
    assert not any(SENTENCES[6] in text for text in texts)


def test_a_text_without_contradictions_gives_compatible_pairs():
    unit = surrounded_unit(CLEAN, random.Random(1))

    assert {example.label for example in unit.examples} == {Label.NOT_CONTRADICTION}
    assert not unit.ranks
