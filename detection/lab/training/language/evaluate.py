"""The figures of the model card."""

import random
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import spacy
from spacy.language import Language
from spacy.pipeline import DependencyParser
from spacy.tokens import Doc
from spacy.training import Example

from . import parses
from .config import Config
from .scores import NameCounts, TokenAccuracy, rounded
from .sources import Sources

_LABELS = (
    "nsubj", "nsubj:pass", "obj", "obl", "nmod", "appos", "conj", "acl:relcl", "acl", "advcl", "xcomp", "ccomp", "cop",
    "compound", "flat", "ROOT",
)  # fmt: skip
_SENTENCES_PER_TEXT = 5
_WARM_UP_TEXTS = 20


def report(directory: Path, sources: Sources, config: Config) -> dict[str, Any]:
    """All figures of the pipeline in ``directory``: accuracies in percent, megabytes, seconds, words per second."""
    start = time.perf_counter()
    nlp = spacy.load(directory)
    loaded = time.perf_counter()
    return {
        "megabytes": round(megabytes(directory), 1),
        "load_seconds": round(loaded - start, 2),
        "words_per_second": _words_per_second(nlp, [row["text"] for row in sources.rows(config.entities.tests[0])]),
        "parses": {name: _parse_figures(nlp, sources, config, name) for name in config.parses.tests},
        "entities": {name: entity_figures(nlp, sources.rows(name)) for name in config.entities.tests},
    }


def megabytes(directory: Path) -> float:
    """Total size of the files in a directory."""
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file()) / 1e6


def parse_figures(nlp: Language, gold: Sequence[Doc]) -> dict[str, Any]:
    """Attachment scores by spaCy's rules (without punctuation), sentence starts, and token accuracies."""
    with nlp.select_pipes(disable=["ner"] if "ner" in nlp.pipe_names else []):
        predicted = list(nlp.pipe(doc.text for doc in gold))
    examples = [Example(*pair) for pair in zip(predicted, gold, strict=True)]
    attachment = cast(DependencyParser, nlp.get_pipe("parser")).score(examples)
    accuracy = TokenAccuracy()
    for example in examples:
        accuracy.add(example)
    return {
        **rounded({"uas": attachment["dep_uas"], "las": attachment["dep_las"], "sentence_f1": attachment["sents_f"]}),
        **accuracy.shares(),
        "recall": accuracy.recalls(_LABELS),
    }


def entity_figures(nlp: Language, rows: Sequence[Any]) -> dict[str, float]:
    """Accuracy of names in rows with ``text`` and ``ents``."""
    counts = NameCounts()
    for row, doc in zip(rows, nlp.pipe(row["text"] for row in rows), strict=True):
        counts.add(row["ents"], doc)
    return counts.report()


def _parse_figures(nlp: Language, sources: Sources, config: Config, name: str) -> dict[str, Any]:
    generator = random.Random(config.seed)  # noqa: S311 not for secrets
    passages = parses.passages(sources.sentences(name), generator)
    return parse_figures(nlp, [parses.as_document(passage, nlp.vocab) for passage in passages])


def _words_per_second(nlp: Language, sentences: Sequence[str]) -> int:
    texts = [
        " ".join(sentences[start : start + _SENTENCES_PER_TEXT])
        for start in range(0, len(sentences), _SENTENCES_PER_TEXT)
    ]
    _words(nlp, texts[:_WARM_UP_TEXTS])
    start = time.perf_counter()
    words = _words(nlp, texts)
    return round(words / (time.perf_counter() - start))


def _words(nlp: Language, texts: Iterable[str]) -> int:
    return sum(len(doc) for doc in nlp.pipe(texts))
