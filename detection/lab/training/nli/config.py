"""The training recipe of ``config.toml``: data, order and duration."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

DEFAULT_CONFIG = Path(__file__).with_name("config.toml")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a stage's data mix.

    ``rows`` limits its examples (0 takes all) by random selection of units; ``weight`` scales the loss. ``letters``
    limits our own files to those that end in one of them (``twins_c``); without any all are read. A mix may list a part
    several times, with other letters each time.
    """

    name: str
    rows: int = 0
    weight: float = 1.0
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """Training over one mix in one or more passes, or a part of them if ``stop_after_steps`` is not 0.

    After the warm-up steps the learning rate is ``constant`` or decays to zero (``linear``). The lowest
    ``frozen_layers`` stay as they are, which saves their backward pass. Every pass draws and forms its pairs anew.
    ``tokens_per_batch`` and ``average_decay`` take the place of the schedule's unless they are 0.
    """

    name: str
    seed: int
    learning_rate: float
    decay: Literal["constant", "linear"]
    warmup_steps: int
    label_smoothing: float
    stop_after_steps: int
    mix: tuple[Part, ...]
    frozen_layers: int = 0
    passes: int = 1
    tokens_per_batch: int = 0
    average_decay: float = 0.0
    dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """The settings that all stages share."""

    tokens_per_batch: int
    lengths: tuple[int, ...]
    rank_weight: float
    layer_decay: float
    weight_decay: float
    average_decay: float


@dataclass(frozen=True, slots=True)
class Config:
    """The whole recipe."""

    seed: int
    topic_folds: int
    schedule: Schedule
    stages: tuple[Stage, ...]

    @property
    def max_tokens(self) -> int:
        """Longer pairs are truncated."""
        return self.schedule.lengths[-1]

    def stage(self, name: str) -> Stage:
        """The stage of that name."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        names = ", ".join(stage.name for stage in self.stages)
        raise ValueError(f"no stage {name!r} in the configuration; it has: {names}")


def load_config(path: Path = DEFAULT_CONFIG) -> Config:
    """Read the recipe; an unknown or missing key is an error."""
    with path.open("rb") as stream:
        content = tomllib.load(stream)
    stages = tuple(_stage(table) for table in content.pop("stages"))
    schedule_table = content.pop("schedule")
    schedule = Schedule(**{**schedule_table, "lengths": tuple(schedule_table["lengths"])})
    return Config(schedule=schedule, stages=stages, **content)


def _stage(table: Mapping[str, Any]) -> Stage:
    mix = tuple(
        Part(name, **part)
        for name, parts in table["mix"].items()
        for part in (parts if isinstance(parts, list) else [parts])
    )
    return Stage(**{**table, "mix": mix})
