"""The facts of appositions and of dates in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from detection.core.language.triples.argument_facts import detached_facts
from detection.core.language.triples.arguments import Argument
from detection.core.language.triples.coordination import list_members
from detection.core.language.triples.dates import is_dates
from detection.core.language.triples.drafts import Draft
from detection.core.language.triples.grammar import is_clause
from detection.core.language.triples.noun_phrases import is_part_of_place, noun_phrase
from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.vocabulary import NOMINAL, RELATIVES
from detection.core.language.vocabulary import words
from detection.core.types import EntityCategory

_MAX_NAME_TOKENS: Final = 12
#: "The river Arn" is a name, not the fact that the river is the Arn.
_PLACES: Final = frozenset(words("river lake mountain city town village island province county district port"))


def apposition_facts(sentence: AnnotatedSentence, position: int) -> Iterator[Draft]:
    """The fact that an apposition states about its noun: "Nordvik, a maker of boots"."""
    if not _is_telling_apposition(sentence, position):
        return
    noun = sentence.tokens[position].head
    begin = min(sentence.tree.subtree(position))
    subject = tuple(word for word in noun_phrase(sentence, noun, whole_list=False) if word < begin)
    verb = "are" if sentence.tokens[noun].tag in ("NNS", "NNPS") else "is"
    for head in list_members(sentence, position):
        phrase = noun_phrase(sentence, head, whole_list=False)
        if sentence.tokens[phrase[0]].tag not in RELATIVES:
            yield Draft(subject, (), phrase, verb)
            for draft in detached_facts(sentence, subject, (), Argument(head, is_core=True)):
                yield replace(draft, verb=verb)


def bracket_facts(sentence: AnnotatedSentence) -> Iterator[Draft]:
    """The dates after a name: "Marta Lindqvist (1911–1988)"."""
    texts = [token.text for token in sentence.tokens]
    if "(" not in texts or ")" not in texts[texts.index("(") :]:
        return
    start = texts.index("(")
    end = texts.index(")", start)
    follows_name = all(token.tag in NOMINAL for token in sentence.tokens[:start])
    if not 0 < start <= _MAX_NAME_TOKENS or not follows_name or end == start + 1:
        return
    name, dates = tuple(range(start)), tuple(range(start + 1, end))
    if is_dates(sentence.text(dates)):
        yield Draft(name, (), dates, _verb_of_dates(sentence, name, sentence.text(dates)))


def _is_telling_apposition(sentence: AnnotatedSentence, position: int) -> bool:
    token = sentence.tokens[position]
    if token.dependency != "appos" or token.head >= position or token.pos in ("DET", "PRON"):
        return False
    if is_part_of_place(sentence.tree, position) or is_clause(sentence.tree, position):
        return False
    is_one_name = token.pos == "PROPN" and token.head == position - 1 and sentence.tree.lemma(token.head) in _PLACES
    noun_owns = any(sentence.tokens[child].tag == "POS" for child in sentence.tree.children[token.head])
    is_acronym = token.text.isupper() and sentence.tokens[position - 1].text == "("
    follows_heading = token.head < sentence.heading_end <= position
    return not (is_one_name or noun_owns or is_acronym or follows_heading or sentence.is_in_title(position))


def _verb_of_dates(sentence: AnnotatedSentence, name: Positions, dates: str) -> str:
    if re.search("[-–—]", dates) is None:
        return "dates from"
    is_person = any(
        entity.category is EntityCategory.PERSON and entity.span.overlaps(sentence.tokens[position].span)
        for entity in sentence.entities
        for position in name
    )
    return "lived" if is_person else "lasted"
