"""The recipe: which data, in which order, how long. Read from ``config.toml``; nothing here is decided elsewhere."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_CONFIG = Path(__file__).with_name("config.toml")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a stage's data mix.

    ``rows`` caps the part and ``rows_per_set`` each data set in it (0 takes all); ``weight`` scales the loss.
    """

    name: str
    rows: int = 0
    rows_per_set: int = 0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Stage:
    """One pass of training over one mix."""

    name: str
    epochs: int
    learning_rate: float
    mix: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """What all stages share."""

    tokens_per_batch: int
    warmup_share: float
    layer_decay: float
    weight_decay: float
    dropout: float
    label_smoothing: float
    average_decay: float
    development_checks: int
    patience: int


@dataclass(frozen=True, slots=True)
class Config:
    """The whole recipe."""

    seed: int
    max_tokens: int
    topic_folds: int
    schedule: Schedule
    stages: tuple[Stage, ...]

    def stage(self, name: str) -> Stage:
        """The stage of that name."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        names = ", ".join(stage.name for stage in self.stages)
        raise ValueError(f"no stage {name!r} in the configuration; it has: {names}")


def load_config(path: Path = DEFAULT_CONFIG) -> Config:
    """Reads the recipe; an unknown or missing key is an error."""
    with path.open("rb") as stream:
        content = tomllib.load(stream)
    stages = tuple(_stage(table) for table in content.pop("stages"))
    schedule = Schedule(**content.pop("schedule"))
    return Config(schedule=schedule, stages=stages, **content)


def _stage(table: Mapping[str, Any]) -> Stage:
    mix = tuple(Part(name, **part) for name, part in table["mix"].items())
    return Stage(**{**table, "mix": mix})
