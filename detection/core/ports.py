"""What a detector is given, and what it must do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol

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
    """What a detector cannot work without."""

    SOURCES = "sources"
    LLM = "llm"
    RETRIEVER = "retriever"


@dataclass(frozen=True, slots=True)
class Material:
    """All that sentences are judged by."""

    text: str
    """The text under test."""
    sentences: tuple[ComparableSentence, ...]
    """Its sentences, by index."""
    topic: str | None
    prompt: str | None
    """What the text answers, where that is known."""
    is_english: bool
    library: SourceLibrary
    strictness: Strictness
    decomposer: Decomposer
    """Takes the sentences apart into claims."""
    levels: frozenset[GroundingLevel] = frozenset(GroundingLevel)
    """The levels at which sentences are compared with the sources."""
    search: SearchPlan = DEFAULT_PLAN
    """How much is spent on a search for evidence."""
    left_out: frozenset[int] = frozenset()
    """Sentences that are taken to be gone, while a rewrite is judged that takes them away."""


@dataclass(frozen=True, slots=True)
class DetectionRequest:
    """The sentences at ``pending`` are to be judged, and rewrites to be rechecked before they are offered."""

    material: Material
    pending: tuple[int, ...]
    recheck: Recheck
    told: frozenset[int] = frozenset()
    """Sentences that the reader is told about already, of the same sources: one problem has one card."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What the engine needs from outside."""

    models: LocalModels
    contradictions: Contradictions | None = None
    """The language models; None for the local engine."""
    is_screened: bool = True
    """Whether the local models settle what they are sure of, so that the language model is asked less."""
    client: ModelClient | None = None
    """What they are asked through; it knows what has been spent."""
    reader: TextReader | None = None
    """Who reads the whole text for contradictions; None for the local engine."""
    grounding: GroundingModel | None = None
    """Who compares sentences with the sources; None for the local engine."""
    claims: ClaimModel | None = None
    """Who takes sentences apart into claims; None for the local engine."""
    retriever: Retriever | None = None
    """What finds evidence; None when nothing shall be looked up."""
    histograms: Histograms | None = None
    """What documents look like to the NLI model; there are some where there is a retriever."""


#: Takes any number of reports; they are stored together, in order. Once it returns, they are safe.
Emit = Callable[..., Awaitable[None]]


class Detector(Protocol):
    """One way to find out what is wrong with a sentence.

    ``detect`` reports each pending sentence exactly once by :class:`UnitDone`, :class:`UnitFailed` or
    :class:`UnitSkipped`, best preceded by :class:`UnitStarted`. It may be cancelled at any ``await``. A sentence
    that it forgets counts as failed. ``id`` carries a version: a detector that judges otherwise gets a new one.

    ``problems`` judges another wording of the sentence at ``index`` in the same light, and reports nothing;
    ``compares_sentences`` says whether that hangs on other sentences of the text than the one before.

    ``basis`` gives everything of the text, beside the sentence itself, that the result for it hangs on. Where nothing
    of it has changed, a later check takes the result over instead of judging again (``core/run/carry_over.py``).
    """

    id: ClassVar[str]
    requires: ClassVar[frozenset[Requirement]]
    compares_sentences: ClassVar[bool]

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None: ...

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]: ...

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]: ...
