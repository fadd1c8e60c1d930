"""Where a value stands in a sentence: behind a label, at a noun, in the present tense."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..language.vocabulary import words as vocabulary
from ..types import Span
from .sentence import ComparableSentence, stem

WORDS = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
NOUNS = frozenset({"NOUN", "PROPN"})
#: Before a noun, they leave its meaning: "the total weight".
NEUTRAL = frozenset(vocabulary("total overall full listed own whole official"))
#: Nouns that count what a property gives: "1.2 million inhabitants".
_COUNTED = {"population": frozenset({"inhabitants", "residents"})}
#: Between a noun and its value: "a crew of eight", "the speed is about 25 km/h".
_LINKS = frozenset(vocabulary("of is was are were be about around at to a an the"))
_END_OF_ENTRY = re.compile(r"[.;,]\s")
_LABEL = re.compile(r"(?P<name>[^:–—=]+)[:–—=][\W_]*")
_AUXILIARIES = frozenset({"aux", "cop"})
_PRESENT = frozenset({"VBZ", "VBP", "MD"})
_NEXT_WORD = re.compile(r"[\s-]+(?P<word>[^\W\d_]+)")


def labels_value(attribute: Iterable[str], statement: ComparableSentence, value: Span) -> bool:
    """Whether a line gives the value behind the very words of the attribute: "Warranty: 5 years"."""
    found = _LABEL.fullmatch(_END_OF_ENTRY.split(statement.text[: value.start])[-1])
    if found is None:
        return False
    return _stems(WORDS.findall(found["name"].casefold())) == _stems(attribute)


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem_of(word) for word in words if word not in NEUTRAL and word not in _LINKS)


def counts_members(attribute: Sequence[str], thing: str, statement: ComparableSentence, value: Span) -> bool:
    """Whether the value counts what the property is the number of: "Sund has 1.2 million inhabitants"."""
    counted = _COUNTED.get(attribute[-1], frozenset()) if len(attribute) == 1 else frozenset()
    begins = statement.text.removeprefix("The ").casefold().startswith(f"{thing.casefold()} has ")
    return begins and next_word(statement.text, value) in counted


def is_bound(word: str, statement: ComparableSentence, value: Span) -> bool:
    """Whether the value stands right at the word: "320 passengers", "a crew of eight"."""
    behind = next_word(statement.text, value)
    if stem_of(behind) == stem_of(word):
        return True
    before = [one for one in WORDS.findall(statement.text[: value.start].casefold()) if one not in _LINKS]
    return bool(before) and stem_of(before[-1]) == stem_of(word)


def is_amount_of(thing: str, statement: ComparableSentence, value: Span) -> bool:
    """Whether the value is an amount of the thing: "350 ml of water", and not "of water ice"."""
    of_thing = re.compile(rf"\s+(?:of\s+)?(?:the\s+)?{re.escape(thing)}(?!\w)", re.IGNORECASE)
    found = of_thing.match(statement.text, value.end)
    if found is None:
        return False
    head = first_token(statement, found.end())
    return head is None or statement.parsed.tokens[head].pos not in NOUNS


def is_of_the_present(statement: ComparableSentence, value: Span, date: Span) -> bool:
    """Whether a value is in the present tense, and the date in another clause: "opened in 1932, is 820 m long"."""
    own, of_date = (_clause_at(statement, span.start) for span in (value, date))
    if own is None or of_date is None or own == of_date:
        return False
    tokens = statement.parsed.tokens
    verbs = [own, *(i for i in statement.parsed.children(own) if tokens[i].dependency in _AUXILIARIES)]
    return any(tokens[i].tag in _PRESENT for i in verbs)


def _clause_at(statement: ComparableSentence, position: int) -> int | None:
    """The verb, or the predicate with a copula, that governs the word at ``position``."""
    head = first_token(statement, position)
    return None if head is None else clause_of(head, statement)


def clause_of(word: int, statement: ComparableSentence) -> int | None:
    tokens = statement.parsed.tokens
    head: int | None = word
    while head is not None and tokens[head].pos != "VERB" and not has_copula(head, statement):
        head = tokens[head].head if tokens[head].head != head else None
    return head


def has_copula(head: int, statement: ComparableSentence) -> bool:
    return any(statement.parsed.tokens[i].dependency == "cop" for i in statement.parsed.children(head))


def first_token(statement: ComparableSentence, position: int) -> int | None:
    """The first word at or behind ``position`` in the sentence; None if a mark comes before it."""
    start = statement.parsed.sentence.start + position
    head = next((i for i, token in enumerate(statement.parsed.tokens) if token.span.end > start), None)
    return head if head is not None and statement.parsed.tokens[head].pos != "PUNCT" else None


def next_word(text: str, value: Span) -> str:
    found = _NEXT_WORD.match(text, value.end)
    return found["word"].casefold() if found else ""


def stem_of(word: str) -> str:
    """A stem that singular and plural share."""
    return stem(word.removesuffix("s") if len(word) > 3 else word)
