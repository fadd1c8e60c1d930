"""The two trainings: spaCy's own loop over the documents and vectors that ``prepare`` wrote."""

from dataclasses import dataclass
from pathlib import Path

from spacy.cli.train import train as spacy_train

from .prepare import ENTITIES_DEVELOPMENT, ENTITIES_TRAIN, PARSES_DEVELOPMENT, PARSES_TRAIN, VECTORS


@dataclass(frozen=True, slots=True)
class Training:
    """A network, and the documents it learns from. The best checkpoint on ``development`` is what ships."""

    config: Path
    train: str
    development: str


TRAININGS = {
    "parser": Training(Path(__file__).with_name("parser.cfg"), PARSES_TRAIN, PARSES_DEVELOPMENT),
    "entities": Training(Path(__file__).with_name("entities.cfg"), ENTITIES_TRAIN, ENTITIES_DEVELOPMENT),
}


def train(name: str, work: Path) -> None:
    """Trains one network; its best checkpoint is ``work / name / "model-best"``."""
    training = TRAININGS[name]
    overrides = {
        "paths.train": str(work / training.train),
        "paths.dev": str(work / training.development),
        "paths.vectors": str(work / VECTORS),
    }
    spacy_train(training.config, work / name, overrides=overrides)


def best(name: str, work: Path) -> Path:
    """The best checkpoint of a training."""
    return work / name / "model-best"
