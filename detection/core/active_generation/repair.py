"""Correct the error of a sentence and change nothing else in it (METHODS D.6)."""

from __future__ import annotations

import re

from ..errors import ModelCallFailed
from ..grounding.premise import boundary_of
from ..llm.types import Purpose
from ..local_models.process import LocalModels
from ..prompts import load
from ..rewriting.revise import DiffKind, diff, edits
from ..self_contradiction.correction import keeps_to
from ..self_contradiction.model import REMOVAL, Place, is_same_wording, read_sentence
from ..types import Span
from .asking import Analyzer
from .knowledge import Judged
from .types import Question

REPAIR = load("repair_sentence.v1")

#: Minimum share of the sentence that must stay, besides the words in question.
MIN_LEFT = 0.5
_WORD = re.compile(r"\w+")
_SHORTEST_NAME = 3
_NOTHING = "(nothing)"


class Repairer:
    """Asks for corrections, and rejects those that change more than the error."""

    def __init__(self, analyzer: Analyzer, models: LocalModels, about: str) -> None:
        """``about`` is the topic of the text, or the prompt: a correction must keep its names."""
        self._analyzer = analyzer
        self._models = models
        self._about = about

    async def repair(self, place: Place, sentence: str, question: Question, judged: Judged) -> str | None:
        """The corrected sentence; None if there is no usable correction.

        The correction in the answer to the validation question is used if possible; otherwise the analyzer is asked.

        Raises:
            ModelCallFailed: the call failed.
        """
        offered = await self._read(judged.correction, sentence, question, judged) if judged.correction else None
        if offered or REMOVAL.fullmatch(judged.correction):
            return offered
        given = {
            "description": place.description,
            "prefix": place.prefix_in_words,
            "question": question.text,
            "reason": judged.reason,
            "knowledge": judged.passages or _NOTHING,
            "sentence": sentence,
        }
        messages = REPAIR.render(boundary=boundary_of(*given.values()), **given)
        answer = await self._analyzer.write(Purpose.REPAIR, REPAIR, messages)
        return await self._read(answer, sentence, question, judged)

    async def _read(self, answer: str, sentence: str, question: Question, judged: Judged) -> str | None:
        """The correction in an answer; None if it changes too much or nothing."""
        if REMOVAL.fullmatch(answer.strip()):
            return None
        try:
            repaired = read_sentence(answer)
        except ModelCallFailed:
            return None
        known = [sentence, judged.passages, judged.reason]
        is_one = len((await self._models.parse(repaired)).sentences) == 1
        is_fit = is_one and keeps_to(repaired, known) and stays(sentence, repaired, question.span, self._about)
        return repaired if is_fit else None


def stays(sentence: str, repaired: str, wrong: Span, about: str) -> bool:
    """Whether a correction changes something, keeps most of the rest, and is about the same thing.

    ``wrong`` are the words in question. Names that the sentence shares with ``about`` must stay: a sentence about
    another person may be true, but does not belong into the text.
    """
    if is_same_wording(sentence, repaired):
        return False
    if not _names(sentence) & _names(about) <= _names(repaired):
        return False
    kept = sum(len(_WORD.findall(part.text)) for part in diff(sentence, repaired) if part.kind is DiffKind.EQUAL)
    others = len(_WORD.findall(sentence)) - len(_WORD.findall(wrong.of(sentence)))
    return kept >= MIN_LEFT * others


def _names(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if word[0].isupper() and len(word) >= _SHORTEST_NAME}


def changed_words(sentence: str, repaired: str) -> tuple[Span, ...]:
    """The position of the new words in the correction, as one span of whole words."""
    spans = []
    shift = 0
    for edit in edits(sentence, repaired):
        start = edit.span.start + shift
        shift += len(edit.text) - len(edit.span)
        if _WORD.search(edit.text):
            whole = edit.text.strip()
            begin = start + edit.text.index(whole)
            spans.append(Span(begin, begin + len(whole)))
    return tuple(spans)
