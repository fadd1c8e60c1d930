import gzip
import json
import random

import pytest

from detection.lab.training.nli import data
from detection.lab.training.nli.labels import Label


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


def test_a_sentence_ends_with_its_line_and_scraps_are_left_out():
    assert data.split_sentences("Opening hours\n1.\nMonday to Friday") == ["Opening hours", "Monday to Friday"]


def test_a_copy_and_a_pair_that_nobody_judged_are_left_out():
    rows = [
        {"topic": "Orla Mill", "orig": "It was built in 1820.", "alt": "It was built in 1907.", "contradictory": True},
        {"topic": "Orla Mill", "orig": "It is a mill.", "alt": "It is a mill.", "contradictory": False},
        {"topic": "Orla Mill", "orig": "One.", "alt": "Two.", "contradictory": None},
    ]

    (example,) = data.statement_pairs(rows, chooser=random.Random(1), contradiction_weight=2)

    assert example.premise.startswith("Orla Mill: It was built in")
    assert example.premise.removeprefix("Orla Mill: ") != example.hypothesis
    assert (example.label, example.weight) == (Label.CONTRADICTION, 2)


def test_the_nearest_window_has_the_words_of_the_claim():
    text = "Rye and flax grow here. " * 20 + "The bridge was opened by Ada Fenn. " + "Farmers sell wool. " * 30

    window = data.nearest_window(text, "Ada Fenn opened the bridge.", size=20)

    assert "Ada Fenn" in window
    assert len(window.split()) == 20


def test_marked_sentences_of_answers_are_balanced_by_others():
    sentences = [f"The mill number {n} was built of red stone." for n in range(4)]
    response = " ".join(sentences)
    end = len(sentences[0])
    spans = [[4, 8, "Evident Conflict"], [end + 5, end + 9, "Subtle Baseless Info"]]
    rows = [{"source": "Mills are old.", "response": response, "spans": spans}]

    examples = data.answer_examples(rows, chooser=random.Random(1))

    assert [e.label for e in examples[:2]] == [Label.CONTRADICTION, Label.NOT_ENTAILMENT]
    assert [e.label for e in examples[2:]] == [Label.ENTAILMENT] * 2


def test_a_summary_is_judged_as_a_whole():
    row = {"source": "The mill burned.", "response": "It stands."}
    rows = [
        {**row, "label": 0},
        {**row, "label": 1, "intrinsic": True, "extrinsic": False},
        {**row, "label": 1, "intrinsic": True, "extrinsic": True},
        {**row, "label": 1},
    ]

    assert [example.label for example in data.summary_examples(rows)] == [
        Label.ENTAILMENT,
        Label.CONTRADICTION,
        Label.NOT_ENTAILMENT,
        Label.NOT_ENTAILMENT,
    ]


def test_pooled_rows_keep_away_from_protected_texts_and_long_premises():
    row = {"premise": "The mill burned.", "hypothesis": "It burned.", "label": "entailment", "source": "fever_dev"}
    rows = [
        {**row, "weight": 1},
        {**row, "weight": 1, "hypothesis": "The MILL burned ."},
        {**row, "weight": 1, "premise": "word " * 50},
        {**row, "weight": 1, "source": "fever_symmetric_dev"},
    ]

    examples = data.pooled_examples(
        rows,
        excluded_sources={"fever_symmetric_dev"},
        excluded_texts={data.normalised("the mill burned")},
        premise_words=range(40),
    )

    assert examples == []


@pytest.mark.parametrize("label", list(Label))
def test_every_label_allows_some_but_not_all_classes(label):
    assert 1 <= sum(label.allowed) <= 2
