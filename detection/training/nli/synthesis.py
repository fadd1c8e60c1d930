"""Examples made from examples: edited values, and windows in which a claim's evidence stands among other facts.

Word overlap must not give the label away, so every kind of edit also comes in a form that leaves the label as it was.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from .data import Example, overlap, split_sentences, with_topic
from .labels import Label

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DIRECTIONS = ("north", "south", "east", "west", "northern", "southern", "eastern", "western")
_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty",
)  # fmt: skip
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_OPPOSITES = (
    ("largest", "smallest"), ("oldest", "youngest"), ("highest", "lowest"), ("increased", "decreased"),
    ("won", "lost"), ("older", "younger"), ("larger", "smaller"), ("longest", "shortest"),
    ("mother", "father"), ("brother", "sister"), ("son", "daughter"), ("husband", "wife"), ("male", "female"),
    ("successful", "unsuccessful"), ("public", "private"), ("married", "unmarried"), ("rural", "urban"),
    ("began", "ended"), ("opened", "closed"), ("accepted", "rejected"), ("supported", "opposed"),
)  # fmt: skip
_COMPARATIVE = re.compile(
    r"\b(more|less|fewer|over|under|above|below|at least|at most|about|around|nearly|almost|approximately|between|"
    r"before|after|since|until|by|from|later|earlier|decades?|century|early|late|mid)\b",
    re.IGNORECASE,
)
_NAME = r"(?:[A-Z][\w'’.-]*\w|[A-Z])(?:\s+(?:of|de|von|van|the|la|al)?\s*[A-Z][\w'’-]*\w)*"
# A slot that holds one value only: with another name in it the sentence contradicts, and does not merely add.
_SINGLE_VALUED = re.compile(
    r"\b(?:born (?:in|at)|died (?:in|at)|buried (?:in|at)|located (?:in|on|near)|situated (?:in|on|near)|capital of|"
    r"founded by|directed by|written by|composed by|designed by|created by|named after|married to|"
    r"(?:son|daughter|husband|wife|brother|sister|author|founder|director|composer|creator) of)\s+(?P<name>"
    + _NAME
    + ")"
)

#: Two sentences that share this much of their words may say the same, or contradict each other.
_LEAST_OVERLAP_OF_ONE_MATTER = 0.5


class ValueKind(StrEnum):
    """What a value is, which decides by what it can be replaced."""

    YEAR = "year"
    NUMBER = "number"
    MONTH = "month"
    DIRECTION = "direction"
    NUMBER_WORD = "number_word"
    ORDINAL = "ordinal"
    OPPOSITE = "opposite"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a sentence, as written there."""

    kind: ValueKind
    text: str


def _word_list(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(words) + r")\b", re.IGNORECASE)


_PATTERNS: tuple[tuple[ValueKind, re.Pattern[str]], ...] = (
    (ValueKind.YEAR, re.compile(r"(?<![\d,.–-])(?:1[0-9]{3}|20[0-2][0-9])(?![\d,–-]|\.\d|s\b)")),
    (ValueKind.NUMBER, re.compile(r"(?<![\w,.–-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w–-]|[,.]\d)")),
    # "May" alone is a verb more often than a month.
    (ValueKind.MONTH, re.compile(r"\b(?:" + "|".join(month for month in _MONTHS if month != "May") + r")\b")),
    (ValueKind.DIRECTION, _word_list(_DIRECTIONS)),
    (ValueKind.NUMBER_WORD, _word_list(_NUMBER_WORDS)),
    (ValueKind.ORDINAL, _word_list(_ORDINALS)),
    (ValueKind.OPPOSITE, _word_list(word for pair in _OPPOSITES for word in pair)),
)
_OPPOSITE_OF = {word: other for a, b in _OPPOSITES for word, other in ((a, b), (b, a))}
_CLOSED_LISTS: Mapping[ValueKind, Sequence[str]] = {
    ValueKind.MONTH: _MONTHS,
    ValueKind.DIRECTION: _DIRECTIONS,
    ValueKind.NUMBER_WORD: _NUMBER_WORDS,
    ValueKind.ORDINAL: _ORDINALS,
}


def values_of(sentence: str) -> list[Value]:
    """The values of a sentence, each once, in the order of the kinds."""
    found = [Value(kind, match.group()) for kind, pattern in _PATTERNS for match in pattern.finditer(sentence)]
    found += [Value(ValueKind.NAME, match["name"]) for match in _SINGLE_VALUED.finditer(sentence)]
    return list(dict.fromkeys(found))


def mentions(sentence: str, value: Value) -> bool:
    """Whether the value stands in the sentence as a whole word."""
    return re.search(rf"(?<!\w){re.escape(value.text)}(?!\w)", sentence) is not None


def substitute(sentence: str, value: Value, replacement: str) -> str:
    """Puts the replacement wherever the value stands."""
    return re.sub(rf"(?<!\w){re.escape(value.text)}(?!\w)", lambda _: replacement, sentence)


def other_value(value: Value, neighbours: Sequence[Value], chooser: random.Random) -> str | None:
    """A different value of the same kind, often one that ``neighbours`` (values of the same document) offer.

    A wrong value that the document has for another fact is the case that the model is most easily fooled by.
    """
    nearby = [other.text for other in neighbours if other.kind is value.kind and _differ(other.text, value.text)]
    if nearby and chooser.random() < 0.6:
        return chooser.choice(nearby)
    match value.kind:
        case ValueKind.YEAR:
            return str(int(value.text) + chooser.choice((-1, 1)) * chooser.choice((1, 2, 3, 4, 6, 9, 12, 20, 35)))
        case ValueKind.NUMBER:
            return _other_number(value.text, chooser)
        case ValueKind.OPPOSITE:
            return _like(value.text, _OPPOSITE_OF[value.text.lower()])
        case ValueKind.NAME:
            return chooser.choice(nearby) if nearby else None
        case _:
            choices = [word for word in _CLOSED_LISTS[value.kind] if _differ(word, value.text)]
            if value.kind is ValueKind.DIRECTION:
                choices = [word for word in choices if word.endswith("ern") == value.text.lower().endswith("ern")]
            return _like(value.text, chooser.choice(choices))


def _differ(first: str, second: str) -> bool:
    """A part of a name names the same thing, so it is no other value."""
    return first.lower() not in second.lower() and second.lower() not in first.lower()


def _like(original: str, replacement: str) -> str:
    return replacement.capitalize() if original[0].isupper() else replacement.lower()


def _other_number(text: str, chooser: random.Random) -> str:
    if text.isdigit() and 1 <= int(text) <= 31:  # it may be the day of a date
        return str(chooser.choice([day for day in range(1, 32) if day != int(text)]))
    digits = text.replace(",", "")
    decimals = len(digits.partition(".")[2])
    number = float(digits)
    changed = number
    while round(changed, decimals) == round(number, decimals):
        changed = max(number * chooser.choice((0.3, 0.5, 0.7, 1.4, 2, 3)), 0) + chooser.choice((0, 1, 2))
    return f"{changed:,.{decimals}f}" if "," in text else f"{changed:.{decimals}f}"


def edited_values(
    examples: Sequence[Example], *, source: str, least_overlap: float, chooser: random.Random
) -> list[Example]:
    """Turns pairs that agree on a value into contradictions, and as many into pairs that still agree.

    Each chosen pair shares a value. Changed in the hypothesis alone it makes a contradiction; changed in both
    sentences it leaves the label standing, so that an odd value by itself says nothing.
    """
    names = _names_by_group(examples)
    edited = []
    for example in examples:
        if example.label not in (Label.ENTAILMENT, Label.NOT_CONTRADICTION):
            continue
        if overlap(example.premise, example.hypothesis) < least_overlap:
            continue
        shared = [value for value in values_of(example.hypothesis) if mentions(example.premise, value)]
        if not shared:
            continue
        value = chooser.choice(shared)
        # "more than 20" agrees with many numbers: a changed one need not contradict.
        if value.kind in (ValueKind.YEAR, ValueKind.NUMBER) and _COMPARATIVE.search(example.hypothesis):
            continue
        neighbours = [*values_of(example.premise), *names[example.group]]
        replacement = other_value(value, neighbours, chooser)
        if replacement is None:
            continue
        hypothesis = substitute(example.hypothesis, value, replacement)
        if chooser.random() < 0.6:
            edited.append(replace(example, hypothesis=hypothesis, label=Label.CONTRADICTION, source=source))
        else:
            premise = substitute(example.premise, value, replacement)
            edited.append(replace(example, premise=premise, hypothesis=hypothesis, source=source))
    return edited


def _names_by_group(examples: Iterable[Example]) -> Mapping[str, list[Value]]:
    names: dict[str, dict[Value, None]] = defaultdict(dict)
    for example in examples:
        for value in values_of(example.premise):
            if value.kind is ValueKind.NAME:
                names[example.group][value] = None
    return defaultdict(list, {group: list(found) for group, found in names.items()})


@dataclass(frozen=True, slots=True)
class PageClaim:
    """A claim with the sentence of a page that decides it."""

    page: str
    case: str
    claim: str
    evidence: str
    label: Label
    group: str


def page_windows(claims: Sequence[PageClaim], *, chooser: random.Random) -> list[Example]:
    """Sets each claim's evidence among other sentences of its page, or takes the evidence away.

    With the evidence the label stands, whatever else the window says; without it the window, though about the same
    page, neither supports nor refutes the claim.
    """
    by_page: dict[str, list[PageClaim]] = defaultdict(list)
    for claim in claims:
        by_page[claim.page].append(claim)
    examples = []
    for of_page in by_page.values():
        for claim in of_page:
            others = list(dict.fromkeys(o.evidence for o in of_page if _tells_something_else(o, claim)))
            if not others:
                continue
            chosen = chooser.sample(others, min(len(others), chooser.randint(1, 3)))
            without_evidence = chooser.random() < 0.25
            if not without_evidence:
                chosen.insert(chooser.randint(0, len(chosen)), claim.evidence)
            examples.append(
                Example(
                    premise=_titled_at_times(claim.page, " ".join(chosen), chooser),
                    hypothesis=claim.claim,
                    label=Label.NEUTRAL if without_evidence else claim.label,
                    source="page_window",
                    group=claim.group,
                )
            )
    return examples


def _tells_something_else(other: PageClaim, claim: PageClaim) -> bool:
    """Revisions of one sentence contradict each other: only sentences unlike the evidence may stand beside it."""
    return (
        other.case != claim.case
        and overlap(other.evidence, claim.evidence) < _LEAST_OVERLAP_OF_ONE_MATTER
        and overlap(other.evidence, claim.claim) < 0.6
    )


def _titled_at_times(title: str, text: str, chooser: random.Random) -> str:
    return with_topic(title, text) if chooser.random() < 0.5 else text


def document_windows(
    documents: Mapping[str, str],
    *,
    per_document: int,
    chooser: random.Random,
) -> list[Example]:
    """Sentences of a document against windows of it: with the sentence in it, without it, and with a value changed.

    The kept sentence is entailed, the missing one is neutral unless something like it is there, and the changed one is
    not entailed; half of the changed
    values are ones that the window has for another fact. "Not entailed" would not do for the missing one: a model that
    may call it a contradiction does, and then reads a contradiction into all that a source leaves open.
    """
    examples = []
    for name, text in documents.items():
        sentences = [s for s in split_sentences(text) if 6 <= len(s.split()) <= 40]
        if len(sentences) < 4:
            continue
        for index in chooser.sample(range(len(sentences)), min(per_document, len(sentences))):
            sentence = sentences[index]
            start = max(index - chooser.randint(0, 3), 0)
            around = sentences[start : start + 4]
            elsewhere = sentences[index + 1 : index + 5] or sentences[max(index - 4, 0) : index]
            window = " ".join(around)
            draw = chooser.random()
            if draw < 0.25:
                hypothesis, label = sentence, Label.ENTAILMENT
            elif draw < 0.5:
                is_alone = all(overlap(other, sentence) < _LEAST_OVERLAP_OF_ONE_MATTER for other in elsewhere)
                label = Label.NEUTRAL if is_alone else Label.NOT_ENTAILMENT
                window, hypothesis = " ".join(elsewhere), sentence
            else:
                changed = _changed(sentence, window, chooser)
                if changed is None:
                    continue
                hypothesis, label = changed, Label.NOT_ENTAILMENT
            examples.append(Example(window, hypothesis, label, source="document_window", group=name))
    return examples


def neighbours(documents: Mapping[str, str], *, per_document: int, chooser: random.Random) -> list[Example]:
    """Two sentences of one document that stand close together: on one matter, and each leaves the other open."""
    examples = []
    for name, text in documents.items():
        sentences = [s for s in split_sentences(text) if 6 <= len(s.split()) <= 40]
        for index in chooser.sample(range(len(sentences)), min(per_document, len(sentences))):
            near = sentences[max(index - 3, 0) : index + 4]
            others = [other for other in near if overlap(other, sentences[index]) < _LEAST_OVERLAP_OF_ONE_MATTER]
            if others:
                other = chooser.choice(others)
                examples.append(Example(sentences[index], other, Label.NEUTRAL, source="neighbours", group=name))
    return examples


def _changed(sentence: str, window: str, chooser: random.Random) -> str | None:
    values = values_of(sentence)
    if not values:
        return None
    value = chooser.choice(values)
    replacement = other_value(value, values_of(window), chooser)
    return None if replacement is None else substitute(sentence, value, replacement)
