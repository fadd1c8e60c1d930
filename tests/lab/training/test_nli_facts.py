"""Sources with facts become units of training examples."""

import random

from detection.lab.training.nli.facts import WordingWeights, fact_pairs_unit, facts_units
from detection.lab.training.nli.labels import InferenceClass, Label

ROW = {
    "g": "w1-001",
    "topic": "flat",
    "source": "The tenants may keep one cat, but no dog. The rent is 1,150 pounds.",
    "facts": [
        {"s": "Dogs are not allowed in the flat.", "c": "The tenants may keep a dog.", "w": "no dog"},
        {"s": "The rent is 1,150 pounds.", "c": "The tenants pay 1,200 pounds.", "w": "1,150"},
        {"s": "A single cat is allowed.", "c": "Cats are forbidden in the flat.", "w": "one cat may be kept"},
    ],
    "u": ["The flat has two rooms."],
}


def test_the_two_sentences_of_a_fact_stand_in_one_unit_and_are_ranked() -> None:
    units = list(facts_units(ROW, WordingWeights([ROW]), random.Random(1)))

    assert [len(unit.examples) for unit in units] == [3, 2, 2]
    for unit in units:
        labels = [example.label for example in unit.examples]
        assert labels[:2] == [Label.ENTAILMENT, Label.CONTRADICTION]
        assert {example.premise for example in unit.examples} == {ROW["source"]}
        best = {InferenceClass.ENTAILMENT: 0, InferenceClass.CONTRADICTION: 1}
        assert all(rank.better == best[rank.of] != rank.worse for rank in unit.ranks)


def test_a_wording_that_tells_the_label_weighs_less() -> None:
    weights = WordingWeights([ROW])

    telling = weights.example(ROW["source"], "Dogs are not allowed in the flat.", Label.ENTAILMENT)
    rare = weights.example(ROW["source"], "A single cat is allowed.", Label.ENTAILMENT)

    assert telling.weight < 1 < rare.weight


def test_sentences_of_one_fact_contradict_each_other_and_others_do_not() -> None:
    unit = fact_pairs_unit(ROW, random.Random(1))
    clashing = [example for example in unit.examples if example.label is Label.CONTRADICTION]

    assert len(clashing) == len(ROW["facts"])
    sentences = {frozenset((fact["s"], fact["c"])) for fact in ROW["facts"]}
    assert {frozenset((e.premise.removeprefix("flat: "), e.hypothesis)) for e in clashing} <= sentences
    assert all(e.label is Label.NOT_CONTRADICTION for e in unit.examples if e not in clashing)
    assert all(unit.examples[rank.better] in clashing for rank in unit.ranks)
    assert not any(unit.examples[rank.worse] in clashing for rank in unit.ranks)
