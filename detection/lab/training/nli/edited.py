"""Copies and faithful claims, with one value edited in the premise, in the hypothesis or in both.

Two of every four examples agree and two do not. Each premise and each hypothesis occurs in one of either kind, so that
only the comparison determines the label.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .data import Example, Row
from .labels import InferenceClass, Label
from .natural import Document
from .units import Rank, Unit

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|[.,]\d)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|must|should|may|does|do|did)\b( not\b)?")
_TRAILING_CLAUSE = re.compile(r",? (?:which|who|where|while|although|because|after|before|so that|and) [^,.;]+\.$")
_YEARS = range(1400, 2101)
_EDITS_PER_DOCUMENT = 4
_LEAST_WORDS, _MOST_WORDS = 6, 45
_SENTENCES_AROUND = (0, 0, 1, 2, 3)

#: Mutually exclusive words: series, and pairs of opposites.
_EXCLUSIVE = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty|first second "
    "third fourth fifth sixth|Monday Tuesday Wednesday Thursday Friday Saturday Sunday|January February March "
    "April May June July August September October November December|north south east west|northern southern "
    "eastern western|daily weekly monthly annual|morning afternoon evening|spring summer autumn winter|hours days"
    " weeks months years|hour day week month year|red green blue yellow black white brown|brother sister cousin "
    "uncle aunt|mother father|son daughter|million billion|increase decrease|increased decreased|increases "
    "decreases|rose fell|rise fall|rising falling|higher lower|highest lowest|more fewer|most fewest|larger "
    "smaller|largest smallest|before after|earlier later|early late|open closed|opened closed|opens closes|all "
    "none|always never|often rarely|bought sold|won lost|gained lost|accepted rejected|approved rejected|allowed "
    "forbidden|permitted prohibited|required optional|true false|started ended|begins ends|began ended|inside "
    "outside|above below|over under|left right|hot cold|warm cold|strong weak|easy difficult|public private|rural"
    " urban|oldest youngest|older younger|longest shortest|longer shorter|fast slow|faster slower|cheap "
    "expensive|full empty|included excluded|includes excludes|present absent|passed failed|improved worsened|male"
    " female|men women|boys girls|free paid|indoor outdoor|ancient modern|minimum maximum|arrived left|married "
    "divorced|living dead|positive negative|internal external|upper lower|wide narrow|deep shallow|light dark|dry"
    " wet|safe dangerous|legal illegal|with without"
)
_REPLACEMENTS: Mapping[str, Sequence[str]] = {
    word: [other for other in series if other != word]
    for series in map(str.split, _EXCLUSIVE.split("|"))
    for word in series
}
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """One value of a pair, and both texts with a replacement."""

    premise: str
    hypothesis: str
    disagreement: Label


def _replaced(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![\w]){re.escape(old)}(?!\w)", lambda _: new, text)


def _other_number(number: str, chooser: random.Random) -> str:
    """Another number of similar size and equal format."""
    plain = number.replace(",", "")
    if "." in plain:
        places = len(plain.partition(".")[2])
        return f"{float(plain) * chooser.choice((0.5, 0.7, 1.3, 2, 3)) + 10**-places:.{places}f}"
    value = int(plain)
    if value in _YEARS and "," not in number:
        return str(value + chooser.choice((-1, 1)) * chooser.randint(1, 30))
    step = max(1, value // chooser.choice((2, 3, 5, 10)))
    changed = value + step if chooser.random() < 0.6 or value <= step else value - step
    return f"{changed:,}" if "," in number else str(changed)


def _number_edits(premise: str, hypothesis: str, chooser: random.Random) -> Iterator[Edit]:
    there = set(_NUMBER.findall(premise))
    for number in dict.fromkeys(_NUMBER.findall(hypothesis)):
        other = _other_number(number, chooser) if number in there and len(number) < 13 else number
        if other not in there and other != number:
            yield Edit(_replaced(premise, number, other), _replaced(hypothesis, number, other), Label.CONTRADICTION)


def _word_edits(premise: str, hypothesis: str, chooser: random.Random) -> Iterator[Edit]:
    there = set(_WORD.findall(premise))
    for word in dict.fromkeys(_WORD.findall(hypothesis)):
        if word in there and (choices := _REPLACEMENTS.get(word)):
            other = chooser.choice(choices)
            if other not in there:
                yield Edit(_replaced(premise, word, other), _replaced(hypothesis, word, other), Label.CONTRADICTION)


def _name_edits(premise: str, hypothesis: str, chooser: random.Random) -> Iterator[Edit]:
    """Edits of names. Another name may be true as well, so the label only excludes entailment."""
    there = [name for name in dict.fromkeys(_NAME.findall(premise)) if name not in _REPLACEMENTS]
    for name in dict.fromkeys(_NAME.findall(hypothesis)):
        others = [other for other in there if other not in hypothesis and other not in name]
        if name in there and others:
            other = chooser.choice(others)
            held = _replaced(_replaced(premise, name, "\0"), other, name).replace("\0", other)
            yield Edit(held, _replaced(hypothesis, name, other), Label.NOT_ENTAILMENT)


def value_edits(premise: str, hypothesis: str, chooser: random.Random) -> list[Edit]:
    """The edits of values that both texts have."""
    kinds: tuple[Callable[[str, str, random.Random], Iterator[Edit]], ...] = (_number_edits, _word_edits, _name_edits)
    return [edit for kind in kinds for edit in kind(premise, hypothesis, chooser)]


def negated(sentence: str) -> str | None:
    """The sentence with its first auxiliary negated or affirmed; None if it has none."""
    found = _AUXILIARY.search(sentence)
    if found is None or "n't" in sentence:
        return None
    polarity = found[1] if found[2] else f"{found[1]} not"
    return sentence[: found.start()] + polarity + sentence[found.end() :]


def edit_unit(premise: str, hypothesis: str, edit: Edit) -> Unit:
    """The pair as it is, with either text edited, and with both edited."""
    agreeing, entailment = Label.ENTAILMENT, InferenceClass.ENTAILMENT
    texts = (
        (premise, hypothesis, agreeing),
        (premise, edit.hypothesis, edit.disagreement),
        (edit.premise, hypothesis, edit.disagreement),
        (edit.premise, edit.hypothesis, agreeing),
    )
    ranks = [Rank(entailment, high, low) for high in (0, 3) for low in (1, 2)]
    if edit.disagreement is Label.CONTRADICTION:
        ranks += [Rank(InferenceClass.CONTRADICTION, high, low) for high in (1, 2) for low in (0, 3)]
    return Unit(tuple(Example(p, h, label) for p, h, label in texts), tuple(ranks))


def edited_claims(row: Row, chooser: random.Random, most: int = 6) -> list[Unit]:
    """Supported claims of a source, each with one value edited."""
    supported = [claim["t"] for claim in row["claims"] if claim["l"] == "s"]
    chooser.shuffle(supported)
    found = ((claim, value_edits(row["source"], claim, chooser)) for claim in supported)
    return [edit_unit(row["source"], claim, chooser.choice(edits)) for claim, edits in found if edits][:most]


def edited_copies(documents: Iterable[Document], chooser: random.Random) -> list[Unit]:
    """Sentences of human texts, whole or shortened, paired with their surroundings, and edited."""
    return [unit for document in documents if document.trains for unit in _copies(document, chooser)]


def _copies(document: Document, chooser: random.Random) -> Iterator[Unit]:
    sentences = list(document.sentences)
    places = [
        index for index, s in enumerate(sentences) if _LEAST_WORDS <= len(s.split()) <= _MOST_WORDS and s[-1:] == "."
    ]
    chooser.shuffle(places)
    made = 0
    for index in places:
        sentence, around = sentences[index], chooser.choice(_SENTENCES_AROUND)
        before, after = sentences[max(0, index - around) : index], sentences[index + 1 : index + 1 + around]
        shorter = _TRAILING_CLAUSE.sub(".", sentence) if chooser.random() < 0.5 else sentence
        hypothesis = shorter if len(shorter.split()) >= _LEAST_WORDS else sentence
        premise = " ".join([*before, sentence, *after])
        edits = value_edits(premise, hypothesis, chooser)
        opposite, shortened = negated(sentence), negated(hypothesis)
        if opposite and shortened:
            held = " ".join([*before, opposite, *after])
            edits.append(Edit(held, shortened, Label.CONTRADICTION))
        if edits and made < _EDITS_PER_DOCUMENT:
            made += 1
            yield edit_unit(premise, hypothesis, chooser.choice(edits))
