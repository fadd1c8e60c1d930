"""Extract relation triples: the facts of a sentence as subject, relation and object, from its parse.

``extraction`` finds drafts (triples as positions of tokens) by three methods: dates in brackets, the word order if the
parser missed the verb, and the tree. ``drafts`` tidies and ranks them.

The parser often attaches a date or a place too low. So a prepositional phrase of place or time after a noun becomes a
separate fact, regardless of the arc; its relation has the words before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from detection.core.language.triples.drafts import Draft, is_worth_telling, rank, tidied, without_repeats
from detection.core.language.triples.extraction import extract_drafts
from detection.core.language.triples.predicate_facts import bare_event
from detection.core.language.triples.sentence import AnnotatedSentence
from detection.core.types import ParsedSentence, Span

#: Maximum facts of a sentence: each costs a question to a language model.
MAX_TRIPLES: Final = 6


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact that a sentence asserts. The span counts in the document, like those of the tokens."""

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
