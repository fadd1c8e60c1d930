"""A sentence prepared for comparison with many others."""

from __future__ import annotations

import re
from functools import cached_property

from ..language.tree import FINITE
from ..local_models.process import LocalModels
from ..rules.alignment import prepare
from ..rules.elapsed import Beginning, Elapsed, find_beginnings, find_elapsed
from ..rules.slots import Clause
from ..types import BlockKind, ParsedSentence, Span, Token

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_PRONOUNS = frozenset({"it", "he", "she", "they", "this", "these", "that", "those"})
_FEW_WORDS = 4
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "nsubj:outer", "csubj"})
_HEADED_BY_VALUE = re.compile(r"[$£€]?\d[\d.,]*\s?(?:[kmb]|bn|%)?\s?[-–—:]\s")
_VERBS_OF_LIFE = {"birth": ("bear", "born", "birth"), "death": ("die", "death")}
#: Frequent words that are no sign of a common topic.
_EMPTY = frozenset({"be", "have", "do", "make", "take", "say", "include", "become", "use", "per", "cent"})


class ComparableSentence:
    """A parsed sentence with cached properties for comparisons."""

    def __init__(self, parsed: ParsedSentence) -> None:
        self.parsed = parsed

    @property
    def text(self) -> str:
        return self.parsed.text

    @cached_property
    def clause(self) -> Clause:
        """The sentence as input of the rules."""
        return prepare(self.parsed)

    @cached_property
    def ages(self) -> tuple[Elapsed, ...]:
        """Its ages and anniversaries that have a year."""
        return tuple(find_elapsed(self.clause))

    @cached_property
    def beginnings(self) -> tuple[Beginning, ...]:
        """What it says of the year in which something began."""
        return tuple(find_beginnings(self.clause))

    @cached_property
    def content(self) -> frozenset[str]:
        """The lemmas of its content words, in lower case."""
        return frozenset(lemma for token in self.parsed.tokens if (lemma := _content_lemma(token)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(map(stem, self.content))

    @cached_property
    def noun_stems(self) -> frozenset[str]:
        """The stems of its content words that are no verbs."""
        tokens = (token for token in self.parsed.tokens if token.pos != "VERB")
        return frozenset(stem(lemma) for token in tokens if (lemma := _content_lemma(token)))

    def content_at(self, span: Span) -> frozenset[str]:
        """The lemmas of the content words at ``span``, relative to the sentence."""
        place = span.shifted(self.parsed.sentence.start)
        inside = (token for token in self.parsed.tokens if token.span.overlaps(place))
        return frozenset(lemma for token in inside if (lemma := _content_lemma(token)))

    def stems_at(self, span: Span) -> frozenset[str]:
        """The stems of the content words at ``span``, relative to the sentence."""
        return frozenset(map(stem, self.content_at(span)))

    @cached_property
    def definite_stems(self) -> frozenset[str]:
        """The stems of common nouns with a definite article: "the village"."""
        tokens, tree = self.parsed.tokens, self.clause.tree
        definite = {token.head for token in tokens if token.dependency == "det" and token.text.casefold() == "the"}
        return frozenset(stem(tree.lemma(i).casefold()) for i in definite if tokens[i].pos == "NOUN")

    @cached_property
    def is_comparable(self) -> bool:
        """Whether another sentence can contradict it: it states a fact, or is an instruction."""
        return self.parsed.states_fact or self.parsed.is_instruction

    @cached_property
    def is_entry(self) -> bool:
        """True for a list item, row or line without a verb, which has its own subject.

        A line that begins with its value is an entry in any block: "34 – share of the budget that was spent".
        """
        if _HEADED_BY_VALUE.match(self.text):
            return True
        if self.parsed.sentence.block_kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE):
            return False
        return not any(token.tag in FINITE or token.dependency in _SUBJECTS for token in self.parsed.tokens)

    @cached_property
    def root(self) -> str | None:
        """The lemma of the root of the parse, usually the main verb."""
        root = self.clause.tree.root
        return None if root is None else self.parsed.tokens[root].lemma.casefold()

    def overlap(self, other: ComparableSentence) -> float:
        """The share of the smaller sentence's topic words that the other one has, 0 to 1.

        Two common words count as little, however short the sentence is.
        """
        smaller = min(len(self._topic_words), len(other._topic_words))
        return len(self._topic_words & other._topic_words) / max(smaller, _FEW_WORDS)

    @cached_property
    def _topic_words(self) -> frozenset[str]:
        """Its topic words: its content words, and birth and death if it gives life dates."""
        events = {verb for found in self.clause.life_dates for verb in _VERBS_OF_LIFE[found.event]}
        return self.content | events

    @cached_property
    def leans_on_previous(self) -> bool:
        """True if its subject is a pronoun, which only the previous sentence resolves."""
        return any(
            token.dependency.startswith("nsubj") and token.text.casefold() in _PRONOUNS for token in self.parsed.tokens
        )


def stem(word: str) -> str:
    """The first letters, which are common to the forms of a word: "rent", "rented"; "library", "librarian"."""
    return word[:5]


def _content_lemma(token: Token) -> str | None:
    lemma = token.lemma.casefold()
    is_content = token.pos in _CONTENT and lemma not in _EMPTY and any(map(str.isalnum, lemma))
    return lemma if is_content else None


async def one_sentence(text: str, models: LocalModels) -> ComparableSentence | None:
    """The parsed text; None if it is not exactly one sentence."""
    parsed = await models.parse(text)
    return ComparableSentence(parsed.sentences[0]) if len(parsed.sentences) == 1 else None
