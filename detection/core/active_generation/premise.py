"""Detect false premises of a question before the question is answered (METHODS D)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import ModelCallFailed
from ..grounding.premise import boundary_of
from ..llm.schemas import TEXT, schema_of
from ..llm.types import Purpose
from ..prompts import load
from ..self_contradiction.correction import keeps_to
from ..self_contradiction.model import is_same_wording, read_sentence
from ..types import Evidence, Span
from .asking import Analyzer
from .knowledge import ANSWER, NOTHING_FOUND, Knowledge, find_evidence, read_answer, rendered
from .types import Answer

PREMISE, RECTIFY = load("premise.v1"), load("rectify_question.v1")

_QUESTION = re.compile(r"\?[\"”’)\s]*$")
_SCHEMA = schema_of(assumption=TEXT, quote=TEXT, reason=TEXT, answer=ANSWER)
_NOTHING_LOOKED_UP = "(nothing was looked up)"


@dataclass(frozen=True, slots=True)
class PremiseCheck:
    """The premise of a question, and whether it is true.

    ``rectified`` is the corrected question; "" if the premise was not refuted or no correction was possible.
    """

    question: str
    answer: Answer
    assumption: str
    reason: str
    evidence: tuple[Evidence, ...] = ()
    rectified: str = ""


def is_question(prompt: str) -> bool:
    """Whether a prompt is a question, which may have a premise."""
    return _QUESTION.search(prompt) is not None


class PremiseChecker:
    """Checks questions with one kind of knowledge."""

    def __init__(self, knowledge: Knowledge, analyzer: Analyzer) -> None:
        self._knowledge = knowledge
        self._analyzer = analyzer

    async def check(self, question: str, topic: str | None = None) -> PremiseCheck:
        """Check the premise of the question. With documents, "no" requires a quote that occurs in one.

        Raises:
            ModelCallFailed: the analyzer gave no answer.
            SearchFailed: the search failed.
        """
        found = await self._knowledge.passages(question, topic)
        if found == ():
            return PremiseCheck(question, Answer.UNKNOWN, "", NOTHING_FOUND)
        passages = rendered(found) if found else _NOTHING_LOOKED_UP
        said = await self._analyzer.ask(
            Purpose.PREMISE,
            PREMISE,
            PREMISE.render(boundary=boundary_of(passages, question), passages=passages, question=question),
            _SCHEMA,
            read_answer,
        )
        evidence = find_evidence(said.quote, found or ())
        answer = said.answer
        if answer is Answer.NO and found and not evidence:
            answer = Answer.UNKNOWN
        if answer is not Answer.NO:
            return PremiseCheck(question, answer, said.assumption, said.reason, evidence)
        if not found and said.reason:
            evidence = (Evidence(said.reason, Span(0, len(said.reason))),)
        rectified = await self._rectify(question, said.assumption, said.reason, passages)
        return PremiseCheck(question, answer, said.assumption, said.reason, evidence, rectified)

    async def _rectify(self, question: str, assumption: str, reason: str, knowledge: str) -> str:
        given = {"question": question, "assumption": assumption, "reason": reason, "knowledge": knowledge}
        messages = RECTIFY.render(boundary=boundary_of(*given.values()), **given)
        try:
            rectified = read_sentence(await self._analyzer.write(Purpose.PREMISE, RECTIFY, messages))
        except ModelCallFailed:
            return ""  # the refuted premise is useful without a correction
        is_fit = is_question(rectified) and not is_same_wording(question, rectified)
        return rectified if is_fit and keeps_to(rectified, [question, assumption, reason, knowledge]) else ""
