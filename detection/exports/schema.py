"""The file format of a whole check, version 1. Files are untrusted: every field is validated.

Fields that are not listed are errors, and a list ends at its first item with an error: each error is kept in memory.
Offsets are code points. Findings, sources and suggestions refer to each other by their position in the file, never by
database ids.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from ..core.active_generation.types import Answer, SentenceState, ValidationMode
from ..core.evidence.plan import SearchEffort
from ..core.evidence.record import StopReason
from ..core.llm.types import CallOutcome, Purpose
from ..core.retrieval.links import site_of
from ..core.types import BlockKind, Engine, FindingKind, PlaceKind, Strictness, SuggestionMethod, Verdict
from ..models import Check, Decision, Finding, Source, Suggestion, Unit

FORMAT: Literal["chatprotect-check"] = "chatprotect-check"
VERSION: Literal[1] = 1

MAX_SOURCES = 20
MAX_SENTENCES = 20_000
MAX_FINDINGS = 10_000
_MAX_UNITS = 20
_MAX_SUGGESTIONS = 50
_MAX_COMPANIONS = 50
_MAX_EVIDENCE = 200
_MAX_DECISIONS = 20_000
_MAX_CALLS = 200_000
_MAX_CLAIMS = 100
_MAX_DOCUMENTS = 50
_MAX_PLACES = 100_000
_MAX_VALIDATIONS = 100


def _storable(text: str) -> str:
    """Refuse characters that no database stores. All other text is allowed and escaped when it is shown."""
    if "\0" in text:
        raise ValueError("it holds a null character")
    return text


def _web_address(url: str) -> str:
    if url and (not site_of(url) or any(character.isspace() or not character.isprintable() for character in url)):
        raise ValueError("it is no address of a web page (https:// or http://)")
    return url


Count = Annotated[int, Field(ge=0, le=2_000_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
Cost = Annotated[float, Field(gt=0, le=1_000_000)]
Name = Annotated[str, Field(max_length=200), AfterValidator(_storable)]
Line = Annotated[str, Field(max_length=2_000), AfterValidator(_storable)]
Text = Annotated[str, Field(max_length=4_000_000), AfterValidator(_storable)]
Address = Annotated[str, Field(max_length=2_000), AfterValidator(_storable), AfterValidator(_web_address)]
Identifier = Annotated[str, Field(max_length=64, pattern=r"^[\w.-]*$")]
Range = tuple[Count, Count]

#: Why a person rejected or dismissed a warning.
Reason = Annotated[str, Field(max_length=Finding.REASON_CHARS), AfterValidator(_storable)]


class Record(BaseModel):
    """Refuses undeclared fields and values of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class SourceState(StrEnum):
    READY = "ready"
    FAILED = "failed"
    MISSING = "missing"  # deleted, or not read when the file was written


class PlaceRecord(Record):
    kind: PlaceKind
    label: Line
    start: Count
    end: Count


class SourceRecord(Record):
    """A source of the check, with its text."""

    name: Annotated[Name, Field(min_length=1)]
    kind: Source.Kind
    state: SourceState
    url: Address = ""
    error: Line = ""
    text: Text = ""
    pages: Count | None = None
    places: Annotated[list[PlaceRecord], Field(max_length=_MAX_PLACES, fail_fast=True)] = []


class DocumentRecord(Record):
    title: Line
    url: Address


class EvidenceRecord(Record):
    """As ``core.types.Evidence``; ``source`` is the position of a source in the file, from 0."""

    quote: Text
    start: Count
    end: Count
    sentence: Count | None
    source: Count | None
    conflict: Annotated[list[Range], Field(max_length=_MAX_EVIDENCE, fail_fast=True)]
    score: Share | None
    document: DocumentRecord | None


class ReadingRecord(Record):
    title: Line
    url: Address
    passage: Text
    quote: Range
    entailment: Share
    factual: Share
    source: Count | None
    start: Count


class SkippedRecord(Record):
    title: Line
    url: Address
    reason: Line


class ClaimRecord(Record):
    claim: Text
    span: Range
    documents: Annotated[list[ReadingRecord], Field(max_length=_MAX_DOCUMENTS, fail_fast=True)]
    skipped: Annotated[list[SkippedRecord], Field(max_length=_MAX_DOCUMENTS, fail_fast=True)]
    stop: StopReason


class SearchRecord(Record):
    retriever: Identifier
    most_documents: Annotated[int, Field(ge=1, le=_MAX_DOCUMENTS)]
    claims: Annotated[list[ClaimRecord], Field(max_length=_MAX_CLAIMS, min_length=1, fail_fast=True)]


class PlanRecord(Record):
    miss: Cost
    false_alarm: Cost
    retrieval: Cost
    most_documents: Annotated[int, Field(ge=1, le=_MAX_DOCUMENTS)]


class CompanionRecord(Record):
    """Another sentence that a suggestion changes at the same time."""

    sentence: Count
    replacement: Text


class SuggestionRecord(Record):
    """Decisions refer to it by ``id``; later suggestions have larger ids."""

    id: Count
    sentence: Count
    position: Annotated[int, Field(ge=0, le=1_000)]
    replacement: Text
    base_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    method: SuggestionMethod
    verified: bool
    label: Annotated[str, Field(max_length=80), AfterValidator(_storable)]
    absorbed: Count | None
    """The sentence that a merge absorbs into the replacement."""
    companions: Annotated[list[CompanionRecord], Field(max_length=_MAX_COMPANIONS, fail_fast=True)] = []
    state: Suggestion.State


class FindingRecord(Record):
    """Decisions refer to it by ``id``. Findings at one place are shown in the order of their ids."""

    id: Annotated[int, Field(ge=0, lt=MAX_FINDINGS)]
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    kind: FindingKind
    verdict: Verdict
    score: Share
    start: Count
    end: Count
    message: Text
    explanation: Text
    evidence: Annotated[list[EvidenceRecord], Field(max_length=_MAX_EVIDENCE, fail_fast=True)]
    prompt: Identifier
    state: Finding.State
    reason: Reason = ""
    suggestions: Annotated[list[SuggestionRecord], Field(max_length=_MAX_SUGGESTIONS, fail_fast=True)]


class UnitRecord(Record):
    detector: Annotated[str, Field(pattern=r"^[a-z_]{1,50}\.v\d{1,4}$")]
    state: Unit.State
    reason: Name
    verdict: Verdict | Literal[""]
    evidence: Annotated[list[EvidenceRecord], Field(max_length=_MAX_EVIDENCE, fail_fast=True)]
    passages_read: Count | None
    passages_total: Count | None
    search: SearchRecord | None
    finished_at: AwareDatetime | None
    findings: Annotated[list[FindingRecord], Field(max_length=MAX_FINDINGS, fail_fast=True)]


class SentenceRecord(Record):
    index: Count
    start: Count
    end: Count
    text: Text
    block: Count
    block_kind: BlockKind
    units: Annotated[list[UnitRecord], Field(max_length=_MAX_UNITS, fail_fast=True)]


class ValidationRecord(Record):
    """A question about the words at ``span`` of a written sentence, and the answer with its evidence."""

    concept: Line
    span: Range
    question: Line
    probability: Share | None
    answer: Answer
    reason: Line
    evidence: Annotated[list[EvidenceRecord], Field(max_length=_MAX_EVIDENCE, fail_fast=True)]


class WrittenRecord(Record):
    """A sentence that a model wrote, with its outcome. ``text`` is "" if it was left out.

    ``is_restored``: its reader restored the first version when ``chosen_at`` sentences were settled.
    """

    lead: Text
    text: Text
    first_version: Text
    kind: BlockKind
    state: Literal[
        SentenceState.PASSED,
        SentenceState.CHECKED,
        SentenceState.UNSETTLED,
        SentenceState.REPAIRED,
        SentenceState.LEFT_OUT,
        SentenceState.NOT_CHECKED,
    ]
    reason: Line
    is_restored: bool
    chosen_at: Count | None
    validations: Annotated[list[ValidationRecord], Field(max_length=_MAX_VALIDATIONS, fail_fast=True)]


class PremiseRecord(Record):
    """The premise of a question, and whether it is true."""

    question: Line
    answer: Answer
    assumption: Line
    reason: Line
    evidence: Annotated[list[EvidenceRecord], Field(max_length=_MAX_EVIDENCE, fail_fast=True)]
    rectified: Line


class ChangeRecord(Record):
    """The effect of a decision on a finding; ``accepted_*`` are ids of its suggestions."""

    finding: Count
    state_before: Finding.State
    state_after: Finding.State
    accepted_before: Count | None
    accepted_after: Count | None
    reason_before: Reason = ""
    reason_after: Reason = ""


class DecisionRecord(Record):
    kind: Decision.Kind
    created_at: AwareDatetime
    undone_at: AwareDatetime | None
    is_abandoned: bool = False
    changes: Annotated[list[ChangeRecord], Field(max_length=MAX_FINDINGS, fail_fast=True)]


class CallRecord(Record):
    """A call of a language model, without prompt and answer; ``sentences`` are those that it was about."""

    detector: Identifier
    sentences: Annotated[list[Count], Field(max_length=MAX_SENTENCES, fail_fast=True)]
    purpose: Purpose
    prompt: Identifier
    model: Name
    outcome: CallOutcome
    reason: Name
    seconds: Annotated[float, Field(ge=0, le=1_000_000)]
    prompt_tokens: Count | None
    completion_tokens: Count | None
    cost_usd: Annotated[Decimal, Field(ge=0, max_digits=14, decimal_places=8)] | None


class CheckRecord(Record):
    """A whole check. Lists are in the order in which the page shows them; decisions are oldest first."""

    format: Literal["chatprotect-check"] = FORMAT
    version: Literal[1] = VERSION
    title: Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_storable)]
    text: Text
    prompt: Line
    is_generated: bool
    validation: ValidationMode = ValidationMode.NONE
    """How its sentences were validated while a model wrote them."""
    premise: PremiseRecord | None = None
    writing_end: Name = ""
    """Why the writing ended."""
    written: Annotated[list[WrittenRecord], Field(max_length=MAX_SENTENCES, fail_fast=True)] = []
    topic: Name
    topic_found: Name
    engine: Engine
    strictness: Strictness
    retriever: Annotated[Identifier, Field(max_length=32)]
    search_effort: SearchEffort
    search_plan: PlanRecord | None
    state: Check.State
    error: Line
    written_at: AwareDatetime | None
    started_at: AwareDatetime | None
    finished_at: AwareDatetime | None
    sources: Annotated[list[SourceRecord], Field(max_length=MAX_SOURCES, fail_fast=True)]
    sentences: Annotated[list[SentenceRecord], Field(max_length=MAX_SENTENCES, fail_fast=True)]
    decisions: Annotated[list[DecisionRecord], Field(max_length=_MAX_DECISIONS, fail_fast=True)]
    model_calls: Annotated[list[CallRecord], Field(max_length=_MAX_CALLS, fail_fast=True)]
    revised: Text
    """The revised text, for other programs and to verify the file."""
