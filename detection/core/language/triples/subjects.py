"""Find the subject of a predicate."""

from __future__ import annotations

from detection.core.language.tree import Tree
from detection.core.language.triples.grammar import comma_between, continues_verb, has_copula
from detection.core.language.triples.noun_phrases import contiguous, noun_phrase
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.verb_group import own_words
from detection.core.language.triples.vocabulary import AUXILIARIES, NOMINAL, SUBJECTS


def subject_words(sentence: AnnotatedSentence, predicate: int) -> Positions:
    """The words of the subject; empty if the predicate has none."""
    tree = sentence.tree
    head = tree.tokens[predicate].head
    if head != predicate and continues_verb(tree, predicate) and tree.child(predicate, *SUBJECTS) is None:
        return subject_words(sentence, head)
    subject = _find_subject(tree, predicate)
    if subject is None:
        return ()
    token = tree.tokens[subject]
    if token.text in ("that", "which", "who") and subject > 0:
        return noun_before(sentence, subject)
    if token.tag == "EX":
        return (subject,)
    return _subject_phrase(sentence, _told_subject(tree, subject, predicate), predicate)


def noun_before(sentence: AnnotatedSentence, pronoun: int) -> Positions:
    """The antecedent of "which", if the parser missed the relative clause."""
    tokens = sentence.tokens
    before = reversed(range(pronoun))
    noun = next((position for position in before if tokens[position].pos in ("NOUN", "PROPN")), None)
    while (
        noun is not None
        and tokens[noun].dependency in ("compound", "flat", "nmod:unmarked")
        and tokens[noun].head != noun  # a root with such a label is a parser error
    ):
        noun = tokens[noun].head
    return noun_phrase(sentence, noun, whole_list=True) if noun is not None and noun < pronoun else ()


# The head of the subject.


def _find_subject(tree: Tree, predicate: int) -> int | None:
    """The subject in the tree, or where the parser wrongly attached it."""
    for find in (_controller, _nearest_of_two, Tree.subject, _subject_of_auxiliary, _subject_above):
        subject = find(tree, predicate)
        if subject is not None:
            return subject
    return None


def _controller(tree: Tree, predicate: int) -> int | None:
    """ "Him" in "asked him to leave": the object of the verb above is the subject of the infinitive."""
    token = tree.tokens[predicate]
    if token.dependency != "xcomp" or tree.child(predicate, "mark") is None:
        return None
    return tree.child(token.head, "obj", "iobj")


def _nearest_of_two(tree: Tree, predicate: int) -> int | None:
    """The later of two subjects: the first belongs to an earlier clause such as "if the dam breaks,"."""
    own = [
        child for child in tree.children[predicate] if tree.tokens[child].dependency in SUBJECTS and child < predicate
    ]
    return own[-1] if len(own) > 1 and comma_between(tree, own[0], own[-1]) else None


def _subject_of_auxiliary(tree: Tree, predicate: int) -> int | None:
    """The subject that the parser attached to "has", or an "it" that it labelled as expletive."""
    auxiliaries = (child for child in tree.children[predicate] if tree.tokens[child].dependency in AUXILIARIES)
    subjects = (tree.child(auxiliary, *SUBJECTS) for auxiliary in auxiliaries)
    found = next((subject for subject in subjects if subject is not None), None)
    return found if found is not None else tree.child(predicate, "expl")


def _subject_above(tree: Tree, predicate: int) -> int | None:
    """The subject of the clause above, if a verb depends on a noun that heads no clause."""
    if tree.tokens[predicate].dependency not in ("conj", "advcl", "parataxis"):
        return None
    above = tree.predicate_above(predicate)
    return tree.subject(above) if above is not None else None


def _told_subject(tree: Tree, subject: int, predicate: int) -> int:
    """The subject of a complement: "Halden" for "a town" in "Halden is a town that grew"."""
    told = subject
    while tree.tokens[told].dependency == "conj" and not has_copula(tree, told) and tree.tokens[told].head != told:
        told = tree.tokens[told].head
    is_told = has_copula(tree, told) and tree.tokens[told].pos != "PROPN"
    above = tree.subject(told) if is_told and subject < predicate else None
    return above if above is not None else subject


# The words around the head.


def _subject_phrase(sentence: AnnotatedSentence, subject: int, predicate: int) -> Positions:
    tree = sentence.tree
    is_clause = tree.tokens[subject].dependency in ("csubj", "csubj:pass")
    expletive = tree.child(predicate, "expl")
    if expletive is not None and (is_clause or tree.tokens[expletive].tag == "EX"):
        return (expletive,)
    if is_clause:
        return contiguous(sentence, subject, set(tree.subtree(subject)))
    phrase = _after_heading(sentence, subject, predicate) or noun_phrase(sentence, subject, whole_list=True)
    return _with_words_before_title(sentence, phrase)


def _after_heading(sentence: AnnotatedSentence, subject: int, predicate: int) -> Positions:
    """The subject after a heading in the same line ("Early years: Lind studied"), which the parser mistakes for it."""
    colon = sentence.heading_end - 1
    if not subject < colon < predicate:
        return ()
    end = min((word for word in own_words(sentence.tree, predicate) if word > colon), default=predicate)
    while end > colon and sentence.tokens[end - 1].pos == "ADV":
        end -= 1
    return tuple(range(colon + 1, end))


def _with_words_before_title(sentence: AnnotatedSentence, phrase: Positions) -> Positions:
    """Adds "The author of the novel" before a title, which the parser labels as the whole subject."""
    before = sentence.tokens[: phrase[0]]
    if not before or before[0].tag == "IN" or all(phrase[0] != title[0] for title in sentence.titles):
        return phrase
    begins_sentence = all(token.tag in NOMINAL - {","} or token.tag == "IN" for token in before)
    return tuple(range(phrase[-1] + 1)) if begins_sentence else phrase
