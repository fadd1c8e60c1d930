"""Sentences that restate a source stand beside sentences that contradict it."""

import random

from detection.lab.training.nli.labels import Label
from detection.lab.training.nli.restated import nearest_sentence, restated_claims_unit, restated_facts_units

SOURCE = "The tenants may keep one cat, but no dog. The rent of the flat is 1,150 pounds."
RENT = "The rent of the flat is 1,150 pounds."
FACTS = {
    "g": "w1-001",
    "topic": "",
    "source": SOURCE,
    "facts": [
        {
            "s": "For the flat, 1,150 pounds of rent are due.",
            "c": "The rent of the flat is 1,200 pounds.",
            "w": "1,150",
        },
        {"s": "Nobody pays for heating.", "c": "Heating is billed each spring.", "w": "invented"},
    ],
    "u": [],
}


def _pairs(examples: list) -> set[tuple[frozenset[str], Label]]:
    return {(frozenset((example.premise, example.hypothesis)), example.label) for example in examples}


def test_a_restatement_is_compatible_and_ranks_below_what_contradicts() -> None:
    (unit,) = restated_facts_units(FACTS, random.Random(1))
    fact = FACTS["facts"][0]
    found = _pairs(unit.examples)

    assert (frozenset((RENT, fact["s"])), Label.NOT_CONTRADICTION) in found
    assert (frozenset((fact["s"], fact["c"])), Label.CONTRADICTION) in found
    assert (frozenset((RENT, fact["c"])), Label.CONTRADICTION) in found
    assert unit.ranks
    for rank in unit.ranks:
        assert unit.examples[rank.better].label is Label.CONTRADICTION
        assert unit.examples[rank.worse].label is Label.NOT_CONTRADICTION


def test_what_shares_too_few_words_restates_no_sentence() -> None:
    assert nearest_sentence([SOURCE], "Nobody pays for heating.") is None
    assert nearest_sentence([], "Nobody pays for heating.") is None


def test_only_supported_claims_restate() -> None:
    claims = [{"t": "The rent is 1,150 pounds.", "l": "s"}, {"t": "The rent of the flat is 900 pounds.", "l": "c"}]
    unit = restated_claims_unit({"source": SOURCE, "claims": claims}, random.Random(1))

    assert unit is not None
    assert _pairs(unit.examples) == {(frozenset((RENT, "The rent is 1,150 pounds.")), Label.NOT_CONTRADICTION)}
    assert restated_claims_unit({"source": SOURCE, "claims": claims[1:]}, random.Random(1)) is None
