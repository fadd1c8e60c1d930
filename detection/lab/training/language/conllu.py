"""Read treebanks in the CoNLL-U format of Universal Dependencies."""

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

#: Label of a sentence's head, as spaCy writes it (Universal Dependencies: ``root``).
ROOT = "ROOT"


@dataclass(frozen=True, slots=True)
class Word:
    """One word. ``head`` is the index of its head in the sentence; the root is its own head."""

    text: str
    lemma: str
    universal: str
    tag: str
    morphology: str
    head: int
    label: str
    space_after: bool


@dataclass(frozen=True, slots=True)
class TreebankSentence:
    """One sentence, its position, and whether it starts a paragraph."""

    document: str
    starts_paragraph: bool
    words: tuple[Word, ...]


def read_treebank(path: Path) -> Iterator[TreebankSentence]:
    """The sentences of one file, in order; ``.gz`` files are decompressed."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from parse_treebank(lines)


def parse_treebank(lines: Iterable[str]) -> Iterator[TreebankSentence]:
    """The sentences in CoNLL-U lines, without empty words; contractions are split into words."""
    document = ""
    starts_paragraph = False
    rows: list[list[str]] = []
    for line in (*lines, ""):
        stripped = line.rstrip("\n")
        if stripped.startswith("# newdoc"):
            document = stripped.partition("=")[2].strip()
            starts_paragraph = True
        elif stripped.startswith("# newpar"):
            starts_paragraph = True
        elif stripped and not stripped.startswith("#"):
            rows.append(stripped.split("\t"))
        elif not stripped and rows:
            yield TreebankSentence(document, starts_paragraph, tuple(_words(rows)))
            rows = []
            starts_paragraph = False


def _words(rows: list[list[str]]) -> Iterator[Word]:
    contraction_end = 0
    space_after_contraction = True
    for number, text, lemma, universal, tag, morphology, head, label, _, other in rows:
        space_after = "SpaceAfter=No" not in other.split("|")
        if "." in number:
            continue
        if "-" in number:
            contraction_end = int(number.partition("-")[2])
            space_after_contraction = space_after
            continue
        position = int(number) - 1
        if int(number) < contraction_end:
            space_after = False
        elif int(number) == contraction_end:
            space_after = space_after_contraction
        yield Word(
            text=text,
            lemma=lemma,
            universal=universal,
            tag=tag,
            morphology="" if morphology == "_" else morphology,
            head=int(head) - 1 if int(head) else position,
            label=ROOT if label == "root" else label,
            space_after=space_after,
        )
