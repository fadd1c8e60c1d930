"""Units of authored rows: their ranks must agree with the rows."""

import random

import pytest

from detection.lab.training.nli import authored
from detection.lab.training.nli.authored import OWN_DIRECTORY, Origin
from detection.lab.training.nli.data import Example
from detection.lab.training.nli.labels import InferenceClass, Label
from detection.lab.training.nli.units import Unit

SIDES = {
    "g": "t-1", "topic": "Orla Mill",
    "a": "The mill grinds rye only.", "b": "The mill grinds wheat only.",
    "only_a": ["No wheat is ground.", "Its flour is dark."], "only_b": ["No rye is ground."],
    "both": ["It lies by a river.", "It has two stones."],
}  # fmt: skip
GROUP = {
    "g": "t-2", "topic": "Orla Mill", "base": "It burned in 1820.", "same": ["Fire took it in 1820."],
    "contra": ["It never burned.", "It fell in a flood."],
    "neutral": ["It was rebuilt.", "Its owner wept.", "A barn burned in 1907."],
}  # fmt: skip
SOURCE = {
    "g": "t-3", "source": "The mill burned in 1820 and was rebuilt.",
    "claims": [{"t": f"Claim {letter} number {n}.", "l": letter} for letter in "scu" for n in range(4)],
}  # fmt: skip
TEXT = {"g": "t-4", "sentences": [f"Sentence {n}." for n in range(7)], "pairs": [{"a": 1, "b": 5}], "clean": False}
TWIN = {
    "g": "t-5", "topic": "Orla Mill",
    "sentences": [f"Sentence {n} tells of the mill." for n in range(7)],
    "pairs": [{"a": 1, "b": 4, "fixed": "Repaired four."}, {"a": 4, "b": 6, "fixed": "Repaired six."}],
    "traps": [[2, 5]],
}  # fmt: skip
TWO_SOURCES = {
    "g": "t-6", "source_a": "It burned.", "source_b": "It stood.",
    "claims": [
        {"t": "Fire took it.", "a": "s", "b": "c"}, {"t": "It is whole.", "a": "c", "b": "s"},
        {"t": "Flames rose.", "a": "s", "b": "u"}, {"t": "It was blue.", "a": "u", "b": "u"},
        {"t": "It was here.", "a": "s", "b": "s"},
    ],
}  # fmt: skip
SEEDS = range(40)


def of_ranks(unit: Unit) -> list[tuple[InferenceClass, Example, Example]]:
    return [(rank.of, unit.examples[rank.better], unit.examples[rank.worse]) for rank in unit.ranks]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sentence_contradicts_the_other_side_more_than_its_own(seed):
    unit = authored.sides_unit(SIDES, random.Random(seed))

    same_sentence = 0
    for of, better, worse in of_ranks(unit):
        assert of is InferenceClass.CONTRADICTION
        assert better.label is Label.CONTRADICTION
        assert worse.label is Label.NOT_CONTRADICTION
        same_sentence += any(
            sentence in f"{better.premise} {better.hypothesis}" and sentence in f"{worse.premise} {worse.hypothesis}"
            for sentence in [*SIDES["only_a"], *SIDES["only_b"]]
        )
    assert same_sentence >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_contradictions_of_a_group_outrank_what_is_compatible(seed):
    unit = authored.groups_unit(GROUP, random.Random(seed))

    assert unit.ranks
    for example in unit.examples:
        text = f"{example.premise} {example.hypothesis}".lower()
        names_clash = any(clash in text for clash in ("never burned", "in a flood"))
        assert names_clash == (example.label is Label.CONTRADICTION)
    for _, better, worse in of_ranks(unit):
        assert better.label is Label.CONTRADICTION
        assert worse.label is not Label.CONTRADICTION


def test_claims_of_a_source_are_ranked_for_entailment_and_contradiction():
    units = list(authored.sources_units(SOURCE, random.Random(1)))

    assert sum(len(unit.examples) for unit in units) == 12
    for of, better, worse in (rank for unit in units for rank in of_ranks(unit)):
        best = {InferenceClass.ENTAILMENT: Label.ENTAILMENT, InferenceClass.CONTRADICTION: Label.CONTRADICTION}[of]
        assert better.label is best
        assert worse.label is not best


def test_planted_contradictions_outrank_other_pairs_of_the_text():
    unit = authored.texts_unit(TEXT, random.Random(1), contradiction_weight=1.5)

    planted, *others = unit.examples
    assert {planted.premise, planted.hypothesis} == {"Sentence 1.", "Sentence 5."}
    assert (planted.label, planted.weight) == (Label.CONTRADICTION, 1.5)
    assert {other.label for other in others} == {Label.NOT_CONTRADICTION}
    assert len(unit.ranks) == 4


@pytest.mark.parametrize("seed", SEEDS)
def test_contradictions_of_a_marked_text_stand_beside_its_traps(seed):
    trapped = {**TEXT, "topic": "", "traps": [[0, 3]]}
    unit = authored.marked_text_unit(trapped, random.Random(seed))

    planted, trap, *others = [
        ({text for text in ("Sentence 0.", "Sentence 1.", "Sentence 3.", "Sentence 5.")
          if text in f"{e.premise} {e.hypothesis}"}, e.label)
        for e in unit.examples
    ]  # fmt: skip
    assert planted == ({"Sentence 1.", "Sentence 5."}, Label.CONTRADICTION)
    assert trap == ({"Sentence 0.", "Sentence 3."}, Label.NOT_CONTRADICTION)
    assert {label for _, label in others} == {Label.NOT_CONTRADICTION}
    assert len(unit.ranks) == 4


@pytest.mark.parametrize("seed", SEEDS)
def test_a_repaired_sentence_contradicts_less_than_the_one_it_replaces(seed):
    unit = authored.twins_unit(TWIN, random.Random(seed))

    texts = [{example.premise, example.hypothesis} for example in unit.examples]
    clashes = [text for text, example in zip(texts, unit.examples, strict=True) if example.label is Label.CONTRADICTION]
    assert len(clashes) == len(TWIN["pairs"])
    # The first sentence of the second pair is repaired itself, so only the first pair has a twin.
    pairs = [
        (f"{better.premise} {better.hypothesis}", f"{worse.premise} {worse.hypothesis}")
        for _, better, worse in of_ranks(unit)
    ]
    assert any("Sentence 1" in clash and "Sentence 4" in clash and "Repaired four." in twin for clash, twin in pairs)
    compatible = [f"{e.premise} {e.hypothesis}" for e in unit.examples if e.label is not Label.CONTRADICTION]
    assert not any("Sentence 4" in text or "Sentence 6" in text for text in compatible)
    assert any("Sentence 2" in text and "Sentence 5" in text for text in compatible)


def test_a_claim_is_ranked_by_the_version_of_the_source_that_bears_it_out():
    units = list(authored.two_sources_units(TWO_SOURCES, random.Random(1)))

    ranks = {
        (of, better.hypothesis, better.premise, worse.premise) for unit in units for of, better, worse in of_ranks(unit)
    }
    assert ranks == {
        (InferenceClass.ENTAILMENT, "Fire took it.", "It burned.", "It stood."),
        (InferenceClass.CONTRADICTION, "Fire took it.", "It stood.", "It burned."),
        (InferenceClass.ENTAILMENT, "It is whole.", "It stood.", "It burned."),
        (InferenceClass.CONTRADICTION, "It is whole.", "It burned.", "It stood."),
        (InferenceClass.ENTAILMENT, "Flames rose.", "It burned.", "It stood."),
    }
    assert sum(len(unit.examples) for unit in units) == 2 * len(TWO_SOURCES["claims"])


@pytest.mark.parametrize("kind", ["sides", "groups", "sources", "texts", "twins", "two_sources"])
def test_our_own_rows_are_whole_and_part_of_them_is_held_out(kind, tmp_path):
    unit_of = {
        "sides": authored.sides_unit,
        "groups": authored.groups_unit,
        "twins": authored.twins_unit,
        "two_sources": lambda row, chooser: next(authored.two_sources_units(row, chooser)),
        "sources": lambda row, chooser: next(authored.sources_units(row, chooser)),
        "texts": authored.texts_unit,
    }[kind]
    trained, kept = (
        authored.read_authored(tmp_path, OWN_DIRECTORY, kind, Origin.OWN, held_out=held_out)
        for held_out in (False, True)
    )

    assert kept
    assert len({row["g"] for row in [*trained, *kept]}) == len(trained) + len(kept)
    chooser = random.Random(1)
    assert all(unit_of(row, chooser).examples for row in trained)
