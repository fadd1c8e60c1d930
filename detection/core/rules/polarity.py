"""Negation: which predicates of a sentence are denied ("has never written", "failed to finish", "is no longer")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.syntax import Tree
from detection.core.rules.vocabulary import words
from detection.core.types import ParsedSentence, Span


class Polarity(StrEnum):
    AFFIRMED = "affirmed"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Predication(Value):
    """A predicate with its polarity.

    ``span`` covers the predicate, and with it the negating word when there is one. ``position`` is the token of the
    predicate, ``hedged`` is set under "may", "would" and the like: such a statement denies nothing.
    """

    family: ClassVar[Family] = Family.POLARITY
    lemma: str
    polarity: Polarity
    position: int
    hedged: bool = False

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Predication) or self.lemma != other.lemma or self.hedged or other.hedged:
            return Relation.UNRELATED
        return Relation.SAME if self.polarity is other.polarity else Relation.CONFLICT


_NEGATIONS = frozenset(words("not n't never neither nor hardly scarcely"))
_NEGATIVE_DETERMINERS = frozenset(words("no neither"))
_NEGATIVE_PRONOUNS = frozenset(words("nobody nothing none"))
_NEGATIVE_VERBS = frozenset(words("fail refuse decline deny avoid forget neglect"))
"""Verbs that deny the verb below them."""
_HEDGES = frozenset(words("may might could would should if whether unless must"))
# "not only", "not until 1990", "not always": the predicate itself is affirmed, or denied in part.
_NO_DENIAL_AFTER = frozenset(
    words("only just merely solely simply until always all every necessarily entirely exclusively")
)


def polarity(parsed: ParsedSentence) -> Polarity:
    """The polarity of the main predicate; AFFIRMED when the sentence has none."""
    main = next((p for p in predications(parsed) if parsed.tokens[p.position].head == p.position), None)
    return main.polarity if main else Polarity.AFFIRMED


def predications(parsed: ParsedSentence) -> tuple[Predication, ...]:
    """All predicates of a sentence with their polarity, in order."""
    return predications_in(parsed, Tree.of(parsed))


def predications_in(parsed: ParsedSentence, tree: Tree) -> tuple[Predication, ...]:
    """:func:`predications` for a sentence whose tree is at hand."""
    return tuple(
        _predication(parsed, tree, position) for position in range(len(tree.tokens)) if tree.is_predicate(position)
    )


def _predication(parsed: ParsedSentence, tree: Tree, position: int) -> Predication:
    cues = list(_cues(tree, position))
    first, last = min([position, *cues]), max([position, *cues])
    offset = parsed.sentence.start
    span = Span(tree.tokens[first].span.start - offset, tree.tokens[last].span.end - offset)
    return Predication(
        span=span,
        text=span.of(parsed.text),
        lemma=tree.lemma(position),
        polarity=Polarity.DENIED if len(cues) % 2 else Polarity.AFFIRMED,
        position=position,
        hedged=any(tree.lemma(child) in _HEDGES for child in tree.children[position]),
    )


def _cues(tree: Tree, position: int) -> Iterator[int]:
    """The tokens that deny the predicate; two of them cancel each other."""
    for child in tree.children[position]:
        if _is_negation(tree, child) or _is_negative_argument(tree, child):
            yield child
    head = tree.tokens[position].head
    below_negative_verb = tree.tokens[position].dependency == "xcomp" and tree.lemma(head) in _NEGATIVE_VERBS
    if below_negative_verb and head != position:
        yield head


def _is_negation(tree: Tree, position: int) -> bool:
    token = tree.tokens[position]
    word = token.text.lower()
    following = tree.tokens[position + 1].text.lower() if position + 1 < len(tree.tokens) else ""
    if word == "longer":
        return any(tree.lemma(child) == "no" for child in tree.children[position])
    if word == "without":
        return token.dependency in ("mark", "case")
    return (word in _NEGATIONS or tree.lemma(position) == "not") and following not in _NO_DENIAL_AFTER


def _is_negative_argument(tree: Tree, position: int) -> bool:
    """True for "no books" in "wrote no books", and for "nobody"."""
    token = tree.tokens[position]
    if token.dependency not in ("obj", "nsubj", "nsubj:pass"):
        return False
    if token.text.lower() in _NEGATIVE_PRONOUNS:
        return True
    return any(tree.tokens[child].text.lower() in _NEGATIVE_DETERMINERS for child in tree.children[position])
