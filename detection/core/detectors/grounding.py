"""Check sentences against the user's sources (METHODS B)."""

from __future__ import annotations

from typing import ClassVar

from ..comparing.sentence import ComparableSentence
from ..comparing.tables import is_row
from ..control import results_in_order
from ..local_models.process import LocalModels
from ..ports import DetectionRequest, Emit, Material, Ports, Requirement
from ..reports import UnitDone, UnitResult, UnitStarted
from ..source_findings.judgement import judge
from ..source_findings.local import finding_of
from ..source_findings.support import supporting_evidence
from ..thresholds import THRESHOLDS
from ..types import FindingKind
from .changes_together import with_change_together
from .model_grounding import ModelGrounding
from .table_cells import basis_of_row, compare_row_with_sources, conflicts_of_wording

#: Sentences that are judged at once: each asks the model several times for few pairs, which alone leaves cores idle.
_AT_ONCE = 3


class Grounding:
    """Compares each sentence with the sources, as a whole and entity by entity."""

    id: ClassVar[str] = "grounding.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset({Requirement.SOURCES})
    compares_sentences: ClassVar[bool] = False

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        if ports.grounding is not None:
            await ModelGrounding(self.id, ports.grounding, ports.contradictions).detect(request, ports.models, emit)
            return
        checks = (self._check(request, ports.models, index, emit) for index in request.pending)
        async for done in results_in_order(checks, at_once=_AT_ONCE):
            await emit(done)

    async def _check(self, request: DetectionRequest, models: LocalModels, index: int, emit: Emit) -> UnitResult:
        await emit(UnitStarted(self.id, index))
        sentence = request.material.sentences[index]
        if is_row(sentence):
            return await compare_row_with_sources(request.material, models, index, self.id)
        judgement = await judge(request.material, models, index, sentence)
        finding = await finding_of(request, models, sentence, judgement, self.id)
        findings = (await with_change_together(request, sentence, judgement, finding),) if finding else ()
        evidence = () if finding else await supporting_evidence(judgement, sentence, models)
        return UnitDone(self.id, index, judgement.verdict, findings, evidence, judgement.read.share)

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        if is_row(material.sentences[index]):
            return await conflicts_of_wording(material, ports.models, index, wording)
        judgement = await judge(material, ports.models, index, wording)
        kinds = {judgement.failure.kind} if judgement.failure else set()
        if judgement.assessment.supported < THRESHOLDS[material.strictness].absent:
            # A conflict hides that the source does not mention the rest of the sentence either.
            kinds.add(FindingKind.NOT_IN_SOURCE)
        return frozenset(kinds)

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]:
        """The model, the sources, and the preceding sentence if this one refers to it."""
        if is_row(material.sentences[index]) and ports.grounding is None:
            return (*basis_of_row(material), material.library.digest)
        leans = material.sentences[index].leans_on_previous and index > 0
        before = material.sentences[index - 1].text if leans else ""
        judge_name = ports.grounding.analyzer if ports.grounding else ""
        return (judge_name, *sorted(material.levels), before, material.library.digest)
