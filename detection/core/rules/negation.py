"""Deny a clause of a sentence, or state what it denies: "The lift works", "The lift does not work".

Where a source contradicts a sentence, it often says no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from detection.core.language.tree import AUXILIARIES, DENYING_ADVERBS, FINITE, Tree
from detection.core.language.vocabulary import words
from detection.core.rules.antonyms import OppositeWording
from detection.core.rules.inflection import inflected_verb
from detection.core.rules.slots import Clause
from detection.core.types import Span, Token

_CLAUSES = frozenset({"ROOT", "root", "conj", "ccomp", "advcl", "acl:relcl", "parataxis"})
_OBJECTS = frozenset({"obj", "iobj", "obl"})
_DO = {"VBD": "did not", "VBZ": "does not", "VBP": "do not"}
#: Words at the start that are denied in place of the verb: "Not all trains run".
_WHOLE_SUBJECTS = frozenset(words("all every everyone everybody everything only"))
_SOMEBODY = {"someone": "no one", "somebody": "nobody", "something": "nothing"}
#: What "not" does not reach, or reaches alone: "Some trains do not run" does not deny that some run, and "It does
#: not cover labour and parts" not that it covers both.
_OPEN_SUBJECTS = frozenset(
    words("some any most many few several no nobody none nothing neither both either one another other others")
).union(_WHOLE_SUBJECTS, _SOMEBODY)
#: Words after the verb or its auxiliary that change with "not": "has already opened", "has not yet opened".
_DENIED_ADVERBS = {"already": "not yet", "still": "no longer", "also": "not"}
_UNDENIED_ADVERBS = frozenset(words("too just even only probably perhaps"))
#: Words that need a negation: without it, "does not open at all" makes no sense.
_IN_NEGATIONS = frozenset(words("any anyone anybody anything anywhere ever yet either anymore all nor but"))
_WITHOUT_NOT = {"ca": "can", "wo": "will", "sha": "shall"}
_DO_NOT = re.compile(r"(?:Do not|Don[’']t|Never)\s")


def with_negations(clause: Clause) -> Iterator[OppositeWording]:
    """The sentence with each of its finite clauses in turn denied, or stated if it is denied."""
    text = clause.reading.written
    if "?" in text:
        return
    if clause.reading.parsed is not None and clause.reading.parsed.is_instruction:
        yield from _instructions(clause, text)
    for predicate, verb in _clauses(clause.tree):
        own = clause.reading.token_span(predicate)
        own = Span(min(own.start, clause.reading.token_span(verb).start), own.end)
        for span, new in _changes(clause, predicate, verb):
            changed = text[: span.start] + new + text[span.end :]
            if span.start == 0:
                changed = changed[:1].upper() + changed[1:]
            yield OppositeWording(changed, own, is_negation=True)


def _instructions(clause: Clause, text: str) -> Iterator[OppositeWording]:
    """ "Do not cover the pot" for "Cover the pot", and the other way round."""
    root = clause.tree.root
    denial = _DO_NOT.match(text)
    if denial is not None:
        rest = text[denial.end() :]
        yield OppositeWording(rest[:1].upper() + rest[1:], Span(*denial.span()), is_negation=True)
    elif root == 0 and clause.tree.tokens[0].tag in ("VB", "VBP"):
        yield OppositeWording(f"Do not {text[:1].lower()}{text[1:]}", clause.reading.token_span(0), is_negation=True)


def _clauses(tree: Tree) -> Iterator[tuple[int, int]]:
    """The predicate of each clause, with its finite verb."""
    for position, token in enumerate(tree.tokens):
        if token.dependency in _CLAUSES and tree.is_predicate(position):
            verb = _finite_verb(tree, position)
            if verb is not None and (token.dependency != "advcl" or tree.child(position, "mark") is None):
                yield position, verb


def _changes(clause: Clause, predicate: int, verb: int) -> Iterator[tuple[Span, str]]:
    """The span of the words to replace, and the words to put there."""
    tree = clause.tree
    subject = tree.subject(predicate)
    first = tree.tokens[0].text.casefold()
    if tree.is_denied(predicate):
        yield from _stated(clause, predicate, verb)
    elif subject is not None and first in _WHOLE_SUBJECTS | _SOMEBODY.keys() and tree.subtree(subject)[0] == 0:
        yield clause.reading.token_span(0), _SOMEBODY.get(first, f"not {first}")
    elif not _is_open(tree, predicate, subject):
        yield from _denied(clause, predicate, verb)


def _is_open(tree: Tree, predicate: int, subject: int | None) -> bool:
    """Whether "not" at the verb may say something else than that the clause is wrong."""
    objects = [i for i in tree.children[predicate] if tree.tokens[i].dependency in _OBJECTS]
    arguments = objects if subject is None else [subject, *objects]
    if any((token.dependency, token.pos) == ("conj", "NOUN") for token in _tokens_below(tree, arguments)):
        return True
    named = () if subject is None else (subject, *tree.children[subject])
    return any(tree.tokens[i].text.casefold() in _OPEN_SUBJECTS for i in named)


def _tokens_below(tree: Tree, heads: Sequence[int]) -> Iterator[Token]:
    return (tree.tokens[i] for head in heads for i in tree.subtree(head))


def _finite_verb(tree: Tree, predicate: int) -> int | None:
    """The first auxiliary of a predicate, or the predicate itself; None if that is not finite."""
    helpers = [i for i in tree.children[predicate] if tree.tokens[i].dependency in AUXILIARIES and i < predicate]
    first = min(helpers, default=predicate)
    return first if tree.tokens[first].tag in FINITE else None


def _denied(clause: Clause, predicate: int, verb: int) -> Iterator[tuple[Span, str]]:
    tree = clause.tree
    span = clause.reading.token_span(verb)
    token, lemma = tree.tokens[verb], tree.lemma(verb)
    behind = tree.tokens[verb + 1].text.casefold() if verb + 1 < len(tree.tokens) else ""
    before = tree.tokens[verb - 1].text.casefold() if verb else ""
    if behind in _UNDENIED_ADVERBS or before in _UNDENIED_ADVERBS | _DENIED_ADVERBS.keys():
        return
    is_main_verb = verb == predicate and lemma != "be"
    is_duty = lemma == "have" and behind == "to"  # "has to leave": "does not have to leave"
    if (is_main_verb or is_duty) and token.tag in _DO:
        yield span, f"{_DO[token.tag]} {lemma}"
    elif behind in _DENIED_ADVERBS:
        yield Span(span.end, clause.reading.token_span(verb + 1).end), f" {_DENIED_ADVERBS[behind]}"
    elif lemma == "can":
        yield span, "cannot"
    else:
        yield Span(span.end, span.end), " not"
        if lemma == "must":
            yield span, "need not"


def _stated(clause: Clause, predicate: int, verb: int) -> Iterator[tuple[Span, str]]:
    tree = clause.tree
    below = {tree.tokens[i].text.casefold() for i in tree.subtree(predicate)}
    denials = [i for i in tree.children[predicate] if tree.tokens[i].text.casefold() in DENYING_ADVERBS]
    without = [i for i in tree.subtree(predicate) if tree.tokens[i].text.casefold() == "no" and _is_plural(tree, i)]
    if len(without) == 1 and not denials and not below & _IN_NEGATIONS:
        yield _with_gap(clause, without[0]), ""
    if len(denials) != 1 or without or below & _IN_NEGATIONS:
        return
    denial, own = clause.reading.token_span(denials[0]), clause.reading.token_span(verb)
    word, lemma, tag = tree.tokens[verb].text.casefold(), tree.lemma(predicate), tree.tokens[verb].tag
    if tree.tokens[denials[0]].text.casefold() == "never":
        yield _with_gap(clause, denials[0]), ""
    elif tree.lemma(verb) != "do" or verb == predicate:
        yield Span(own.start, denial.end), _WITHOUT_NOT.get(word, tree.tokens[verb].text)
    elif predicate == denials[0] + 1 and tag != "VBD":  # the past of many verbs is irregular
        form = inflected_verb(lemma, tag)
        if form is not None:
            yield Span(own.start, clause.reading.token_span(predicate).end), form


def _with_gap(clause: Clause, position: int) -> Span:
    """The span of a word and of the space behind it."""
    span = clause.reading.token_span(position)
    is_last = position + 1 == len(clause.tree.tokens)
    return span if is_last else Span(span.start, clause.reading.token_span(position + 1).start)


def _is_plural(tree: Tree, determiner: int) -> bool:
    """Whether "no" stands before a plural, which needs no article without it."""
    return tree.tokens[tree.tokens[determiner].head].tag == "NNS"
