"""Lists of checks: those of an owner, and those that use a source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from ..core.types import FindingKind, Span
from ..models import Check, CheckSource, Finding, Sentence, Source, Unit
from ..storage.evidence import EVIDENCE
from .joined import joined_findings


@dataclass(frozen=True, slots=True)
class CheckSummary:
    """A check in a list."""

    id: UUID
    title: str
    state: str
    created_at: datetime
    sentences: int
    open_findings: int
    findings: int
    has_failures: bool
    """Whether the check of a sentence ended with an error: then no warning means nothing."""
    is_unchecked: bool
    """Whether it ended so and no sentence was checked."""
    has_sources: bool
    previous: UUID | None
    """The check of the previous version of the text, if any."""


def checks_of_owner(owner: str, words: str = "") -> list[CheckSummary]:
    """The checks of an owner, newest first: all, or those with each of ``words`` in their title or text.

    A text that was edited in its page is listed once, with its newest version, which links to the earlier ones.
    """
    edits = Check.objects.filter(previous=OuterRef("pk"), is_edit=True)
    checks = Check.objects.filter(~Exists(edits), owner=owner)
    for word in words.split():
        checks = checks.filter(Q(title__icontains=word) | Q(text__icontains=word))
    return _summaries(checks)


def listed_checks(owner: str, words: str = "") -> list[CheckSummary]:
    """The same for the page, which counts the findings of one card once."""
    checks = checks_of_owner(owner, words)
    cards = _cards_of([check.id for check in checks if check.findings > 1])
    return [
        replace(check, findings=len(own), open_findings=sum(one.state == Finding.State.OPEN for one in own))
        if (own := cards.get(check.id))
        else check
        for check in checks
    ]


def _cards_of(checks: Collection[UUID]) -> dict[UUID, list[Finding]]:
    """The findings with a card of their own, of the checks in which some may share one."""
    in_text = Finding.objects.filter(parent_check__in=checks, kind=FindingKind.CROSS_CONTRADICTION)
    found: dict[UUID, list[Finding]] = defaultdict(list)
    columns = ("parent_check", "sentence", "kind", "state", "start", "end", "evidence")
    for finding in Finding.objects.filter(parent_check__in=in_text.values("parent_check")).only(*columns):
        found[finding.parent_check_id].append(finding)
    sentences = Sentence.objects.filter(parent_check__in=found).values_list("pk", "start", "end")
    spans = {key: Span(start, end) for key, start, end in sentences}
    cards = {}
    for check, findings in found.items():
        joined = joined_findings(findings, spans, lambda finding: EVIDENCE.from_json(finding.evidence))
        cards[check] = [finding for finding in findings if joined.head(finding.pk) == finding.pk]
    return cards


def checks_that_use(source: Source) -> list[CheckSummary]:
    """The checks that compare with a source, newest first."""
    return _summaries(Check.objects.filter(pk__in=source.uses.values("parent_check")))


def _summaries(rows: QuerySet[Check]) -> list[CheckSummary]:
    checks = rows.annotate(
        sentence_count=_count_of(Sentence.objects.all()),
        finding_count=_count_of(Finding.objects.all()),
        open_count=_count_of(Finding.objects.filter(state=Finding.State.OPEN)),
        source_count=_count_of(CheckSource.objects.all()),
        has_failures=_has_unit(Unit.State.FAILED),
        has_checked=_has_unit(Unit.State.DONE),
    )
    return [
        CheckSummary(
            id=check.pk,
            title=check.title,
            state=check.state,
            created_at=check.created_at,
            sentences=check.sentence_count,
            open_findings=check.open_count,
            findings=check.finding_count,
            has_failures=check.has_failures,
            is_unchecked=check.has_failures and not check.has_checked,
            has_sources=check.source_count > 0,
            previous=check.previous_id,
        )
        for check in checks.defer("text")
    ]


def _has_unit(state: Unit.State) -> Exists:
    return Exists(Unit.objects.filter(parent_check=OuterRef("pk"), state=state))


def _count_of(parts: QuerySet[Any]) -> Coalesce:
    """Count these rows for each check. A join would multiply sentences, findings and sources."""
    own = parts.filter(parent_check=OuterRef("pk")).order_by().values("parent_check")
    return Coalesce(Subquery(own.annotate(number=Count("pk")).values("number"), output_field=IntegerField()), 0)
