"""The whole check as JSON, which ``services.check_import`` loads again. ``schema`` defines the fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from ..core.active_generation.types import SentenceState
from ..models import (
    Check,
    CheckSource,
    Decision,
    Finding,
    ModelCall,
    Sentence,
    Source,
    Suggestion,
    Unit,
    WrittenSentence,
)
from ..selectors.detail import CheckDetail
from . import schema


def write(detail: CheckDetail) -> bytes:
    """Write the check in its present state. A running check is written as stopped and can be resumed after loading."""
    with transaction.atomic():
        # Lock the check, so that no decision or result is stored between the reads.
        check = Check.objects.select_for_update().get(pk=detail.check.pk)
        record = _Reader(check).record()
    return record.model_dump_json(indent=1).encode()


class _Reader:
    """Reads the rows of one check."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._uses = list(CheckSource.objects.filter(parent_check=check).select_related("source"))
        self._source_numbers = {str(use.pk): number for number, use in enumerate(self._uses)}
        self._sentences = list(Sentence.objects.filter(parent_check=check))
        self._indices = {sentence.pk: sentence.index for sentence in self._sentences}
        self._units: dict[int, list[Unit]] = defaultdict(list)
        for unit in Unit.objects.filter(parent_check=check):
            self._units[unit.sentence_id].append(unit)
        findings = Finding.objects.filter(parent_check=check).prefetch_related("suggestions")
        self._findings: dict[int, list[Finding]] = defaultdict(list)
        self._finding_numbers: dict[int, int] = {}
        for number, finding in enumerate(findings.order_by("id")):
            self._findings[finding.unit_id].append(finding)
            self._finding_numbers[finding.pk] = number

        suggestions = Suggestion.objects.filter(finding__parent_check=check).order_by("id")
        self._suggestion_numbers = {
            row_id: number for number, row_id in enumerate(suggestions.values_list("pk", flat=True))
        }

    def record(self) -> schema.CheckRecord:
        check = self._check
        return schema.CheckRecord.model_validate(
            {
                "title": check.title,
                "text": check.text,
                "prompt": check.prompt,
                "is_generated": check.is_generated,
                "validation": check.validation,
                # The premise of an undecided question is checked again.
                "premise": self._premise(None if check.is_waiting else check.premise),
                "writing_end": check.writing_end,
                "written": [self._written(row) for row in check.written_sentences.exclude(state=SentenceState.HELD)],
                "topic": check.topic,
                "topic_found": check.topic_found,
                "engine": check.engine,
                "strictness": check.strictness,
                "retriever": check.retriever,
                "search_effort": check.search_effort,
                "search_plan": check.search_plan,
                # Pending work of a run or a user is not exported.
                "state": Check.State.CANCELLED if check.is_active or check.is_waiting else check.state,
                "error": check.error,
                "written_at": check.written_at,
                "started_at": check.started_at,
                "finished_at": check.finished_at,
                "sources": [self._source(use) for use in self._uses],
                "sentences": [self._sentence(sentence) for sentence in self._sentences],
                "decisions": [self._decision(decision) for decision in self._decisions()],
                "model_calls": [_call(call) for call in ModelCall.objects.filter(parent_check=check).defer("answers")],
                "revised": CheckDetail(check).revised_text,
            },
            strict=False,
        )

    def _source(self, use: CheckSource) -> dict[str, Any]:
        source = use.source
        if source is None or not source.is_settled:
            kind = source.kind if source else Source.Kind.PASTED
            return {"name": use.name, "kind": kind, "state": schema.SourceState.MISSING}
        return {
            "name": use.name,
            "kind": source.kind,
            "state": source.state,
            "url": source.url,
            "error": source.error,
            "text": source.text,
            "pages": source.pages,
            "places": source.places,
        }

    def _premise(self, stored: dict[str, Any] | None) -> dict[str, Any] | None:
        return None if stored is None else {**stored, "evidence": [self._evidence(item) for item in stored["evidence"]]}

    def _written(self, row: WrittenSentence) -> dict[str, Any]:
        return {
            "lead": row.lead,
            "text": row.text,
            "first_version": row.first_version,
            "kind": row.kind,
            "state": row.state,
            "reason": row.reason,
            "is_restored": row.is_restored,
            "chosen_at": row.chosen_at,
            "validations": [
                {**item, "evidence": [self._evidence(evidence) for evidence in item["evidence"]]}
                for item in row.validations
            ],
        }

    def _sentence(self, sentence: Sentence) -> dict[str, Any]:
        return {
            "index": sentence.index,
            "start": sentence.start,
            "end": sentence.end,
            "text": sentence.text,
            "block": sentence.block,
            "block_kind": sentence.block_kind,
            "units": [self._unit(unit) for unit in self._units[sentence.pk]],
        }

    def _unit(self, unit: Unit) -> dict[str, Any]:
        return {
            "detector": unit.detector,
            "state": Unit.State.PENDING if unit.state == Unit.State.RUNNING else unit.state,
            "reason": unit.reason,
            "verdict": unit.verdict,
            "evidence": [self._evidence(item) for item in unit.evidence],
            "passages_read": unit.passages_read,
            "passages_total": unit.passages_total,
            "search": self._search(unit.search),
            "finished_at": unit.finished_at,
            "findings": [self._finding(finding) for finding in self._findings[unit.pk]],
        }

    def _finding(self, finding: Finding) -> dict[str, Any]:
        return {
            "id": self._finding_numbers[finding.pk],
            "fingerprint": finding.fingerprint,
            "kind": finding.kind,
            "verdict": finding.verdict,
            "score": finding.score,
            "start": finding.start,
            "end": finding.end,
            "message": finding.message,
            "explanation": finding.explanation,
            "evidence": [self._evidence(item) for item in finding.evidence],
            "prompt": finding.prompt,
            "state": finding.state,
            "reason": finding.reason,
            "suggestions": [self._suggestion(suggestion) for suggestion in finding.suggestions.all()],
        }

    def _suggestion(self, suggestion: Suggestion) -> dict[str, Any]:
        return {
            "id": self._suggestion_numbers[suggestion.pk],
            "sentence": self._indices[suggestion.sentence_id],
            "position": suggestion.position,
            "replacement": suggestion.replacement,
            "base_hash": suggestion.base_hash,
            "method": suggestion.method,
            "verified": suggestion.verified,
            "label": suggestion.label,
            "absorbed": None if suggestion.absorbed_id is None else self._indices[suggestion.absorbed_id],
            "companions": [
                {"sentence": self._indices[key], "replacement": words} for key, words in suggestion.companions or []
            ],
            "state": suggestion.state,
        }

    def _evidence(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        return {"document": None, **stored, "source": self._source_number(stored["source"])}

    def _search(self, stored: dict[str, Any] | None) -> dict[str, Any] | None:
        if stored is None:
            return None
        claims = [
            {
                **claim,
                "documents": [{**read, "source": self._source_number(read["source"])} for read in claim["documents"]],
            }
            for claim in stored["claims"]
        ]
        return {**stored, "claims": claims}

    def _source_number(self, source_id: str | None) -> int | None:
        """The position in the file of the source that evidence names."""
        return None if source_id is None else self._source_numbers[source_id]

    def _decisions(self) -> list[Decision]:
        rows = Decision.objects.filter(parent_check=self._check)
        return list(rows.order_by("id").prefetch_related("changes"))

    def _decision(self, decision: Decision) -> dict[str, Any]:
        return {
            "kind": decision.kind,
            "created_at": decision.created_at,
            "undone_at": decision.undone_at,
            "is_abandoned": decision.is_abandoned,
            "changes": [
                {
                    "finding": self._finding_numbers[change.finding_id],
                    "state_before": change.state_before,
                    "state_after": change.state_after,
                    "accepted_before": self._number_of(change.accepted_before_id),
                    "accepted_after": self._number_of(change.accepted_after_id),
                    "reason_before": change.reason_before,
                    "reason_after": change.reason_after,
                }
                for change in decision.changes.all()
            ],
        }

    def _number_of(self, suggestion_id: int | None) -> int | None:
        return None if suggestion_id is None else self._suggestion_numbers[suggestion_id]


def _call(call: ModelCall) -> dict[str, Any]:
    return {
        "detector": call.detector,
        "sentences": call.sentences,
        "purpose": call.purpose,
        "prompt": call.prompt,
        "model": call.model,
        "outcome": call.outcome,
        "reason": call.reason,
        "seconds": call.seconds,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "cost_usd": call.cost_usd,
    }
