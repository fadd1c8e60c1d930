"""The same claim with a source and with its edited version."""

import gzip
import json
import random

import pytest

from detection.lab.training.nli.authored import OWN_DIRECTORY, Origin, read_authored
from detection.lab.training.nli.labels import InferenceClass, Label
from detection.lab.training.nli.mixture import PARTS, Sources
from detection.lab.training.nli.source_edits import edits_of, source_edit_units

WORDS = " ".join(f"word{n}" for n in range(200))
TEXT = f"{WORDS} The mill burned in May. {WORDS}"
START = TEXT.index("burned in May")
SOURCE = {
    "g": "mill",
    "source": TEXT,
    "claims": [{"t": "A fire took the mill.", "l": "s"}, {"t": "The mill stands.", "l": "c"}],
}
ROW = {
    "g": "mill",
    "edits": [
        {"claim": 0, "start": START, "end": START + 13, "new": "was sold in May", "becomes": "c"},
        {"claim": 1, "start": START, "end": START + 13, "new": "still stands", "becomes": "s"},
    ],
}


def units_of(row=ROW, seeds=range(20)):
    edits = edits_of(SOURCE, row)
    return [unit for seed in seeds for unit in source_edit_units(TEXT, edits, random.Random(seed))]


def test_a_claim_stands_beside_both_versions_whole_or_cut_alike():
    pairs = [tuple(unit.examples[first : first + 2]) for unit in units_of() for first in (0, 2)]

    assert all(own.hypothesis == edited.hypothesis and own.premise != edited.premise for own, edited in pairs)
    for own, edited in pairs:
        new = "was sold in May" if edited.hypothesis.startswith("A fire") else "still stands"
        assert edited.premise == own.premise.replace("burned in May", new)
    lengths = {len(own.premise.split()) for own, _ in pairs}
    assert max(lengths) == len(TEXT.split())
    assert min(lengths) < 150


def test_of_the_words_around_a_place_only_a_clash_is_certain():
    for unit in units_of():
        for example in unit.examples:
            is_whole = len(example.premise.split()) > 400
            is_clash = ("burned" in example.premise) == example.hypothesis.startswith("The mill")
            fitting = Label.ENTAILMENT if is_whole else Label.NOT_CONTRADICTION
            assert example.label is (Label.CONTRADICTION if is_clash else fitting)


def test_the_version_that_bears_a_claim_out_is_ranked_above_the_other():
    for unit in units_of():
        for rank in unit.ranks:
            better, worse = unit.examples[rank.better], unit.examples[rank.worse]
            assert better.hypothesis == worse.hypothesis
            assert (better.label is Label.CONTRADICTION) == (rank.of is InferenceClass.CONTRADICTION)
        assert {rank.of for rank in unit.ranks} >= {InferenceClass.CONTRADICTION}


def test_our_own_edits_lie_in_sources_that_train_and_change_a_label():
    own = {row["g"]: row for row in read_authored(OWN_DIRECTORY, OWN_DIRECTORY, "sources", Origin.OWN, held_out=False)}
    kept = read_authored(OWN_DIRECTORY, OWN_DIRECTORY, "sources", Origin.OWN, held_out=True)
    rows = Sources(OWN_DIRECTORY, topic_folds=3, held_out_fold=0, seed=1).own_rows("source_edits")

    assert not {row["g"] for row in rows} & {row["g"] for row in kept}
    known = [row for row in rows if row["g"] in own]
    assert known
    for row in known:
        for edit in edits_of(own[row["g"]], row):
            assert edit.label != edit.becomes
            assert own[row["g"]]["source"][edit.start : edit.end] not in ("", edit.new)


@pytest.mark.parametrize("has_source", [True, False])
def test_edits_whose_source_is_not_among_the_data_are_left_out(has_source, tmp_path):
    files = {"source_edits_x": [ROW], "sources_x": [SOURCE] if has_source else []}
    for name, rows in {**files, "train/authored/sources": []}.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    sources = Sources(tmp_path, topic_folds=3, held_out_fold=0, seed=1, own=tmp_path)

    units = PARTS["source_edits"](sources)

    assert bool(units) == has_source
