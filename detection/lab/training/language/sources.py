"""The files of the data directory that the recipe names."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .config import Config, GumFiles
from .conllu import TreebankSentence, read_treebank
from .mentions import Corpus, read_rows

Row = tuple[Mapping[str, Any], Corpus]

_GUM_PREFIX = "GUM_"
_SPACE = re.compile(r"\s")
_NOT_RUNNING_TEXT = re.compile(r"[@#]|\bRT\b|http")
_WNUT_LABELS = frozenset({"PERSON", "LOC", "ORG"})
_WNUT_MIN_TOKENS = 7
_KEPT_FOR_DEVELOPMENT = 5


@dataclass(frozen=True, slots=True)
class EntityRows:
    """Rows for training and for checkpoint selection."""

    train: tuple[Row, ...]
    development: tuple[Row, ...]


class Sources:
    """Reads training data.

    Args:
        root: directory with ``train/spacy`` and ``train/nli``.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self._parses = root / "train" / "spacy" / "dep"
        self._entities = root / "train" / "spacy" / "ner"
        self._texts = root / "train" / "nli"
        self._config = config

    def sentences(self, name: str) -> Iterator[TreebankSentence]:
        """The sentences of a treebank file, without documents of GUM that may not be redistributed."""
        for sentence in read_treebank(self._parses / f"{name}.conllu.gz"):
            if not sentence.document.startswith(_GUM_PREFIX) or self._permitted(sentence.document):
                yield sentence

    def rows(self, name: str) -> list[Mapping[str, Any]]:
        """The rows of an entity file."""
        return read_rows(self._entities / f"{name}.jsonl.gz")

    def plain_texts(self) -> Iterator[str]:
        """The encyclopedic sentences for the word counts."""
        for name in self._config.vectors.texts:
            for row in read_rows(self._texts / f"{name}.jsonl.gz"):
                yield row["premise"]
                yield row["hypothesis"]

    def entity_rows(self) -> EntityRows:
        """All rows of the recipe, without training rows that have the text of a test row."""
        recipe = self._config.entities
        tests = {_letters(row) for name in recipe.tests for row in self.rows(name)}
        crossner = list({row["text"]: row for name in recipe.crossner for row in self.rows(name)}.values())
        kept = set(range(_KEPT_FOR_DEVELOPMENT, len(crossner), recipe.crossner_development_share))
        halved = self.rows(recipe.uner_halved)
        middle = len(halved) // 2
        return EntityRows(
            train=(
                *_of(
                    Corpus.CROSSNER,
                    [row for i, row in enumerate(crossner) if i not in kept and _letters(row) not in tests],
                ),
                *_of(Corpus.UNER, [*self.rows(recipe.uner_train), *halved[:middle]]),
                *_of(Corpus.GUM, self._gum_rows(recipe.gum_train)),
                *_of(Corpus.WNUT, self._wnut_rows()),
            ),
            development=(
                *_of(Corpus.CROSSNER, [crossner[i] for i in sorted(kept)]),
                *_of(Corpus.UNER, halved[middle:]),
                *_of(Corpus.GUM, self._gum_rows(recipe.gum_development)),
            ),
        )

    def _permitted(self, document: str) -> bool:
        return document.split("_")[1] in self._config.parses.gum_genres

    def _gum_rows(self, files: GumFiles) -> list[Mapping[str, Any]]:
        permitted = {"".join(word.text for word in sentence.words) for sentence in self.sentences(files.treebank)}
        return [row for row in self.rows(files.rows) if _letters(row) in permitted]

    def _wnut_rows(self) -> list[Mapping[str, Any]]:
        """Rows of tweets that resemble sentences and contain a name."""
        clean = [
            row
            for row in self.rows(self._config.entities.wnut.rows)
            if not _NOT_RUNNING_TEXT.search(row["text"])
            and len(row["tokens"]) >= _WNUT_MIN_TOKENS
            and any(label in _WNUT_LABELS for _, _, label in row["ents"])
        ]
        return clean[: self._config.entities.wnut.limit]


def _of(corpus: Corpus, rows: list[Mapping[str, Any]]) -> list[Row]:
    return [(row, corpus) for row in rows]


def _letters(row: Mapping[str, Any]) -> str:
    """The text without spaces, because corpora space it differently."""
    return _SPACE.sub("", row["text"])
