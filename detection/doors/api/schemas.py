"""Input and output of the API. Unknown fields are refused, so that a misspelt field is noticed."""

from __future__ import annotations

from base64 import b64decode
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from ...core.detectors import DETECTORS
from ...core.plain_text import normalise_line_ends, remove_unprintable
from ...core.types import Engine, FindingKind, Strictness, SuggestionMethod, Verdict
from ..comparison import MOST_CHARS

MOST_SOURCES = 20


def _clean(text: str) -> str:
    return remove_unprintable(normalise_line_ends(text))


def _a_detector(name: str) -> str:
    if name not in DETECTORS:
        raise ValueError(f"there is no such detector; there are {', '.join(DETECTORS)}")
    return name


#: At least one letter or digit. Unprintable characters are removed: offsets refer to the returned text.
Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\w"), AfterValidator(_clean)]
Statement = Annotated[Text, StringConstraints(max_length=MOST_CHARS)]
Line = Annotated[str, StringConstraints(max_length=200), AfterValidator(_clean)]
Detector = Annotated[str, AfterValidator(_a_detector), WithJsonSchema({"type": "string", "enum": list(DETECTORS)})]
#: Ids of rows, up to the largest integer of databases.
RowId = Annotated[int, Field(ge=1, le=2**53)]
Base64 = Annotated[
    str, StringConstraints(pattern=r"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$")
]


class In(Schema):
    model_config = ConfigDict(extra="forbid")


class FileIn(In):
    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    content: Base64 = Field(description="The bytes of the file, in Base64.")

    @property
    def data(self) -> bytes:
        return b64decode(self.content)


class TextSourceIn(In):
    """A source by its text."""

    text: Text


class FileSourceIn(In):
    """A source as a file: text, Markdown, HTML, PDF or Word."""

    file: FileIn


class KnownSourceIn(In):
    """A source that was added before."""

    id: UUID


NewSourceIn = TextSourceIn | FileSourceIn
SourceIn = NewSourceIn | KnownSourceIn


class CheckIn(In):
    text: Text
    sources: Annotated[list[SourceIn], Field(default_factory=list, max_length=MOST_SOURCES)]
    engine: Engine = Engine.LOCAL
    strictness: Strictness = Strictness.BALANCED
    detectors: Annotated[list[Detector], Field(default_factory=list, max_length=len(DETECTORS))]
    topic: Line = ""
    previous: UUID | None = Field(
        None, description="A check of an earlier version of the text: what still holds of it is taken over."
    )


class PairIn(In):
    first: Statement
    second: Statement
    topic: Line = ""


class AcceptIn(In):
    action: Literal["accept"]
    suggestion: RowId


class EditIn(In):
    action: Literal["edit"]
    finding: RowId
    wording: Annotated[Text, StringConstraints(max_length=5_000)]


class TurnDownIn(In):
    """Keep the original: here, or in later checks too."""

    action: Literal["reject", "dismiss"]
    finding: RowId
    reason: Annotated[str, StringConstraints(max_length=300), AfterValidator(_clean)] = ""


class ReopenIn(In):
    action: Literal["reopen"]
    finding: RowId


class BatchIn(In):
    action: Literal["accept_all", "undo", "redo"]


DecisionIn = AcceptIn | EditIn | TurnDownIn | ReopenIn | BatchIn


# --- What is given --------------------------------------------------------------------------------------------------


class Problem(Schema):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]] = Field(default_factory=list)


class EvidenceOut(Schema):
    quote: str
    start: int
    end: int
    sentence: int | None
    source: UUID | None
    url: str


class CompanionOut(Schema):
    """Another sentence that a suggestion changes at the same time."""

    sentence: int
    replacement: str


class SuggestionOut(Schema):
    id: int
    replacement: str
    companions: list[CompanionOut]
    label: str
    method: SuggestionMethod
    verified: bool
    state: str


class FindingOut(Schema):
    id: int
    sentence: int
    kind: FindingKind
    verdict: Verdict
    score: float
    start: int = Field(description="In code points of the text, as all offsets are.")
    end: int
    message: str
    explanation: str
    state: str
    reason: str
    evidence: list[EvidenceOut]
    suggestions: list[SuggestionOut]


class SentenceOut(Schema):
    index: int
    start: int
    end: int
    text: str
    verdict: Verdict


class CheckRow(Schema):
    id: UUID
    title: str
    state: str
    created_at: datetime
    previous: UUID | None
    sentences: int
    findings: int


class CheckList(Schema):
    items: list[CheckRow]
    count: int


class CheckOut(Schema):
    id: UUID
    title: str
    state: str
    error: str
    engine: Engine
    strictness: Strictness
    detectors: list[str]
    topic: str
    previous: UUID | None
    created_at: datetime
    text: str
    revised: str
    last_event: int = Field(description="The number of its newest event: where to follow it from.")
    sentences: list[SentenceOut]
    findings: list[FindingOut]


class SourceOut(Schema):
    id: UUID
    name: str
    kind: str
    state: str
    error: str
    characters: int
    pages: int | None


class SourceList(Schema):
    items: list[SourceOut]


class ScoreOut(Schema):
    entailment: float
    neutral: float
    contradiction: float


class PairOut(Schema):
    contradiction: float
    is_contradiction: bool
    forward: ScoreOut
    backward: ScoreOut
