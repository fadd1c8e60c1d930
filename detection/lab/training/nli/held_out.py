"""The held-out ChatProtect topics of a model, stored in its folder for the evaluation."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from .data import fold_of

FILE = "topics.json"


@dataclass(frozen=True, slots=True)
class HeldOutTopics:
    """A fold of topics, by the hash of their names."""

    folds: int
    fold: int

    def __contains__(self, topic: str) -> bool:
        return fold_of(topic, self.folds) == self.fold


def load_held_out(folder: Path) -> HeldOutTopics | None:
    """The held-out topics of the model in the folder; None if it was trained on all, or if the file is missing."""
    path = folder / FILE
    return HeldOutTopics(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def save_held_out(topics: HeldOutTopics, folder: Path) -> None:
    """Write the file that :func:`load_held_out` reads."""
    (folder / FILE).write_text(json.dumps(asdict(topics)) + "\n", encoding="utf-8")
