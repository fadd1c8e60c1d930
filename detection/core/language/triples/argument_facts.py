"""The facts of one argument: its own, those of each member of a list, and those of its dependents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from detection.core.language.tree import Tree
from detection.core.language.triples.arguments import Argument
from detection.core.language.triples.coordination import list_members
from detection.core.language.triples.detached_phrases import detached_phrases
from detection.core.language.triples.drafts import Draft
from detection.core.language.triples.grammar import case_words, continues_verb, is_time, mentions_time
from detection.core.language.triples.noun_phrases import noun_phrase, short_phrase
from detection.core.language.triples.sentence import AnnotatedSentence, Positions, holds_digit

# Verbs with objects without own meaning: "takes place in May".
_LIGHT_PAIRS: Final = frozenset({("take", "place"), ("take", "part"), ("make", "use")})


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate with the words of its subject and of its verb, and its arguments."""

    subject: Positions
    verb_group: Positions
    arguments: tuple[Argument, ...]


def argument_facts(sentence: AnnotatedSentence, clause: Clause, argument: Argument) -> Iterator[Draft]:
    """The facts of one of the arguments of a clause."""
    base = (*clause.verb_group, *_core_words(sentence, clause, argument))
    relation = (*base, *argument.lead)
    if argument.phrase:
        yield Draft(clause.subject, relation, argument.phrase)
        return
    if _is_completed(sentence.tree, clause, argument):
        return
    members = list_members(sentence, argument.head, argument.lead)
    for head in members:
        phrase = _with_frequency(sentence, noun_phrase(sentence, head, whole_list=len(members) == 1))
        yield _quantity_fact(sentence, clause, relation, head, phrase)
        yield from detached_facts(sentence, clause.subject, base, replace(argument, head=head))


def detached_facts(
    sentence: AnnotatedSentence, subject: Positions, base: Positions, argument: Argument
) -> Iterator[Draft]:
    """The facts of the phrases of time and place below an argument. The base is the relation before the argument."""
    for head in detached_phrases(sentence, argument.head):
        detached = Argument(head, case_words(sentence.tree, head))
        before = (*base, *_words_before_detached(sentence, argument, head))
        members = list_members(sentence, head, detached.lead)
        for member in members:
            phrase = noun_phrase(sentence, member, whole_list=len(members) == 1)
            yield Draft(subject, (*before, *detached.lead), _whole_date_range(sentence, member, phrase))
        yield from detached_facts(sentence, subject, before, detached)


def _words_before_detached(sentence: AnnotatedSentence, argument: Argument, detached: int) -> Positions:
    """The preceding noun is part of the relation, unless the two are only adjacent ("born in 1911 in")."""
    is_dated = mentions_time(sentence.tree, detached) or is_time(sentence.tree, argument.head)
    begins_range = sentence.joined(argument.lead).lower() == "from"
    if is_dated and not argument.is_core and not begins_range:
        return ()
    return (*argument.lead, *noun_phrase(sentence, argument.head, whole_list=True))


# Which other arguments the relation holds.


def _core_words(sentence: AnnotatedSentence, clause: Clause, argument: Argument) -> Positions:
    """The words of the object that a later phrase needs: "studied physics at"."""
    tree = sentence.tree
    if tree.preposition(argument.head) == "including":
        before = [other for other in clause.arguments if other.head < argument.head]
        held = [other for other in before if other.is_core or other is before[-1]]
    else:
        held = [other for other in clause.arguments if _needs(tree, argument, other)]
    return tuple(word for other in held for word in (*other.lead, *short_phrase(sentence, other.head)))


def _needs(tree: Tree, argument: Argument, other: Argument) -> bool:
    """Whether the relation of the argument needs the other argument."""
    if other.head == argument.head or not other.is_core or tree.tokens[other.head].dependency == "ccomp":
        return False
    follows = other.head > argument.head
    if argument.is_core and not argument.lead:
        return not follows and not other.lead
    return not (follows and other.lead)


def _is_completed(tree: Tree, clause: Clause, argument: Argument) -> bool:
    """True for "famous" in "famous for her maps" and "place" in "takes place in May": alone they have no meaning."""
    head = tree.tokens[argument.head]
    if (tree.lemma(head.head), head.text.lower()) in _LIGHT_PAIRS:
        return len(clause.arguments) > 1
    if head.pos != "ADJ" and head.text.lower() != "home":
        return False
    if any(continues_verb(tree, child) for child in tree.children[argument.head]):
        return True
    following = (other.head for other in clause.arguments if other.lead[:1] > (argument.head,))
    return any(tree.tokens[other].head == argument.head for other in following)


# What the object of the fact holds.


def _quantity_fact(
    sentence: AnnotatedSentence, clause: Clause, relation: Positions, head: int, phrase: Positions
) -> Draft:
    """In "a population of 12,400" the figure is the object; any other phrase stays whole."""
    tree = sentence.tree
    for child in tree.children[head]:
        if child in phrase and child > head and tree.preposition(child) == "of" and _is_figure(tree, child):
            end = case_words(tree, child)[-1]
            before, figure = (word for word in phrase if word <= end), (word for word in phrase if word > end)
            return Draft(clause.subject, (*relation, *before), tuple(figure))
    return Draft(clause.subject, relation, _whole_date_range(sentence, head, phrase))


def _is_figure(tree: Tree, head: int) -> bool:
    """True for "12,400" and "90 metres"; False for a year, which is usually part of a name ("the treaty of 1866")."""
    words = [head, *(child for child in tree.children[head] if tree.tokens[child].dependency == "nummod")]
    figures = [tree.tokens[word].text for word in words if tree.tokens[word].pos in ("NUM", "SYM")]
    return any(map(holds_digit, figures)) and not mentions_time(tree, head)


def _whole_date_range(sentence: AnnotatedSentence, head: int, phrase: Positions) -> Positions:
    """ "2011 to 2019" after "from" is one fact; any other phrase stays as it is."""
    dates = sentence.date_range_at(head)
    return phrase if dates is None else tuple(dates)


def _with_frequency(sentence: AnnotatedSentence, phrase: Positions) -> Positions:
    """ "Twice a year" is one phrase."""
    before = phrase[0] - 1
    return (before, *phrase) if before >= 0 and sentence.tokens[before].text in ("once", "twice") else phrase
