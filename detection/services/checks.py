"""The life of a check, apart from the run itself: create, queue, cancel, resume, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from chatprotect_web.queues import Queue

from .. import events, wiring
from ..core.active_generation.types import ValidationMode
from ..core.evidence.plan import SearchEffort, SearchPlan
from ..core.plain_text import normalise_line_ends, remove_unprintable
from ..core.reasons import Reason
from ..core.types import Engine, Strictness
from ..models import Check, CheckSource, Source, Unit
from ..storage.evidence import PLAN
from .quotas import next_to_run, refuse_more_checks
from .sources import sources_drop_unused
from .spending import refuse_when_spent
from .task_messages import TaskName, send, send_on_commit
from .titles import title_of

#: After so many died runs a check fails, because it may be the cause.
MAX_ATTEMPTS = 3
MAX_PROMPT_CHARS = 2_000


@transaction.atomic
def check_create(
    *,
    owner: str,
    payer: str = "",
    text: str = "",
    prompt: str = "",
    sources: Sequence[Source] = (),
    topic: str = "",
    strictness: Strictness = Strictness.BALANCED,
    engine: Engine = Engine.LOCAL,
    retriever: str = "",
    search_effort: SearchEffort = SearchEffort.BALANCED,
    search_plan: SearchPlan | None = None,
    previous: Check | None = None,
    validation: ValidationMode = ValidationMode.NONE,
    detectors: Sequence[str] = (),
    language_model: Mapping[str, str] | None = None,
) -> Check:
    """Store a text and queue its check. Without a text a model writes one for ``prompt`` first.

    The run reads unread sources first. It searches for evidence if there is a ``retriever``; ``search_plan`` overrides
    ``search_effort``. It reuses the results of ``previous``, the check of an earlier version of the text, that are
    still valid. ``validation`` is for a text that a model writes. ``detectors`` are the ids of the detectors to run; by
    default all that apply. ``language_model`` overrides the settings. ``payer`` is the account or network that the
    limits beyond one owner apply to.

    Raises:
        TooManyChecks: the owner, the payer, or all owners together have too many unfinished checks.
        DailyBudgetSpent: the check needs a language model, and the daily budget is spent.
        ValidationError: a field is too long or missing.
    """
    refuse_more_checks(owner=owner, payer=payer)
    if engine is Engine.LLM:
        refuse_when_spent(payer=payer)
    check = Check(
        owner=owner,
        payer=payer,
        title=title_of(text or prompt),
        text=text,
        prompt=prompt,
        is_generated=not text,
        validation=ValidationMode.NONE if text else validation,
        topic=topic,
        strictness=strictness,
        engine=engine,
        retriever=retriever,
        search_effort=search_effort,
        search_plan=PLAN.to_json(search_plan or wiring.search_plan(search_effort)) if retriever else None,
        previous=previous,
        detectors=list(detectors) or None,
        language_model=dict(language_model) if language_model and engine is Engine.LLM else None,
    )
    check.full_clean(validate_unique=False)  # its id is new
    check.save()
    once = dict.fromkeys(sources)
    CheckSource.objects.bulk_create(
        CheckSource(parent_check=check, source=source, position=position, name=source.name)
        for position, source in enumerate(once)
    )
    events.append(check.pk, [events.CheckQueued()])
    _send_on_commit(check)
    return check


def check_send(check: Check) -> None:
    """Send a message about a check to the workers."""
    send(TaskName.RUN_CHECK, check.pk, _queue_of(check))


def check_send_next(owner: str, payer: str) -> None:
    """Send messages about the checks that may start now: the oldest queued one of the owner and of the payer and,
    where all share the places, the one whose turn it is.
    """
    waiting = Check.objects.filter(state=Check.State.QUEUED).order_by("created_at")
    of_owner = waiting.filter(owner=owner).first()
    of_payer = waiting.filter(payer=payer).exclude(owner=owner).first() if payer else None
    of_anybody = next_to_run() if settings.CHECK_PLACES else None
    for check in {check.pk: check for check in (of_anybody, of_owner, of_payer) if check}.values():
        _send_on_commit(check)


def _send_on_commit(check: Check) -> None:
    send_on_commit(TaskName.RUN_CHECK, check.pk, _queue_of(check))


def _queue_of(check: Check) -> Queue:
    return Queue.LONG if check.engine == Engine.LLM or check.retriever else Queue.CHECKS


@transaction.atomic
def check_cancel(*, check: Check) -> None:
    """Cancel a check. A run notices within a fraction of a second; without a run it ends at once."""
    if Check.objects.filter(pk=check.pk, state=Check.State.QUEUED).update(state=Check.State.CANCELLED):
        events.append(check.pk, [events.CheckCancelled()])
    else:
        Check.objects.filter(pk=check.pk, state=Check.State.RUNNING).update(cancel_requested=True)


@transaction.atomic
def check_resume(*, check: Check) -> None:
    """Queue the units that were not reached and those that failed. Finished units stay."""
    ended = (Check.State.CANCELLED, Check.State.FAILED, Check.State.DONE)
    queued = Check.objects.filter(pk=check.pk, state__in=ended).update(
        state=Check.State.QUEUED, cancel_requested=False, attempts=0, error="", finished_at=None
    )
    if not queued:
        return
    failed = list(Unit.objects.filter(parent_check=check, state=Unit.State.FAILED).select_related("sentence"))
    Unit.objects.filter(pk__in=[unit.pk for unit in failed]).update(state=Unit.State.PENDING, reason="")
    reopened = [events.UnitReopened(sentence=unit.sentence.index, detector=unit.detector) for unit in failed]
    events.append(check.pk, [events.CheckQueued(), *reopened])
    _send_on_commit(check)


@transaction.atomic
def check_rename(*, check: Check, title: str) -> None:
    """Rename a check. An empty title changes nothing."""
    title = title_of(title) if title.strip() else check.title
    if Check.objects.filter(pk=check.pk).exclude(title=title).update(title=title):
        events.append(check.pk, [events.CheckRenamed()])


@transaction.atomic
def premise_decide(*, check: Check, question: str) -> None:
    """Queue a waiting check with the ``question`` to answer, whether its premise is true or not.

    Raises:
        ValidationError: the question is empty or too long.
    """
    question = remove_unprintable(normalise_line_ends(question)).strip()
    if not question or len(question) > MAX_PROMPT_CHARS:
        raise ValidationError(_("A question has 1 to %s characters.") % f"{MAX_PROMPT_CHARS:,}")
    waiting = Check.objects.filter(pk=check.pk, state=Check.State.WAITING)
    if waiting.update(state=Check.State.QUEUED, prompt=question, attempts=0, finished_at=None):
        events.append(check.pk, [events.PremiseDecided(), events.CheckQueued()])
        _send_on_commit(check)


@transaction.atomic
def check_delete(*, check: Check) -> None:
    """Delete a check with everything that belongs to it. An active run finds the row missing and ends.

    Its sources are deleted too, unless they are kept or another check uses them.
    """
    source_ids = [use.source_id for use in check.sources.all() if use.source_id]
    check.delete()
    sources_drop_unused(source_ids)
    check_send_next(check.owner, check.payer)


def checks_recover() -> int:
    """Requeue every unfinished check and return their number. Only for a start when no run can be alive."""
    unfinished = list(Check.objects.filter(state__in=(Check.State.QUEUED, Check.State.RUNNING)))
    for check in unfinished:
        if check.state == Check.State.RUNNING:
            check_interrupt(check_id=check.pk)
        else:
            check_send(check)
    return len(unfinished)


@transaction.atomic
def check_interrupt(*, check_id: UUID, run_token: UUID | None = None) -> None:
    """Take the lease from a run that stopped early, and requeue the check.

    A run that stops in an orderly way passes its token; the attempt then does not count.
    """
    check = Check.objects.select_for_update().filter(pk=check_id).first()
    if check is None:
        return
    Unit.objects.filter(parent_check=check, state=Unit.State.RUNNING).update(state=Unit.State.PENDING)
    interrupted = events.CheckInterrupted()
    events.append(check.pk, [interrupted], run_token=run_token)
    if run_token is not None:
        check.attempts -= 1
    check.run_token = None
    check.lease_until = None
    check.state = Check.State.QUEUED
    if check.cancel_requested:
        check.state = Check.State.CANCELLED
        events.append(check.pk, [events.CheckCancelled()])
    elif check.attempts >= MAX_ATTEMPTS:
        check.state = Check.State.FAILED
        check.error = Reason.CHECK_STOPPED.of(MAX_ATTEMPTS)
        events.append(check.pk, [events.CheckFailed(reason=check.error)])
    else:
        _send_on_commit(check)
    check.save(update_fields=["attempts", "run_token", "lease_until", "state", "error"])
