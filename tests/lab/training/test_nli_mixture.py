"""The mix from tiny files in the formats of the data."""

import gzip
import json

import pytest

from detection.lab.training.nli.config import Part, Stage, load_config
from detection.lab.training.nli.mixture import PARTS, Sources, development_examples, training_units

NLI = {"premise": "The mill burned.", "hypothesis": "It burned.", "label": "entailment", "split": "train"}
FEVER = {"claim": "Rome fell .", "evidence": "Rome did fall .", "label": "SUPPORTS"}
PAIR = {"topic": "Orla Mill", "orig": "It is old.", "alt": "It is new.", "contradictory": True, "in_paper_eval": True}


@pytest.fixture
def sources(tmp_path):
    files = {
        "train/nli/train_permissive": [
            {**NLI, "source": "fever_dev", "weight": 1.0},
            {**NLI, "source": "fever_dev", "weight": 1.0, "premise": "Rome did fall."},
            {**NLI, "source": "fever_dev", "weight": 1.0, "premise": "word " * 150},
        ],
        "train/nli2/nli_lingnli": [NLI] * 30 + [{**NLI, "split": "dev"}] * 2,
        "eval/fever_symmetric": [FEVER],
        "eval/chatprotect_pairs": [{**PAIR, "topic": f"topic {n}"} for n in range(30)],
        "train/nli/dev_permissive": [{**NLI, "source": "fever_dev", "weight": 1.0}],
        "train/authored/sources": [],
        "train/authored/sides": [],
    }
    for name, rows in files.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return Sources(root=tmp_path, topic_folds=3, held_out_fold=0, seed=1, own=tmp_path)


def stage(*mix: Part) -> Stage:
    return Stage(
        "s",
        seed=1,
        learning_rate=1e-4,
        decay="linear",
        warmup_steps=1,
        label_smoothing=0.0,
        stop_after_steps=0,
        mix=mix,
    )


def test_every_stage_of_the_recipe_names_parts_that_there_are():
    config = load_config()

    assert {part.name for stage in config.stages for part in stage.mix} == set(PARTS)
    assert config.max_tokens == 400


def test_a_part_is_capped_and_weighted(sources):
    units = training_units(stage(Part("lingnli", rows=12, weight=0.7)), sources)

    assert [example.weight for unit in units for example in unit.examples] == [0.7] * 12


def test_a_part_reads_the_files_of_its_letters(sources, tmp_path):
    for letter in "ab":
        text = {"g": letter, "topic": "", "sentences": [f"{letter} one.", f"{letter} two."], "pairs": [], "traps": []}
        (tmp_path / f"fresh_texts_{letter}.jsonl.gz").write_bytes(gzip.compress(json.dumps(text).encode()))

    both, one = (training_units(stage(Part("marked_texts", letters=letters)), sources) for letters in ("", "b"))

    assert len(both) == 2
    assert {example.hypothesis[0] for unit in one for example in unit.examples} == {"b"}


def test_an_unknown_part_is_refused(sources):
    with pytest.raises(ValueError, match="no data part 'nonsense'"):
        training_units(stage(Part("nonsense")), sources)


def test_protected_texts_and_long_premises_stay_out_of_the_pool(sources):
    short, long = (training_units(stage(Part(name)), sources) for name in ("pooled", "pooled_long"))

    assert [e.premise for unit in short for e in unit.examples] == ["The mill burned."]
    assert [len(e.premise.split()) for unit in long for e in unit.examples] == [150]


def test_topics_of_the_fold_never_train(sources):
    units = training_units(stage(Part("pairs")), sources)

    topics = {example.premise.partition(":")[0] for unit in units for example in unit.examples}
    assert topics
    assert not any(sources.is_held_out(topic) for topic in topics)
    assert all(sources.is_held_out(e.premise.partition(":")[0]) for e in development_examples(sources)["pairs"])
