"""Views of searches for evidence, for cards and reports."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .. import wiring, wording
from ..core.errors import ModelUnavailable
from ..core.evidence.induction import InductiveTest
from ..core.evidence.plan import DEFAULT_PLAN, SearchPlan
from ..core.evidence.record import ClaimRecord, DocumentReading, SearchRecord, StopReason
from ..core.retrieval.library_retriever import LibraryRetriever
from ..core.retrieval.links import site_of, web_link
from ..core.retrieval.registry import RETRIEVERS
from ..core.retrieval.retriever import SkippedPage
from ..core.retrieval.wikipedia import WikipediaRetriever
from ..core.types import Verdict
from ..storage.evidence import PLAN
from .charts import ProbabilityChart, probability_chart
from .rows import CheckRows, UnitRow

#: Number of characters of a passage shown on either side of a quote.
_AROUND_QUOTE = 110


@dataclass(frozen=True, slots=True)
class SearchOption:
    """A search that can be chosen. ``host`` receives the claims; "" if they stay on this machine.

    ``has_key``: it takes a key of the user, and this user's key is stored.
    """

    name: str
    label: str
    host: str
    finds_pages: bool
    """Whether pages of any site are fetched."""
    has_key: bool = False


def search_options() -> list[SearchOption]:
    """The configured searches, in order."""
    return [_option(name) for name in wiring.retrievers()]


def search_options_wanting_key(kept: Collection[str]) -> list[SearchOption]:
    """The searches that users can use with their own key, in order. ``kept`` names those whose key is stored."""
    return [replace(_option(name), has_key=name in kept) for name in wiring.retrievers_wanting_key()]


def _option(name: str) -> SearchOption:
    return SearchOption(
        name=name,
        label=wording.retriever_label(name),
        host=wiring.search_host(name),
        finds_pages=name not in (LibraryRetriever.name, WikipediaRetriever.name),
    )


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document that was read for a claim, with the quote in its context."""

    title: str
    href: str
    """Address of the page or source at the quote; "" if there is none."""
    site: str
    """The host of a web page; "" for a source of the user."""
    before: str
    quote: str
    after: str
    entailment: float
    factual: float


@dataclass(frozen=True, slots=True)
class SkippedView:
    """A page that was found but could not be read."""

    title: str
    href: str
    site: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One claim of a sentence, and the outcome of its search."""

    claim: str
    outcome: str
    """One sentence with the number of documents and the probability."""
    is_wrong: bool
    """Whether its search concluded that the claim is wrong."""
    documents: tuple[DocumentView, ...]
    skipped: tuple[SkippedView, ...]
    chart: ProbabilityChart | None
    """None if nothing was read, or the model that judged it is no longer installed."""


@dataclass(frozen=True, slots=True)
class SearchView:
    """The search for one sentence, with the least probable claim first."""

    place: str
    """The name of the retriever."""
    is_remote: bool
    """Whether claims left this machine."""
    outcome: str
    """The outcome for the whole sentence, in words."""
    claims: tuple[ClaimView, ...]

    @property
    def worst(self) -> ClaimView:
        return self.claims[0]

    @property
    def others(self) -> tuple[ClaimView, ...]:
        return self.claims[1:]


@dataclass(frozen=True, slots=True)
class SearchTotals:
    """The totals of a check's searches."""

    place: str
    claims: int
    documents: int
    """Documents, each counted once even if it was read for several claims."""


class SearchReader:
    """Shows the searches of one check."""

    def __init__(self, rows: CheckRows) -> None:
        self._rows = rows

    @cached_property
    def _plan(self) -> SearchPlan:
        stored = self._rows.check.search_plan
        return PLAN.from_json(stored) if stored else DEFAULT_PLAN

    @cached_property
    def _test(self) -> InductiveTest | None:
        """The test that decided when to stop."""
        try:
            return InductiveTest(wiring.histograms(), self._plan.costs, self._plan.most_documents)
        except ModelUnavailable:
            return None

    def of_unit(self, unit: UnitRow) -> SearchView | None:
        """The search of one detector for one sentence; None without one."""
        record = self._rows.searches.get(unit.pk)
        if record is None:
            return None
        ordered = sorted(record.claims, key=lambda claim: (not claim.documents, claim.factual))
        claims = tuple(self._claim(claim, record) for claim in ordered)
        is_wrong = any(claim.is_wrong for claim in claims)
        return SearchView(
            place=wording.retriever_label(record.retriever),
            is_remote=is_remote(record.retriever),
            outcome=str(wording.CLAIM_IS_WRONG) if is_wrong else wording.search_outcome(Verdict(unit.verdict), record),
            claims=claims,
        )

    def _claim(self, claim: ClaimRecord, record: SearchRecord) -> ClaimView:
        test = self._test
        chart = None
        if claim.documents and test is not None:
            chart = probability_chart([reading.factual for reading in claim.documents], test, record.most_documents)
        return ClaimView(
            claim=claim.claim,
            outcome=wording.claim_outcome(claim, record.most_documents),
            is_wrong=bool(claim.documents)
            and claim.stop is not StopReason.SENTENCE_DECIDED
            and not self._plan.costs.declares_factual(claim.factual),
            documents=tuple(self._document(reading) for reading in claim.documents),
            skipped=tuple(map(_skipped_view, claim.skipped)),
            chart=chart,
        )

    def _document(self, reading: DocumentReading) -> DocumentView:
        passage, span = reading.passage, reading.quote
        quote = span.of(passage)
        if reading.source is None:
            href = web_link(reading.url, quote)
        else:
            href = self._rows.source_href(reading.source, span.shifted(reading.start))
        return DocumentView(
            title=reading.title or site_of(reading.url),
            href=href,
            site=site_of(reading.url),
            before=_end_of(passage[: span.start]),
            quote=quote,
            after=_start_of(passage[span.end :]),
            entailment=reading.entailment,
            factual=reading.factual,
        )


def totals_of(records: Sequence[SearchRecord]) -> SearchTotals | None:
    """The totals of the searches; None without a search."""
    if not records:
        return None
    read = {
        (reading.url, reading.source, reading.source and reading.start)
        for record in records
        for claim in record.claims
        for reading in claim.documents
    }
    return SearchTotals(
        place=wording.retriever_label(records[0].retriever),
        claims=sum(len(record.claims) for record in records),
        documents=len(read),
    )


def is_remote(retriever: str) -> bool:
    """Whether claims leave this machine; True for an unknown retriever."""
    return retriever not in RETRIEVERS or RETRIEVERS[retriever].is_remote


def _skipped_view(page: SkippedPage) -> SkippedView:
    site = site_of(page.url)
    return SkippedView(title=page.title or site, href=web_link(page.url), site=site, reason=page.reason)


def _end_of(text: str) -> str:
    """The last words before a quote."""
    if len(text) <= _AROUND_QUOTE:
        return text
    return "… " + text[-_AROUND_QUOTE:].partition(" ")[2]


def _start_of(text: str) -> str:
    """The first words after a quote."""
    if len(text) <= _AROUND_QUOTE:
        return text
    return text[:_AROUND_QUOTE].rpartition(" ")[0] + " …"
