"""Find sentences of one text that contradict each other (METHODS A, local engine).

The NLI model compares every sentence with the earlier ones on the same topic, in both directions. The trained decision
about pairs tells which of them contradict each other, apart from clear clashes of values; the rules name the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from ..comparing.ages import Misfit, misfits, read_misfits
from ..comparing.clashes import strongest
from ..comparing.pair_features import pair_features
from ..comparing.pair_reading import PairReading, has_clear_clash, read_pairs
from ..comparing.partners import EarlierPartners, nearest_in_words, partners
from ..comparing.sections import headings_above
from ..comparing.sentence import ComparableSentence
from ..comparing.surroundings import around
from ..comparing.tables import is_row
from ..findings import in_document, make_finding
from ..llm.attribution import asking_for
from ..local_models.decision import Decision
from ..local_models.process import LocalModels
from ..messages import Message, MessageCode
from ..ports import DetectionRequest, Emit, Material, Ports, Requirement
from ..reports import UnitDone, UnitResult, UnitStarted
from ..rules.alignment import ValueConflict
from ..rules.parties import telling
from ..rules.phrases import phrase_at
from ..source_findings.wrong_words import clashing_words
from ..thresholds import THRESHOLDS
from ..types import Evidence, Finding, FindingKind, Span, Verdict
from .contradiction_suggestions import is_rewritten, suggestions_of_contradiction
from .model_cross_contradiction import LocalPair, ModelCrossContradiction
from .table_cells import basis_of_row, compare_row_with_text, contradictions_of_wording

_BY_VALUES = "Both sentences give a value for the same thing, and the values exclude each other: {reason}."
_BY_NLI = (
    "The NLI model reads the two sentences as a contradiction ({forward:.2f} and {backward:.2f} in the two directions)."
)
_BY_AGE = "From {first} to {last} it is {years} years. The sentence that gives the age says as much as: {restated}"
_NLI_TOO = " The NLI model gives {score:.2f} for a contradiction."


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sentences that contradict each other. ``conflict`` or ``misfit`` has the words, if the rules name them."""

    read: PairReading
    score: float
    conflict: ValueConflict | None
    misfit: Misfit | None = None


class CrossContradiction:
    """Compares the sentences of the text with each other."""

    id: ClassVar[str] = "cross_contradiction.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset()
    compares_sentences: ClassVar[bool] = True

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        if ports.reader is not None and ports.contradictions is not None:
            look = partial(_local_pairs, request.material, ports)
            await ModelCrossContradiction(self.id, ports.reader, ports.contradictions, look).detect(request, emit)
            return
        for index in request.pending:
            await emit(UnitStarted(self.id, index))
            await emit(await self._check(request, ports, index))

    async def _check(self, request: DetectionRequest, ports: Ports, index: int) -> UnitResult:
        sentences = request.material.sentences
        if is_row(sentences[index]):
            return await compare_row_with_text(request.material, ports.models, index, self.id)
        found = await _contradictions_before(request.material, ports, index)
        with asking_for(self.id, (index,)):
            findings = [
                await self._finding(request, ports, clash, gets_rewrite=is_rewritten(number, len(found)))
                for number, clash in enumerate(found)
            ]
        verdict = Verdict.CONTRADICTED if findings else Verdict.NO_PROBLEM_FOUND
        return UnitDone(self.id, index, verdict, tuple(findings))

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        if is_row(material.sentences[index]):
            return await contradictions_of_wording(material, ports.models, index, wording)
        others = [i for i in range(len(material.sentences)) if i != index and i not in material.left_out]
        sentences = [*material.sentences[:index], wording, *material.sentences[index + 1 :]]
        nearest = await partners(sentences, index, nearest_in_words(sentences, index, others), ports.models)
        found = await _contradictions(material, ports, index, EarlierPartners(sentences), nearest)
        found += await _misfits(material, ports, index, sentences, others)
        return frozenset({FindingKind.CROSS_CONTRADICTION}) if found else frozenset()

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]:
        """The sentences that it is compared with: all of them, and the model, if a language model reads the text."""
        sentences = material.sentences
        if ports.reader is not None and ports.contradictions is not None:
            return (ports.reader.analyzer, *(sentence.text for sentence in sentences))
        if is_row(sentences[index]):
            return basis_of_row(material)
        earlier = material.earlier_partners
        misfitting = (misfit.pair[0] for misfit in misfits(sentences, index, range(index)))
        own = list(dict.fromkeys([*await earlier.of(index, ports.models), *misfitting]))
        of_these = [partner for i in own for partner in await earlier.of(i, ports.models)]
        surrounding = [near for i in (index, *own) for near in around(sentences, i)] if own else []
        headings = dict.fromkeys(headings_above(sentences))
        return (*headings, *(sentences[i].text for i in dict.fromkeys([*own, *of_these, *surrounding])))

    async def _finding(
        self, request: DetectionRequest, ports: Ports, found: Contradiction, *, gets_rewrite: bool
    ) -> Finding:
        read, conflict = found.read, found.conflict
        earlier, later = read.sentences
        own, other = await _clashing_words(found, ports.models)
        if found.misfit is not None:
            explanation = _explanation_of(found.misfit) + _NLI_TOO.format(score=read.contradiction)
        elif conflict is None:
            explanation = _BY_NLI.format(forward=read.forward.contradiction, backward=read.backward.contradiction)
        else:
            explanation = _BY_VALUES.format(reason=conflict.reason) + _NLI_TOO.format(score=read.contradiction)
        evidence = Evidence(
            quote=earlier.text,
            span=earlier.parsed.sentence.span,
            sentence=read.earlier,
            conflict=(in_document(other, earlier),) if other else (),
            score=found.score,
        )
        return make_finding(
            later,
            span=in_document(own, later) if own else later.parsed.sentence.span,
            kind=FindingKind.CROSS_CONTRADICTION,
            verdict=Verdict.CONTRADICTED,
            score=found.score,
            message=_message(found, own, other),
            explanation=explanation,
            evidence=(evidence,),
            detector=self.id,
            suggestions=await suggestions_of_contradiction(
                request, earlier, later, conflict, ports.contradictions, gets_rewrite=gets_rewrite
            ),
        )


async def _clashing_words(found: Contradiction, models: LocalModels) -> tuple[Span | None, Span | None]:
    """The words of the later and of the earlier sentence that clash: by the rules, or else by the NLI model."""
    if found.conflict is not None:
        return found.conflict.hypothesis.span, found.conflict.premise.span
    if found.misfit is not None:
        return found.misfit.words_of(found.read.later), found.misfit.words_of(found.read.earlier)
    earlier, later = found.read.sentences
    return await clashing_words(later, earlier, models), await clashing_words(earlier, later, models)


def _explanation_of(misfit: Misfit) -> str:
    first, last = misfit.beginning.year, misfit.elapsed.year
    restated = misfit.elapsed.restated(misfit.beginning)
    return _BY_AGE.format(first=first, last=last, years=misfit.passed, restated=restated)


def _message(found: Contradiction, own: Span | None, other: Span | None) -> Message:
    earlier, later = (sentence.clause for sentence in found.read.sentences)
    number = found.read.earlier + 1
    if found.misfit and own and other:
        return MessageCode.AGE_DOES_NOT_FIT.of(
            own=phrase_at(later, own),
            other=phrase_at(earlier, other),
            number=number,
            first=found.misfit.beginning.year,
            last=found.misfit.elapsed.year,
            years=found.misfit.passed,
        )
    if own and other:
        return MessageCode.VALUES_DIFFER.of(own=phrase_at(later, own), other=phrase_at(earlier, other), number=number)
    if own:
        return MessageCode.SENTENCE_CONTRADICTS_WORDS.of(own=phrase_at(later, own), number=number)
    if other:
        return MessageCode.WORDS_OF_SENTENCE_CONTRADICTED.of(other=phrase_at(earlier, other), number=number)
    return MessageCode.SENTENCES_EXCLUDE.of(number=number)


async def _local_pairs(material: Material, ports: Ports, index: int) -> list[LocalPair]:
    """The contradictions that the local models find for a sentence, for the language model to verify."""
    found = await _contradictions_before(material, ports, index)
    return [LocalPair(clash.read.earlier, clash.read.later, clash.score, clash.conflict) for clash in found]


async def _contradictions_before(material: Material, ports: Ports, index: int) -> list[Contradiction]:
    """The sentences before the one at ``index`` that contradict it."""
    earlier, sentences = material.earlier_partners, material.sentences
    found = await _contradictions(material, ports, index, earlier, await earlier.of(index, ports.models))
    named = {clash.read.earlier for clash in found if clash.conflict is not None}
    by_age = await _misfits(material, ports, index, sentences, range(index))
    misfitting = {clash.read.earlier: clash for clash in by_age if clash.read.earlier not in named}
    return [*(clash for clash in found if clash.read.earlier not in misfitting), *misfitting.values()]


async def _contradictions(
    material: Material, ports: Ports, index: int, text: EarlierPartners, nearest: Iterable[int]
) -> list[Contradiction]:
    """The sentences at ``nearest`` that contradict the one at ``index``, one contradiction for each."""
    compared = [(min(partner, index), max(partner, index)) for partner in nearest]
    least = THRESHOLDS[material.strictness].pair
    found = []
    for read in await read_pairs(text, compared, ports.models):
        share = _share(read, ports.models)
        if share >= least or has_clear_clash(read):
            found.append(Contradiction(read, max(share, read.clash), strongest(telling(read.conflicts))))
    return found


async def _misfits(
    material: Material, ports: Ports, index: int, sentences: Sequence[ComparableSentence], others: Iterable[int]
) -> list[Contradiction]:
    """The contradictions of the sentence at ``index`` with ``others`` by an age or an anniversary."""
    least = THRESHOLDS[material.strictness].pair
    readings = await read_misfits(sentences, misfits(sentences, index, others), ports.models)
    return [
        Contradiction(reading.as_written, share, None, reading.misfit)
        for reading in readings
        if (share := _share(reading.restated, ports.models)) >= least
    ]


def _share(read: PairReading, models: LocalModels) -> float:
    """The probability of a contradiction that the trained decision gives."""
    _, contradicted = models.decision(Decision.OF_PAIRS).shares(pair_features(read))
    return contradicted
