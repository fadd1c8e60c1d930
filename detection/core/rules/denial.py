"""Find negations of another sentence: "grants are not given to firms", "grants are given to firms".

A hint, not a proof: the two may be about different grants. The NLI model must agree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from detection.core.language.vocabulary import words
from detection.core.rules.alignment import ValueConflict
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.left_out import is_left_out
from detection.core.rules.slots import Clause
from detection.core.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement(Value):
    """The statement or negation of a main clause. ``predicate`` is the lemma of its verb, or of the noun after "is"."""

    family: ClassVar[Family] = Family.DENIAL
    predicate: str
    is_denied: bool

    def relation_to(self, other: Value) -> Relation:
        """Statements with one predicate agree or exclude each other."""
        if not isinstance(other, Statement) or other.predicate != self.predicate:
            return Relation.UNRELATED
        return Relation.SAME if self.is_denied is other.is_denied else Relation.CONFLICT


_STRENGTH = 0.5
#: "He never played for another club" denies nothing about this one.
_ABOUT_OTHERS = re.compile(
    r"\b(?:other|others|another|else|elsewhere|only|again|longer|yet|until|before)\b", re.IGNORECASE
)
_NEGATIONS = frozenset(words("not n't n’t never no neither nor"))
_ARGUMENTS = frozenset(words("obj iobj obl obl:agent xcomp ccomp nmod"))


def conflicts_of_denial(premise: Clause, hypothesis: Clause) -> tuple[ValueConflict, ...]:
    """The predicates that one of two main clauses negates and the other states, about the same objects."""
    if is_left_out(Family.DENIAL):
        return ()
    one, other = _statement(premise), _statement(hypothesis)
    if one is None or other is None or one.relation_to(other) is not Relation.CONFLICT:
        return ()
    if _ABOUT_OTHERS.search(premise.reading.text) or _ABOUT_OTHERS.search(hypothesis.reading.text):
        return ()
    if not _share_arguments(premise, hypothesis):
        return ()
    return (ValueConflict(one, other, _STRENGTH),)


def _statement(clause: Clause) -> Statement | None:
    root = clause.tree.root
    if root is None or not clause.tree.is_predicate(root):
        return None
    is_denied = clause.tree.is_denied(root)
    span = _words_of(clause, root, with_negation=is_denied)
    return Statement(
        span=span,
        text=span.of(clause.reading.text),
        predicate=clause.tree.lemma(root),
        is_denied=is_denied,
    )


def _words_of(clause: Clause, root: int, *, with_negation: bool) -> Span:
    """From the modal verb or the negation to the predicate, whichever comes first: "may subcontract", "owns no"."""
    modals = [i for i in clause.tree.children[root] if clause.tree.tokens[i].tag == "MD" and i < root]
    spans = [clause.reading.token_span(i) for i in (root, *modals)]
    if with_negation:
        spans.append(_denied_words(clause, root))
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def _denied_words(clause: Clause, root: int) -> Span:
    """From the negation to the predicate, whichever comes first: "not given", "owns no"."""
    near = [root, *clause.tree.children[root]]
    near += [grandchild for child in clause.tree.children[root] for grandchild in clause.tree.children[child]]
    negations = [i for i in near if clause.tree.tokens[i].text.lower() in _NEGATIONS]
    spans = [clause.reading.token_span(i) for i in (root, *negations[:1])]
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def _share_arguments(premise: Clause, hypothesis: Clause) -> bool:
    one, other = _arguments(premise), _arguments(hypothesis)
    return bool(one & other) or not (one or other)


def _arguments(clause: Clause) -> set[str]:
    root = clause.tree.root
    children = clause.tree.children[root] if root is not None else []
    return {clause.tree.lemma(child) for child in children if clause.tree.tokens[child].dependency in _ARGUMENTS}
