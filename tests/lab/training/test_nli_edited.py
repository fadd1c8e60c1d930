import random

import pytest

from detection.lab.training.nli import edited
from detection.lab.training.nli.labels import Label
from detection.lab.training.nli.natural import Document

PREMISE = "In 1884 the Orla Mill was sold to Peder Lund for 12,500 crowns, and in May its wheel was not turning."


@pytest.fixture
def chooser() -> random.Random:
    return random.Random(7)


@pytest.mark.parametrize(
    ("hypothesis", "value", "label"),
    [
        ("The mill changed hands in 1884.", "1884", Label.CONTRADICTION),
        ("It fetched 12,500 crowns.", "12,500", Label.CONTRADICTION),
        ("The wheel stood still in May.", "May", Label.CONTRADICTION),
        ("It went to Peder Lund.", "Peder Lund", Label.NOT_ENTAILMENT),
    ],
)
def test_a_value_of_both_texts_is_edited_in_both(hypothesis, value, label, chooser):
    (edit,) = edited.value_edits(PREMISE, hypothesis, chooser)

    assert value not in edit.hypothesis
    assert edit.disagreement is label
    other = edit.hypothesis.removeprefix(hypothesis[: hypothesis.index(value)]).rstrip(".")
    assert other in edit.premise


def test_a_value_that_the_premise_does_not_give_is_not_edited(chooser):
    assert edited.value_edits(PREMISE, "It had owners in 1885.", chooser) == []


@pytest.mark.parametrize(
    ("sentence", "opposite"),
    [
        ("The wheel is turning.", "The wheel is not turning."),
        ("The wheel was not turning.", "The wheel was turning."),
        ("The wheel turned.", None),
        ("The wheel wasn't turning and is old.", None),
    ],
)
def test_a_sentence_with_the_opposite_polarity(sentence, opposite):
    assert edited.negated(sentence) == opposite


def test_no_text_of_a_unit_tells_the_label(chooser):
    row = {"source": PREMISE, "claims": [{"t": "The mill changed hands in 1884.", "l": "s"}, {"t": "1884.", "l": "c"}]}

    (unit,) = edited.edited_claims(row, chooser)

    labels = {(example.premise, example.hypothesis): example.label for example in unit.examples}
    for texts in ({premise for premise, _ in labels}, {hypothesis for _, hypothesis in labels}):
        for text in texts:
            of_text = {label for pair, label in labels.items() if text in pair}
            assert of_text == {Label.ENTAILMENT, Label.CONTRADICTION}
    assert unit.ranks


def test_copies_stand_in_their_surroundings(chooser):
    sentences = ("The mill burned.", PREMISE, "The monks rebuilt it in stone.")
    documents = [Document(f"doc {n}", sentences) for n in range(40)]

    units = edited.edited_copies(documents, chooser)

    assert len(units) == sum(document.trains for document in documents)
    assert {unit.examples[0].premise for unit in units} > {PREMISE}
    assert all(unit.examples[0].hypothesis[:30] == PREMISE[:30] for unit in units)
