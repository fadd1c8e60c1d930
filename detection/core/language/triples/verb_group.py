"""Find the words of the relation: auxiliaries, negation, verb and particle."""

from __future__ import annotations

from typing import Final

from detection.core.language.tree import Tree
from detection.core.language.triples.grammar import (
    continues_verb,
    follows_copula,
    has_auxiliary,
    has_copula,
    is_infinitive,
    is_predicate_adjective,
    is_verb,
)
from detection.core.language.triples.noun_phrases import noun_phrase, short_phrase
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.vocabulary import AUXILIARIES, LINKS, NEGATIONS, RELATIVES, SUBJECTS

# Adverbs that only connect a sentence to the previous one.
_FILLERS: Final = frozenset(
    {"also", "however", "then", "therefore", "thus", "subsequently", "later", "eventually", "additionally", "too"}
)
# Words before a participle that change what it asserts.
_STAGES: Final = frozenset({"without", "after", "before"})


def verb_group(sentence: AnnotatedSentence, predicate: int) -> Positions:
    """The words of the predicate with those of the verb it depends on; for a copula, all except the noun."""
    tree = sentence.tree
    own = own_words(tree, predicate)
    token = tree.tokens[predicate]
    if token.head == predicate:
        return own
    if continues_verb(tree, predicate):
        return (*verb_group(sentence, token.head), *_object_words(sentence, token.head, predicate), *own)
    if token.dependency == "acl" and is_infinitive(tree, predicate):
        return (*_words_before_infinitive(sentence, predicate), *own)
    if token.dependency == "conj" and is_infinitive(tree, predicate) and is_infinitive(tree, token.head):
        repeated = own_words(tree, token.head)
        return (*(word for word in verb_group(sentence, token.head) if word not in repeated), *own)
    if token.dependency == "conj" and is_verb(tree, token.head) and not has_auxiliary(tree, predicate):
        return (*_shared_words(sentence, predicate), *own)
    return own


def own_words(tree: Tree, predicate: int) -> Positions:
    """The words of the predicate alone."""
    words = {child for child in tree.children[predicate] if _is_function_word(tree, child)}
    if is_verb(tree, predicate):
        words.add(predicate)
    for child in tree.children[predicate]:
        if tree.tokens[child].dependency == "advmod" and _is_adverb_of_verb(tree, child, predicate, words):
            words.update(tree.subtree(child))
    return tuple(sorted(words))


def _is_function_word(tree: Tree, position: int) -> bool:
    """True for auxiliaries, particles, "neither", "to" and qualifying words before a participle."""
    label = tree.tokens[position].dependency
    if label == "mark":
        return _is_told_mark(tree, position)
    if label == "cc:preconj":
        return tree.lemma(position) == "neither"
    return label in AUXILIARIES or label == "compound:prt"


def _is_told_mark(tree: Tree, position: int) -> bool:
    token = tree.tokens[position]
    word, form = token.text.lower(), tree.tokens[token.head].tag
    if word == "to":
        return True
    return form == "VBG" and (word in _STAGES or (word in LINKS and continues_verb(tree, token.head)))


def _is_adverb_of_verb(tree: Tree, adverb: int, predicate: int, words: set[int]) -> bool:
    """True for negations, and for adverbs between the words found so far or after a copula."""
    word = tree.tokens[adverb].text.lower()
    if word in NEGATIONS or any(tree.tokens[child].text.lower() == "no" for child in tree.children[adverb]):
        return True
    if word in _FILLERS or tree.tokens[adverb].tag in RELATIVES or not words:
        return False
    if predicate in words:
        return min(words) < adverb < predicate
    return follows_copula(tree, adverb)


# Words of the verb above.


def _object_words(sentence: AnnotatedSentence, verb: int, before: int) -> Positions:
    """The words between a verb and its continuation: "him" in "asked him to leave"."""
    if is_predicate_adjective(sentence.tree, verb):
        return (verb,)
    object_head = sentence.tree.child(verb, "obj")
    if object_head is None or object_head > before:
        return ()
    return short_phrase(sentence, object_head)


def _words_before_infinitive(sentence: AnnotatedSentence, infinitive: int) -> Positions:
    """ "was the first woman" before "to win", without which the fact would differ."""
    tree = sentence.tree
    noun = tree.tokens[infinitive].head
    above = noun if has_copula(tree, noun) else tree.tokens[noun].head
    if above != noun and tree.tokens[noun].dependency not in ("obj", "xcomp"):
        return ()
    mark = tree.child(infinitive, "mark")
    phrase = noun_phrase(sentence, noun, whole_list=True)
    return (*verb_group(sentence, above), *(word for word in phrase if word < infinitive and word != mark))


def _shared_words(sentence: AnnotatedSentence, predicate: int) -> Positions:
    """The auxiliaries of the first of two verbs that apply to both: "was built and opened"."""
    tree = sentence.tree
    token = tree.tokens[predicate]
    first = tree.tokens[token.head]
    if token.tag == "VBD" and tree.child(token.head, "aux:pass") is not None:
        if tree.child(predicate, "obj", *SUBJECTS) is not None:
            return ()
    elif token.tag not in ("VBN", "VB", "VBG") or (token.tag != first.tag and first.tag != "VBD"):
        return ()
    return tuple(word for word in verb_group(sentence, token.head) if word < token.head)
