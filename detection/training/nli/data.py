"""Readers: every data set becomes a list of ``Example``, formed as the runtime forms its inputs."""

import gzip
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from .labels import Label

Row = Mapping[str, Any]

VERDICT_LABELS = {
    "SUPPORTS": Label.ENTAILMENT,
    "NOT ENOUGH INFO": Label.NEUTRAL,
    "REFUTES": Label.CONTRADICTION,
}
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
_BRACKET_TOKENS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_LEAST_OVERLAP_OF_ENTAILMENT = 0.5
_SPACE_BEFORE_PUNCTUATION = re.compile(r"\s+([.,;:!?%)\]]|'s\b|n't\b)")
_SPACE_AFTER_BRACKET = re.compile(r"([(\[])\s+")


@dataclass(frozen=True, slots=True)
class Example:
    """One training pair. ``group`` (topic, page, document) is the unit that splits keep together."""

    premise: str
    hypothesis: str
    label: Label
    weight: float = 1.0
    source: str = ""
    group: str = ""


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the objects of a JSON lines file, compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def fold_of(group: str, folds: int) -> int:
    """Assigns a topic or document to a fold by its name alone, so that every run and machine agrees."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % folds


def with_topic(topic: str, sentence: str) -> str:
    """Forms a premise the way the runtime does: the sentence after the topic or title it belongs to."""
    return f"{topic}: {sentence}" if topic else sentence


def split_sentences(text: str) -> list[str]:
    """Cuts at sentence ends; good enough for training text, the runtime has the spaCy pipeline for this."""
    return [part for part in _SENTENCE_END.split(text.strip()) if part]


def detokenise(text: str) -> str:
    """Undoes treebank tokenisation, which no text met at run time has."""
    words = [_BRACKET_TOKENS.get(word, word) for word in text.split()]
    joined = _SPACE_BEFORE_PUNCTUATION.sub(r"\1", " ".join(words))
    return _SPACE_AFTER_BRACKET.sub(r"\1", joined)


def words_of(text: str) -> list[str]:
    """Lower-cased words and numbers, the unit of every overlap measure here."""
    return re.findall(r"[a-z0-9]+", text.lower())


def normalised(text: str) -> str:
    """A key under which copies of a sentence meet whatever their spacing, case and punctuation."""
    return "".join(words_of(text))


def windows(text: str, size: int = 90, step: int = 45) -> list[str]:
    """Overlapping runs of words that cover a document, as the runtime cuts a source."""
    words = text.split()
    last_start = max(len(words) - size, 0)
    starts = [*range(0, last_start, step), last_start]
    return [" ".join(words[start : start + size]) for start in starts]


def pooled_examples(
    rows: Iterable[Row], *, excluded_sources: Collection[str], excluded_texts: Collection[str], longest_premise: int
) -> list[Example]:
    """Rows that carry their label in the project's own vocabulary.

    A premise longer than a window would be cut by the tokenizer, and its label might rest on what was cut.
    """
    return [
        Example(
            premise=row["premise"],
            hypothesis=row["hypothesis"],
            label=Label(row["label"]),
            weight=float(row["weight"]),
            source=row["source"],
            group=row["cluster"],
        )
        for row in rows
        if row["source"] not in excluded_sources
        and len(row["premise"].split()) <= longest_premise
        and normalised(row["premise"]) not in excluded_texts
        and normalised(row["hypothesis"]) not in excluded_texts
    ]


def revision_examples(
    rows: Iterable[Row], *, excluded_texts: Collection[str], title_share: float, chooser: random.Random
) -> list[Example]:
    """VitaminC: claims with evidence from several revisions of a page; some premises get the page's title."""
    examples = []
    for row in rows:
        evidence, claim = detokenise(row["evidence"]), detokenise(row["claim"])
        if normalised(evidence) in excluded_texts or normalised(claim) in excluded_texts:
            continue
        titled = chooser.random() < title_share
        examples.append(
            Example(
                premise=with_topic(row["page"], evidence) if titled else evidence,
                hypothesis=claim,
                label=VERDICT_LABELS[row["label"]],
                source=f"vitaminc_{row['part']}",
                group=row["group"],
            )
        )
    return examples


def verdict_examples(rows: Iterable[Row]) -> list[Example]:
    """Claims with one evidence text and a verdict, as they stand (FEVER symmetric, ANLI)."""
    return [
        Example(
            premise=detokenise(row["evidence"]),
            hypothesis=detokenise(row["claim"]),
            label=VERDICT_LABELS[row["label"]],
            group=row["group"],
        )
        for row in rows
    ]


def statement_pairs(
    rows: Iterable[Row], *, source: str, label_key: str = "contradictory", topic_key: str = "topic"
) -> list[Example]:
    """Pairs of sentences written for the same place of a text, judged contradictory or not.

    The judgement is symmetric and the runtime asks in both directions, so both are examples, at half the weight each.
    """
    examples = []
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        topic, first, second = row[topic_key], row["orig"], row["alt"]
        if first == second or row[label_key] is None or (topic, first, second) in seen:
            continue
        seen.add((topic, first, second))
        label = Label.CONTRADICTION if row[label_key] else Label.NOT_CONTRADICTION
        for premise, hypothesis in ((first, second), (second, first)):
            examples.append(Example(with_topic(topic, premise), hypothesis, label, 0.5, source, topic))
    return examples


def texts_of(rows: Iterable[Row]) -> dict[str, list[list[str]]]:
    """Topic to texts, each a list of sentences, from whole texts."""
    texts: dict[str, list[list[str]]] = defaultdict(list)
    for row in rows:
        texts[row["topic"]].append(list(row["sentences"]))
    return dict(texts)


def texts_of_prefixes(rows: Iterable[Row]) -> dict[str, list[list[str]]]:
    """Topic to texts rebuilt from pairs that carry the sentences before theirs; the longest of a text stands for it."""
    candidates: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["prefix"]:
            candidates[row["topic"]].add(f"{row['prefix'].strip()} {row['orig'].strip()}")
    return {topic: [split_sentences(text) for text in _without_prefixes(found)] for topic, found in candidates.items()}


def _without_prefixes(found: Iterable[str]) -> list[str]:
    ordered = sorted(found)
    return [text for text, following in pairwise([*ordered, ""]) if not following.startswith(text)]


def overlap(first: str, second: str) -> float:
    """Share of the shorter sentence's words that the other one has."""
    a, b = _word_set(first), _word_set(second)
    return len(a & b) / max(min(len(a), len(b)), 1)


@lru_cache(maxsize=100_000)
def _word_set(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


def in_text_examples(
    texts: Mapping[str, Sequence[Sequence[str]]], *, per_text: int, chooser: random.Random
) -> list[Example]:
    """Different sentences of one text: nearly never contradictory, and the most frequent question at run time.

    Neighbours are preferred, because they share their subject and so resemble a contradiction most. What shares few
    words is not entailed either.
    """
    examples: list[Example] = []
    for topic, sentences_of_texts in texts.items():
        for sentences in sentences_of_texts:
            pairs = [(i, j) for i in range(len(sentences)) for j in range(len(sentences)) if i != j]
            pairs.sort(key=lambda pair: (abs(pair[0] - pair[1]) > 3, chooser.random()))
            examples.extend(
                Example(
                    premise=with_topic(topic, sentences[i]),
                    hypothesis=sentences[j],
                    label=_label_in_text(sentences[i], sentences[j]),
                    source="in_text",
                    group=topic,
                )
                for i, j in pairs[:per_text]
                if normalised(sentences[i]) != normalised(sentences[j])
            )
    return examples


def _label_in_text(first: str, second: str) -> Label:
    return Label.NEUTRAL if overlap(first, second) < _LEAST_OVERLAP_OF_ENTAILMENT else Label.NOT_CONTRADICTION
