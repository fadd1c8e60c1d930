from __future__ import annotations

from pathlib import Path

import pytest

from detection.core.local_models.process import InProcessModels
from detection.core.ports import Ports
from detection.lab.evaluation.contrasts import AUTHORED_GROUPS, GroupQuestion, PairJudge, is_held_out
from detection.lab.evaluation.rows import BadData

from .conftest import SIDES, WriteRows

CONTRAST = {
    "g": "g-2",
    "genre": "news",
    "topic": "Sorrel Bridge",
    "base": "It was opened in 1911.",
    "same": ["The opening was in 1911."],
    "contra": ["Nobody crossed it before 1935.", "It was never finished."],
    "neutral": ["It was painted in 1935."],
}


def test_one_group_in_twelve_is_held_out() -> None:
    held_out = [number for number in range(1000) if is_held_out(f"qa-{number:04}")]
    assert 60 <= len(held_out) <= 100
    assert is_held_out("g-2")
    assert not is_held_out("g-0")


def test_every_sentence_is_put_to_both_sides(write_rows: WriteRows) -> None:
    [row] = AUTHORED_GROUPS.load(write_rows("sides_b_01", SIDES, packed=True))
    a, b = SIDES[0]["a"], SIDES[0]["b"]
    [of_a], [of_b] = SIDES[0]["only_a"], SIDES[0]["only_b"]
    assert row.question == GroupQuestion("Sorrel Bridge", ((a, of_a), (b, of_a), (a, of_b), (b, of_b)))
    contradictions = [row.question.pairs[match.contradiction] for match in row.truth.matches]
    assert contradictions == [(b, of_a), (a, of_b)]


def test_ties_count_half(write_rows: WriteRows) -> None:
    [row] = AUTHORED_GROUPS.load(write_rows("sides", SIDES))
    measured = AUTHORED_GROUPS.measure([row.truth], [[0.2, 0.9, 0.4, 0.4]])
    assert measured.overall.metrics.values()["two_sided"] == 75.0
    assert AUTHORED_GROUPS.measure([row.truth], [[0.9, 0.2, 0.1, 0.4]]).overall.metrics.values()["two_sided"] == 0.0


def test_contrast_groups_stand_beside(write_rows: WriteRows) -> None:
    write_rows("groups", [CONTRAST])
    folder = write_rows("sides", SIDES)
    truths = [row.truth for row in AUTHORED_GROUPS.load(folder)]
    measured = AUTHORED_GROUPS.measure(truths, [[0.1, 0.9, 0.9, 0.1], [0.8, 0.3, 0.5, 0.2]])
    figures = measured.overall.metrics.values()
    # Of the four pairs (0.8 or 0.3 against 0.5 or 0.2), only 0.3 against 0.5 is in the wrong order.
    assert (figures["two_sided"], figures["contrasts"]) == (100.0, 75.0)


def test_the_training_data_beside_the_folder_is_found(tmp_path: Path, write_rows: WriteRows) -> None:
    file = write_rows("sides", SIDES) / "sides.jsonl"
    (tmp_path / "eval").mkdir()
    (tmp_path / "train" / "authored").mkdir(parents=True)
    file.rename(tmp_path / "train" / "authored" / "sides.jsonl")
    assert len(AUTHORED_GROUPS.load(tmp_path / "eval")) == 1


def test_groups_that_were_trained_on_do_not_count(write_rows: WriteRows) -> None:
    with pytest.raises(BadData, match="no group that is held out"):
        AUTHORED_GROUPS.load(write_rows("sides", SIDES[1:]))


async def test_the_judge_tells_two_years_apart(write_rows: WriteRows, local_models: InProcessModels) -> None:
    [row] = AUTHORED_GROUPS.load(write_rows("sides", SIDES))
    answers = await PairJudge(Ports(local_models)).judge([row.question])
    assert AUTHORED_GROUPS.measure([row.truth], answers).overall.metrics.values()["two_sided"] == 100.0
