"""Sources of answers to validation questions: retrieved documents, or the memory of a model (METHODS D.4, D.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..evidence.windows import nearest_windows
from ..grounding.premise import boundary_of
from ..grounding.quotes import QuoteFinder
from ..llm.schemas import TEXT, schema_of
from ..llm.structured import find_objects
from ..llm.types import Purpose
from ..prompts import load
from ..reasons import Reason
from ..retrieval.prefetch import DocumentQueue
from ..retrieval.retriever import Query, RetrievedDocument, Retriever
from ..self_contradiction.model import Place
from ..types import DocumentLink, Evidence, SourceText, Span
from .asking import Analyzer
from .types import Answer

VALIDATE, FROM_MEMORY = load("validate_and_correct.v1"), load("validate_from_memory.v1")

#: Number of documents to read for a question; as many more are tried if some are unreadable.
DOCUMENTS = 3
_MAX_TRIED = 6
#: Number of windows of a long document, those nearest to the question.
_WINDOWS = 2

#: Property in the schemas of answers.
ANSWER = {"type": "string", "enum": [answer.value for answer in Answer]}
_SCHEMA = schema_of(quote=TEXT, reason=TEXT, answer=ANSWER, correction=TEXT)
_MEMORY_SCHEMA = schema_of(reason=TEXT, answer=ANSWER)
_PARTS = ("reason", "quote", "assumption")
_LONGEST_REASON = 600
NOTHING_FOUND = Reason.NOTHING_FOUND.of()
_MADE_UP_QUOTE = "The answer rests on words that stand in no document that was found."


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer of the knowledge and its evidence. ``passages`` has all text that was read, for the repair.

    ``correction`` is the corrected sentence, if the answer contains one; else "".
    """

    answer: Answer
    reason: str
    evidence: tuple[Evidence, ...] = ()
    passages: str = ""
    correction: str = ""


class Knowledge(Protocol):
    """Answers questions with yes or no."""

    async def answer(self, question: str, topic: str | None, place: Place, sentence: str) -> Judged:
        """Answer a self-contained question about a sentence.

        Raises:
            ModelCallFailed: the analyzer gave no answer.
            SearchFailed: the search failed.
        """
        ...

    async def passages(self, query: str, topic: str | None) -> tuple[RetrievedDocument, ...] | None:
        """The passages about a sentence; None for a memory, which has none."""
        ...


class RetrievedKnowledge:
    """Answers from retrieved documents. An answer requires a quote that occurs in them."""

    def __init__(self, retriever: Retriever, analyzer: Analyzer) -> None:
        self._retriever = retriever
        self._analyzer = analyzer

    async def answer(self, question: str, topic: str | None, place: Place, sentence: str) -> Judged:
        found = await self.passages(question, topic)
        if not found:
            return Judged(Answer.UNKNOWN, NOTHING_FOUND)
        given = {
            "passages": rendered(found),
            "description": place.description,
            "prefix": place.prefix_in_words,
            "sentence": sentence,
            "question": question,
        }
        passages = given["passages"]
        messages = VALIDATE.render(boundary=boundary_of(*given.values()), **given)
        said = await self._analyzer.ask(Purpose.VALIDATE, VALIDATE, messages, _SCHEMA, read_answer)
        if said.answer is Answer.UNKNOWN:
            return Judged(said.answer, said.reason, passages=passages)
        evidence = find_evidence(said.quote, found)
        if not evidence:
            return Judged(Answer.UNKNOWN, _MADE_UP_QUOTE, passages=passages)
        return Judged(said.answer, said.reason, evidence, passages, said.correction)

    async def passages(self, query: str, topic: str | None) -> tuple[RetrievedDocument, ...]:
        queue = DocumentQueue(self._retriever.retrieve(Query(query, topic)), most=_MAX_TRIED)
        found: list[RetrievedDocument] = []
        try:
            while len(found) < DOCUMENTS and (document := await queue.get()):
                found.append(document)
        finally:
            await queue.aclose()
        return tuple(
            replace(document, text=window)
            for document in found
            for window in nearest_windows(document.text, query)[:_WINDOWS]
        )


class ModelMemory:
    """Answers from the memory of the analyzer. Weaker than a search: the analyzer may repeat an invented fact."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    async def answer(self, question: str, topic: str | None, place: Place, sentence: str) -> Judged:
        # The prompt does not contain the sentence: a model tends to agree with what it reads.
        messages = FROM_MEMORY.render(boundary=boundary_of(question), question=question)
        said = await self._analyzer.ask(Purpose.VALIDATE, FROM_MEMORY, messages, _MEMORY_SCHEMA, read_answer)
        if said.answer is Answer.UNKNOWN or not said.reason:
            return Judged(Answer.UNKNOWN, said.reason)
        return Judged(said.answer, said.reason, (Evidence(said.reason, Span(0, len(said.reason))),), said.reason)

    async def passages(self, query: str, topic: str | None) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Said:
    """The parts of the answer of the analyzer."""

    answer: Answer
    reason: str
    quote: str
    assumption: str
    correction: str


def read_answer(text: str) -> Said | None:
    """Parse the answer of the analyzer; None if it is malformed."""
    for found in find_objects(text):
        answer = str(found.get("answer")).strip().casefold()
        if answer in frozenset(Answer):
            parts = {name: " ".join(str(found.get(name) or "").split()) for name in _PARTS}
            correction = str(found.get("correction") or "").strip()
            return Said(
                Answer(answer), **{name: part[:_LONGEST_REASON] for name, part in parts.items()}, correction=correction
            )
    return None


def rendered(documents: Sequence[RetrievedDocument]) -> str:
    """The documents with their titles, for a prompt."""
    return "\n\n".join(
        f"Passage {number} ({' '.join(document.title.split())}):\n{document.text}"
        for number, document in enumerate(documents, 1)
    )


def find_evidence(quote: str, documents: Sequence[RetrievedDocument]) -> tuple[Evidence, ...]:
    """The positions of quoted words; empty if they do not occur."""
    sources = [SourceText(str(place), document.title, document.text) for place, document in enumerate(documents)]
    found = QuoteFinder(sources).find(quote) or ()
    return tuple(_evidence(documents[int(part.source.id)], part.span) for part in found)


def _evidence(document: RetrievedDocument, words: Span) -> Evidence:
    quote = words.of(document.text)
    start = document.start + words.start if document.source else 0
    link = DocumentLink(document.title, document.url)
    return Evidence(quote, Span(start, start + len(quote)), source=document.source, document=link)
