"""Which topics of the ChatProtect files a model has not seen: written beside it, read where it is evaluated."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from .data import fold_of

FILE = "topics.json"


@dataclass(frozen=True, slots=True)
class HeldOutTopics:
    """One of several folds of topics, by the hash of their names."""

    folds: int
    fold: int

    def __contains__(self, topic: str) -> bool:
        return fold_of(topic, self.folds) == self.fold


def load_held_out(folder: Path) -> HeldOutTopics | None:
    """The topics that the model in the folder has not seen; None where it was trained on all, or does not say."""
    path = folder / FILE
    return HeldOutTopics(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def save_held_out(topics: HeldOutTopics, folder: Path) -> None:
    """Write the file that :func:`load_held_out` reads."""
    (folder / FILE).write_text(json.dumps(asdict(topics)) + "\n", encoding="utf-8")
