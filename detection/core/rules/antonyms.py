"""Replace a word of a sentence by its opposite, to ask a judge which of the two wordings the evidence supports.

Some of these wordings make no sense: no evidence supports those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from detection.core.language.vocabulary import rows_of, words
from detection.core.rules.inflection import inflected
from detection.core.rules.opposites import two_poles
from detection.core.rules.slots import Clause
from detection.core.rules.substitution import INTRANSITIVE, Edit, apply_edit
from detection.core.types import Span

_FILE = Path(__file__).parent / "words" / "antonyms.txt"


@dataclass(frozen=True, slots=True)
class OppositeWording:
    """``text`` says the opposite of the words of the sentence at ``own``; ``is_negation`` if by "not" alone."""

    text: str
    own: Span
    is_negation: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    """A word to put in; ``is_form``: as it is."""

    text: str
    is_form: bool


def with_antonyms(clause: Clause) -> Iterator[OppositeWording]:
    """The sentence with each word in turn that has an opposite replaced by it."""
    known = _antonyms()
    for i, token in enumerate(clause.tree.tokens):
        lemma = token.pos, token.lemma.casefold()
        others = known.get((token.pos, token.text.casefold()), ()) + known.get(lemma, ())
        if token.tag == "JJR" and any(not other.is_form for other in known.get(lemma, ())):
            others = known[lemma]  # "a lower price" is not the opposite of "an upper one"
        for other in dict.fromkeys(others):
            if other.text in INTRANSITIVE and _has_object(clause, i):
                continue  # "her husband survives her", and not "dies her"
            new = other.text if other.is_form else inflected(other.text, token.tag)
            if new == "less" and token.dependency == "amod" and clause.tree.tokens[token.head].tag == "NNS":
                new = "fewer"
            if new is not None:
                span = clause.reading.token_span(i)
                text = apply_edit(Edit(span, new), clause.reading.written, token.text)
                if text is not None:
                    yield OppositeWording(text, span)


def _has_object(clause: Clause, position: int) -> bool:
    return any(token.head == position and token.dependency == "obj" for token in clause.tree.tokens)


@cache
def _antonyms() -> Mapping[tuple[str, str], tuple[_Word, ...]]:
    """The opposites of a word, by its part of speech and its form or lemma."""
    found: dict[tuple[str, str], tuple[_Word, ...]] = {}
    for parts, one, other in chain(two_poles(), rows_of(_FILE)):
        for own, opposite in ((one, other), (other, one)):
            word = _Word(words(opposite.strip("*"))[0], is_form=opposite.startswith("*"))
            for key in ((part, form) for part in words(parts) for form in words(own.strip("*"))):
                found[key] = (*found.get(key, ()), word)
    return found
