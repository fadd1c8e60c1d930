"""Pairs of sentences of human texts, which rarely contradict each other.

They reduce false alarms more than any other data that was tried, above all pairs that share many words.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .data import Example, Row, content_words, fold_of, read_lines, shared_words, split_sentences
from .labels import Label
from .units import Unit

_FOLDS = 2
_TRAINING_FOLD = 0
_PAIRS_PER_DOCUMENT = 10
_LEAST_SENTENCES = 4
COPY_OVERLAP = 0.9
_SHORTEST, _LONGEST = 20, 350
_SENTENCES_PER_PAGE = 30
_PAGE_CHARACTERS = 6000


@dataclass(frozen=True, slots=True)
class Document:
    """The sentences of one text. ``name`` determines whether it trains."""

    name: str
    sentences: tuple[str, ...]

    @property
    def trains(self) -> bool:
        """Whether it trains. Half of the texts are held out to count false alarms."""
        return fold_of(self.name, _FOLDS) == _TRAINING_FOLD

    @property
    def comparable(self) -> list[str]:
        """Its sentences, without fragments and paragraphs."""
        return [s for s in self.sentences if _SHORTEST < len(s) < _LONGEST and content_words(s)]


def source_documents(rows: Iterable[Row]) -> list[Document]:
    """The authored sources."""
    return [Document(f"asrc{row['g']}", tuple(split_sentences(row["source"]))) for row in rows]


def clean_texts(rows: Iterable[Row]) -> list[Document]:
    """The authored texts without contradictions."""
    return [Document(f"atx{row['g']}", tuple(row["sentences"])) for row in rows if row["clean"]]


def articles(rows: Iterable[Row]) -> list[Document]:
    """The summarised texts, without duplicates."""
    texts = dict.fromkeys(row["source"] for row in rows)
    return [Document(f"con{text[:80]}", tuple(split_sentences(text))) for text in texts]


def pages(rows: Iterable[Row]) -> list[Document]:
    """The beginnings of web pages."""
    return [
        Document(f"pg{row['page_id']}", tuple(split_sentences(row["text"][:_PAGE_CHARACTERS])[:_SENTENCES_PER_PAGE]))
        for row in rows
    ]


def treebank_documents(path: Path) -> list[Document]:
    """The documents of a treebank in CoNLL-U, which has the text of each sentence in a comment."""
    documents: dict[str, list[str]] = {}
    name = ""
    for line in read_lines(path):
        if line.startswith("# newdoc"):
            name = line.split("=")[-1].strip()
        elif line.startswith("# text ="):
            documents.setdefault(name, []).append(line.partition("=")[2].strip())
    return [Document(f"ud{name}", tuple(sentences)) for name, sentences in documents.items()]


def natural_units(documents: Iterable[Document], chooser: random.Random) -> list[Unit]:
    """A random selection of the pairs that share most words in each training document, without copies."""
    return [unit for document in documents if document.trains and (unit := _unit(document, chooser)) is not None]


def _unit(document: Document, chooser: random.Random) -> Unit | None:
    sentences = document.comparable
    if len(sentences) < _LEAST_SENTENCES:
        return None
    pairs = []
    for first in sentences:
        for second in sentences:
            overlap = shared_words(first, second)
            if first != second and overlap < COPY_OVERLAP:
                pairs.append((overlap + 0.35 * chooser.random(), first, second))
    nearest = sorted(pairs, reverse=True)[:_PAIRS_PER_DOCUMENT]
    examples = tuple(Example(first, second, Label.NOT_CONTRADICTION) for _, first, second in nearest)
    return Unit(examples) if examples else None
