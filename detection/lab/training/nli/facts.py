"""Sources with facts: each fact has a sentence that the source supports and one, in other words, that it contradicts.

Both sentences of a fact are about equally long and fluent. What a sentence alone still tells (supported ones have more
negations, contradicted ones more figures) is balanced by weights.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, zip_longest

from .authored import CLAIM_LABELS, formed, half_nearest, topic_at_times
from .data import Example, Row
from .labels import InferenceClass, Label
from .units import Rank, Unit, ranked

_COMPATIBLE_PAIRS_PER_SOURCE = 16
_NEGATION = re.compile(r"\b(?:not|no|never|without|nobody|none|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
_SHORT_WORDS = 14
_WEIGHT_BOUNDS = (0.4, 2.5)


class WordingWeights:
    """Weights that make the label independent of a sentence's negation, figures and length, over all rows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        found = [(label, _wording(text)) for row in rows for text, label in _labelled(row)]
        self._count = Counter(found)
        self._of_label = Counter(label for label, _ in found)
        self._of_wording = Counter(wording for _, wording in found)

    def example(self, source: str, text: str, label: Label) -> Example:
        """The pair with its weight, P(wording) / P(wording | label), within bounds."""
        wording = _wording(text)
        expected = self._of_wording[wording] * self._of_label[label] / self._of_wording.total()
        least, most = _WEIGHT_BOUNDS
        return Example(source, text, label, min(max(expected / self._count[label, wording], least), most))


def lettered_sentences(row: Row) -> Iterator[tuple[str, str]]:
    """Every sentence about a source, with the letter of its label."""
    for fact in row["facts"]:
        yield fact["s"], "s"
        yield fact["c"], "c"
    for text in row["u"]:
        yield text, "u"


def _labelled(row: Row) -> Iterator[tuple[str, Label]]:
    return ((text, CLAIM_LABELS[letter]) for text, letter in lettered_sentences(row))


def _wording(text: str) -> tuple[bool, bool, bool]:
    return _NEGATION.search(text) is not None, _FIGURE.search(text) is not None, len(text.split()) < _SHORT_WORDS


def facts_units(row: Row, weights: WordingWeights, chooser: random.Random) -> Iterator[Unit]:
    """Pair the two sentences of each fact with the source, with an unstated sentence while there are any."""
    source = row["source"]
    facts, unstated = chooser.sample(row["facts"], len(row["facts"])), chooser.sample(row["u"], len(row["u"]))
    for fact, sentence in zip_longest(facts, unstated[: len(facts)]):
        examples = [
            weights.example(source, fact["s"], Label.ENTAILMENT),
            weights.example(source, fact["c"], Label.CONTRADICTION),
        ]
        ranks = [Rank(InferenceClass.ENTAILMENT, 0, 1), Rank(InferenceClass.CONTRADICTION, 1, 0)]
        if sentence is not None:
            examples.append(weights.example(source, sentence, Label.NEUTRAL))
            ranks += [Rank(InferenceClass.ENTAILMENT, 0, 2), Rank(InferenceClass.CONTRADICTION, 1, 2)]
        yield Unit(tuple(examples), tuple(ranks))


def fact_pairs_unit(row: Row, chooser: random.Random) -> Unit:
    """Pair the sentences with each other: those of one fact contradict, those of two facts do not.

    Half of the compatible pairs are those that share most words.
    """
    topic = topic_at_times(row, chooser)
    clashing = [(fact["s"], fact["c"]) for fact in row["facts"]]
    compatible = _compatible_pairs(row, chooser)
    labelled = [(pair, Label.CONTRADICTION) for pair in clashing]
    labelled += [(pair, Label.NOT_CONTRADICTION) for pair in compatible]
    examples = tuple(formed(topic, *pair, label, turned=chooser.random() < 0.5) for pair, label in labelled)
    first = len(clashing)
    ranks = ranked(InferenceClass.CONTRADICTION, range(first), range(first, len(examples)), chooser, most=3)
    return Unit(examples, tuple(ranks))


def _compatible_pairs(row: Row, chooser: random.Random) -> list[tuple[str, str]]:
    pairs = [
        (one["s"], other)
        for one, another in combinations(row["facts"], 2)
        for other in (another["s"], another["c"])
    ] + [(fact["s"], sentence) for fact in row["facts"] for sentence in row["u"]]  # fmt: skip
    return half_nearest(pairs, _COMPATIBLE_PAIRS_PER_SOURCE, chooser)
