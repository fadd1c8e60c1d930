"""Assemble the tools that write and check a text from the ports of a run."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import EndpointRefused, SearchFailed
from ..llm.client import ModelClient
from ..local_models.process import LocalModels
from ..ports import Ports
from .asking import Analyzer
from .concepts import Concepts, LocalConcepts, ModelConcepts
from .examination import Examiner
from .knowledge import Knowledge, ModelMemory, RetrievedKnowledge
from .premise import PremiseChecker
from .repair import Repairer
from .types import ConceptChoice, ValidationMode, WritingRequest


@dataclass(frozen=True, slots=True)
class WritingTools:
    """``examiner`` and ``premises`` are None for a text that is not checked during its generation."""

    client: ModelClient
    generator: str
    models: LocalModels
    examiner: Examiner | None
    premises: PremiseChecker | None


def tools_for(request: WritingRequest, ports: Ports) -> WritingTools:
    """The tools for a request.

    Raises:
        EndpointRefused: there is no language model.
        SearchFailed: the request needs a search, but none is set up.
    """
    if ports.client is None or ports.contradictions is None:
        raise EndpointRefused("Only a language model can write a text, and none is set up here.")
    generator, options = ports.contradictions.generator, request.options
    analyzer = Analyzer(ports.client, ports.contradictions.analyzer)
    knowledge = _knowledge(options.mode, ports, analyzer)
    if knowledge is None:
        return WritingTools(ports.client, generator, ports.models, None, None)
    concepts: Concepts = ModelConcepts(analyzer)
    if options.concepts is ConceptChoice.LOCAL:
        concepts = LocalConcepts(analyzer, request.topic)
    examiner = Examiner(
        concepts,
        knowledge,
        Repairer(analyzer, ports.models, request.topic or request.prompt),
        analyzer,
        ports.models,
        topic=request.topic,
        options=options,
    )
    return WritingTools(ports.client, generator, ports.models, examiner, PremiseChecker(knowledge, analyzer))


def _knowledge(mode: ValidationMode, ports: Ports, analyzer: Analyzer) -> Knowledge | None:
    match mode:
        case ValidationMode.NONE:
            return None
        case ValidationMode.SELF:
            return ModelMemory(analyzer)
        case ValidationMode.SEARCH if ports.retriever is None:
            raise SearchFailed("There is no search to look the sentences up with. Choose one, or the model's memory.")
        case ValidationMode.SEARCH:
            return RetrievedKnowledge(ports.retriever, analyzer)
