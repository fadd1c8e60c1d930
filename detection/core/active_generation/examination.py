"""Examine one sentence: find doubtful words, validate them, and correct errors (METHODS D.1 to D.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..control import run_together
from ..errors import BudgetExhausted, Cancelled, DetectionError, EndpointRefused
from ..local_models.process import LocalModels
from ..reasons import Reason
from ..self_contradiction.model import Place
from ..types import BlockKind, Span
from .asking import Analyzer
from .concepts import Concepts, Draft, questions_for
from .knowledge import Judged, Knowledge
from .repair import Repairer, changed_words
from .types import Answer, Question, SentenceState, Validation, WritingOptions, WrittenSentence

#: Maximum corrections of a sentence; a sentence that is still wrong is left out.
ROUNDS = 2

_NOT_SENTENCES = {
    BlockKind.HEADING: Reason.IS_HEADING,
    BlockKind.CODE: Reason.IS_CODE,
    BlockKind.TABLE: Reason.IS_TABLE_ROW,
}


@dataclass(frozen=True, slots=True)
class Held:
    """A sentence that waits for its examination: ``draft`` has its parse, ``sentence`` its text and state."""

    draft: Draft
    sentence: WrittenSentence

    @property
    def reason_for_no_check(self) -> str:
        """Why there is nothing to ask; "" if there is."""
        kind = self.sentence.kind
        if kind in _NOT_SENTENCES:
            return _NOT_SENTENCES[kind].of()
        return "" if self.draft.parsed.states_fact else Reason.STATES_NO_FACT.of()


#: Called with the wording of each correction.
OnRepair = Callable[[str], None]


class _Refuted(Exception):
    """Raised for the first refuted concept, to end the validation of the others."""

    def __init__(self, question: Question, judged: Judged) -> None:
        super().__init__(question.text)
        self.question = question
        self.judged = judged


@dataclass(frozen=True, slots=True)
class _Round:
    """The results of validating several concepts at the same time."""

    validations: tuple[Validation, ...]
    unanswered: tuple[Question, ...]
    """Questions that stayed unanswered because another concept was refuted."""
    refuted: _Refuted | None


class Examiner:
    """Examines sentences with one kind of knowledge."""

    def __init__(
        self,
        concepts: Concepts,
        knowledge: Knowledge,
        repairer: Repairer,
        analyzer: Analyzer,
        models: LocalModels,
        *,
        topic: str | None,
        options: WritingOptions,
    ) -> None:
        self._concepts = concepts
        self._knowledge = knowledge
        self._repairer = repairer
        self._analyzer = analyzer
        self._models = models
        self._topic = topic
        self._options = options

    async def examine(self, held: Held, place: Place, on_repair: OnRepair) -> WrittenSentence:
        """Examine the sentence. If a call fails, the sentence stays unchanged and unchecked.

        ``on_repair`` is called with each correction before the correction is validated.

        Raises:
            EndpointRefused, BudgetExhausted: no further call is possible.
        """
        if held.reason_for_no_check:
            return _settled(held, SentenceState.NOT_CHECKED, reason=held.reason_for_no_check)
        if held.draft.is_certain(self._options.threshold):
            return _settled(held, SentenceState.PASSED)
        try:
            questions = await self._concepts.questions(held.draft, place, self._options)
            outcome = await self._validate(questions, place, held.draft.text)
        except (Cancelled, EndpointRefused, BudgetExhausted):
            raise
        except DetectionError as error:
            return _settled(held, SentenceState.NOT_CHECKED, reason=str(error))
        if not questions:
            return _settled(held, SentenceState.PASSED)
        if outcome.refuted is not None:
            return await self._repair(held, place, outcome, on_repair)
        is_open = any(validation.answer is Answer.UNKNOWN for validation in outcome.validations)
        state = SentenceState.UNSETTLED if is_open else SentenceState.CHECKED
        return _settled(held, state, validations=outcome.validations)

    async def _repair(self, held: Held, place: Place, outcome: _Round, on_repair: OnRepair) -> WrittenSentence:
        """Correct the sentence until nothing is refuted. A refuted wording never stays, even if a call fails."""
        draft, validations = held.draft, [*outcome.validations]
        try:
            for _ in range(ROUNDS):
                refuted = outcome.refuted
                if refuted is None:
                    break
                repaired = await self._repairer.repair(place, draft.text, refuted.question, refuted.judged)
                if repaired is None:
                    break
                on_repair(repaired)
                draft, questions = await self._again(draft, repaired, refuted.question, outcome.unanswered, place)
                outcome = await self._validate(questions, place, draft.text)
                validations += outcome.validations
        except (Cancelled, EndpointRefused):
            raise
        except DetectionError as error:
            return _settled(held, SentenceState.LEFT_OUT, "", validations, reason=str(error))
        if outcome.refuted is not None:
            return _settled(held, SentenceState.LEFT_OUT, "", validations, reason=Reason.NOT_REPAIRED.of())
        return _settled(held, SentenceState.REPAIRED, draft.text, validations)

    async def _validate(self, questions: Sequence[Question], place: Place, sentence: str) -> _Round:
        """Ask all questions in parallel; the first "no" cancels the others."""
        found: dict[Question, Validation] = {}

        async def validate(question: Question) -> None:
            judged = await self._knowledge.answer(question.text, self._topic, place, sentence)
            found[question] = Validation(question, judged.answer, judged.reason, judged.evidence)
            if judged.answer is Answer.NO:
                raise _Refuted(question, judged)

        refuted = None
        try:
            await run_together(validate(question) for question in questions)
        except _Refuted as error:
            refuted = error
        return _Round(
            tuple(found[question] for question in questions if question in found),
            tuple(question for question in questions if question not in found),
            refuted,
        )

    async def _again(
        self, draft: Draft, repaired: str, refuted: Question, unanswered: Sequence[Question], place: Place
    ) -> tuple[Draft, tuple[Question, ...]]:
        """The corrected sentence and its open questions: those about new words, and the unanswered ones."""
        new = Draft((await self._models.parse(repaired)).sentences[0], None)
        left = [question for question in unanswered if question.concept in repaired]
        same = _with_other_words(refuted, draft.text, repaired)
        asked = (
            (same,) if same else await questions_for(changed_words(draft.text, repaired), new, place, self._analyzer)
        )
        moved = (_moved(question, repaired) for question in left)
        return new, (*asked, *moved)


def _with_other_words(question: Question, sentence: str, repaired: str) -> Question | None:
    """The same question about the replaced words; None if other words changed too."""
    before, after = sentence[: question.span.start], sentence[question.span.end :]
    is_same = len(repaired) > len(before) + len(after) and repaired.startswith(before) and repaired.endswith(after)
    words = repaired[len(before) : len(repaired) - len(after)].strip() if is_same else ""
    asked, replaced = re.subn(rf"\b{re.escape(question.concept)}\b", lambda _: words, question.text)
    if not words or not replaced:
        return None
    start = repaired.index(words, len(before))
    return Question(words, Span(start, start + len(words)), asked, None)


def _moved(question: Question, repaired: str) -> Question:
    start = repaired.index(question.concept)
    span = Span(start, start + len(question.concept))
    return Question(question.concept, span, question.text, question.probability)


def _settled(
    held: Held,
    state: SentenceState,
    text: str | None = None,
    validations: Sequence[Validation] = (),
    *,
    reason: str = "",
) -> WrittenSentence:
    wording = held.sentence.text if text is None else text
    return replace(held.sentence, text=wording, state=state, reason=reason, validations=tuple(validations))
