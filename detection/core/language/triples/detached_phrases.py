"""Phrases after a noun that become separate facts, because the parser often attaches a date or a place too low."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from detection.core.language.tree import Tree
from detection.core.language.triples.grammar import case_words, has_copula, is_time, mentions_time
from detection.core.language.triples.sentence import AnnotatedSentence
from detection.core.language.triples.vocabulary import COMPLETING, OBLIQUES

_MODIFIERS: Final = frozenset({"nmod", "nmod:unmarked", "obl", "obl:unmarked", "nmod:desc"})
_DETACHABLE: Final = frozenset(
    {"in", "at", "on", "near", "from", "since", "until", "till", "during", "between", "after", "before", "through"}
    | {"throughout", "by", "to", "into", "along", "within", "outside", "around", "under", "for", "with", "against"}
)


def detached_phrases(sentence: AnnotatedSentence, head: int) -> Iterator[int]:
    """The heads of phrases of time after a noun, and of place if the noun completes the verb."""
    tree = sentence.tree
    of_any_kind = _completes_verb(tree, head) or is_time(tree, head)
    for child in tree.children[head]:
        if child < head or tree.tokens[child].dependency not in _MODIFIERS or ends_date_range(sentence, child):
            continue
        preposition = tree.preposition(child)
        if preposition == "of":
            yield from (below for below in detached_phrases(sentence, child) if mentions_time(tree, below))
        elif preposition == "including" or (
            preposition in _DETACHABLE
            and (of_any_kind or mentions_time(tree, child))
            and any(map(sentence.is_specific, tree.subtree(child)))
        ):
            yield child


def ends_date_range(sentence: AnnotatedSentence, head: int) -> bool:
    """True for the 2019 of "from 2011 to 2019", which belongs to the 2011."""
    case = case_words(sentence.tree, head)
    return bool(case) and sentence.date_range_at(case[0]) is not None


def _completes_verb(tree: Tree, head: int) -> bool:
    label = tree.tokens[head].dependency
    if label in ("obj", "xcomp") or has_copula(tree, head):
        return True
    if label == "conj":
        return _completes_verb(tree, tree.tokens[head].head)
    return label in OBLIQUES and tree.preposition(head) in COMPLETING
