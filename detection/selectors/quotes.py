"""Quotes for cards and reports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from ..core.documents.places import locate
from ..core.retrieval.links import site_of, web_link
from ..core.types import BlockKind, Evidence, FindingKind, Place, Span
from ..models import Finding
from .markup import without_marks
from .pieces import Piece, pieces
from .rows import CheckRows
from .sources import places_of_check


@dataclass(frozen=True, slots=True)
class QuoteView:
    """One of the quotes on a card."""

    label: str
    pieces: tuple[Piece, ...]
    sentence: int | None
    start: int
    is_source: bool = False
    href: str = ""
    """Address of the source or web page at the quote; "" if there is none or it was deleted."""
    site: str = ""
    """The host if the quote is from a web page."""


class QuoteReader:
    """Shows the quotes of one check."""

    def __init__(self, rows: CheckRows) -> None:
        self._rows = rows

    def of_finding(self, finding: Finding) -> tuple[QuoteView, ...]:
        """The sentence and the evidence against it; sentences of the text in text order."""
        sentence = self._rows.by_id[finding.sentence_id]
        whole, claim = Span(sentence.start, sentence.end), Span(finding.start, finding.end)
        words = pieces(sentence.text, [] if claim == whole else [claim.shifted(-sentence.start)])
        own = QuoteView(
            label=_("Sentence %d") % (sentence.index + 1),
            pieces=words if sentence.block_kind == BlockKind.CODE else without_marks(words),
            sentence=sentence.index,
            start=sentence.start,
        )
        quotes = [own, *map(self.of_evidence, self._shown_evidence(finding))]
        if all(quote.sentence is not None for quote in quotes):
            quotes.sort(key=lambda quote: quote.start)
        return tuple(quotes)

    def of_evidence(self, evidence: Evidence) -> QuoteView:
        return QuoteView(
            label=self._label(evidence),
            pieces=without_marks(
                pieces(evidence.quote, [span.shifted(-evidence.span.start) for span in evidence.conflict])
            ),
            sentence=evidence.sentence,
            start=evidence.span.start,
            is_source=self._rows.source_of(evidence) is not None,
            href=self._href(evidence),
            site=site_of(evidence.document.url) if evidence.document else "",
        )

    def _shown_evidence(self, finding: Finding) -> tuple[Evidence, ...]:
        """The evidence shown beside the sentence. A search shows one quote; its record has the rest."""
        evidence = self._rows.evidence_of(finding)
        if finding.kind == FindingKind.REFUTED_BY_EVIDENCE:
            return evidence[:1]
        if finding.kind == FindingKind.UNSUPPORTED_BY_EVIDENCE and evidence:
            return (max(evidence, key=lambda item: item.score or 0.0),)
        return evidence

    def _label(self, evidence: Evidence) -> str:
        """Where the quote stands, in words."""
        use = self._rows.source_of(evidence)
        if evidence.sentence is not None:
            return _("Sentence %d") % (evidence.sentence + 1)
        if use is not None:
            place = str(locate(self._places.get(use.id, ()), evidence.span))
            return f"{use.name}, {place}" if place else use.name
        if evidence.document is not None:
            return evidence.document.title or site_of(evidence.document.url)
        return _("The model, asked again")

    def _href(self, evidence: Evidence) -> str:
        if evidence.source is not None:
            return self._rows.source_href(evidence.source, evidence.span, evidence.conflict)
        return web_link(evidence.document.url, evidence.quote) if evidence.document else ""

    @cached_property
    def _places(self) -> dict[int, tuple[Place, ...]]:
        return places_of_check(self._rows.check)
