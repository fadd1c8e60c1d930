import gzip
import json
import random

import pytest

from detection.training.nli import data
from detection.training.nli.labels import Label


def test_rows_are_read_compressed_and_plain(tmp_path):
    rows = [{"topic": "Lake Vänern"}, {"topic": "Lake Vättern"}]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    plain, compressed = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.gz"
    plain.write_text(lines, encoding="utf-8")
    compressed.write_bytes(gzip.compress(lines.encode()))

    assert list(data.read_rows(plain)) == rows
    assert list(data.read_rows(compressed)) == rows


def test_a_topic_is_always_in_the_same_fold():
    topics = [f"topic {number}" for number in range(200)]

    folds = [data.fold_of(topic, 3) for topic in topics]

    assert folds == [data.fold_of(topic, 3) for topic in topics]
    assert all(folds.count(fold) > 40 for fold in range(3))


@pytest.mark.parametrize(
    ("tokenised", "written"),
    [
        ("The bridge -LRB- 1902 -RRB- is 40 m long .", "The bridge (1902) is 40 m long."),
        ("It was n't the bridge 's first pier , was it ?", "It wasn't the bridge's first pier, was it?"),
        ("Nothing to undo here.", "Nothing to undo here."),
    ],
)
def test_treebank_tokens_are_undone(tokenised, written):
    assert data.detokenise(tokenised) == written


def test_windows_cover_the_document_and_overlap():
    words = [str(number) for number in range(200)]

    cut = data.windows(" ".join(words), size=90, step=45)

    assert all(len(window.split()) == 90 for window in cut)
    assert cut[0].split()[0] == "0"
    assert cut[-1].split()[-1] == "199"
    assert {word for window in cut for word in window.split()} == set(words)


def test_a_short_document_is_one_window():
    assert data.windows("Only a few words.") == ["Only a few words."]


def test_sentences_end_at_punctuation_before_a_capital():
    text = 'The mill burned in 1.5 hours. "Rebuild it," they said. It stands today.'

    assert data.split_sentences(text) == [
        "The mill burned in 1.5 hours.",
        '"Rebuild it," they said.',
        "It stands today.",
    ]


def test_a_pair_is_asked_in_both_directions_and_a_copy_is_left_out():
    rows = [
        {"topic": "Orla Mill", "orig": "It was built in 1820.", "alt": "It was built in 1907.", "contradictory": True},
        {"topic": "Orla Mill", "orig": "It is a mill.", "alt": "It is a mill.", "contradictory": False},
    ]

    examples = data.statement_pairs(rows, source="pairs")

    assert [(example.premise, example.hypothesis) for example in examples] == [
        ("Orla Mill: It was built in 1820.", "It was built in 1907."),
        ("Orla Mill: It was built in 1907.", "It was built in 1820."),
    ]
    assert {example.label for example in examples} == {Label.CONTRADICTION}
    assert sum(example.weight for example in examples) == 1


def test_a_pair_that_nobody_judged_is_left_out():
    rows = [{"topic": "Orla Mill", "orig": "One.", "alt": "Two.", "human_contradictory": None}]

    assert data.statement_pairs(rows, source="pairs", label_key="human_contradictory") == []


def test_texts_are_rebuilt_from_their_longest_prefix():
    rows = [
        {"topic": "Orla Mill", "prefix": "", "orig": "It is a mill."},
        {"topic": "Orla Mill", "prefix": "It is a mill.", "orig": "It burned."},
        {"topic": "Orla Mill", "prefix": "It is a mill. It burned.", "orig": "It was rebuilt."},
    ]

    assert data.texts_of_prefixes(rows) == {"Orla Mill": [["It is a mill.", "It burned.", "It was rebuilt."]]}


def test_sentences_of_one_text_leave_each_other_open_unless_they_share_many_words():
    texts = {"Orla Mill": [["The mill ground rye.", "Fire destroyed most roofs.", "The mill ground much rye."]]}

    examples = data.in_text_examples(texts, per_text=6, chooser=random.Random(1))

    assert len(examples) == 6
    for example in examples:
        is_alike = "rye" in example.premise and "rye" in example.hypothesis
        assert example.label is (Label.NOT_CONTRADICTION if is_alike else Label.NEUTRAL)
    assert all(example.premise.removeprefix("Orla Mill: ") != example.hypothesis for example in examples)


def test_pooled_rows_keep_away_from_protected_texts_and_long_premises():
    row = {"premise": "The mill burned.", "hypothesis": "It burned.", "label": "entailment", "source": "fever_dev"}
    rows = [
        {**row, "weight": 1, "cluster": "a"},
        {**row, "weight": 1, "cluster": "b", "hypothesis": "The MILL burned ."},
        {**row, "weight": 1, "cluster": "c", "premise": "word " * 50},
        {**row, "weight": 1, "cluster": "d", "source": "fever_symmetric_dev"},
    ]

    examples = data.pooled_examples(
        rows,
        excluded_sources={"fever_symmetric_dev"},
        excluded_texts={data.normalised("the mill burned")},
        longest_premise=40,
    )

    assert examples == []


@pytest.mark.parametrize("label", list(Label))
def test_every_label_allows_some_but_not_all_classes(label):
    assert 1 <= sum(label.allowed) <= 2
