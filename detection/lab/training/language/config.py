"""The data recipe of ``config.toml``; the networks are in the ``.cfg`` files."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DEFAULT_CONFIG = Path(__file__).with_name("config.toml")


@dataclass(frozen=True, slots=True)
class VectorRecipe:
    """Word vectors (``vectors.py``). ``texts`` are files of sentence pairs for the word counts."""

    words: int
    table_width: int
    output_width: int
    listed_name_count: int
    marked_name_count: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParseRecipe:
    """Treebank files by use. ``train`` has the number of copies, ``curly_quotes`` a share of passages."""

    train: Mapping[str, int]
    development: tuple[str, ...]
    tests: tuple[str, ...]
    gum_genres: tuple[str, ...]
    fronted_copies: int
    curly_quotes: float


@dataclass(frozen=True, slots=True)
class GumFiles:
    """Rows of GUM, and the treebank file that has their genres."""

    rows: str
    treebank: str


@dataclass(frozen=True, slots=True)
class WnutFile:
    """Rows of WNUT-17, and the number of clean ones to use."""

    rows: str
    limit: int


@dataclass(frozen=True, slots=True)
class EntityRecipe:
    """Entity files by use. ``replaced_copies`` is the share of rows that are repeated with other names."""

    seed: int
    crossner: tuple[str, ...]
    crossner_development_share: int
    gum_train: GumFiles
    gum_development: GumFiles
    uner_train: str
    uner_halved: str
    wnut: WnutFile
    tests: tuple[str, ...]
    replaced_copies: float
    curly_quotes: float


@dataclass(frozen=True, slots=True)
class Config:
    """The whole recipe."""

    seed: int
    vectors: VectorRecipe
    parses: ParseRecipe
    entities: EntityRecipe


def load_config(path: Path = DEFAULT_CONFIG) -> Config:
    """Read the recipe; an unknown or missing key is an error."""
    with path.open("rb") as stream:
        content = tomllib.load(stream)
    entities = content.pop("entities")
    for key in ("gum_train", "gum_development"):
        entities[key] = GumFiles(**entities[key])
    entities["wnut"] = WnutFile(**entities["wnut"])
    return Config(
        vectors=VectorRecipe(**content.pop("vectors")),
        parses=ParseRecipe(**content.pop("parses")),
        entities=EntityRecipe(**entities),
        **content,
    )
