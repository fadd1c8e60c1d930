"""Lists: their members, joined by "and" and commas, and lists that are one thing."""

from __future__ import annotations

import re
from typing import Final

from detection.core.language.tree import Tree
from detection.core.language.triples.grammar import is_clause
from detection.core.language.triples.noun_phrases import PLACE_PREPOSITIONS
from detection.core.language.triples.sentence import AnnotatedSentence, Positions

# Longer lists stay whole: separate members would displace all other facts.
_MAX_SPLIT: Final = 3
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)")


def list_members(sentence: AnnotatedSentence, head: int, lead: Positions = ()) -> list[int]:
    """The heads of a list, or the head alone if the list stays whole."""
    tree = sentence.tree
    members = [head, *_conjuncts(tree, head)]
    if (
        len(members) > _MAX_SPLIT
        or _is_address(tree, members)
        or _is_cut_short(tree, members)
        or any(tree.tokens[position].text.lower() == "between" for position in lead)
        or _is_one_name(sentence, members)
    ):
        return [head]
    return members


def _conjuncts(tree: Tree, head: int) -> list[int]:
    found: list[int] = []
    for child in tree.children[head]:
        if tree.tokens[child].dependency == "conj" and not is_clause(tree, child):
            found += [child, *_conjuncts(tree, child)]
    return found


def _is_address(tree: Tree, members: list[int]) -> bool:
    """True for "Arvika, Värmland, Sweden", which the parser reads as a list."""
    if tree.preposition(members[0]) not in PLACE_PREPOSITIONS:
        return False
    links = (child for member in members for child in tree.children[member])
    return not any(tree.tokens[child].dependency == "cc" for child in links)


def _is_cut_short(tree: Tree, members: list[int]) -> bool:
    """True for "the late 19th and early 20th centuries" and for "30 government and army officials"."""
    first, last = tree.tokens[members[0]], tree.tokens[members[-1]]
    if (first.pos == "ADJ" or _ORDINAL.fullmatch(first.text)) and last.pos == "NOUN":
        return True
    return first.tag == "NN" and last.tag == "NNS" and tree.child(members[0], "nummod") is not None


def _is_one_name(sentence: AnnotatedSentence, members: list[int]) -> bool:
    spans = [sentence.tokens[member].span for member in members]
    return any(all(entity.span.contains(span) for span in spans) for entity in sentence.entities)
