"""The words of a phrase around its head."""

from __future__ import annotations

from typing import Final

from detection.core.language.tree import Tree
from detection.core.language.triples.detached_phrases import detached_phrases
from detection.core.language.triples.grammar import (
    comma_between,
    continues_verb,
    follows_copula,
    has_copula,
    is_clause,
    mentions_time,
)
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.vocabulary import AUXILIARIES, NEGATIONS, SUBJECTS

#: Prepositions of nested places: "in Lund, Sweden".
PLACE_PREPOSITIONS: Final = frozenset({"in", "at", "of", "near", "from", "to"})

_OUTSIDE_OF_NOUN: Final = (
    SUBJECTS
    | AUXILIARIES
    | {"acl:relcl", "parataxis", "mark", "advcl", "dep", "discourse", "expl", "vocative", "obl", "obl:agent", "ccomp"}
)
_MAX_SHORT_PHRASE: Final = 12


def noun_phrase(sentence: AnnotatedSentence, head: int, *, whole_list: bool) -> Positions:
    """The contiguous words of a phrase, without clauses and phrases that become separate facts."""
    tree = sentence.tree
    is_subject = tree.tokens[head].dependency in SUBJECTS
    detached = set() if is_subject else set(detached_phrases(sentence, head))
    words = {head}
    pending = [head]
    while pending:
        parent = pending.pop()
        for child in tree.children[parent]:
            if child not in detached and _is_inside(sentence, child, head, parent, whole_list=whole_list):
                words.add(child)
                pending.append(child)
    return contiguous(sentence, head, words)


def short_phrase(sentence: AnnotatedSentence, head: int) -> Positions:
    """The whole phrase; a long one without the words after its noun."""
    tokens = sentence.tokens
    phrase = noun_phrase(sentence, head, whole_list=True)
    stop = next((word for word in phrase if tokens[word].text == "including"), None)
    if stop is not None:
        phrase = tuple(word for word in phrase if word < stop and (word, tokens[word].text) != (stop - 1, ","))
    if len(phrase) <= _MAX_SHORT_PHRASE:
        return phrase
    return tuple(word for word in phrase if word <= head) if tokens[head].pos != "NUM" else ()


def contiguous(sentence: AnnotatedSentence, head: int, words: set[int]) -> Positions:
    """The contiguous words around the head, with whole titles and without punctuation at the ends."""
    first, last = _around_titles(sentence, *_around_head(sentence, head, words))
    while first < head and _is_edge(sentence, first, last):
        first += 1
    while last > head and _is_edge(sentence, last, first):
        last -= 1
    return tuple(range(first, last + 1))


def is_part_of_place(tree: Tree, apposition: int) -> bool:
    """True for "Sweden" in "Lund, Sweden"."""
    head = tree.tokens[apposition].head
    is_bare = all(tree.tokens[word].pos in ("PROPN", "PUNCT") for word in tree.subtree(apposition))
    follows_place = tree.preposition(head) in PLACE_PREPOSITIONS and not mentions_time(tree, head)
    return is_bare and follows_place and tree.tokens[head].pos == "PROPN"


# Which words belong to the phrase.


def _is_inside(sentence: AnnotatedSentence, child: int, head: int, parent: int, *, whole_list: bool) -> bool:
    """Whether a dependent of a word of the phrase (the parent) also belongs to the phrase."""
    tree = sentence.tree
    token = tree.tokens[child]
    label = token.dependency
    if label in ("conj", "cc"):
        return parent != head or (whole_list and not is_clause(tree, child))
    if parent == head and label == "case" and token.tag != "POS":
        return tree.tokens[head].dependency in ("obj", *SUBJECTS)
    if label == "acl":
        return tree.child(child, "mark") is not None
    if label == "appos":
        return is_part_of_place(tree, child) or _is_close_apposition(sentence, parent, child)
    if label == "acl:relcl" or (label == "xcomp" and continues_verb(tree, child)):
        return False
    if label == "cc:preconj" and has_copula(tree, head):
        return False
    if parent == head and label in _OUTSIDE_OF_NOUN:
        return label == "obl" and tree.preposition(child) == "of" and not has_copula(tree, head)
    return not (label == "advmod" and parent == head and _goes_with_copula(tree, child, head))


def _is_close_apposition(sentence: AnnotatedSentence, noun: int, apposition: int) -> bool:
    """True for "Olaf" in "his brother Olaf" and for the title in "the film “The Weir”"."""
    if any(apposition in title and title[0] == noun + 1 for title in sentence.titles):
        return True
    return apposition - noun < 3 and not comma_between(sentence.tree, noun, apposition)


def _goes_with_copula(tree: Tree, adverb: int, noun: int) -> bool:
    """True for an adverb that belongs to the verb group and not to the noun phrase: "is still", "was never"."""
    copula = tree.child(noun, "cop")
    if copula is None:
        return False
    is_negation = tree.tokens[adverb].text.lower() in NEGATIONS
    return adverb < copula or is_negation or follows_copula(tree, adverb)


# Where the phrase begins and ends.


def _around_head(sentence: AnnotatedSentence, head: int, words: set[int]) -> tuple[int, int]:
    """The first and the last of the adjacent words, without a bracket after the head."""
    tokens = sentence.tokens
    first = last = head
    while first - 1 in words:
        first -= 1
    while last + 1 in words and not (tokens[last + 1].text == "(" and tokens[first].text != "("):
        last += 1
    if tokens[first].text == "(" and tokens[last].text == ")" and first < head < last:
        return first + 1, last - 1
    return first, last


def _around_titles(sentence: AnnotatedSentence, first: int, last: int) -> tuple[int, int]:
    """The two ends, extended to include partially covered titles."""
    for title in sentence.titles:
        overlaps = first <= title[-1] and title[0] <= last
        if overlaps and (first not in title or last not in title):
            first, last = min(first, title[0]), max(last, title[-1])
    return first, last


def _is_edge(sentence: AnnotatedSentence, position: int, other_end: int) -> bool:
    """Whether the word at an end is not part of the phrase: "and", a comma, an unpaired bracket or quotation mark."""
    token = sentence.tokens[position]
    if token.dependency == "cc":
        return True
    if token.pos != "PUNCT":
        return False
    low, high = sorted((position, other_end))
    text = "".join(token.text for token in sentence.tokens[low : high + 1])
    if token.text in "()":
        return text.count("(") != text.count(")")
    if token.text in "\"“”''``":
        return sum(text.count(mark) for mark in '"“”') % 2 == 1
    return True
