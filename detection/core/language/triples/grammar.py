"""Queries on the tree: heads of clauses, verb chains, prepositions and commas."""

from __future__ import annotations

from detection.core.language.tree import Tree
from detection.core.language.triples.dates import names_time
from detection.core.language.triples.sentence import Positions
from detection.core.language.triples.vocabulary import AUXILIARIES, LINKS

# Verbs and clauses.


def is_verb(tree: Tree, position: int) -> bool:
    """True for verbs, also after "was to"; False for nouns and adjectives with a copula."""
    if tree.tokens[position].pos not in ("VERB", "AUX"):
        return False
    return not has_copula(tree, position) or is_infinitive(tree, position)


def is_predicative(tree: Tree, position: int) -> bool:
    """True for verbs and for words with a copula."""
    return tree.tokens[position].pos in ("VERB", "AUX") or has_copula(tree, position)


def is_clause(tree: Tree, position: int) -> bool:
    return is_predicative(tree, position) or tree.child(position, "nsubj", "nsubj:pass") is not None


def is_infinitive(tree: Tree, position: int) -> bool:
    """True for a verb after "to"."""
    mark = tree.child(position, "mark")
    return mark is not None and tree.tokens[mark].tag == "TO"


def has_auxiliary(tree: Tree, position: int) -> bool:
    return tree.child(position, *AUXILIARIES) is not None or is_infinitive(tree, position)


def has_copula(tree: Tree, position: int) -> bool:
    return tree.child(position, "cop") is not None


def is_predicate_adjective(tree: Tree, position: int) -> bool:
    """True for "able" in "is able" and for a participle that the parser tagged as an adjective."""
    return tree.tokens[position].pos in ("ADJ", "VERB") and has_copula(tree, position)


def continues_verb(tree: Tree, predicate: int) -> bool:
    """True for "to become" in "wanted to become" and for "with winning" in "is credited with winning"."""
    token = tree.tokens[predicate]
    if not (is_verb(tree, token.head) or is_predicate_adjective(tree, token.head)) or predicate < token.head:
        return False
    if not is_verb(tree, predicate) and not is_infinitive(tree, predicate):
        return False
    if token.dependency == "xcomp":
        controller = tree.child(token.head, "obj", "iobj")
        return controller is None or tree.tokens[controller].pos == "PRON"
    if is_infinitive(tree, predicate):
        return token.dependency != "conj"
    mark = tree.child(predicate, "mark")
    return token.dependency == "advcl" and mark is not None and tree.tokens[mark].text.lower() in LINKS


def follows_copula(tree: Tree, adverb: int) -> bool:
    """True for "still" in "is still a member", but not for "very" in "is very long"."""
    noun = tree.tokens[adverb].head
    copula = tree.child(noun, "cop")
    if copula is None or not copula < adverb < noun or tree.tokens[noun].pos not in ("NOUN", "PROPN"):
        return False
    return all(token.pos in ("AUX", "ADV", "PART") for token in tree.tokens[copula:adverb])


# Phrases.


def case_words(tree: Tree, head: int) -> Positions:
    """The preposition of a phrase with all its words: "because of"."""
    cases = (child for child in tree.children[head] if tree.tokens[child].dependency == "case")
    return tuple(sorted({word for case in cases if tree.tokens[case].tag != "POS" for word in tree.subtree(case)}))


def comma_between(tree: Tree, first: int, last: int) -> bool:
    """Whether a comma or an equivalent separator is between the two."""
    low, high = sorted((first, last))
    return any(token.text in ",;:(–—" for token in tree.tokens[low + 1 : high])


def mentions_time(tree: Tree, head: int) -> bool:
    """Whether a word of the phrase names a time."""
    return any(names_time(tree.tokens[word].text) for word in tree.subtree(head))


def is_time(tree: Tree, head: int) -> bool:
    """Whether the phrase itself is one of time, ignoring its prepositional phrases."""
    words = (head, *(child for child in tree.children[head] if not case_words(tree, child)))
    return any(names_time(tree.tokens[word].text) for word in words)
