"""The two trainings: spaCy's training loop over the documents and vectors of ``prepare``."""

from dataclasses import dataclass
from pathlib import Path

from spacy.cli.train import train as spacy_train

from .prepare import ENTITIES_DEVELOPMENT, ENTITIES_TRAIN, PARSES_DEVELOPMENT, PARSES_TRAIN, VECTORS


@dataclass(frozen=True, slots=True)
class Training:
    """A network and its documents. The best checkpoint on ``development`` ships."""

    config: Path
    train: str
    development: str


TRAININGS = {
    "parser": Training(Path(__file__).with_name("parser.cfg"), PARSES_TRAIN, PARSES_DEVELOPMENT),
    "entities": Training(Path(__file__).with_name("entities.cfg"), ENTITIES_TRAIN, ENTITIES_DEVELOPMENT),
}


def train(name: str, work: Path) -> None:
    """Train one network; its best checkpoint is ``work / name / "model-best"``."""
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
