"""The metrics of the model card, all on raw text with the pipeline's tokens."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from spacy.tokens import Doc
from spacy.training import Example

#: Labels of the test corpora, which do not distinguish governed places from others.
_TEST_LABELS = {"PERSON": "PERSON", "ORG": "ORG", "LOC": "LOC", "GPE": "LOC"}

Name = tuple[int, int, str]


@dataclass(slots=True)
class TokenAccuracy:
    """Shares of the gold tokens that the pipeline tokenises and annotates correctly."""

    tokens: int = 0
    aligned: int = 0
    right: Counter[str] = field(default_factory=Counter)
    heads: Counter[str] = field(default_factory=Counter)
    heads_right: Counter[str] = field(default_factory=Counter)

    def add(self, example: Example) -> None:
        """Count one document: ``example.predicted`` against ``example.reference``."""
        to_predicted = example.alignment.y2x
        to_gold = example.alignment.x2y
        for gold in example.reference:
            self.tokens += 1
            self.heads[gold.dep_] += 1
            positions = to_predicted[gold.i]
            if len(positions) != 1 or len(to_gold[int(positions[0])]) != 1:
                continue
            predicted = example.predicted[int(positions[0])]
            self.aligned += 1
            self.right["tags"] += predicted.tag_ == gold.tag_
            self.right["parts_of_speech"] += predicted.pos_ == gold.pos_
            self.right["lemmas"] += predicted.lemma_ == gold.lemma_
            self.right["lemmas_any_case"] += predicted.lemma_.lower() == gold.lemma_.lower()
            head = to_predicted[gold.head.i]
            same_head = len(head) == 1 and int(head[0]) == predicted.head.i
            self.heads_right[gold.dep_] += same_head and predicted.dep_ == gold.dep_

    def shares(self) -> dict[str, float]:
        """The figures by name, in percent."""
        figures = {name: _percent(self.right[name], self.aligned) for name in sorted(self.right)}
        return {"tokens_aligned": _percent(self.aligned, self.tokens), **figures}

    def recalls(self, labels: Iterable[str]) -> dict[str, float]:
        """Percentage of the gold words of each label with the correct head and label."""
        return {label: _percent(self.heads_right[label], self.heads[label]) for label in labels if self.heads[label]}


@dataclass(slots=True)
class NameCounts:
    """Counts names found by exact span and label, for the labels of the test corpora."""

    found: Counter[str] = field(default_factory=Counter)
    invented: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    spans: int = 0
    spans_found: int = 0

    def add(self, gold: Iterable[Sequence[int | str]], predicted: Doc) -> None:
        """Count one text.

        Args:
            gold: start and end in characters, and label.
            predicted: the pipeline's output for the text.
        """
        expected = {
            (int(start), int(end), _TEST_LABELS[str(label)]) for start, end, label in gold if label in _TEST_LABELS
        }
        read = {(span.start_char, span.end_char, span.label_) for span in predicted.ents}
        got = {(start, end, _TEST_LABELS[label]) for start, end, label in read if label in _TEST_LABELS}
        self.found.update(_labels(expected & got))
        self.invented.update(_labels(got - expected))
        self.missed.update(_labels(expected - got))
        self.spans += len({name[:2] for name in expected})
        self.spans_found += len({name[:2] for name in expected} & {name[:2] for name in read})

    def report(self) -> dict[str, float]:
        """Precision, recall and F1 over all labels, F1 of each, and the share of spans with any label, in percent."""
        found, invented, missed = self.found.total(), self.invented.total(), self.missed.total()
        by_label = {
            f"f1_{label.lower()}": _f1(self.found[label], self.invented[label], self.missed[label])
            for label in sorted(set(_TEST_LABELS.values()))
        }
        return {
            "precision": _percent(found, found + invented),
            "recall": _percent(found, found + missed),
            "f1": _f1(found, invented, missed),
            **by_label,
            "spans_any_label": _percent(self.spans_found, self.spans),
        }


def rounded(figures: Mapping[str, float]) -> dict[str, float]:
    """Shares as spaCy gives them (0 to 1), in percent."""
    return {name: round(100 * value, 2) for name, value in figures.items()}


def _labels(names: Iterable[Name]) -> list[str]:
    return [label for _, _, label in names]


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _f1(found: int, invented: int, missed: int) -> float:
    return _percent(2 * found, 2 * found + invented + missed)
