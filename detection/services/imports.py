"""Load saved checks from files and store them as checks of the user who loads them."""

from __future__ import annotations

import hashlib
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from .. import wiring
from ..exports.loading import CheckFileRefused, load
from ..exports.schema import CheckRecord, EvidenceRecord, SearchRecord, SourceRecord, SourceState
from ..models import (
    Check,
    CheckSource,
    Decision,
    DecisionChange,
    Finding,
    ModelCall,
    Sentence,
    Source,
    Suggestion,
    Unit,
    WrittenSentence,
)
from .quotas import refuse_more_sources
from .sources import clean_name


def check_import(*, owner: str, data: bytes, payer: str = "") -> Check:
    """Store the check of a file for ``owner``, under new ids. It does not start to run.

    A file contains no answers of language models, so checking it further costs new calls.

    Raises:
        CheckFileRefused: the file is no check, was changed, or exceeds the limits of this server.
    """
    record = load(data, wiring.check_file_limits())
    _refuse_too_long(record)
    with transaction.atomic():
        texts = sum(len(source.text.encode()) for source in record.sources)
        refuse_more_sources(owner=owner, payer=payer, new_bytes=texts)
        check = _add_check(owner, payer, record)
        _Loader(check, record).load(owner)
    return check


def _refuse_too_long(record: CheckRecord) -> None:
    text_refusal = _("The text of the check has %(length)s characters; the limit here is %(limit)s.")
    source_refusal = _("A source of the check has %(length)s characters; the limit here is %(limit)s.")
    texts = [(text_refusal, record.text, settings.MAX_TEXT_CHARS)]
    texts += [(source_refusal, source.text, settings.MAX_SOURCE_CHARS) for source in record.sources]
    for refusal, text, limit in texts:
        if len(text) > limit:
            raise CheckFileRefused(refusal % {"length": f"{len(text):,}", "limit": f"{limit:,}"})


def _add_check(owner: str, payer: str, record: CheckRecord) -> Check:
    check = Check(
        owner=owner,
        payer=payer,
        # A check that was queued or running when it was saved does not run here.
        state=Check.State.CANCELLED if record.state in (Check.State.QUEUED, Check.State.RUNNING) else record.state,
        search_plan=record.search_plan.model_dump() if record.search_plan else None,
        **record.model_dump(
            include={
                "title",
                "text",
                "prompt",
                "is_generated",
                "validation",
                "writing_end",
                "topic",
                "topic_found",
                "engine",
                "strictness",
                "retriever",
                "search_effort",
                "error",
                "written_at",
                "started_at",
                "finished_at",
            }
        ),
    )
    check.full_clean()
    check.save()
    return check


class _Loader:
    """Inserts the rows of one check: all rows of one table at once, in the order of the file."""

    def __init__(self, check: Check, record: CheckRecord) -> None:
        self._check = check
        self._record = record
        self._sources: list[CheckSource] = []
        self._sentences: list[Sentence] = []
        self._findings: dict[int, Finding] = {}
        self._suggestions: dict[int, Suggestion] = {}

    def load(self, owner: str) -> None:
        self._sources = [self._source(owner, position, item) for position, item in enumerate(self._record.sources)]
        fields = {"index", "start", "end", "text", "block", "block_kind"}
        self._sentences = Sentence.objects.bulk_create(
            Sentence(parent_check=self._check, **item.model_dump(include=fields)) for item in self._record.sentences
        )
        self._add_written()
        self._add_units()
        self._add_suggestions()
        self._add_decisions()
        ModelCall.objects.bulk_create(
            ModelCall(parent_check=self._check, **call.model_dump()) for call in self._record.model_calls
        )

    def _source(self, owner: str, position: int, item: SourceRecord) -> CheckSource:
        name = clean_name(item.name)
        source = None if item.state is SourceState.MISSING else _source_add(owner, name, item, self._check.payer)
        return CheckSource.objects.create(parent_check=self._check, source=source, position=position, name=name)

    def _add_written(self) -> None:
        WrittenSentence.objects.bulk_create(
            WrittenSentence(
                parent_check=self._check,
                index=index,
                validations=[
                    item.model_dump(mode="json") | {"evidence": [self._evidence(quote) for quote in item.evidence]}
                    for item in written.validations
                ],
                **written.model_dump(exclude={"validations"}),
            )
            for index, written in enumerate(self._record.written)
        )
        premise = self._record.premise
        if premise is not None:
            evidence = [self._evidence(quote) for quote in premise.evidence]
            self._check.premise = premise.model_dump(mode="json") | {"evidence": evidence}
            self._check.save(update_fields=["premise"])

    def _add_units(self) -> None:
        units = []
        found = []
        for sentence, item in zip(self._sentences, self._record.sentences, strict=True):
            for unit_record in item.units:
                fields = {"detector", "state", "reason", "verdict", "passages_read", "passages_total", "finished_at"}
                unit = Unit(
                    parent_check=self._check,
                    sentence=sentence,
                    evidence=[self._evidence(evidence) for evidence in unit_record.evidence],
                    search=self._search(unit_record.search) if unit_record.search else None,
                    **unit_record.model_dump(include=fields),
                )
                units.append(unit)
                found += [(finding, unit) for finding in unit_record.findings]
        Unit.objects.bulk_create(units)
        left_out = {"id", "evidence", "suggestions"}
        self._findings = {
            item.id: Finding(
                parent_check=self._check,
                unit=unit,
                sentence=unit.sentence,
                evidence=[self._evidence(evidence) for evidence in item.evidence],
                **item.model_dump(exclude=left_out),
            )
            for item, unit in sorted(found, key=lambda pair: pair[0].id)
        }
        Finding.objects.bulk_create(self._findings.values())

    def _add_suggestions(self) -> None:
        written = [
            (item, finding.id)
            for sentence in self._record.sentences
            for unit in sentence.units
            for finding in unit.findings
            for item in finding.suggestions
        ]
        fields = {"position", "replacement", "base_hash", "method", "verified", "label", "state"}
        self._suggestions = {
            item.id: Suggestion(
                finding=self._findings[finding_id],
                sentence=self._sentences[item.sentence],
                absorbed=None if item.absorbed is None else self._sentences[item.absorbed],
                companions=[[self._sentences[one.sentence].pk, one.replacement] for one in item.companions] or None,
                **item.model_dump(include=fields),
            )
            for item, finding_id in sorted(written, key=lambda pair: pair[0].id)
        }
        Suggestion.objects.bulk_create(self._suggestions.values())

    def _add_decisions(self) -> None:
        decisions = Decision.objects.bulk_create(
            Decision(
                parent_check=self._check,
                kind=item.kind,
                undone_at=item.undone_at,
                is_abandoned=item.is_abandoned,
            )
            for item in self._record.decisions
        )
        for decision, item in zip(decisions, self._record.decisions, strict=True):
            decision.created_at = item.created_at  # ``auto_now_add`` has overwritten it
        Decision.objects.bulk_update(decisions, ["created_at"], batch_size=500)
        DecisionChange.objects.bulk_create(
            DecisionChange(
                decision=decision,
                finding=self._findings[change.finding],
                state_before=change.state_before,
                state_after=change.state_after,
                accepted_before=self._suggestion(change.accepted_before),
                accepted_after=self._suggestion(change.accepted_after),
                reason_before=change.reason_before,
                reason_after=change.reason_after,
            )
            for decision, item in zip(decisions, self._record.decisions, strict=True)
            for change in item.changes
        )

    def _suggestion(self, suggestion_id: int | None) -> Suggestion | None:
        return None if suggestion_id is None else self._suggestions[suggestion_id]

    def _evidence(self, item: EvidenceRecord) -> dict[str, Any]:
        return item.model_dump(mode="json") | {"source": self._source_id(item.source)}

    def _search(self, search: SearchRecord) -> dict[str, Any]:
        stored = search.model_dump(mode="json")
        for claim in stored["claims"]:
            for reading in claim["documents"]:
                reading["source"] = self._source_id(reading["source"])
        return stored

    def _source_id(self, number: int | None) -> str | None:
        """The id that evidence uses for a source."""
        return None if number is None else str(self._sources[number].pk)


def _source_add(owner: str, name: str, item: SourceRecord, payer: str) -> Source:
    """Store a source of the file, or return the equal source of an earlier import."""
    digest = hashlib.sha256(item.model_dump_json().encode()).hexdigest()
    source, _ = Source.objects.get_or_create(
        owner=owner,
        digest=digest,
        defaults={
            "payer": payer,
            "name": name,
            "kind": item.kind,
            "url": item.url,
            "state": item.state,
            "error": item.error,
            "text": item.text,
            "characters": len(item.text),
            "byte_size": len(item.text.encode()),
            "pages": item.pages,
            "places": [place.model_dump(mode="json") for place in item.places],
        },
    )
    return source
