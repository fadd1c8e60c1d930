"""The facts of one predicate: whether it asserts something, and what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from detection.core.language.tree import Tree
from detection.core.language.triples.argument_facts import Clause, argument_facts
from detection.core.language.triples.arguments import arguments_of
from detection.core.language.triples.drafts import Draft
from detection.core.language.triples.grammar import continues_verb, has_copula, is_infinitive, is_verb
from detection.core.language.triples.noun_phrases import contiguous
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.subjects import noun_before, subject_words
from detection.core.language.triples.verb_group import verb_group
from detection.core.language.triples.vocabulary import NEGATIONS, NOMINAL, RELATIVES, SUBJECTS

_NOT_CLAUSES: Final = frozenset(
    {"amod", "compound", "case", "mark", "aux", "aux:pass", "cop", "fixed", "flat", "nmod", "nsubj", "det", "advmod"}
)
_UNASSERTED: Final = frozenset({"if", "unless", "whether", "lest", "than", "rather", "instead"})


def predicate_facts(sentence: AnnotatedSentence, predicate: int) -> list[Draft]:
    """The facts that a word asserts with its arguments; none without an assertion or a subject."""
    if not _is_predicate(sentence, predicate):
        return []
    subject, group = subject_words(sentence, predicate), verb_group(sentence, predicate)
    if not subject:
        return []
    if sentence.tokens[subject[0]].tag == "WP$":
        subject, group = noun_before(sentence, subject[0]), (*subject, *group)
    clause = Clause(subject, group, arguments_of(sentence, predicate))
    titles = _titles_after(sentence, group[-1] if group else predicate)
    facts = [Draft(subject, group, tuple(title)) for title in titles]
    for argument in clause.arguments:
        facts += argument_facts(sentence, clause, argument)
    is_continued = any(_completes(sentence.tree, child) for child in sentence.tree.children[predicate])
    return facts if facts or is_continued else _bare_fact(sentence, subject, group, predicate)


#: The relation of a fact without an object: "The bridge" "did" "collapsed".
BARE: Final = "did"


def bare_event(sentence: AnnotatedSentence) -> Iterator[Draft]:
    """The only fact of "The bridge collapsed."."""
    root = sentence.root
    if sentence.parsed.text.endswith(":") or not is_verb(sentence.tree, root) or not _is_predicate(sentence, root):
        return
    group = verb_group(sentence, root)
    subject = subject_words(sentence, root)
    if not subject and all(token.tag in NOMINAL for token in sentence.tokens[:root]):
        subject = tuple(range(root))
    if subject and group and subject[-1] < group[0]:
        yield Draft(subject, (), tuple(range(group[0], group[-1] + 1)), verb=BARE)


# Which predicates assert something.


def _is_predicate(sentence: AnnotatedSentence, position: int) -> bool:
    tree = sentence.tree
    token = tree.tokens[position]
    if token.tag in RELATIVES or _is_unasserted(tree, position) or sentence.is_in_title(position):
        return False
    is_gerund = tree.child(position, "mark") is not None and not is_infinitive(tree, position)
    if token.dependency == "acl" and is_gerund:
        return False
    if token.pos in ("VERB", "AUX"):
        return token.dependency not in _NOT_CLAUSES or has_copula(tree, position)
    return tree.child(position, "cop", "nsubj", "nsubj:pass") is not None


def _is_unasserted(tree: Tree, position: int) -> bool:
    """True for a predicate in a condition or comparison."""
    return any(
        tree.tokens[child].dependency in ("mark", "cc")
        and tree.lemma(child) in _UNASSERTED
        and not _begins_after_comma(tree, position, child)
        for child in tree.children[position]
    )


def _begins_after_comma(tree: Tree, predicate: int, mark: int) -> bool:
    """True for the main clause after a condition, if the parser attached "if" to it."""
    subjects = (child for child in tree.children[predicate] if tree.tokens[child].dependency in SUBJECTS)
    return any(token.text == "," for token in tree.tokens[mark : max(subjects, default=mark)])


# Facts of a predicate whose arguments give none.


def _titles_after(sentence: AnnotatedSentence, verb: int) -> list[range]:
    """The titles right after the verb, which the parser splits."""
    found: list[range] = []
    expected = verb + 1
    for title in sentence.titles:
        between = {token.text for token in sentence.tokens[expected : title[0]]}
        if title[0] < expected or between - ({",", "and", "or"} if found else set()):
            continue
        found.append(title)
        expected = title[-1] + 1
    return found


def _completes(tree: Tree, clause: int) -> bool:
    """Whether a clause completes the verb, so that the verb alone is not a fact."""
    return tree.tokens[clause].dependency in ("xcomp", "ccomp", "csubj") or continues_verb(tree, clause)


def _bare_fact(sentence: AnnotatedSentence, subject: Positions, group: Positions, predicate: int) -> list[Draft]:
    """A fact without an object: an adverb (The firm; grew; quickly) or the verb itself (The mill; was; demolished)."""
    tree = sentence.tree
    adverb = next((child for child in tree.children[predicate] if _is_late_adverb(tree, child)), None)
    if adverb is not None:
        return [Draft(subject, group, contiguous(sentence, adverb, set(tree.subtree(adverb))))]
    if len(group) < 2 or predicate != group[-1]:
        return []
    first = predicate
    while first > group[0] and tree.tokens[first - 1].span.end == tree.tokens[first].span.start:
        first -= 1  # "re-opened" is one word
    return [Draft(subject, tuple(word for word in group if word < first), tuple(range(first, predicate + 1)))]


def _is_late_adverb(tree: Tree, position: int) -> bool:
    token = tree.tokens[position]
    return token.dependency == "advmod" and position > token.head and token.text.lower() not in NEGATIONS
