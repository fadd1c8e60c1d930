"""Relation triples: the facts of a sentence as subject, relation and object, read off its parse.

``extraction`` finds drafts (triples as positions of tokens) by three readings: dates in brackets, the order of the
words where the parser has lost the verb, and the tree. ``drafts`` tidies and ranks them.

The parser often hangs a date or a place too low. So what follows a noun with a preposition of place or time is told
as a fact of its own, whatever the arc says: its relation holds the words before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from detection.core.language.triples.drafts import Draft, is_worth_telling, rank, tidied, without_repeats
from detection.core.language.triples.extraction import extract_drafts
from detection.core.language.triples.predicate_facts import bare_event
from detection.core.language.triples.sentence import AnnotatedSentence
from detection.core.types import ParsedSentence, Span

#: More facts than these no sentence needs: each costs a question to a language model.
MAX_TRIPLES: Final = 6


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact that a sentence asserts. The span counts in the document like those of the tokens."""

    subject: str
    relation: str
    object: str
    object_span: Span


def find_triples(sentence: ParsedSentence) -> tuple[Triple, ...]:
    """The facts that a sentence asserts, those with a name, number or date in the object first."""
    if not sentence.states_fact or not sentence.tokens:
        return ()
    annotated = AnnotatedSentence.of(sentence)
    tidy = (tidied(annotated, draft) for draft in extract_drafts(annotated))
    drafts = without_repeats(draft for draft in tidy if is_worth_telling(annotated, draft))
    ranked = sorted(drafts or bare_event(annotated), key=lambda draft: rank(annotated, draft))
    return tuple(_triple(annotated, draft) for draft in ranked[:MAX_TRIPLES])


def _triple(sentence: AnnotatedSentence, draft: Draft) -> Triple:
    relation = f"{draft.verb} {sentence.joined(draft.relation)}".strip()
    return Triple(sentence.text(draft.subject), relation, sentence.text(draft.object), sentence.span(draft.object))
