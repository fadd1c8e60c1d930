"""The interface of a detector: its input, its ports and its methods."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

from .comparing.partners import EarlierPartners
from .comparing.sentence import ComparableSentence
from .decomposition.decomposer import Decomposer
from .decomposition.model import ClaimModel
from .evidence.plan import DEFAULT_PLAN, SearchPlan
from .evidence.sequential import Histograms
from .grounding.model import GroundingModel
from .llm.client import ModelClient
from .local_models.process import LocalModels
from .retrieval.retriever import Retriever
from .rewriting.recheck import Recheck
from .self_contradiction.model import Contradictions
from .sources.library import SourceLibrary
from .text_reading.reader import TextReader
from .types import FindingKind, GroundingLevel, Strictness


class Requirement(StrEnum):
    """An input or a service that a detector needs."""

    SOURCES = "sources"
    LLM = "llm"
    RETRIEVER = "retriever"


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a detector knows about the text under test."""

    text: str
    """The text under test."""
    sentences: tuple[ComparableSentence, ...]
    """Its sentences, by index."""
    topic: str | None
    prompt: str | None
    """The prompt that the text answers, if known."""
    is_english: bool
    library: SourceLibrary
    strictness: Strictness
    decomposer: Decomposer
    """Splits sentences into claims."""
    levels: frozenset[GroundingLevel] = frozenset(GroundingLevel)
    """The levels at which sentences are compared with the sources."""
    search: SearchPlan = DEFAULT_PLAN
    """The cost limits of a search for evidence."""
    left_out: frozenset[int] = frozenset()
    """Sentences to treat as removed, while a rewrite that removes them is judged."""
    earlier_partners: EarlierPartners = field(init=False, repr=False, compare=False)
    """The sentences before each one that it is compared with, as far as they are known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "earlier_partners", EarlierPartners(self.sentences))


@dataclass(frozen=True, slots=True)
class DetectionRequest:
    """The sentences at ``pending`` are to be judged, and rewrites to be rechecked before they are offered."""

    material: Material
    pending: tuple[int, ...]
    recheck: Recheck
    told: frozenset[int] = frozenset()
    """Sentences that already have a finding from the same sources: one problem gets one card."""


@dataclass(frozen=True, slots=True)
class Ports:
    """External services that the engine needs."""

    models: LocalModels
    contradictions: Contradictions | None = None
    """The language models; None for the local engine."""
    is_screened: bool = True
    """Whether the local models decide clear cases, to save calls of the language model."""
    client: ModelClient | None = None
    """The client for the language models; it tracks the cost."""
    reader: TextReader | None = None
    """Model that reads the whole text for contradictions; None for the local engine."""
    grounding: GroundingModel | None = None
    """Model that compares sentences with the sources; None for the local engine."""
    claims: ClaimModel | None = None
    """Model that splits sentences into claims; None for the local engine."""
    retriever: Retriever | None = None
    """Searches for evidence; None when no search is wanted."""
    histograms: Histograms | None = None
    """Score distributions of the NLI model on documents; set whenever there is a retriever."""


#: Stores any number of reports together, in order. They are durable once it returns.
Emit = Callable[..., Awaitable[None]]


class Detector(Protocol):
    """One method that looks for problems of sentences.

    ``detect`` reports each pending sentence exactly once by :class:`UnitDone`, :class:`UnitFailed` or
    :class:`UnitSkipped`, best preceded by :class:`UnitStarted`. It may be cancelled at any ``await``. A sentence
    without a report counts as failed. ``id`` carries a version, which changes when the judgements change.

    ``problems`` judges another wording of the sentence at ``index`` in the same way, and reports nothing;
    ``compares_sentences`` says whether the result depends on more sentences of the text than the preceding one.

    ``basis`` returns everything besides the sentence itself that its result depends on. If none of it has changed, a
    later check reuses the result instead of judging again (``core/run/carry_over.py``).
    """

    id: ClassVar[str]
    requires: ClassVar[frozenset[Requirement]]
    compares_sentences: ClassVar[bool]

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None: ...

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]: ...

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]: ...
