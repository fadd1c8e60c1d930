"""Findings for sentences that were compared with retrieved documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..comparing.sentence import ComparableSentence
from ..errors import Cancelled, DetectionError
from ..evidence.record import ClaimRecord, DocumentReading, SearchRecord
from ..evidence.refutation import DocumentRefutation, conflict_in_sentence, refute
from ..evidence.search import ClaimSearch, SentenceSearch
from ..findings import in_document, make_finding
from ..labels import SuggestionLabel
from ..messages import Message, MessageCode
from ..places import place_of
from ..ports import DetectionRequest, Ports
from ..rewriting.recheck import Recheck
from ..rewriting.rewrites import (
    Correction,
    SourceConflict,
    corrected,
    removal_of,
    rewrite_of_model,
    rewrites_of_source_conflict,
)
from ..rules.alignment import ValueConflict
from ..rules.phrases import phrase_at
from ..thresholds import THRESHOLDS
from ..types import DocumentLink, Evidence, Finding, FindingKind, Span, Suggestion, Verdict
from .evidence_recheck import EvidenceRecheck

#: From this probability on, the documents support a claim rather than merely fail to refute it.
SUPPORTED = 0.7


def verdict_of(record: SearchRecord) -> Verdict:
    """The verdict for a sentence without false claims."""
    if record.claims and all(claim.documents and claim.factual >= SUPPORTED for claim in record.claims):
        return Verdict.SUPPORTED
    return Verdict.UNSURE


def supporting_evidence(record: SearchRecord) -> tuple[Evidence, ...]:
    """The best supporting quote of each claim, without duplicates."""
    best = (max(claim.documents, key=lambda reading: reading.entailment) for claim in record.read)
    return tuple({(quote.document, quote.quote): quote for quote in map(_quote, best)}.values())


async def finding_of(
    request: DetectionRequest, ports: Ports, index: int, search: SentenceSearch, detector: str
) -> Finding:
    """A finding about the claim that is least likely correct, with a rewrite if the documents give one."""
    sentence = request.material.sentences[index]
    worst = search.false_claims[0]
    threshold = THRESHOLDS[request.material.strictness].conflict
    refutation = await refute(worst.claim.text, worst.documents, ports.models, threshold)
    kind = FindingKind.REFUTED_BY_EVIDENCE if refutation else FindingKind.UNSUPPORTED_BY_EVIDENCE
    recheck = EvidenceRecheck(request.material, ports.models, search, kind).on_top_of(request.recheck)
    explanation = " ".join(_explanation(worst.record(), search.record()))
    if refutation is None:
        return make_finding(
            sentence,
            span=worst.claim.span,
            kind=kind,
            verdict=Verdict.UNSURE,
            score=1 - worst.belief.factual,
            message=message_of_silence(worst.record().documents),
            explanation=explanation,
            evidence=tuple(map(_quote, worst.record().documents)),
            detector=detector,
            suggestions=[removal_of(sentence)],
        )
    conflict = conflict_in_sentence(refutation.conflict, sentence)
    return make_finding(
        sentence,
        span=in_document(conflict.hypothesis.span, sentence) if conflict else worst.claim.span,
        kind=kind,
        verdict=Verdict.CONTRADICTED,
        score=max(1 - worst.belief.factual, refutation.score),
        message=_message_of_refutation(refutation, conflict, sentence),
        explanation=explanation,
        evidence=(_quote_of_refutation(refutation), *_others(worst, refutation)),
        detector=detector,
        suggestions=await _corrected(request, ports, sentence, refutation, recheck),
    )


# --- Rewrites ---------------------------------------------------------------------------------------------------


async def _corrected(
    request: DetectionRequest,
    ports: Ports,
    sentence: ComparableSentence,
    refutation: DocumentRefutation,
    recheck: Recheck,
) -> list[Suggestion]:
    conflict = conflict_in_sentence(refutation.conflict, sentence)
    suggestions = await rewrites_of_source_conflict(
        sentence,
        _corrections(sentence, refutation, conflict),
        recheck,
        label=SuggestionLabel.USE_DOCUMENT,
        fixes=FindingKind.REFUTED_BY_EVIDENCE,
    )
    if len(suggestions) > 1 or ports.contradictions is None:
        return suggestions
    index = sentence.parsed.sentence.index
    try:
        place = place_of(request.material, index)
        wording = await ports.contradictions.revision(place, sentence.text, refutation.sentence.text)
        holds = wording and await recheck.holds(index, sentence, wording, fixes=FindingKind.REFUTED_BY_EVIDENCE)
    except Cancelled:
        raise
    except DetectionError:
        return suggestions  # keep the finding without a rewrite
    if not holds or wording == sentence.text:
        return suggestions
    rewrite = await rewrite_of_model(sentence, wording, [refutation.sentence.text], ports.models)
    return [rewrite, removal_of(sentence)]


def _corrections(
    sentence: ComparableSentence, refutation: DocumentRefutation, conflict: ValueConflict | None
) -> list[Correction]:
    if conflict is None:
        return []
    conflicts = [SourceConflict(refutation.sentence, conflict)]
    wording = corrected(sentence, conflicts)
    return [] if wording is None else [Correction(wording, conflicts)]


# --- Words and quotes -------------------------------------------------------------------------------------------


def message_of_silence(readings: Sequence[DocumentReading]) -> Message:
    """The message for an unsupported claim. Passages of one source count as one document."""
    of_sources = len({reading.source for reading in readings if reading.source is not None})
    if of_sources:
        if of_sources == 1:
            return MessageCode.READ_SOURCE_IS_SILENT.of()
        return MessageCode.READ_SOURCES_ARE_SILENT.of(number=of_sources)
    documents = len(readings)
    if documents == 1:
        return MessageCode.READ_DOCUMENT_IS_SILENT.of()
    return MessageCode.READ_DOCUMENTS_ARE_SILENT.of(number=documents)


def _message_of_refutation(
    refutation: DocumentRefutation, in_sentence: ValueConflict | None, sentence: ComparableSentence
) -> Message:
    """``in_sentence`` is the conflict with spans in the sentence, if the sentence has the words of the claim."""
    title, conflict = refutation.document.title, refutation.conflict
    if conflict is None:
        return MessageCode.DOCUMENT_SAYS_OTHERWISE.of(title=title)
    theirs = phrase_at(refutation.sentence.clause, conflict.premise.span)
    own = phrase_at(sentence.clause, in_sentence.hypothesis.span) if in_sentence else conflict.hypothesis.text
    return MessageCode.DOCUMENT_SAYS.of(title=title, theirs=theirs, own=own)


def _explanation(claim: ClaimRecord, record: SearchRecord) -> Iterator[str]:
    read, skipped = len(claim.documents), claim.skipped
    yield f"Looked up: “{claim.claim}”"
    yield (
        f"Stopped after {read} of at most {record.most_documents} documents: "
        f"{100 * claim.factual:.0f} % likely to be right."
    )
    if skipped:
        yield f"{read + len(skipped)} were found, {len(skipped)} could not be read: {_reasons(claim)}"


def _reasons(claim: ClaimRecord) -> str:
    return " ".join(dict.fromkeys(page.reason for page in claim.skipped))


def _others(claim: ClaimSearch, refutation: DocumentRefutation) -> Sequence[Evidence]:
    """Quotes of the documents other than the refuting one."""
    readings = zip(claim.documents, claim.record().documents, strict=True)
    return [_quote(reading) for document, reading in readings if document is not refutation.document]


def _quote(reading: DocumentReading) -> Evidence:
    text = reading.quote.of(reading.passage)
    span = reading.quote.shifted(reading.start) if reading.source else Span(0, len(text))
    link = DocumentLink(reading.title, reading.url)
    return Evidence(text, span, source=reading.source, score=round(reading.entailment, 3), document=link)


def _quote_of_refutation(refutation: DocumentRefutation) -> Evidence:
    document, conflict = refutation.document, refutation.conflict
    span = refutation.span
    text = span.of(document.text)
    start = document.start + span.start if document.source else 0
    return Evidence(
        text,
        Span(start, start + len(text)),
        source=document.source,
        conflict=(conflict.premise.span.shifted(start),) if conflict else (),
        score=round(refutation.score, 3),
        document=DocumentLink(document.title, document.url),
    )
