"""Navigate a parse: predicates, subjects, objects, prepositions.

Labels are those of Universal Dependencies. Parsers often attach prepositional phrases and relative clauses wrongly, so
callers examine the whole clause there and not one arc.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from detection.core.types import ParsedSentence, Token

_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer"})
_CLAUSES_OF_NOUNS = frozenset({"acl", "acl:relcl"})
_CLAUSES_OF_VERBS = frozenset({"xcomp", "advcl", "conj", "parataxis", "ccomp"})

#: Dependencies of auxiliaries and copulas on their predicate.
AUXILIARIES = frozenset({"aux", "aux:pass", "cop"})
#: Penn Treebank tags of finite verbs.
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
#: Adverbs that deny a verb.
DENYING_ADVERBS = frozenset({"not", "n't", "n’t", "never"})
_NEGATIONS = DENYING_ADVERBS | {"neither", "nor", "hardly", "nobody", "nothing", "none"}
_NEGATIVE_VERBS = frozenset({"fail", "refuse", "decline", "forget", "neglect"})


@dataclass(frozen=True, slots=True)
class Tree:
    """The tokens of a sentence with the children of each."""

    tokens: tuple[Token, ...]
    children: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, parsed: ParsedSentence) -> Tree:
        return cls.of_tokens(parsed.tokens)

    @classmethod
    def of_tokens(cls, tokens: tuple[Token, ...]) -> Tree:
        children: list[list[int]] = [[] for _ in tokens]
        for position, token in enumerate(tokens):
            if token.head != position:
                children[token.head].append(position)
        return cls(tokens, tuple(map(tuple, children)))

    @property
    def root(self) -> int | None:
        """The root of the sentence, in most cases its main verb; None without tokens."""
        return next((position for position, token in enumerate(self.tokens) if token.head == position), None)

    def lemma(self, position: int) -> str:
        return self.tokens[position].lemma.lower()

    def ancestors(self, position: int) -> Iterator[int]:
        """The heads above a token, the nearest first. Terminates even if the arcs form a cycle."""
        for _ in self.tokens:
            head = self.tokens[position].head
            if head == position:
                return
            yield head
            position = head

    def child(self, position: int, *labels: str) -> int | None:
        """The first child with one of the labels."""
        return next((child for child in self.children[position] if self.tokens[child].dependency in labels), None)

    def is_predicate(self, position: int) -> bool:
        """True for verbs that head a clause, and for nouns and adjectives with a copula."""
        token = self.tokens[position]
        if token.pos == "VERB" and token.dependency not in ("amod", "compound", "case", "mark", "aux"):
            return True
        return self.child(position, "cop", "nsubj", "nsubj:pass") is not None or token.head == position

    def predicate_above(self, position: int) -> int | None:
        """The nearest predicate that governs the token."""
        return next((ancestor for ancestor in self.ancestors(position) if self.is_predicate(ancestor)), None)

    def preposition(self, position: int) -> str | None:
        """The preposition of a noun phrase or number, by its head: "in", "by"."""
        case = self.child(position, "case")
        return self.tokens[case].text.lower() if case is not None else None

    def subject(self, predicate: int) -> int | None:
        """The subject of a predicate; without its own, that of the clause above, or the noun that it modifies."""
        for _ in self.tokens:
            own = next(
                (child for child in self.children[predicate] if self.tokens[child].dependency in _SUBJECTS), None
            )
            token = self.tokens[predicate]
            if own is not None and not self._is_relative(own, predicate):
                return own
            if token.dependency in _CLAUSES_OF_NOUNS:
                return token.head
            if token.dependency not in _CLAUSES_OF_VERBS or token.head == predicate:
                return None
            predicate = token.head
        return None

    def _is_relative(self, subject: int, predicate: int) -> bool:
        """True for "which" in "a town which was founded in 1936": the town is the subject."""
        is_pronoun = self.tokens[subject].tag in ("WDT", "WP")
        return is_pronoun and self.tokens[predicate].dependency in _CLAUSES_OF_NOUNS

    def is_passive(self, predicate: int) -> bool:
        """True for "was founded", and for a bare participle that modifies a noun: "the town founded in 1936"."""
        if self.child(predicate, "nsubj:pass", "aux:pass") is not None:
            return True
        token = self.tokens[predicate]
        return token.tag == "VBN" and self.child(predicate, "aux", "nsubj") is None

    def is_denied(self, predicate: int) -> bool:
        """True for "was not built", "has never won", "is no longer", "failed to win" and "won no prizes"."""
        token = self.tokens[predicate]
        above = self.lemma(token.head) if token.dependency == "xcomp" else ""
        return above in _NEGATIVE_VERBS or any(self._denies(child) for child in self.children[predicate])

    def _denies(self, position: int) -> bool:
        if self.lemma(position) in _NEGATIONS or self.tokens[position].text.lower() in _NEGATIONS:
            return True
        is_argument = self.tokens[position].dependency in ("obj", "advmod", "nsubj", "nsubj:pass")
        return is_argument and any(self.lemma(child) == "no" for child in self.children[position])

    def patient(self, predicate: int) -> int | None:
        """The patient: the object, or the subject of a passive."""
        if self.is_passive(predicate):
            return self.subject(predicate)
        return self.child(predicate, "obj", "dobj")

    def subtree(self, position: int) -> list[int]:
        """The token and all its descendants, in order of the sentence."""
        found: list[int] = []
        pending = [position]
        seen: set[int] = set()
        while pending:
            current = pending.pop()
            if current not in seen:
                seen.add(current)
                found.append(current)
                pending.extend(self.children[current])
        return sorted(found)

    def phrase(self, position: int) -> range | None:
        """A word with all that depends on it, without punctuation at either end; None if other words stand between."""
        below = self.subtree(position)
        words = [place for place in below if self.tokens[place].pos != "PUNCT" or place == position]
        whole = range(words[0], words[-1] + 1)
        return whole if set(below).issuperset(whole) else None

    def owner(self, noun: int) -> int | None:
        """The owner of a noun: "his" in "his death", "brother" in "the death of his brother"."""
        possessor = self.child(noun, "nmod:poss")
        if possessor is not None:
            return possessor
        return next((child for child in self.children[noun] if self.preposition(child) == "of"), None)
