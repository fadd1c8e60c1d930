"""A sentence prepared for comparison with many others."""

from __future__ import annotations

import re
from functools import cached_property

from ..rules.alignment import prepare
from ..rules.base import FIGURES
from ..rules.slots import Clause
from ..types import BlockKind, ParsedSentence, Span, Token

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_PRONOUNS = frozenset({"it", "he", "she", "they", "this", "these", "that", "those"})
_FEW_WORDS = 4
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "nsubj:outer", "csubj"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_HEADED_BY_VALUE = re.compile(r"[$£€]?\d[\d.,]*\s?(?:[kmb]|bn|%)?\s?[-–—:]\s")
_VERBS_OF_LIFE = {"birth": ("bear", "born", "birth"), "death": ("die", "death")}
#: Words that every other sentence has: sharing them says nothing.
_EMPTY = frozenset({"be", "have", "do", "make", "take", "say", "include", "become", "use", "per", "cent"})


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
        return frozenset(lemma for token in self.parsed.tokens if (lemma := _content_lemma(token)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(map(stem, self.content))

    def content_at(self, span: Span) -> frozenset[str]:
        """The lemmas of the content words at ``span``, counted in the sentence."""
        place = span.shifted(self.parsed.sentence.start)
        inside = (token for token in self.parsed.tokens if token.span.overlaps(place))
        return frozenset(lemma for token in inside if (lemma := _content_lemma(token)))

    def stems_at(self, span: Span) -> frozenset[str]:
        """The stems of the content words at ``span``, counted in the sentence."""
        return frozenset(map(stem, self.content_at(span)))

    @cached_property
    def definite_stems(self) -> frozenset[str]:
        """The stems of common nouns that something known is called by: "the village"."""
        tokens, tree = self.parsed.tokens, self.clause.tree
        definite = {token.head for token in tokens if token.dependency == "det" and token.text.casefold() == "the"}
        return frozenset(stem(tree.lemma(i).casefold()) for i in definite if tokens[i].pos == "NOUN")

    @cached_property
    def is_comparable(self) -> bool:
        """Whether another sentence can say otherwise: it states a fact, or it is an instruction with a figure."""
        if self.parsed.is_instruction:
            return any(value.family in FIGURES for value in self.clause.values)
        return self.parsed.states_fact

    @cached_property
    def is_entry(self) -> bool:
        """True for an item of a list, a row or a line without a verb of its own: it speaks of something of its own.

        A line that begins with its value is one in any block: "34 – share of the budget that was spent".
        """
        if _HEADED_BY_VALUE.match(self.text):
            return True
        if self.parsed.sentence.block_kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE):
            return False
        return not any(token.tag in _FINITE or token.dependency in _SUBJECTS for token in self.parsed.tokens)

    @cached_property
    def root(self) -> str | None:
        """The lemma that the sentence hangs on, in most cases its main verb."""
        root = self.clause.tree.root
        return None if root is None else self.parsed.tokens[root].lemma.casefold()

    def overlap(self, other: ComparableSentence) -> float:
        """The share of what the smaller sentence tells of that the other one tells of too, 0 to 1.

        Two words in common are little, however short a sentence is.
        """
        smaller = min(len(self._told), len(other._told))
        return len(self._told & other._told) / max(smaller, _FEW_WORDS)

    @cached_property
    def _told(self) -> frozenset[str]:
        """What it tells of: its content words, and birth and death where it gives life dates."""
        events = {verb for found in self.clause.life_dates for verb in _VERBS_OF_LIFE[found.event]}
        return self.content | events

    @cached_property
    def leans_on_previous(self) -> bool:
        """True when its subject is a pronoun: who or what it speaks of stands in the sentence before it."""
        return any(
            token.dependency.startswith("nsubj") and token.text.casefold() in _PRONOUNS for token in self.parsed.tokens
        )


def stem(word: str) -> str:
    """The first letters, which forms of one word share: "rent", "rented"; "library", "librarian"."""
    return word[:5]


def _content_lemma(token: Token) -> str | None:
    lemma = token.lemma.casefold()
    is_content = token.pos in _CONTENT and lemma not in _EMPTY and any(map(str.isalnum, lemma))
    return lemma if is_content else None
