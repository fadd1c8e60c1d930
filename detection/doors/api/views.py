"""Rows in the output format of the API."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from uuid import UUID

from ... import wording
from ...core.messages import Message
from ...core.rewriting import revise
from ...core.run.verdicts import sentence_verdict
from ...core.types import Engine, FindingKind, Strictness, SuggestionMethod, Verdict
from ...models import Check, CheckSource, Finding, Sentence, Source, Suggestion, Unit
from ...selectors.sources import SourceSummary
from ...storage.evidence import EVIDENCE
from .schemas import CheckOut, CompanionOut, EvidenceOut, FindingOut, SentenceOut, SourceOut, SuggestionOut


def new_check_out(check: Check) -> CheckOut:
    """A check that this request has queued: it has no rows yet."""
    return _head(check)


def check_out(check: Check) -> CheckOut:
    """A check with its results so far."""
    sentences = list(Sentence.objects.filter(parent_check=check))
    findings = list(Finding.objects.filter(parent_check=check).select_related("sentence"))
    suggestions: dict[int, list[Suggestion]] = defaultdict(list)
    for row in Suggestion.objects.filter(finding__parent_check=check).select_related("sentence", "absorbed"):
        suggestions[row.finding_id].append(row)
    sources = dict(CheckSource.objects.filter(parent_check=check).values_list("pk", "source_id"))
    verdicts = _verdicts(check, sentences, findings)
    out = _head(check)
    out.revised = _revised(check, sentences, suggestions)
    out.sentences = [
        SentenceOut(index=row.index, start=row.start, end=row.end, text=row.text, verdict=verdicts[row.index])
        for row in sentences
    ]
    index_of = {row.pk: row.index for row in sentences}
    out.findings = [_finding_out(row, suggestions[row.pk], sources, index_of) for row in findings]
    return out


def _head(check: Check) -> CheckOut:
    """The fields from the row of a check."""
    return CheckOut(
        id=check.pk,
        title=check.title,
        state=check.state,
        error=wording.reason_words(check.error),
        engine=Engine(check.engine),
        strictness=Strictness(check.strictness),
        detectors=check.detectors or [],
        topic=check.topic or check.topic_found,
        previous=check.previous_id,
        created_at=check.created_at,
        text=check.text,
        revised=check.text,
        last_event=check.last_seq,
        sentences=[],
        findings=[],
    )


def source_out(source: Source | SourceSummary) -> SourceOut:
    return SourceOut(
        id=source.id,
        name=source.name,
        kind=source.kind,
        state=source.state,
        error=wording.reason_words(source.error),
        characters=source.characters,
        pages=source.pages,
    )


def _finding_out(
    row: Finding, suggestions: list[Suggestion], sources: Mapping[int, UUID | None], index_of: Mapping[int, int]
) -> FindingOut:
    return FindingOut(
        id=row.pk,
        sentence=row.sentence.index,
        kind=FindingKind(row.kind),
        verdict=Verdict(row.verdict),
        score=row.score,
        start=row.start,
        end=row.end,
        message=wording.message_words(Message.read(row.message)),
        explanation=row.explanation,
        state=row.state,
        reason=wording.reason_words(row.reason),
        evidence=[
            EvidenceOut(
                quote=evidence.quote,
                start=evidence.span.start,
                end=evidence.span.end,
                sentence=evidence.sentence,
                source=sources.get(int(evidence.source)) if evidence.source else None,
                url=evidence.document.url if evidence.document else "",
            )
            for evidence in EVIDENCE.from_json(row.evidence)
        ],
        suggestions=[
            SuggestionOut(
                id=suggestion.pk,
                replacement=suggestion.replacement,
                companions=[
                    CompanionOut(sentence=index_of[key], replacement=words)
                    for key, words in suggestion.companions or []
                ],
                label=suggestion.label,
                method=SuggestionMethod(suggestion.method),
                verified=suggestion.verified,
                state=suggestion.state,
            )
            for suggestion in suggestions
        ],
    )


def _revised(check: Check, sentences: list[Sentence], suggestions: dict[int, list[Suggestion]]) -> str:
    """The text with every accepted rewrite."""
    index_of = {row.pk: row.index for row in sentences}
    wordings = {
        index_of[sentence]: wording
        for of_finding in suggestions.values()
        for suggestion in of_finding
        if suggestion.state == Suggestion.State.ACCEPTED
        for sentence, wording in suggestion.wordings.items()
    }
    return revise.apply(check.text, [row.as_value() for row in sentences], wordings)


def _verdicts(check: Check, sentences: list[Sentence], findings: list[Finding]) -> dict[int, Verdict]:
    """The worst verdict of each sentence, by its own findings or as the other side of a contradiction."""
    done: dict[int, list[Verdict]] = defaultdict(list)
    failed = set()
    for index, state, verdict in Unit.objects.filter(parent_check=check).values_list(
        "sentence__index", "state", "verdict"
    ):
        if state == Unit.State.DONE:
            done[index].append(Verdict(verdict))
        elif state == Unit.State.FAILED:
            failed.add(index)
    for row in findings:
        for evidence in EVIDENCE.from_json(row.evidence):
            if evidence.sentence is not None:
                done[evidence.sentence].append(Verdict(row.verdict))
    return {row.index: sentence_verdict(done[row.index], failed=row.index in failed) for row in sentences}
