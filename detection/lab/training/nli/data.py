"""Read each data set as a list of ``Example``, in the runtime's input format."""

import gzip
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .labels import Label

Row = Mapping[str, Any]

VERDICT_LABELS = {
    "SUPPORTS": Label.ENTAILMENT,
    "NOT ENOUGH INFO": Label.NEUTRAL,
    "REFUTES": Label.CONTRADICTION,
}
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])|\n+")
_SHORTEST_SENTENCE = 9  # characters; shorter ones are list numbers and the like
_BRACKET_TOKENS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_SHORTEST_ANSWER_SENTENCE = 30  # characters
_MARKED_WEIGHT = 1.2
_SPACE_BEFORE_PUNCTUATION = re.compile(r"\s+([.,;:!?%)\]]|'s\b|n't\b)")
_SPACE_AFTER_BRACKET = re.compile(r"([(\[])\s+")


@dataclass(frozen=True, slots=True)
class Example:
    """One training pair."""

    premise: str
    hypothesis: str
    label: Label
    weight: float = 1.0


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file, compressed or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from lines


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file, compressed or not."""
    for line in read_lines(path):
        yield json.loads(line)


def fold_of(group: str, folds: int) -> int:
    """The fold of a topic or document by its name, equal on every run and machine."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % folds


def with_topic(topic: str, sentence: str) -> str:
    """The sentence after its topic or title, in the runtime's premise format."""
    return f"{topic}: {sentence}" if topic else sentence


def split_sentences(text: str) -> list[str]:
    """Split at sentence and line ends. A simple rule is sufficient for training; the runtime uses spaCy."""
    return [part.strip() for part in _SENTENCE_END.split(text) if len(part.strip()) >= _SHORTEST_SENTENCE]


def detokenise(text: str) -> str:
    """Undo treebank tokenisation, which texts at run time never have."""
    words = [_BRACKET_TOKENS.get(word, word) for word in text.split()]
    joined = _SPACE_BEFORE_PUNCTUATION.sub(r"\1", " ".join(words))
    return _SPACE_AFTER_BRACKET.sub(r"\1", joined)


def words_of(text: str) -> list[str]:
    """Lower-cased words and numbers, the unit of every overlap measure here."""
    return re.findall(r"[a-z0-9]+", text.lower())


def normalised(text: str) -> str:
    """A key for copies of a sentence, ignoring spacing, case and punctuation."""
    return "".join(words_of(text))


def windows(text: str, size: int = 90, step: int = 45) -> list[str]:
    """Overlapping windows of words that cover a document, similar to the runtime's passages."""
    words = text.split()
    last_start = max(len(words) - size, 0)
    starts = [*range(0, last_start, step), last_start]
    return [" ".join(words[start : start + size]) for start in starts]


_FUNCTION_WORDS = frozenset(
    words_of(
        "the a an of in on at to and or for with by from as is was are were be been it its he she they his her their "
        "that this which who had has have not but into than then also after before during over about more most one two"
    )
)


@lru_cache(maxsize=100_000)
def content_words(text: str) -> frozenset[str]:
    """The content words of a text."""
    return frozenset(words_of(text)) - _FUNCTION_WORDS


def shared_words(first: str, second: str) -> float:
    """Share of the content words of the text with fewer ones that the other text has."""
    a, b = content_words(first), content_words(second)
    return len(a & b) / max(min(len(a), len(b)), 1)


def nearest_window(text: str, claim: str, size: int) -> str:
    """The window of a document with most content words of the claim."""
    return max(windows(text, size, size // 2), key=lambda window: len(content_words(claim) & content_words(window)))


def pooled_examples(
    rows: Iterable[Row],
    *,
    excluded_texts: Collection[str],
    premise_words: range,
    excluded_sources: Collection[str] = (),
) -> list[Example]:
    """Examples from rows with a label in the project's vocabulary and a weight.

    Long premises are selected separately, because each fills a batch.
    """
    return [
        Example(row["premise"], row["hypothesis"], Label(row["label"]), float(row["weight"]))
        for row in rows
        if row["source"] not in excluded_sources
        and len(row["premise"].split()) in premise_words
        and normalised(row["premise"]) not in excluded_texts
        and normalised(row["hypothesis"]) not in excluded_texts
    ]


def split_examples(rows: Iterable[Row], split: str) -> list[Example]:
    """Examples of one split of a set with all splits in one file (LingNLI, counterfactual NLI)."""
    return [Example(row["premise"], row["hypothesis"], Label(row["label"])) for row in rows if row["split"] == split]


def verdict_examples(rows: Iterable[Row]) -> list[Example]:
    """Claims with one evidence text and a verdict (FEVER symmetric, ANLI, VitaminC)."""
    return [
        Example(detokenise(row["evidence"]), detokenise(row["claim"]), VERDICT_LABELS[row["label"]]) for row in rows
    ]


def statement_pairs(rows: Iterable[Row], *, chooser: random.Random, contradiction_weight: float = 1.0) -> list[Example]:
    """Pairs of sentences generated for the same place of a text, labelled contradictory or not.

    The label is symmetric and the runtime scores both directions; training uses a random one.
    """
    examples = []
    for row in rows:
        if row["orig"] == row["alt"] or row["contradictory"] is None:
            continue
        label = Label.CONTRADICTION if row["contradictory"] else Label.NOT_CONTRADICTION
        premise, hypothesis = chooser.sample((row["orig"], row["alt"]), 2)
        weight = contradiction_weight if row["contradictory"] else 1.0
        examples.append(Example(with_topic(row["topic"], premise), hypothesis, label, weight))
    return examples


def texts_of(rows: Iterable[Row]) -> dict[str, list[list[str]]]:
    """The texts of each topic, as lists of sentences."""
    texts: dict[str, list[list[str]]] = defaultdict(list)
    for row in rows:
        texts[row["topic"]].append(list(row["sentences"]))
    return dict(texts)


def answer_examples(rows: Iterable[Row], *, chooser: random.Random, window_words: int = 200) -> list[Example]:
    """RAGTruth: sentences of answers with the passages, as many marked as unmarked ones."""
    marked: list[Example] = []
    unmarked: list[Example] = []
    for row in rows:
        for start, sentence in _placed_sentences(row["response"]):
            if len(sentence) < _SHORTEST_ANSWER_SENTENCE:
                continue
            kinds = [kind for begin, end, kind in row["spans"] if begin < start + len(sentence) and end > start]
            window = nearest_window(row["source"], sentence, window_words)
            if kinds:
                marked.append(Example(window, sentence, _label_of_marks(kinds), _MARKED_WEIGHT))
            else:
                unmarked.append(Example(window, sentence, Label.ENTAILMENT))
    return marked + chooser.sample(unmarked, min(len(marked), len(unmarked)))


def _placed_sentences(text: str) -> Iterator[tuple[int, str]]:
    end = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, end)
        end = start + len(sentence)
        yield start, sentence


def _label_of_marks(kinds: Iterable[str]) -> Label:
    """A conflict is a contradiction; "baseless" is neutral or a contradiction."""
    return Label.CONTRADICTION if any("Conflict" in kind for kind in kinds) else Label.NOT_ENTAILMENT


def summary_examples(rows: Iterable[Row], window_words: int = 220) -> list[Example]:
    """Summaries of one or few sentences, labelled as a whole (DeFacto, BUMP); label 0 is faithful."""
    examples = []
    for row in rows:
        if row["label"] == 0:
            label = Label.ENTAILMENT
        elif row.get("intrinsic") and not row.get("extrinsic"):
            label = Label.CONTRADICTION
        else:
            label = Label.NOT_ENTAILMENT
        window = nearest_window(row["source"], row["response"], window_words)
        examples.append(Example(window, row["response"], label))
    return examples
