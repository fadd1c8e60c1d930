"""The arguments of a predicate: its objects, complements and prepositional phrases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from detection.core.language.tree import Tree
from detection.core.language.triples.detached_phrases import ends_date_range
from detection.core.language.triples.grammar import case_words, is_clause, is_predicative, is_verb
from detection.core.language.triples.noun_phrases import contiguous, noun_phrase
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.vocabulary import COMPLETING, OBLIQUES, RELATIVES, SUBJECTS


@dataclass(frozen=True, slots=True)
class Argument:
    """The head of a phrase, the words that lead to it, and whether it is the main argument."""

    head: int
    lead: Positions = ()
    is_core: bool = False
    phrase: Positions = ()
    """The words, if they are not those of the noun phrase around the head."""


def arguments_of(sentence: AnnotatedSentence, predicate: int) -> tuple[Argument, ...]:
    """The arguments of a verb; for a copula, its complement and the phrases around it."""
    if is_verb(sentence.tree, predicate):
        return tuple(_arguments_of_verb(sentence, predicate))
    return tuple(_complement(sentence, predicate))


def _arguments_of_verb(sentence: AnnotatedSentence, verb: int) -> Iterator[Argument]:
    """The arguments in order of the sentence, without those in a heading before it."""
    tree = sentence.tree
    existential = tree.child(verb, "expl") is not None
    for child in tree.children[verb]:
        token = tree.tokens[child]
        label = token.dependency
        if child < sentence.heading_end <= verb:
            continue
        if label == "obj" and token.tag in RELATIVES:
            yield from _antecedent(sentence, verb)
        elif label in ("obj", "iobj") or (existential and label in SUBJECTS and token.tag != "EX"):
            yield Argument(child, is_core=True)
        elif label == "xcomp" and not is_predicative(tree, child):
            yield from _complement(sentence, child)
        elif _is_oblique(tree, child):
            yield from _oblique(sentence, child)
        elif label == "ccomp" and is_predicative(tree, child) and not sentence.is_in_title(child):
            yield _reported_clause(sentence, child)


def _antecedent(sentence: AnnotatedSentence, verb: int) -> Iterator[Argument]:
    """The town in "the town that he left in 1950"."""
    token = sentence.tokens[verb]
    if token.dependency == "acl:relcl":
        yield Argument(token.head, is_core=True, phrase=noun_phrase(sentence, token.head, whole_list=True))


def _complement(sentence: AnnotatedSentence, head: int) -> Iterator[Argument]:
    """The complement (a noun or adjective) of the subject or object, and the phrases around it."""
    yield Argument(head, case_words(sentence.tree, head), is_core=True)
    for child in sentence.tree.children[head]:
        if sentence.tokens[child].dependency in OBLIQUES:
            yield from _oblique(sentence, child)


def _is_oblique(tree: Tree, position: int) -> bool:
    """True also for "soothing" in "described as soothing", which the parser labels as a clause."""
    label = tree.tokens[position].dependency
    if label == "advcl":
        return not is_predicative(tree, position) and bool(case_words(tree, position))
    return label in OBLIQUES and not is_clause(tree, position)


def _oblique(sentence: AnnotatedSentence, head: int) -> Iterator[Argument]:
    tree = sentence.tree
    if tree.tokens[head].tag not in RELATIVES and not ends_date_range(sentence, head):
        yield Argument(head, case_words(tree, head), is_core=tree.preposition(head) in COMPLETING)


def _reported_clause(sentence: AnnotatedSentence, head: int) -> Argument:
    """What someone said or thought, as one phrase."""
    tree = sentence.tree
    mark = tree.child(head, "mark")
    lead = () if mark is None else (mark,)
    phrase = contiguous(sentence, head, set(tree.subtree(head)).difference(lead))
    return Argument(head, lead, is_core=True, phrase=phrase)
