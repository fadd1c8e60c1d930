import random

import pytest

from detection.training.nli import synthesis
from detection.training.nli.data import Example
from detection.training.nli.labels import Label
from detection.training.nli.synthesis import PageClaim, Value, ValueKind


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The mill was built in 1820.", Value(ValueKind.YEAR, "1820")),
        ("It has 1,250 seats.", Value(ValueKind.NUMBER, "1,250")),
        ("It opened on 4 July.", Value(ValueKind.MONTH, "July")),
        ("It lies in northern Orland.", Value(ValueKind.DIRECTION, "northern")),
        ("It has three floors.", Value(ValueKind.NUMBER_WORD, "three")),
        ("It was the second mill.", Value(ValueKind.ORDINAL, "second")),
        ("It is the largest mill.", Value(ValueKind.OPPOSITE, "largest")),
        ("Its owner was born in Port Amity.", Value(ValueKind.NAME, "Port Amity")),
    ],
)
def test_values_are_found(sentence, value):
    assert value in synthesis.values_of(sentence)


@pytest.mark.parametrize(
    "sentence", ["They are from the 1990s.", "The 1914–1918 war.", "She may come.", "It moved to Port Amity."]
)
def test_what_has_no_single_value_is_left_alone(sentence):
    assert synthesis.values_of(sentence) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (ValueKind.YEAR, "1820"),
        (ValueKind.NUMBER, "12"),
        (ValueKind.NUMBER, "1,250"),
        (ValueKind.NUMBER, "0.4"),
        (ValueKind.MONTH, "July"),
        (ValueKind.DIRECTION, "Northern"),
        (ValueKind.OPPOSITE, "largest"),
    ],
)
def test_a_replacement_differs_and_looks_alike(kind, text):
    chooser = random.Random(7)

    for _ in range(50):
        replacement = synthesis.other_value(Value(kind, text), [], chooser)
        assert replacement is not None
        assert replacement.lower() != text.lower()
        assert replacement[0].isupper() == text[0].isupper()


def test_a_name_is_replaced_only_by_a_name_of_the_document():
    name = Value(ValueKind.NAME, "Port Amity")

    assert synthesis.other_value(name, [], random.Random(1)) is None
    assert synthesis.other_value(name, [Value(ValueKind.NAME, "Amity")], random.Random(1)) is None
    assert synthesis.other_value(name, [Value(ValueKind.NAME, "Lund Bay")], random.Random(1)) == "Lund Bay"


def test_substitution_keeps_to_whole_words():
    assert synthesis.substitute("In 18 of 1820.", Value(ValueKind.NUMBER, "18"), "7") == "In 7 of 1820."


def test_an_edit_in_one_sentence_contradicts_and_in_both_does_not():
    pairs = [
        Example(f"Mill {n}: It was built in 18{n}.", f"The mill was built in 18{n}.", Label.NOT_CONTRADICTION)
        for n in range(10, 90)
    ]

    edited = synthesis.edited_values(pairs, source="edited", least_overlap=0.3, chooser=random.Random(3))

    assert {example.label for example in edited} == {Label.CONTRADICTION, Label.NOT_CONTRADICTION}
    for example in edited:
        year = synthesis.values_of(example.hypothesis)[0]
        agrees = synthesis.mentions(example.premise, year)
        assert agrees == (example.label is Label.NOT_CONTRADICTION)


def test_open_comparisons_and_unlike_sentences_are_not_edited():
    pairs = [
        Example("It has 20 rooms.", "It has more than 20 rooms.", Label.ENTAILMENT),
        Example("In 1820 a mill was built there.", "Her uncle left Orland in 1820.", Label.NOT_CONTRADICTION),
    ]

    assert synthesis.edited_values(pairs, source="e", least_overlap=0.5, chooser=random.Random(3)) == []


def test_page_windows_hold_the_evidence_unless_they_are_neutral():
    claims = [
        PageClaim("Orla Mill", "1", "The mill is old.", "Built in 1820, it is an old mill.", Label.ENTAILMENT, "g"),
        PageClaim("Orla Mill", "2", "Its owner sold flour.", "A baker bought all of it.", Label.NEUTRAL, "g"),
        PageClaim("Orla Mill", "2", "Nobody owned land.", "Farmers nearby were poor.", Label.CONTRADICTION, "g"),
    ]

    windows = [w for seed in range(20) for w in synthesis.page_windows(claims, chooser=random.Random(seed))]

    evidence_of = {claim.claim: claim for claim in claims}
    for window in windows:
        claim = evidence_of[window.hypothesis]
        if claim.evidence in window.premise:
            assert window.label is claim.label
        else:
            assert window.label is Label.NEUTRAL


def test_revisions_of_one_sentence_never_share_a_window():
    claims = [
        PageClaim("Orla Mill", "1", "It is old.", "It was built in 1820 by two brothers.", Label.ENTAILMENT, "g"),
        PageClaim("Orla Mill", "2", "It is new.", "It was built in 1990 by two brothers.", Label.ENTAILMENT, "g"),
    ]

    assert synthesis.page_windows(claims, chooser=random.Random(1)) == []


def test_document_windows_say_entailed_only_with_the_sentence_in_view():
    sentences = [f"In 18{n} the mill of Orland had {n} workers and one owner." for n in range(10, 40)]

    examples = synthesis.document_windows({"doc": " ".join(sentences)}, per_document=30, chooser=random.Random(5))

    assert {example.label for example in examples} == {Label.ENTAILMENT, Label.NOT_ENTAILMENT}
    for example in examples:
        assert (example.hypothesis in example.premise) == (example.label is Label.ENTAILMENT)


def test_a_sentence_that_a_window_does_not_speak_of_is_neutral():
    sentences = [
        "The mill ground rye for monks.",
        "Fire took most roofs of that town.",
        "She sold good wool in Bergen.",
        "Nobody knows who painted these doors.",
        "Trout are common below our weir.",
        "Its bells were cast by Dutch founders.",
        "A ferry crossed every hour until dusk.",
        "Pilgrims slept on straw beside stables.",
    ]

    examples = synthesis.document_windows({"doc": " ".join(sentences)}, per_document=8, chooser=random.Random(5))

    missing = [example for example in examples if example.hypothesis not in example.premise]
    assert {example.label for example in missing} == {Label.NEUTRAL}


def test_neighbours_stand_close_together_and_share_few_words():
    sentences = [f"Mill number {n} ground rye for the monks." for n in range(5)] + [
        "Her brother sold good wool in Bergen."
    ]

    examples = synthesis.neighbours({"doc": " ".join(sentences)}, per_document=6, chooser=random.Random(5))

    assert len(examples) == 4
    assert all({"Bergen" in e.premise, "Bergen" in e.hypothesis} == {True, False} for e in examples)
    assert {example.label for example in examples} == {Label.NEUTRAL}
