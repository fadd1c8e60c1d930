"""The pipeline: split the text, run every detector on every sentence, report each result as it comes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..comparing.sentence import ComparableSentence
from ..control import CancelProbe, run_together, run_until_cancelled
from ..decomposition.decomposer import Decomposer
from ..detectors import DETECTORS
from ..detectors.cross_contradiction import CrossContradiction
from ..detectors.grounding import Grounding
from ..errors import Cancelled, DetectionError
from ..evidence.plan import DEFAULT_PLAN, SearchPlan
from ..language.english import is_english, is_foreign, is_latin
from ..language.subjects import find_topic
from ..local_models.lost_time import LostTime, measuring
from ..ports import DetectionRequest, Detector, Material, Ports, Requirement
from ..reasons import Reason
from ..reports import PipelineEvent, TextSegmented, UnitDone, UnitFailed, UnitResult, UnitSkipped
from ..retrieval.library_retriever import LibraryRetriever
from ..rewriting.recheck import FindProblems, Recheck
from ..sources.library import open_library
from ..types import BlockKind, FindingKind, GroundingLevel, ParsedText, SourceText, Strictness
from .carry_over import EarlierResults, basis_of, carry_over
from .time_limit import TimeLimit

logger = logging.getLogger(__name__)

#: Words of a sentence that fit into the NLI model together with a passage. A longer sentence would be truncated.
MAX_SENTENCE_WORDS = 120
MAX_SENTENCE_CHARS = 1_200

NO_FACTUAL_CLAIM = Reason.STATES_NO_FACT.of()
TOO_LONG = Reason.TOO_LONG.of(MAX_SENTENCE_WORDS)
NO_SOURCE = Reason.NO_SOURCE.of()
NO_LLM = Reason.NO_LANGUAGE_MODEL.of()
NO_RETRIEVER = Reason.NO_SEARCH.of()
NOT_ENGLISH = Reason.NOT_ENGLISH.of()

Report = Callable[[Sequence[PipelineEvent]], Awaitable[None]]


class _ReportRefused(Exception):
    """The caller's ``report`` failed. This ends the run; it is not a failure of the detector."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """A text to check.

    ``topic`` is who or what the text is about, ``prompt`` what it answers; both may be unknown. ``finished`` names the
    units (detector, sentence) that an earlier run has finished and that this run skips; ``flagged`` are those with a
    finding. ``earlier`` are results of a check of another version of the text; the run reuses those that still hold.
    ``levels`` are the levels of the comparison with the sources; a subset is for measurement. ``search`` limits the
    cost of a search for evidence. Units that are unfinished after ``seconds`` fail (see :class:`TimeLimit`); None means
    no limit.
    """

    text: str
    sources: tuple[SourceText, ...] = ()
    topic: str | None = None
    prompt: str | None = None
    strictness: Strictness = Strictness.BALANCED
    detectors: tuple[str, ...] = ()
    finished: frozenset[tuple[str, int]] = frozenset()
    flagged: frozenset[tuple[str, int]] = frozenset()
    earlier: EarlierResults = field(default_factory=dict)
    levels: frozenset[GroundingLevel] = frozenset(GroundingLevel)
    search: SearchPlan = DEFAULT_PLAN
    seconds: float | None = None


async def run(request: CheckRequest, ports: Ports, report: Report, *, cancelled: CancelProbe) -> None:
    """Check a text and report all results.

    ``report`` is awaited with events that belong together, in order; an error that it raises ends the run.

    Raises:
        Cancelled: ``cancelled`` returned True; earlier reports stay valid.
        ModelUnavailable: the text could not even be split.
    """
    lost = LostTime()
    with measuring(lost):
        await run_until_cancelled(_run(request, ports, report, TimeLimit(request.seconds, lost)), cancelled)


async def _run(request: CheckRequest, ports: Ports, report: Report, time_limit: TimeLimit) -> None:
    parsed = await ports.models.parse(request.text)
    topic = request.topic or find_topic(parsed)
    await report([TextSegmented(tuple(parsed_sentence.sentence for parsed_sentence in parsed.sentences), topic)])
    material = Material(
        text=request.text,
        sentences=tuple(map(ComparableSentence, parsed.sentences)),
        topic=topic,
        prompt=request.prompt,
        is_english=_is_english(parsed),
        library=await open_library(request.sources, ports.models),
        strictness=request.strictness,
        decomposer=Decomposer(parsed.sentences, topic, ports.claims),
        levels=request.levels,
        search=request.search,
    )
    detectors = [
        DETECTORS[name]
        for name in request.detectors
        or applicable_detectors(
            has_sources=bool(request.sources),
            has_llm=ports.contradictions is not None,
            has_retriever=ports.retriever is not None,
        )
    ]

    def recheck_by(chosen: Iterable[Detector]) -> Recheck:
        return Recheck(ports.models, _find_problems(tuple(chosen), material, ports))

    recheck = recheck_by(detectors)
    carried = [
        result
        for result in await carry_over(request.earlier, detectors, material, ports, recheck_by)
        if (result.detector, result.sentence) not in request.finished
    ]
    if carried:
        await report(carried)
        settled = {(result.detector, result.sentence) for result in carried}
        request = replace(request, finished=request.finished | settled)
    told = {index for detector, index in request.flagged if detector == Grounding.id}
    told |= {result.sentence for result in carried if result.detector == Grounding.id and result.findings}

    async def report_and_note(events: Sequence[PipelineEvent]) -> None:
        await report(events)
        told.update(e.sentence for e in events if isinstance(e, UnitDone) and e.detector == Grounding.id and e.findings)

    async def run_all(chosen: Iterable[Detector]) -> None:
        await run_together(
            _run_detector(
                detector,
                DetectionRequest(material, _pending(request, detector, material), recheck, frozenset(told)),
                ports,
                report_and_note,
                time_limit,
            )
            for detector in chosen
        )

    try:
        # Detectors that use the same sources run second, so that each problem is reported once.
        await run_all(detector for detector in detectors if not _looks_up_sources(detector, ports))
        await run_all(detector for detector in detectors if _looks_up_sources(detector, ports))
    except _ReportRefused as refusal:
        raise refusal.error from None  # the caller gets its own error back


def _looks_up_sources(detector: Detector, ports: Ports) -> bool:
    is_search = Requirement.RETRIEVER in detector.requires
    return is_search and ports.retriever is not None and ports.retriever.name == LibraryRetriever.name


def _pending(request: CheckRequest, detector: Detector, material: Material) -> tuple[int, ...]:
    return tuple(i for i in range(len(material.sentences)) if (detector.id, i) not in request.finished)


def _find_problems(detectors: Sequence[Detector], material: Material, ports: Ports) -> FindProblems:
    """The problems that all detectors of the check find in another wording of a sentence."""

    async def find(index: int, wording: ComparableSentence, left_out: frozenset[int]) -> frozenset[FindingKind]:
        kinds: set[FindingKind] = set()
        remaining = replace(material, left_out=left_out)
        for detector in detectors:
            if _cannot_run(detector, material, ports) is None:
                kinds |= await detector.problems(remaining, ports, index, wording)
        return frozenset(kinds)

    return find


def applicable_detectors(*, has_sources: bool, has_llm: bool, has_retriever: bool = False) -> tuple[str, ...]:
    """The detectors that can judge a text, in order."""
    missing = set()
    if not has_sources:
        missing.add(Requirement.SOURCES)
    if not has_llm:
        missing.add(Requirement.LLM)
    if not has_retriever:
        missing.add(Requirement.RETRIEVER)
    return tuple(detector.id for detector in DETECTORS.values() if not missing & detector.requires)


async def _run_detector(
    detector: Detector, request: DetectionRequest, ports: Ports, report: Report, time_limit: TimeLimit
) -> None:
    """Run one detector. Every pending sentence gets exactly one result, even if the detector fails."""
    unsettled = set(request.pending)

    async def emit(*events: PipelineEvent) -> None:
        events = tuple([await _with_basis(event, detector, request.material, ports) for event in events])
        try:
            await report(events)
        except Exception as error:
            raise _ReportRefused(error) from error
        for event in events:
            if isinstance(event, UnitResult):
                unsettled.discard(event.sentence)

    judgeable, skipped = _sort_out(detector, request, ports)
    if skipped:
        await emit(*skipped)
    reason = Reason.NO_RESULT.of()
    timeout: asyncio.Timeout | None = None
    try:
        if judgeable:
            async with time_limit.inside() as timeout:
                await detector.detect(replace(request, pending=judgeable), ports, emit)
    except (Cancelled, _ReportRefused):
        raise
    except DetectionError as error:
        reason = str(error)
    except Exception as error:
        reason = _reason_of(error, detector, timeout)
    if unsettled:
        await emit(*(UnitFailed(detector.id, index, reason) for index in sorted(unsettled)))


def _reason_of(error: Exception, detector: Detector, timeout: asyncio.Timeout | None) -> str:
    """The reason to report for an error. A fault in one detector must not lose the results of the others."""
    if isinstance(error, TimeoutError) and timeout is not None and timeout.expired():
        return Reason.OUT_OF_TIME.of()
    logger.error("detector %s failed", detector.id, exc_info=error)
    return Reason.PROGRAM_FAULT.of()


async def _with_basis(event: PipelineEvent, detector: Detector, material: Material, ports: Ports) -> PipelineEvent:
    if not isinstance(event, UnitDone):
        return event
    return replace(event, basis=await basis_of(detector, material, ports, event.sentence))


def _sort_out(detector: Detector, request: DetectionRequest, ports: Ports) -> tuple[tuple[int, ...], list[UnitSkipped]]:
    """Set aside the sentences that no detector can judge, each with the reason."""
    judgeable: list[int] = []
    skipped: list[UnitSkipped] = []
    for index in request.pending:
        sentence = request.material.sentences[index]
        reason = _cannot_run(detector, request.material, ports)
        reason = reason or _why_not(sentence, request.material, by_values=_compares_values(detector, ports))
        if reason is None:
            judgeable.append(index)
        else:
            skipped.append(UnitSkipped(detector.id, index, reason))
    return tuple(judgeable), skipped


def _cannot_run(detector: Detector, material: Material, ports: Ports) -> str | None:
    """The reason why a detector cannot run in this check; None if it can."""
    if Requirement.LLM in detector.requires and ports.contradictions is None:
        return NO_LLM
    if Requirement.SOURCES in detector.requires and not material.library:
        return NO_SOURCE
    if Requirement.RETRIEVER in detector.requires:
        if ports.retriever is None:
            return NO_RETRIEVER
        if ports.retriever.name == LibraryRetriever.name and not material.library:
            return NO_SOURCE
    return None


def _compares_values(detector: Detector, ports: Ports) -> bool:
    """Whether a detector compares values by itself: the cells of tables, the figures of instructions."""
    if detector.id == Grounding.id:
        return ports.grounding is None
    return detector.id == CrossContradiction.id and (ports.reader is None or ports.contradictions is None)


def _is_english(parsed: ParsedText) -> bool:
    """Decided by the prose sentences: table rows have few of the common words of a language."""
    prose = [s.text for s in parsed.sentences if s.sentence.block_kind is not BlockKind.TABLE]
    return is_english("\n".join(prose) if prose else parsed.text)


def _why_not(comparable: ComparableSentence, material: Material, *, by_values: bool) -> str | None:
    """Why a detector cannot judge a sentence; ``by_values`` if it compares the values of cells and instructions."""
    sentence = comparable.parsed
    if not material.is_english or not is_latin(sentence.text):
        return NOT_ENGLISH
    if by_values and sentence.sentence.block_kind is BlockKind.TABLE:
        return None
    if is_foreign(sentence.text):
        return NOT_ENGLISH
    if len(sentence.text) > MAX_SENTENCE_CHARS or len(sentence.text.split()) > MAX_SENTENCE_WORDS:
        return TOO_LONG
    if not (comparable.is_comparable if by_values else sentence.states_fact):
        return NO_FACTUAL_CLAIM
    return None
