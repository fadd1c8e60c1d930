"""The rows of a check, read once for all views."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any
from uuid import UUID

from ..core import types
from ..core.evidence.record import SearchRecord
from ..core.types import BlockKind, Evidence, ReadShare, Span
from ..models import Check, Finding, Sentence, Suggestion, Unit
from ..storage.evidence import EVIDENCE, SEARCH
from .card_pages import order_of
from .joined import Joined, joined_findings
from .sources import SourceUse, source_link, sources_of_check
from .suggestions import compose_accepted


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A stored sentence. For hundreds of sentences, model instances take three times as long."""

    pk: int
    index: int
    start: int
    end: int
    text: str
    block: int
    block_kind: str

    def as_value(self) -> types.Sentence:
        """The sentence as the type of the core."""
        return types.Sentence(self.index, self.start, self.end, self.text, self.block, BlockKind(self.block_kind))


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A stored unit, without the fields that only a run needs."""

    pk: int
    sentence_id: int
    detector: str
    state: str
    reason: str
    verdict: str
    evidence: Any
    search: Any
    passages_read: int | None
    passages_total: int | None
    is_carried: bool


_UNIT_COLUMNS = tuple(column.name for column in fields(UnitRow))
_SENTENCE_COLUMNS = tuple(column.name for column in fields(SentenceRow))


class ReviewRows:
    """The rows that decisions need: the sentences, findings and suggestions of a check."""

    def __init__(self, check_id: UUID) -> None:
        stored = Sentence.objects.filter(parent_check_id=check_id).values_list(*_SENTENCE_COLUMNS)
        self.sentences = [SentenceRow(*row) for row in stored]
        self.findings = list(Finding.objects.filter(parent_check_id=check_id))
        # Not prefetch_related: for hundreds of findings, creating a manager for each takes longer than the query.
        self.suggestions_of: dict[int, list[Suggestion]] = defaultdict(list)
        """By the ids of their findings."""
        for suggestion in Suggestion.objects.filter(finding__parent_check_id=check_id):
            self.suggestions_of[suggestion.finding_id].append(suggestion)
        self._evidence: dict[int, tuple[Evidence, ...]] = {}

    def evidence_of(self, finding: Finding) -> tuple[Evidence, ...]:
        if finding.pk not in self._evidence:
            self._evidence[finding.pk] = EVIDENCE.from_json(finding.evidence)
        return self._evidence[finding.pk]

    def joined(self) -> Joined:
        """Which findings share a card, in their present states."""
        spans = {row.pk: Span(row.start, row.end) for row in self.sentences}
        return joined_findings(self.findings, spans, self.evidence_of)


class CheckRows:
    """A check with its sources, sentences, units and findings, and values derived from them.

    ``reviewed`` are the rows that a decision has just read and changed, so that they need not be read again.
    """

    def __init__(self, check: Check, reviewed: ReviewRows | None = None) -> None:
        self.check = check
        self.sources: tuple[SourceUse, ...] = sources_of_check(check)
        self._reviewed = ReviewRows(check.pk) if reviewed is None else reviewed
        self.sentences = self._reviewed.sentences
        self.findings = self._reviewed.findings
        self.suggestions_of = self._reviewed.suggestions_of
        self.units_of: dict[int, list[UnitRow]] = defaultdict(list)
        """By the ids of their sentences."""
        # Read after the findings, so that the unit of each finding exists.
        for row in Unit.objects.filter(parent_check=check).values_list(*_UNIT_COLUMNS):
            unit = UnitRow(*row)
            self.units_of[unit.sentence_id].append(unit)
        self._units = {unit.pk: unit for unit in self.units}

    @property
    def units(self) -> Iterator[UnitRow]:
        return (unit for units in self.units_of.values() for unit in units)

    def unit_of(self, finding: Finding) -> UnitRow:
        return self._units[finding.unit_id]

    @cached_property
    def by_id(self) -> dict[int, SentenceRow]:
        return {sentence.pk: sentence for sentence in self.sentences}

    @cached_property
    def joined(self) -> Joined:
        """Which findings share a card."""
        return self._reviewed.joined()

    @cached_property
    def with_card(self) -> list[Finding]:
        """The findings that have a card of their own, in the order of the cards: "not in your source" comes last."""
        own = (finding for finding in self.findings if self.joined.head(finding.pk) == finding.pk)
        return sorted(own, key=order_of)

    def index_of(self, finding: Finding) -> int:
        """The index of the sentence that the finding is about."""
        return self.by_id[finding.sentence_id].index

    def evidence_of(self, finding: Finding) -> tuple[Evidence, ...]:
        return self._reviewed.evidence_of(finding)

    @cached_property
    def open_findings(self) -> dict[int, list[Finding]]:
        """Open findings by the index of each sentence that they are about: their own and the clashing one."""
        by_sentence: dict[int, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            if finding.state == Finding.State.OPEN:
                opposite = {e.sentence for e in self.evidence_of(finding) if e.sentence is not None}
                for index in {self.index_of(finding), *opposite}:
                    by_sentence[index].append(finding)
        return by_sentence

    @cached_property
    def decided_sentences(self) -> frozenset[int]:
        """The ids of the sentences with a decided warning."""
        return frozenset(finding.sentence_id for finding in self.findings if finding.state in Finding.DECIDED)

    @cached_property
    def wordings(self) -> dict[int, str]:
        """The new wording of every sentence that an accepted suggestion changes, by index; "" for a removed one."""
        accepted: dict[int, list[Suggestion]] = defaultdict(list)
        for suggestions in self.suggestions_of.values():
            for suggestion in suggestions:
                if suggestion.state == Suggestion.State.ACCEPTED:
                    for sentence_id in suggestion.wordings:
                        accepted[sentence_id].append(suggestion)
        return {
            sentence.index: compose_accepted(sentence.as_value(), sentence.pk, accepted[sentence.pk])
            for sentence in self.sentences
            if sentence.pk in accepted
        }

    def wording_now(self, sentence: SentenceRow) -> str:
        """The wording of the sentence with its accepted suggestions; "" if it is removed."""
        return self.wordings.get(sentence.index, sentence.text)

    @cached_property
    def searches(self) -> dict[int, SearchRecord]:
        """Searches by the ids of their units."""
        return {unit.pk: SEARCH.from_json(unit.search) for unit in self.units if unit.search}

    @cached_property
    def _uses(self) -> dict[str, SourceUse]:
        return {str(use.id): use for use in self.sources}

    def source_of(self, evidence: Evidence) -> SourceUse | None:
        """The source that a quote is from; None for any other quote."""
        return self._uses.get(evidence.source) if evidence.source is not None else None

    def source_href(self, source: str, quote: Span, conflict: Sequence[Span] = ()) -> str:
        """The address of a source, open at a quote; "" for one that was deleted."""
        use = self._uses.get(source)
        return source_link(use.source, quote, conflict) if use and use.source else ""


def read_share(unit: UnitRow) -> ReadShare | None:
    """How much of the sources was read for a unit."""
    if unit.passages_read is None or unit.passages_total is None:
        return None
    return ReadShare(unit.passages_read, unit.passages_total)
