"""Check sentences against the user's sources with a language model (METHODS B), and make the findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..comparing.sentence import ComparableSentence
from ..control import run_together
from ..errors import Cancelled, DetectionError
from ..findings import in_document, make_finding
from ..grounding.hypotheses import Mark, Unjudged
from ..grounding.mitigation import Mitigator
from ..grounding.model import PROMPTS, GroundingModel
from ..grounding.model_assessment import Assessment, Assessor, Proof
from ..grounding.premise import PremiseReader
from ..grounding.quotes import Quote, find_words
from ..llm.attribution import asking_for
from ..local_models.process import LocalModels
from ..messages import Message, MessageCode
from ..ports import DetectionRequest, Emit, Material
from ..reports import UnitDone, UnitFailed, UnitResult, UnitStarted
from ..rewriting.rewrites import removal_of, rewrite_of_model
from ..rules.phrases import phrase_at
from ..self_contradiction.model import Contradictions
from ..types import (
    Evidence,
    Finding,
    FindingKind,
    GroundingLevel,
    ReadShare,
    Span,
    Suggestion,
    Verdict,
)
from .source_disagreement import SourceDisagreements
from .source_disagreement import finding_of as disagreement_finding

_KINDS = {
    Verdict.CONFLICTS_WITH_SOURCE: FindingKind.CONFLICTS_WITH_SOURCE,
    Verdict.NOT_IN_SOURCE: FindingKind.NOT_IN_SOURCE,
    # Only one thing is certain: the source does not have the words that the model names.
    Verdict.UNSURE: FindingKind.NOT_IN_SOURCE,
}
# Not calibrated: the model gives no probability, and no recorded answers exist to fit one.
_SCORES = {Verdict.CONFLICTS_WITH_SOURCE: 0.8, Verdict.NOT_IN_SOURCE: 0.8, Verdict.UNSURE: 0.5}


class ModelGrounding:
    """The detector ``detector`` with a language model as the judge."""

    def __init__(self, detector: str, model: GroundingModel, contradictions: Contradictions | None = None) -> None:
        self._detector = detector
        self._model = model
        self._contradictions = contradictions

    async def detect(self, request: DetectionRequest, models: LocalModels, emit: Emit) -> None:
        """Put neighbouring sentences into one prompt and run all prompts at the same time."""
        examination = _Examination(self._detector, self._model, request.material, models, emit)
        if self._contradictions is not None:
            examination.disagreements = SourceDisagreements(request.material, self._contradictions, models)
        size = self._model.per_prompt[GroundingLevel.SENTENCE]
        pending = request.pending
        await run_together(examination.settle(pending[start : start + size]) for start in range(0, len(pending), size))


class _Examination:
    """One check: asks the model about its sentences and reports the answers."""

    def __init__(
        self, detector: str, model: GroundingModel, material: Material, models: LocalModels, emit: Emit
    ) -> None:
        self._detector = detector
        self._material = material
        self._models = models
        self._emit = emit
        self.disagreements: SourceDisagreements | None = None
        """Looks for sources that contradict each other; None if that is not wanted."""
        self._reader = PremiseReader(material.library, model.source_tokens)
        self._assessor = Assessor(model, self._reader, material.levels)
        self._mitigator = Mitigator(model, self._reader, self._assessor, models)

    async def settle(self, batch: Sequence[int]) -> None:
        """Judge and report the sentences at ``batch``: first those without a finding, then the rest with a rewrite."""
        with asking_for(self._detector, batch):
            await self._settle(batch)

    async def _settle(self, batch: Sequence[int]) -> None:
        await self._emit(*(UnitStarted(self._detector, index) for index in batch))
        contexts = {index: _context(self._material, index) for index in batch}
        try:
            sentences = [self._material.sentences[index] for index in batch]
            results = await self._assessor.assess(sentences, [*contexts.values()])
        except Cancelled:
            raise
        except DetectionError as error:
            results = [Unjudged(str(error))] * len(batch)
        flawed: dict[int, Assessment] = {}
        for index, result in zip(batch, results, strict=True):
            if isinstance(result, Unjudged):
                await self._emit(UnitFailed(self._detector, index, result.reason))
            elif (disagreement := await self._disagreement(result)) is not None:
                await self._emit(disagreement)
            elif result.verdict in _KINDS:
                flawed[index] = result
            else:
                evidence = _one_for_each_source(result)
                await self._emit(UnitDone(self._detector, index, result.verdict, (), evidence, result.read))
        if flawed:
            await self._report(flawed, contexts)

    async def _disagreement(self, assessment: Assessment) -> UnitResult | None:
        """The result for a sentence about which the sources (may) contradict each other."""
        if self.disagreements is None or assessment.verdict not in (Verdict.SUPPORTED, Verdict.CONFLICTS_WITH_SOURCE):
            return None
        sentence = assessment.sentence
        index = sentence.parsed.sentence.index
        quotes = _evidence(assessment) or _one_for_each_source(assessment)
        try:
            with asking_for(self._detector, (index,)):
                found = await self.disagreements.find(sentence, assessment.verdict, quotes)
        except Cancelled:
            raise
        except DetectionError as error:
            # One source refutes the sentence, whatever the others say.
            is_refuted = assessment.verdict is Verdict.CONFLICTS_WITH_SOURCE
            return None if is_refuted else UnitFailed(self._detector, index, str(error))
        if found is None:
            return None
        finding = disagreement_finding(found, sentence, self._material, self._detector)
        return UnitDone(self._detector, index, finding.verdict, (finding,), (), assessment.read)

    async def _report(self, flawed: Mapping[int, Assessment], contexts: Mapping[int, str]) -> None:
        reasons = {
            index: _reasons(assessment)
            for index, assessment in flawed.items()
            if assessment.verdict is not Verdict.UNSURE  # the correct wording is unknown
        }
        with asking_for(self._detector, [*reasons]):
            rewrites = await self._mitigator.rewrites(self._material.sentences, reasons, contexts) if reasons else {}
        for index, assessment in flawed.items():
            finding = await self._finding(assessment, rewrites.get(index))
            await self._emit(UnitDone(self._detector, index, assessment.verdict, (finding,), (), assessment.read))

    async def _finding(self, assessment: Assessment, rewrite: str | None) -> Finding:
        sentence, verdict = assessment.sentence, assessment.verdict
        span = _wrong_words(assessment)
        return make_finding(
            sentence,
            span=in_document(span, sentence) if span else sentence.parsed.sentence.span,
            kind=_KINDS[verdict],
            verdict=verdict,
            score=_SCORES[verdict],
            message=await self._message(assessment),
            explanation=_explanation(assessment),
            evidence=_evidence(assessment) or (self._nearest(sentence),),
            detector=self._detector,
            suggestions=await self._suggestions(assessment, rewrite),
            prompt=PROMPTS[assessment.decisive[0].level].id,
        )

    async def _message(self, assessment: Assessment) -> Message:
        proof, sentence = assessment.decisive[0], assessment.sentence
        if assessment.verdict is Verdict.UNSURE:
            if proof.made_up:
                return MessageCode.JUDGED_BY_MADE_UP_WORDS.of()
            return MessageCode.JUDGED_BY_NO_WORDS.of()
        if assessment.verdict is Verdict.NOT_IN_SOURCE:
            found = (_wrong_span(proof, sentence.text) for proof in assessment.decisive[:3])
            words = tuple(span.of(sentence.text) for span in found if span)
            return MessageCode.SOURCE_LACKS_WORDS.of(words=words) if words else MessageCode.SOURCE_IS_SILENT.of()
        wrong = _wrong_span(proof, sentence.text)
        own = phrase_at(sentence.clause, wrong) if wrong else ""
        theirs = await self._words_of_source(proof)
        if own and theirs and own.casefold() != theirs.casefold():
            return MessageCode.SOURCE_SAYS.of(theirs=theirs, own=own)
        return MessageCode.SOURCE_SAYS_OTHERWISE.of()

    async def _words_of_source(self, proof: Proof) -> str:
        """The clashing phrase of the source, if the quote is one sentence; "" if no words are known."""
        for quote in proof.quotes:
            for span in _conflict(proof, quote):
                place = Span(span.start - quote.span.start, span.end - quote.span.start)
                parsed = (await self._models.parse(quote.text)).sentences
                if len(parsed) == 1 and parsed[0].sentence.start <= place.start:
                    return phrase_at(ComparableSentence(parsed[0]).clause, place.shifted(-parsed[0].sentence.start))
                return span.of(quote.source.text)
        return ""

    async def _suggestions(self, assessment: Assessment, rewrite: str | None) -> list[Suggestion]:
        removal = removal_of(assessment.sentence)
        if not rewrite:
            return [removal]
        quotes = [evidence.quote for evidence in _evidence(assessment)]
        return [await rewrite_of_model(assessment.sentence, rewrite, quotes, self._models), removal]

    def _nearest(self, sentence: ComparableSentence) -> Evidence:
        passage = self._reader.nearest(sentence.text)
        return Evidence(passage.text, passage.span, source=passage.source.id)


def _context(material: Material, index: int) -> str:
    """The preceding sentence, if a pronoun refers to it; else ""."""
    return material.sentences[index - 1].text if index and material.sentences[index].leans_on_previous else ""


# --- Telling ----------------------------------------------------------------------------------------------------


def _wrong_words(assessment: Assessment) -> Span | None:
    """The wrong words, counted in the sentence; None if the whole sentence or several separate words are wrong."""
    proof, *others = assessment.decisive
    if proof.passes or any(other.judgement.mark is proof.judgement.mark for other in others):
        return None
    return proof.span or find_words(proof.judgement.wrong_words, assessment.sentence.text)


def _wrong_span(proof: Proof, sentence: str) -> Span | None:
    return proof.span or find_words(proof.judgement.wrong_words, sentence)


def _explanation(assessment: Assessment) -> str:
    parts = [_reasons(assessment)]
    for proof in assessment.decisive:
        parts += [f"The model quotes “{quote}”, which does not stand in the source." for quote in proof.made_up]
    if assessment.verdict is Verdict.UNSURE:
        parts.append("So it is open whether the sentence is right.")
    if assessment.read.read < assessment.read.total:
        parts.append(_reading_in_words(assessment.read))
    return " ".join(part for part in parts if part)


def _reasons(assessment: Assessment) -> str:
    """The explanation of the model for each judgement behind the verdict."""
    sentence = assessment.sentence.text
    reasons = [
        f"“{proof.span.of(sentence)}”: {proof.judgement.reason}" if proof.span else proof.judgement.reason
        for proof in assessment.decisive
    ]
    return " ".join(reasons)


def _reading_in_words(read: ReadShare) -> str:
    return (
        f"The source is long: {read.read:,} of its {read.total:,} passages were read for this sentence, "
        "those nearest to it."
    )


def _evidence(assessment: Assessment) -> tuple[Evidence, ...]:
    """The quotes behind the verdict, each once."""
    once = {(quote.source.id, quote.span): (proof, quote) for proof in assessment.decisive for quote in proof.quotes}
    return tuple(_quoted(proof, quote) for proof, quote in once.values())


def _one_for_each_source(assessment: Assessment) -> tuple[Evidence, ...]:
    """The best quote of each source, the best one first."""
    best: dict[str, Evidence] = {}
    for proof in assessment.proofs:
        for quote in sorted(proof.quotes, key=lambda quote: quote.likeness, reverse=True):
            best.setdefault(quote.source.id, _quoted(proof, quote))
    return tuple(sorted(best.values(), key=lambda evidence: evidence.score or 0.0, reverse=True))


def _quoted(proof: Proof, quote: Quote) -> Evidence:
    conflict = _conflict(proof, quote) if proof.judgement.mark is Mark.CONTRADICTION else ()
    return Evidence(quote.text, quote.span, source=quote.source.id, conflict=conflict, score=round(quote.likeness, 3))


def _conflict(proof: Proof, quote: Quote) -> tuple[Span, ...]:
    """The words of a quote that contradict the sentence, counted in the source."""
    words = find_words(proof.judgement.source_words, quote.text)
    return (words.shifted(quote.span.start),) if words else ()
