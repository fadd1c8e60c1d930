"""Replace a word of a sentence by its opposite, to ask a judge which of the two wordings the evidence supports.

Some of these wordings make no sense: no evidence supports those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from detection.core.language.vocabulary import words
from detection.core.rules.inflection import article_for, inflected
from detection.core.rules.opposites import two_poles
from detection.core.rules.slots import Clause
from detection.core.types import Span

_FILE = Path(__file__).parent / "words" / "antonyms.txt"
_ARTICLE = re.compile(r"\b[Aa]n?(?=\s$)")


@dataclass(frozen=True, slots=True)
class AntonymWording:
    """``text`` is the sentence with another word at ``own``, the span of the word in the sentence."""

    text: str
    own: Span


@dataclass(frozen=True, slots=True)
class _Word:
    """A word to put in; ``is_form``: as it is."""

    text: str
    is_form: bool


def with_antonyms(clause: Clause) -> Iterator[AntonymWording]:
    """The sentence with each word in turn that has an opposite replaced by it."""
    known = _antonyms()
    for i, token in enumerate(clause.tree.tokens):
        lemma = token.pos, token.lemma.casefold()
        others = known.get((token.pos, token.text.casefold()), ()) + known.get(lemma, ())
        if token.tag == "JJR" and any(not other.is_form for other in known.get(lemma, ())):
            others = known[lemma]  # "a lower price" is not the opposite of "an upper one"
        for other in dict.fromkeys(others):
            new = other.text if other.is_form else inflected(other.text, token.tag)
            if new == "less" and token.dependency == "amod" and clause.tree.tokens[token.head].tag == "NNS":
                new = "fewer"
            if new is not None:
                span = clause.reading.token_span(i)
                yield AntonymWording(_replaced(clause.reading.written, span, new), span)


def _replaced(text: str, span: Span, new: str) -> str:
    if span.start == 0:
        new = new[0].upper() + new[1:]
    before = _ARTICLE.sub(
        lambda old: article_for(new).capitalize() if old[0][0] == "A" else article_for(new), text[: span.start]
    )
    return before + new + text[span.end :]


@cache
def _antonyms() -> Mapping[tuple[str, str], tuple[_Word, ...]]:
    """The opposites of a word, by its part of speech and its form or lemma."""
    found: dict[tuple[str, str], tuple[_Word, ...]] = {}
    for parts, one, other in chain(two_poles(), _rows()):
        for own, opposite in ((one, other), (other, one)):
            word = _Word(words(opposite.strip("*"))[0], is_form=opposite.startswith("*"))
            for key in ((part, form) for part in words(parts) for form in words(own.strip("*"))):
                found[key] = (*found.get(key, ()), word)
    return found


def _rows() -> Iterator[list[str]]:
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [cell.strip() for cell in line.split(";")]
