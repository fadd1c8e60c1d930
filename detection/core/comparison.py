"""A sentence prepared for comparison with many others."""

from __future__ import annotations

from functools import cached_property

from .rules.alignment import Clause, prepare
from .types import ParsedSentence

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
#: Verbs that every other sentence has: sharing them says nothing.
_EMPTY = frozenset({"be", "have", "do", "make", "take", "say", "include", "become", "use"})


class ComparableSentence:
    """A parsed sentence with what the comparisons need, worked out on first use and kept."""

    def __init__(self, parsed: ParsedSentence) -> None:
        self.parsed = parsed

    @property
    def text(self) -> str:
        return self.parsed.text

    @cached_property
    def clause(self) -> Clause:
        """The sentence as the rules read it."""
        return prepare(self.parsed)

    @cached_property
    def content(self) -> frozenset[str]:
        """The lemmas of its content words, in lower case."""
        lemmas = (token.lemma.casefold() for token in self.parsed.tokens if token.pos in _CONTENT)
        return frozenset(lemma for lemma in lemmas if lemma not in _EMPTY and any(map(str.isalnum, lemma)))

    @cached_property
    def is_fragment(self) -> bool:
        """True without a finite verb, as in most items of a list: such a line speaks of something of its own."""
        return not any(token.tag in _FINITE for token in self.parsed.tokens)

    @cached_property
    def root(self) -> str | None:
        """The lemma that the sentence hangs on, in most cases its main verb."""
        tokens = self.parsed.tokens
        return next((token.lemma.casefold() for i, token in enumerate(tokens) if token.head == i), None)

    def overlap(self, other: ComparableSentence) -> float:
        """The share of the smaller sentence's content words that the other one has too, 0 to 1."""
        smaller = min(len(self.content), len(other.content))
        return len(self.content & other.content) / smaller if smaller else 0.0
