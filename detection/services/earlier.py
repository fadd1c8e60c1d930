"""The results of the previous check, in the form that the pipeline reuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.evidence.record import SearchRecord
from ..core.messages import Message
from ..core.reports import UnitDone
from ..core.run.carry_over import EarlierResult
from ..core.types import Companion, Evidence, FindingKind, ReadShare, Span, SuggestionMethod, Verdict
from ..core.types import Finding as FoundProblem
from ..core.types import Suggestion as OfferedSuggestion
from ..models import Check, CheckSource, Finding, Sentence, Suggestion, Unit
from ..storage.evidence import EVIDENCE, SEARCH


def earlier_results(check: Check) -> dict[str, EarlierResult]:
    """The finished units of the previous check by their basis; empty without one."""
    if check.previous_id is None:
        return {}
    uses = _uses(check)
    done = Unit.objects.filter(parent_check=check.previous_id, state=Unit.State.DONE).exclude(basis="")
    units = done.select_related("sentence").prefetch_related("findings__suggestions")
    indices = dict(Sentence.objects.filter(parent_check=check.previous_id).values_list("pk", "index"))
    return {unit.basis: EarlierResult(unit.sentence.start, _result(unit, uses, indices)) for unit in units}


def _uses(check: Check) -> dict[str, str]:
    """Map the ids of the source uses of the previous check, which evidence names, to those of this check."""
    now = {use.source_id: str(use.pk) for use in CheckSource.objects.filter(parent_check=check) if use.source_id}
    before = CheckSource.objects.filter(parent_check=check.previous_id, source__in=list(now))
    return {str(use.pk): now[use.source_id] for use in before if use.source_id}


def _result(unit: Unit, uses: Mapping[str, str], indices: Mapping[int, int]) -> UnitDone:
    is_read = unit.passages_read is not None and unit.passages_total is not None
    return UnitDone(
        detector=unit.detector,
        sentence=unit.sentence.index,
        verdict=Verdict(unit.verdict),
        findings=tuple(_finding(finding, unit, uses, indices) for finding in unit.findings.all()),
        evidence=_evidence(unit.evidence, uses),
        read=ReadShare(unit.passages_read or 0, unit.passages_total or 0) if is_read else None,
        search=_search(SEARCH.from_json(unit.search), uses) if unit.search else None,
        basis=unit.basis,
    )


def _finding(row: Finding, unit: Unit, uses: Mapping[str, str], indices: Mapping[int, int]) -> FoundProblem:
    start = unit.sentence.start
    return FoundProblem(
        sentence=unit.sentence.index,
        span=Span(row.start, row.end),
        kind=FindingKind(row.kind),
        verdict=Verdict(row.verdict),
        score=row.score,
        message=Message.read(row.message),
        explanation=row.explanation,
        evidence=_evidence(row.evidence, uses),
        detector=unit.detector,
        quoted=unit.sentence.text[row.start - start : row.end - start],
        prompt=row.prompt or None,
        suggestions=tuple(
            _suggestion(suggestion, unit, indices)
            for suggestion in row.suggestions.all()
            if suggestion.method != SuggestionMethod.PERSON
        ),
    )


def _suggestion(row: Suggestion, unit: Unit, indices: Mapping[int, int]) -> OfferedSuggestion:
    return OfferedSuggestion(
        sentence=unit.sentence.index,
        replacement=row.replacement,
        base_hash=row.base_hash,
        method=SuggestionMethod(row.method),
        verified=row.verified,
        label=row.label,
        companions=tuple(Companion(indices[key], wording) for key, wording in row.companions or []),
    )


def _evidence(stored: list[dict[str, Any]], uses: Mapping[str, str]) -> tuple[Evidence, ...]:
    return tuple(
        replace(evidence, source=uses.get(evidence.source)) if evidence.source else evidence
        for evidence in EVIDENCE.from_json(stored)
    )


def _search(record: SearchRecord, uses: Mapping[str, str]) -> SearchRecord:
    claims = tuple(
        replace(
            claim,
            documents=tuple(
                replace(reading, source=uses.get(reading.source)) if reading.source else reading
                for reading in claim.documents
            ),
        )
        for claim in record.claims
    )
    return replace(record, claims=claims)
