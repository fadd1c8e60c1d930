"""Sentences that say again what a source says, beside sentences that contradict it.

Texts that were written with contradictions in them seldom repeat anything, so a model that trains on them takes
closeness for a contradiction. Here the sentence of a source is paired with a supported sentence, which restates it in
other words, and with a contradicted one about the same fact.
"""

import random
from collections.abc import Iterator, Sequence

from .authored import formed, half_nearest, topic_at_times
from .data import Example, Row, shared_words, split_sentences
from .labels import InferenceClass, Label
from .units import Rank, Unit

_FACTS_PER_UNIT = 4
_COMPATIBLE_PAIRS_PER_FACT = 2
#: Below this share of common words no sentence of the source is taken for the one that is restated.
_LEAST_SHARED = 0.2
#: The contradicted sentence may be about another part of the source's sentence than the restatement.
_LESS_SURE_WEIGHT = 0.6


def restated_facts_units(row: Row, chooser: random.Random) -> Iterator[Unit]:
    """Pair sentences of a source with facts: restatements should contradict less than contradicted sentences."""
    facts = chooser.sample(row["facts"], len(row["facts"]))
    sentences = split_sentences(row["source"])
    topic = topic_at_times(row, chooser)
    for start in range(0, len(facts), _FACTS_PER_UNIT):
        yield _unit(topic, sentences, facts[start : start + _FACTS_PER_UNIT], chooser)


def _unit(topic: str, sentences: Sequence[str], facts: Sequence[Row], chooser: random.Random) -> Unit:
    examples: list[Example] = []
    ranks: list[Rank] = []

    def add(first: str, second: str, label: Label, weight: float = 1.0) -> int:
        pair = formed(topic, first, second, label, turned=chooser.random() < 0.5)
        examples.append(Example(pair.premise, pair.hypothesis, pair.label, weight))
        return len(examples) - 1

    for fact in facts:
        clashing = [add(fact["s"], fact["c"], Label.CONTRADICTION)]
        compatible = []
        restated = nearest_sentence(sentences, fact["s"])
        if restated is not None:
            compatible.append(add(restated, fact["s"], Label.NOT_CONTRADICTION))
            if nearest_sentence(sentences, fact["c"]) == restated:
                clashing.append(add(restated, fact["c"], Label.CONTRADICTION, _LESS_SURE_WEIGHT))
        others = [(sentence, fact["s"]) for sentence in sentences if sentence != restated]
        pairs = half_nearest(others, _COMPATIBLE_PAIRS_PER_FACT, chooser)
        compatible += [add(*pair, Label.NOT_CONTRADICTION) for pair in pairs]
        ranks += [Rank(InferenceClass.CONTRADICTION, high, low) for high in clashing for low in compatible]
    return Unit(tuple(examples), tuple(ranks))


def restated_claims_unit(row: Row, chooser: random.Random) -> Unit | None:
    """Pair the supported claims of a source with the nearest sentences of it; None if there are no claims."""
    sentences = split_sentences(row["source"])
    supported = [claim["t"] for claim in row["claims"] if claim["l"] == "s"]
    nearest = [(nearest_sentence(sentences, text), text) for text in supported]
    pairs = [(sentence, text) for sentence, text in nearest if sentence is not None]
    examples = [
        formed("", *pair, Label.NOT_CONTRADICTION, turned=chooser.random() < 0.5) for pair in pairs
    ]  # fmt: skip
    return Unit(tuple(examples)) if examples else None


def nearest_sentence(sentences: Sequence[str], text: str) -> str | None:
    """The sentence that shares most words with the text; None if none shares enough."""
    if not sentences:
        return None
    best = max(sentences, key=lambda sentence: shared_words(sentence, text))
    return best if shared_words(best, text) >= _LEAST_SHARED else None
