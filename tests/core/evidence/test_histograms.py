from __future__ import annotations

from pathlib import Path

import pytest

from detection import wiring
from detection.core.errors import ModelUnavailable
from detection.core.evidence.histograms import FILE, load_histograms, save_histograms
from detection.core.evidence.sequential import Histograms


def test_the_model_that_ships_has_histograms_that_tell_something() -> None:
    shipped = wiring.histograms()
    assert shipped.updated(0.5, 9) > 0.6
    assert shipped.updated(0.5, 0) < 0.4


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    saved = Histograms.of_features(factual=[9, 9, 8], hallucinated=[0, 1])
    save_histograms(saved, tmp_path)
    read = load_histograms(tmp_path)
    assert read.factual == pytest.approx(saved.factual, abs=1e-6)
    assert read.hallucinated == pytest.approx(saved.hallucinated, abs=1e-6)


def test_a_missing_file_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"histograms\.json is missing.*Make it with"):
        load_histograms(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"factual": [0.5]}',
        '{"factual": 1, "hallucinated": 2}',
        '{"factual": ["a"], "hallucinated": []}',
        '{"factual": [0.5, 0.5], "hallucinated": [0.5, 0.5]}',
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        load_histograms(tmp_path)
