"""Drafts: triples as positions of tokens. Tidy, filter and rank them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from detection.core.language.triples.sentence import AnnotatedSentence, Positions
from detection.core.language.triples.vocabulary import LINKS

# Words at the beginning of an object that belong to the relation; not "about", which may qualify a number.
_LEADING: Final = (LINKS | {"as"}) - {"about"}
_VAGUE_TIMES: Final = frozenset({"today", "now", "currently", "nowadays", "later", "together"})
_UNRESOLVED: Final = frozenset({"which", "who", "whom", "that"})
_FUNCTION_WORDS: Final = frozenset({"PRON", "DET", "PUNCT", "ADP", "PART", "CCONJ", "SCONJ"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A triple as positions of tokens."""

    subject: Positions
    relation: Positions
    object: Positions
    verb: str = ""
    """The beginning of the relation, if the sentence has no word for it."""


def tidied(sentence: AnnotatedSentence, draft: Draft) -> Draft:
    """Move a wrongly attached preposition to the relation, and remove one at the start of the subject."""
    cut = 0
    while cut < len(draft.object) - 1 and sentence.tokens[draft.object[cut]].text.lower() in _LEADING:
        cut += 1
    start = 0
    while start < len(draft.subject) - 1 and _only_introduces(sentence, draft.subject[start]):
        start += 1
    return replace(
        draft,
        subject=draft.subject[start:],
        relation=(*draft.relation, *draft.object[:cut]),
        object=draft.object[cut:],
    )


def _only_introduces(sentence: AnnotatedSentence, position: int) -> bool:
    """True for words before a subject that are not part of it: "such as", "of", "that"."""
    token = sentence.tokens[position]
    return token.text in ("such", "as", "of") or (token.text == "that" and token.tag == "IN")


def is_worth_telling(sentence: AnnotatedSentence, draft: Draft) -> bool:
    """Whether all parts exist, are disjoint, and are specific enough."""
    if not draft.subject or not draft.object or not (draft.relation or draft.verb):
        return False
    if set(draft.subject) & set(draft.object):
        return False
    subject = sentence.text(draft.subject)
    if subject in _UNRESOLVED or subject.lower() in _VAGUE_TIMES:
        return False
    return any(sentence.tokens[position].pos not in _FUNCTION_WORDS for position in draft.object)


def without_repeats(drafts: Iterable[Draft]) -> list[Draft]:
    """Drop drafts that repeat the same words."""
    kept: list[Draft] = []
    for draft in drafts:
        if not any(_repeats(draft, other) for other in kept):
            kept.append(draft)
    return kept


def _repeats(draft: Draft, other: Draft) -> bool:
    if draft.object == other.object:
        return True
    words, others = ({*item.relation, *item.object} for item in (draft, other))
    return draft.subject == other.subject and words == others


def rank(sentence: AnnotatedSentence, draft: Draft) -> int:
    """Sort key: names, numbers and dates first, "today" last."""
    if sentence.text(draft.object).lower() in _VAGUE_TIMES:
        return 2
    return 0 if any(map(sentence.is_specific, draft.object)) else 1
