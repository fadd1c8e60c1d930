"""Which values of a source fill the slot of a claim's value, as far as the label of the claim tells."""

import random

import pytest

from detection.core.rules.base import Family
from detection.lab.training.slots.groups import Group, draw_groups, endless_batches
from detection.lab.training.slots.labels import labelled, labels_of
from detection.lab.training.slots.rows import Candidate, Kind, SlotRow

AGREES, REFUTES, OTHER = "agrees", "refutes", "other"


def candidate(role, overlap=0.5, *, is_elsewhere=False):
    return Candidate("It costs [MASK].", "9", role == AGREES, role == REFUTES, is_elsewhere, overlap)


def row(letter, *candidates, kind=Kind.SOURCES, family=Family.NUMBER, is_reference=False):
    return SlotRow(kind, "g1: It costs 8.", letter, family, "8", "It costs [MASK].", is_reference, candidates)


def test_a_supported_value_has_the_slot_of_the_agreeing_one_in_the_most_similar_sentence():
    found = row("s", candidate(AGREES, 0.2), candidate(AGREES, 0.9), candidate(OTHER))

    assert labels_of(found) == (None, True, False)
    assert labels_of(row("s", candidate(OTHER))) == (None,)


def test_a_contradicted_value_has_the_slot_of_the_one_that_the_reference_names():
    found = row("c", candidate(REFUTES, 0.9), candidate(REFUTES, 0.2), candidate(OTHER), candidate(AGREES))

    assert labels_of(found) == (True, None, False, False)


def test_a_value_that_the_claim_has_elsewhere_does_not_refute_it():
    assert labels_of(row("c", candidate(REFUTES, is_elsewhere=True), candidate(OTHER))) == (None, None)


def test_a_right_value_of_a_contradicted_claim_counts_as_supported():
    assert labels_of(row("c", candidate(AGREES), candidate(REFUTES), is_reference=True)) == (True, False)


def test_an_unstated_value_has_the_slot_of_no_other_value():
    assert labels_of(row("u", candidate(AGREES), candidate(OTHER))) == (None, False)
    assert labels_of(row("u", candidate(OTHER), kind=Kind.POOLED)) == (None,)


@pytest.mark.parametrize(
    ("family", "candidates", "labels"),
    [
        (Family.NUMBER, [OTHER], (True,)),
        (Family.NAME, [OTHER], (None,)),
        (Family.NUMBER, [OTHER, OTHER], (None, None)),
        (Family.NUMBER, [AGREES, OTHER], (None, None)),
    ],
)
def test_a_contradicting_sentence_of_a_group_clashes_in_its_only_differing_figure(family, candidates, labels):
    assert labels_of(row("c", *map(candidate, candidates), kind=Kind.GROUPS, family=family)) == labels


def test_a_pooled_contradiction_has_labels_if_only_one_value_is_absent():
    absent = row("c", candidate(OTHER), kind=Kind.POOLED)
    present = row("c", candidate(AGREES), candidate(OTHER), kind=Kind.POOLED)

    assert list(labelled([absent, present])) == [(absent, (True,)), (present, (True, False))]
    assert list(labelled([absent, present, absent])) == []


def test_a_group_has_at_most_six_pairs_and_two_of_the_same_slot():
    found = row("s", *[candidate(AGREES)] * 3, *[candidate(OTHER)] * 9)

    [group] = draw_groups([found], random.Random(1))

    assert group == Group((("It costs [MASK].", "It costs [MASK]."),) * 6, (True,) * 2 + (False,) * 4, 1.0)


@pytest.mark.parametrize(("kind", "kept", "weight"), [(Kind.POOLED, 0.25, 0.3), (Kind.FACTS, 0.5, 0.5)])
def test_a_share_of_the_names_is_left_out_and_the_others_count_less(kind, kept, weight):
    found = row("s", candidate(AGREES), candidate(OTHER), kind=kind, family=Family.NAME)

    groups = draw_groups([found] * 2000, random.Random(1))

    assert len(groups) / 2000 == pytest.approx(kept, abs=0.04)
    assert {group.weight for group in groups} == {weight}


def test_an_epoch_has_every_group_once_in_batches_of_limited_size():
    pytest.importorskip("onnxruntime")
    from detection.lab.training.nli.batches import EncodedPair

    lengths = [5, 9, 20, 7, 12, 30, 6, 8]
    encoded = [[EncodedPair((0,) * length, (0,) * length)] * 2 for length in lengths]
    batches = endless_batches(encoded, 64, random.Random(1))
    epoch = []
    while sum(map(len, epoch)) < len(lengths):
        epoch.append(next(batches))

    assert sorted(index for batch in epoch for index in batch) == list(range(len(lengths)))
    assert all(2 * len(batch) * max(lengths[index] for index in batch) <= 64 for batch in epoch)
