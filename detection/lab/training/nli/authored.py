"""Convert authored rows to units: two-sided groups, contrast groups, sources, whole texts.

The hypothesis alone must not reveal the label. So a unit pairs the same sentences with premises that agree and that
contradict, and its ranks say which of the two should score higher.
"""

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, StrEnum, auto
from itertools import combinations
from pathlib import Path
from typing import Any

from .data import Example, Row, read_rows, shared_words, with_topic
from .labels import InferenceClass, Label
from .units import Rank, Unit, ranked

OWN_DIRECTORY = Path(__file__).resolve().parents[1] / "authored"
CLAIM_LABELS: Mapping[str, Label] = {"s": Label.ENTAILMENT, "u": Label.NEUTRAL, "c": Label.CONTRADICTION}
_CLAIMS_PER_UNIT = 7
_COMPATIBLE_PAIRS_PER_TEXT = 14
_PAIRS_PER_TWIN = 4  # compatible pairs for each contradictory one
_CLAIMS_PER_TWO_SOURCES = 4
_TOPIC_SHARE = 0.5
#: Our own marked texts that train no stage, by letter. The lines of the model that ships were chosen in sight of these
#: and of ``_r`` to ``_t``; ``_u`` to ``_w`` are kept for figures.
_UNTRAINED_TEXTS = "klmnopq"


class Origin(StrEnum):
    """Origin of the rows: given with the data, or our own in the repository."""

    GIVEN = "given"
    OWN = "own"


#: Rows with a percentile below this never train. More of our own sources and texts are held out to fit the decisions.
_HELD_OUT_PERCENT = {
    ("sides", Origin.GIVEN): 8,
    ("sides", Origin.OWN): 8,
    ("groups", Origin.GIVEN): 5,
    ("groups", Origin.OWN): 8,
    ("sources", Origin.GIVEN): 6,
    ("sources", Origin.OWN): 25,
    ("texts", Origin.GIVEN): 0,  # other texts of the same kind are an evaluation set
    ("texts", Origin.OWN): 55,
    ("twins", Origin.OWN): 12,
    ("two_sources", Origin.OWN): 12,
    ("facts", Origin.OWN): 8,
}


def percentile_of(group: str) -> int:
    """A number from 0 to 99, by a hash of the group's name."""
    return int(hashlib.sha1(group.encode(), usedforsecurity=False).hexdigest(), 16) % 100


def is_held_out(kind: str, origin: Origin, group: str) -> bool:
    """Whether a group is held out of training."""
    return percentile_of(group) < _HELD_OUT_PERCENT[kind, origin]


def read_authored(given: Path, own: Path, kind: str, origin: Origin, *, held_out: bool, letters: str = "") -> list[Row]:
    """The training rows of one kind and origin, or the held-out ones. ``letters`` choose among our own files."""
    rows = read_rows(given / f"{kind}.jsonl.gz") if origin is Origin.GIVEN else read_own(own, kind, letters)
    return [row for row in rows if is_held_out(kind, origin, row["g"]) == held_out]


def read_own(own: Path, kind: str, letters: str = "") -> Iterator[Row]:
    """All rows of a kind in the repository, or those of the files with these letters."""
    pattern = f"{kind}_[{letters}].jsonl.gz" if letters else f"{kind}_*.jsonl.gz"
    for file in sorted(own.glob(pattern)):
        yield from read_rows(file)


def untrained_texts(data: Path, own: Path) -> list[Row]:
    """Texts to which nothing is fitted: our own, and the evaluation set ``authored-texts``."""
    return [*read_own(own, "fresh_texts", _UNTRAINED_TEXTS), *read_rows(data / "eval" / "authored_texts.jsonl.gz")]


class _Form(Enum):
    """The form of a group's pairs."""

    PLAIN = auto()
    TURNED = auto()  # the sentence is the premise
    PARAGRAPH = auto()  # the premise is surrounded by other sentences of its text


def _drawn_form(chooser: random.Random) -> _Form:
    return chooser.choices(list(_Form), weights=(0.40, 0.35, 0.25))[0]


def formed(topic: str, premise: str, sentence: str, label: Label, *, turned: bool) -> Example:
    """A pair of a premise and a sentence, in either direction; the topic precedes the first text."""
    first, second = (sentence, premise) if turned else (premise, sentence)
    return Example(with_topic(topic, first), second, label)


def topic_at_times(row: Row, chooser: random.Random) -> str:
    """The topic of a row, or randomly nothing, because the runtime does not always know it."""
    return row.get("topic", "") if chooser.random() < _TOPIC_SHARE else ""


def _among(sentence: str, others: Sequence[str], chooser: random.Random) -> str:
    mixed = [*others, sentence]
    chooser.shuffle(mixed)
    return " ".join(mixed)


def sides_unit(row: Row, chooser: random.Random) -> Unit:
    """Pair every sentence with both sides: it should contradict the other side more than its own."""
    form = _drawn_form(chooser)
    examples: list[Example] = []
    position: dict[tuple[str, str], int] = {}
    ranks: list[Rank] = []
    for side, other in (("a", "b"), ("b", "a")):
        premise, shared = row[side], [sentence for sentence in row["both"] if chooser.random() < 0.66]
        if form is _Form.PARAGRAPH:
            around = chooser.sample(row["both"], min(len(row["both"]), chooser.randint(1, 2)))
            premise, shared = _among(premise, around, chooser), []
        topic = topic_at_times(row, chooser)
        opposing, fitting = row[f"only_{other}"], [*row[f"only_{side}"], *shared]
        for label, sentences in ((Label.CONTRADICTION, opposing), (Label.NOT_CONTRADICTION, fitting)):
            for sentence in sentences:
                position[side, sentence] = len(examples)
                examples.append(formed(topic, premise, sentence, label, turned=form is _Form.TURNED))
        ranks += ranked(
            InferenceClass.CONTRADICTION,
            better=[position[side, sentence] for sentence in opposing],
            worse=[position[side, sentence] for sentence in fitting],
            chooser=chooser,
            most=1,
        )
    ranks += [
        Rank(InferenceClass.CONTRADICTION, better=position[other, sentence], worse=position[side, sentence])
        for side, other in (("a", "b"), ("b", "a"))
        for sentence in row[f"only_{side}"]
    ]
    return Unit(tuple(examples), tuple(ranks))


def groups_unit(row: Row, chooser: random.Random) -> Unit:
    """Pair the base and one of its paraphrases with all other sentences of the group."""
    form = _drawn_form(chooser)
    examples: list[Example] = []
    ranks: list[Rank] = []
    for premise in (row["base"], chooser.choice(row["same"])):
        neutral = list(row["neutral"])
        text = premise
        if form is _Form.PARAGRAPH:
            chooser.shuffle(neutral)
            taken = min(2, len(neutral) - 1)
            text, neutral = _among(premise, neutral[:taken], chooser), neutral[taken:]
        topic = topic_at_times(row, chooser)
        labelled = [(sentence, Label.CONTRADICTION) for sentence in row["contra"]]
        labelled += [(sentence, Label.NOT_CONTRADICTION) for sentence in neutral]
        labelled += _paraphrases(row, premise, form)
        start = len(examples)
        examples += [formed(topic, text, s, label, turned=form is _Form.TURNED) for s, label in labelled]
        first_compatible = start + len(row["contra"])
        contradicting, compatible = range(start, first_compatible), range(first_compatible, len(examples))
        ranks += ranked(InferenceClass.CONTRADICTION, contradicting, compatible, chooser)
    return Unit(tuple(examples), tuple(ranks))


def _paraphrases(row: Row, premise: str, form: _Form) -> list[tuple[str, Label]]:
    """Paraphrases with labels. A paraphrase may omit details: the base entails it, but not always the reverse."""
    if premise != row["base"]:
        return [(row["base"], Label.NOT_CONTRADICTION)]
    label = Label.NOT_CONTRADICTION if form is _Form.TURNED else Label.ENTAILMENT
    return [(sentence, label) for sentence in row["same"]]


def sources_units(row: Row, chooser: random.Random) -> Iterator[Unit]:
    """Pair the claims of a source with the whole source, a few per unit."""
    claims = [(claim["t"], claim["l"]) for claim in row["claims"]]
    chooser.shuffle(claims)
    for start in range(0, len(claims), _CLAIMS_PER_UNIT):
        yield claims_unit(row["source"], claims[start : start + _CLAIMS_PER_UNIT], chooser)


def claims_unit(source: str, claims: Sequence[tuple[str, str]], chooser: random.Random) -> Unit:
    """Supported claims should rank highest for entailment, refuted ones for contradiction."""
    examples = tuple(Example(source, text, CLAIM_LABELS[letter]) for text, letter in claims)
    ranks: list[Rank] = []
    for of, letter in ((InferenceClass.ENTAILMENT, "s"), (InferenceClass.CONTRADICTION, "c")):
        better = [index for index, claim in enumerate(claims) if claim[1] == letter]
        worse = [index for index, claim in enumerate(claims) if claim[1] != letter]
        ranks += ranked(of, better, worse, chooser)
    return Unit(examples, tuple(ranks))


def texts_unit(row: Row, chooser: random.Random, *, contradiction_weight: float = 1.0) -> Unit:
    """The planted contradictions of a text, and some of its other pairs, each in a random direction."""
    sentences = row["sentences"]
    planted = [(pair["a"], pair["b"]) for pair in row["pairs"]]
    others = [pair for pair in combinations(range(len(sentences)), 2) if pair not in planted]
    others = chooser.sample(others, min(_COMPATIBLE_PAIRS_PER_TEXT, len(others)))
    labels = [Label.CONTRADICTION] * len(planted) + [Label.NOT_CONTRADICTION] * len(others)
    weights = [contradiction_weight] * len(planted) + [1.0] * len(others)
    examples = []
    for pair, label, weight in zip([*planted, *others], labels, weights, strict=True):
        first, second = chooser.sample(pair, 2)
        examples.append(Example(sentences[first], sentences[second], label, weight))
    compatible = range(len(planted), len(examples))
    return Unit(
        tuple(examples), tuple(ranked(InferenceClass.CONTRADICTION, range(len(planted)), compatible, chooser, most=4))
    )


def twins_unit(row: Row, chooser: random.Random) -> Unit:
    """A text with contradictions and its repair: a repaired sentence should contradict less than the original.

    All pairs of the repaired text are compatible; half of the selected ones are those that share most words.
    """
    repaired = repaired_sentences(row)
    topic = topic_at_times(row, chooser)
    planted = [(row["sentences"][pair["a"]], row["sentences"][pair["b"]]) for pair in row["pairs"]]
    twins = [(row["sentences"][pair["a"]], pair["fixed"]) for pair in row["pairs"] if keeps_partner(row, pair)]
    unit = _contrasted(topic, planted, [*twins, *_compatible_pairs(row, repaired, chooser)], chooser, most=3)
    of_twin = {pair[0]: len(planted) + index for index, pair in enumerate(twins)}
    ranks = (
        Rank(InferenceClass.CONTRADICTION, better=index, worse=of_twin[pair[0]])
        for index, pair in enumerate(planted)
        if pair[0] in of_twin
    )
    return Unit(unit.examples, (*unit.ranks, *ranks))


def _contrasted(
    topic: str,
    planted: Sequence[tuple[str, str]],
    compatible: Sequence[tuple[str, str]],
    chooser: random.Random,
    *,
    most: int,
) -> Unit:
    """First the contradictory pairs, each ranked above at most so many compatible ones, then these."""
    examples = [_either_way(topic, pair, Label.CONTRADICTION, chooser) for pair in planted]
    examples += [_either_way(topic, pair, Label.NOT_CONTRADICTION, chooser) for pair in compatible]
    first = len(planted)
    apart = range(first, len(examples))
    return Unit(tuple(examples), tuple(ranked(InferenceClass.CONTRADICTION, range(first), apart, chooser, most=most)))


def places_of(pair: Mapping[str, Any] | Sequence[int]) -> tuple[int, int]:
    """The numbers of the two sentences of a marked pair, the smaller one first."""
    first, second = (pair["a"], pair["b"]) if isinstance(pair, Mapping) else pair
    return min(first, second), max(first, second)


def repaired_sentences(row: Row) -> list[str]:
    """The sentences of a text whose contradictions are repaired."""
    repaired = list(row["sentences"])
    for pair in row["pairs"]:
        repaired[pair["b"]] = pair["fixed"]
    return repaired


def marked_text_unit(row: Row, chooser: random.Random) -> Unit:
    """The contradictions of a text, its traps and some of its other pairs, half of them those that share most words."""
    sentences = row["sentences"]
    marked = [places_of(pair) for pair in row["pairs"]]
    traps = [places_of(trap) for trap in row.get("traps", ())]
    others = [pair for pair in combinations(range(len(sentences)), 2) if pair not in (*marked, *traps)]
    nearest = half_nearest([(sentences[a], sentences[b]) for a, b in others], _COMPATIBLE_PAIRS_PER_TEXT, chooser)
    planted, compatible = ([(sentences[a], sentences[b]) for a, b in pairs] for pairs in (marked, traps))
    return _contrasted(topic_at_times(row, chooser), planted, [*compatible, *nearest], chooser, most=4)


def keeps_partner(row: Row, pair: Mapping[str, Any]) -> bool:
    """Whether the first sentence of a pair is unchanged in the repaired text."""
    return all(pair["a"] != other["b"] for other in row["pairs"])


def _compatible_pairs(row: Row, repaired: Sequence[str], chooser: random.Random) -> list[tuple[str, str]]:
    traps = [(repaired[first], repaired[second]) for first, second in row["traps"]]
    others = [pair for pair in combinations(repaired, 2) if pair not in traps]
    return [*traps, *half_nearest(others, _PAIRS_PER_TWIN * len(row["pairs"]), chooser)]


def blurred_likeness(pair: tuple[str, str], chooser: random.Random) -> float:
    """The share of common words with a little noise, so that every pass over the data draws other near pairs."""
    return shared_words(*pair) + 0.2 * chooser.random()


def half_nearest(pairs: Sequence[tuple[str, str]], wanted: int, chooser: random.Random) -> list[tuple[str, str]]:
    """A selection of pairs: half of it are those that share most words, the others are drawn from the rest."""
    ordered = sorted(pairs, key=lambda pair: blurred_likeness(pair, chooser), reverse=True)
    nearest, far = ordered[: wanted // 2], ordered[wanted // 2 :]
    return [*nearest, *chooser.sample(far, min(wanted - len(nearest), len(far)))]


def _either_way(topic: str, pair: tuple[str, str], label: Label, chooser: random.Random) -> Example:
    return formed(topic, *pair, label, turned=chooser.random() < 0.5)


def two_sources_units(row: Row, chooser: random.Random) -> Iterator[Unit]:
    """Pair claims with two versions of a source: the supporting version should entail the claim more."""
    claims = list(row["claims"])
    chooser.shuffle(claims)
    for start in range(0, len(claims), _CLAIMS_PER_TWO_SOURCES):
        yield _two_sources_unit(row, claims[start : start + _CLAIMS_PER_TWO_SOURCES])


def _two_sources_unit(row: Row, claims: Sequence[Mapping[str, str]]) -> Unit:
    examples: list[Example] = []
    ranks: list[Rank] = []
    for claim in claims:
        position = {side: len(examples) + index for index, side in enumerate("ab")}
        examples += [Example(row[f"source_{side}"], claim["t"], CLAIM_LABELS[claim[side]]) for side in "ab"]
        for of, letter in ((InferenceClass.ENTAILMENT, "s"), (InferenceClass.CONTRADICTION, "c")):
            for side, other in (("a", "b"), ("b", "a")):
                if claim[side] == letter != claim[other]:
                    ranks.append(Rank(of, better=position[side], worse=position[other]))
    return Unit(tuple(examples), tuple(ranks))
