"""Averages of weights."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from detection.lab.training.nli.average import average  # noqa: E402


def test_each_file_counts_with_its_share(tmp_path: Path) -> None:
    first, second = tmp_path / "first.pt", tmp_path / "second.pt"
    torch.save({"weight": torch.tensor([0.0, 4.0]), "steps": torch.tensor(3)}, first)
    torch.save({"weight": torch.tensor([8.0, 0.0]), "steps": torch.tensor(5)}, second)
    average({first: 3, second: 1}, tmp_path / "mean" / "model.pt")
    mean = torch.load(tmp_path / "mean" / "model.pt", weights_only=True)
    assert mean["weight"].tolist() == [2.0, 3.0]
    assert mean["steps"] == 5  # a count is not averaged


def test_weights_of_another_architecture_are_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "first.pt", tmp_path / "second.pt"
    torch.save({"weight": torch.zeros(2)}, first)
    torch.save({"weight": torch.zeros(3)}, second)
    with pytest.raises(ValueError, match="another architecture"):
        average({first: 1, second: 1}, tmp_path / "model.pt")
