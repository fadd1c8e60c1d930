"""Store a text whose sentences are checked while a model writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from .. import events
from ..core.active_generation import events as reports
from ..core.active_generation.findings import FoundWhileWriting, findings_of
from ..core.active_generation.premise import PremiseCheck, is_question
from ..core.active_generation.tools import tools_for
from ..core.active_generation.types import (
    Answer,
    SentenceState,
    ValidationMode,
    WritingOptions,
    WritingRequest,
    text_of,
)
from ..core.active_generation.types import WrittenSentence as WrittenValue
from ..core.active_generation.writer import write
from ..core.control import CancelProbe, run_until_cancelled
from ..core.errors import ModelCallFailed
from ..core.ports import Ports
from ..core.types import Sentence
from ..models import Check, WrittenSentence
from ..storage.generation import PREMISE, VALIDATIONS
from .first_versions import restored_indices


class AwaitsDecision(Exception):
    """The run ends. The check waits until its user decides which question to answer."""


class TextChanged(Exception):
    """The reader restored a first version or a correction: reports based on the earlier text are useless."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The text that a run has to write, for the check that it holds with ``run_token``."""

    check_id: UUID
    run_token: UUID
    prompt: str
    topic: str | None
    mode: ValidationMode
    is_premise_checked: bool
    """Whether an earlier run has checked the premise of the question."""


async def write_checked_text(assignment: Assignment, ports: Ports, cancelled: CancelProbe) -> str:
    """Have the generator write the text, continuing an earlier run. Settled sentences are stored at once.

    When the reader restores a first version, writing restarts after the settled sentences.

    Raises:
        Cancelled, LeaseLost: settled sentences stay.
        AwaitsDecision: the question has a false premise.
        DetectionError: the text is incomplete or missing.
    """
    store = Store(assignment)
    request = WritingRequest(
        assignment.prompt,
        assignment.topic,
        options=WritingOptions(mode=assignment.mode, most_characters=settings.MAX_TEXT_CHARS),
    )
    tools = tools_for(request, ports)
    if tools.premises is not None and not assignment.is_premise_checked and is_question(assignment.prompt):
        checker = tools.premises

        async def check_premise() -> None:
            premise = await checker.check(assignment.prompt, assignment.topic)
            await sync_to_async(store.premise)(premise)
            if premise.answer is Answer.NO:
                raise AwaitsDecision

        await run_until_cancelled(check_premise(), cancelled)

    async def ends() -> bool:
        await sync_to_async(store.require_unchanged)()
        return await cancelled()

    while True:
        request = replace(request, written=await sync_to_async(store.read_settled)())
        try:
            await write(request, tools, sync_to_async(store.report), cancelled=ends)
            return await sync_to_async(store.finish)()
        except TextChanged:
            continue


def findings_while_writing(check_id: UUID, sentences: Sequence[Sentence]) -> tuple[FoundWhileWriting, ...]:
    """The corrections made while writing, mapped to the sentences of the final text."""
    check = Check.objects.get(pk=check_id)
    if check.validation == ValidationMode.NONE:
        return ()
    premise = PREMISE.from_json(check.premise) if check.premise else None
    return findings_of(
        [row.as_value() for row in check.written_sentences.all()],
        sentences,
        ValidationMode(check.validation),
        premise if premise and premise.question == check.prompt else None,
    )


class Store:
    """Rows and events of one run, each report in one transaction.

    No report based on an outdated text is stored: each write locks the check and then compares the reader's choices
    with those that the run has read.
    """

    def __init__(self, assignment: Assignment) -> None:
        self._check_id = assignment.check_id
        self._token = assignment.run_token
        self._reason = ""
        self._restored: frozenset[int] = frozenset()

    def require_unchanged(self) -> None:
        """Raises TextChanged if the reader has decided something since the run read the text."""
        if restored_indices(self._check_id) != self._restored:
            raise TextChanged

    @transaction.atomic
    def read_settled(self) -> tuple[WrittenValue, ...]:
        """The settled sentences. A sentence that was held when the last run ended is written again."""
        self._lock()
        self._restored = restored_indices(self._check_id)
        self._drop_held(0)
        return tuple(row.as_value() for row in WrittenSentence.objects.filter(parent_check=self._check_id))

    @transaction.atomic
    def premise(self, premise: PremiseCheck) -> None:
        self._check().update(premise=PREMISE.to_json(premise))
        self._append(events.PremiseChecked(answer=premise.answer))

    @transaction.atomic
    def report(self, event: reports.WritingEvent) -> None:
        """Store the reports of the writer.

        Raises:
            LeaseLost: the run must not write any more.
            TextChanged: the reader has changed the text that the report is based on.
        """
        self._lock()
        if isinstance(event, reports.DraftsDropped):
            self._drop_held(event.first)
            self._append(events.GenerationDropped(first=event.first))
            return
        self.require_unchanged()
        match event:
            case reports.SentenceHeld() | reports.SentenceSettled():
                self._store(event.index, event.sentence)
            case reports.WritingEnded():
                self._reason = event.reason
                self._check().update(writing_end=event.reason)

    @transaction.atomic
    def finish(self) -> str:
        """The whole text.

        Raises:
            ModelCallFailed: there is no text.
            TextChanged: the reader restored a sentence, and the text after it has to be written.
        """
        self._lock()
        self.require_unchanged()
        rows = WrittenSentence.objects.filter(parent_check=self._check_id)
        text = text_of(row.as_value() for row in rows)
        if not text.strip():
            raise ModelCallFailed(self._reason)
        self._check().update(text=text, written_at=timezone.now())
        self._append(events.GenerationEnded(reason=self._reason))
        return text

    def _store(self, index: int, sentence: WrittenValue) -> None:
        WrittenSentence.objects.update_or_create(
            parent_check_id=self._check_id,
            index=index,
            defaults={
                "lead": sentence.lead,
                "text": sentence.text,
                "first_version": sentence.first_version,
                "kind": sentence.kind,
                "state": sentence.state,
                "reason": sentence.reason,
                "validations": VALIDATIONS.to_json(sentence.validations),
            },
        )
        rows = WrittenSentence.objects.filter(parent_check=self._check_id)
        if sentence.state is not SentenceState.HELD:
            settled = rows.exclude(state=SentenceState.HELD)
            self._check().update(text=text_of(row.as_value() for row in settled))
        characters = len(text_of(row.as_value() for row in rows))
        self._append(events.GenerationSentence(characters=characters, state=sentence.state))

    def _drop_held(self, first: int) -> None:
        rows = WrittenSentence.objects.filter(parent_check=self._check_id, index__gte=first)
        rows.filter(state=SentenceState.HELD).delete()

    def _lock(self) -> None:
        Check.objects.select_for_update().filter(pk=self._check_id).values_list("pk").first()

    def _check(self) -> QuerySet[Check]:
        return Check.objects.filter(pk=self._check_id, run_token=self._token)

    def _append(self, event: events.Event) -> None:
        events.append(self._check_id, [event], run_token=self._token)
