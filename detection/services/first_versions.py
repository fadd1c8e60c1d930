"""Decisions while a text is written: restore the first version of a corrected sentence."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from .. import events
from ..core.active_generation.types import SentenceState, text_of
from ..models import Check, WrittenSentence
from .decisions import DecisionImpossible

_CHANGED = (SentenceState.REPAIRED, SentenceState.LEFT_OUT)


@transaction.atomic
def first_version_restore(*, check: Check, index: int) -> None:
    """Restore the first version of a sentence; the model continues from it. Settled sentences after it stay.

    Raises:
        DecisionImpossible: the text is complete, or the sentence was not corrected.
    """
    _choose(check, index, is_restored=True)


@transaction.atomic
def correction_restore(*, check: Check, index: int) -> None:
    """Undo :func:`first_version_restore`: the model continues from the correction, or without the sentence.

    Raises:
        DecisionImpossible: the text is complete, or the sentence was not corrected.
    """
    _choose(check, index, is_restored=False)


def restored_indices(check_id: UUID) -> frozenset[int]:
    """The sentences whose first version is in the text."""
    rows = WrittenSentence.objects.filter(parent_check=check_id, is_restored=True)
    return frozenset(rows.values_list("index", flat=True))


def _choose(check: Check, index: int, *, is_restored: bool) -> None:
    # The run takes the same lock for each report: reports based on the old text are refused after this.
    check = Check.objects.select_for_update().get(pk=check.pk)
    if not check.is_unwritten:
        raise DecisionImpossible(_("The text is finished: decide on the card of this sentence."))
    rows = WrittenSentence.objects.filter(parent_check=check)
    row = rows.filter(index=index, state__in=_CHANGED).first()
    if row is None:
        raise DecisionImpossible(_("This sentence was not corrected, or is no longer part of the text."))
    if row.is_restored == is_restored:
        return
    held = rows.filter(state=SentenceState.HELD)
    dropped = held.order_by("index").values_list("index", flat=True).first()
    held.delete()
    row.is_restored, row.chosen_at = is_restored, rows.count()
    row.save(update_fields=["is_restored", "chosen_at"])
    Check.objects.filter(pk=check.pk).update(text=text_of(written.as_value() for written in rows))
    told: list[events.Event] = [events.GenerationChosen(index=index, is_restored=is_restored)]
    if dropped is not None:
        told.append(events.GenerationDropped(first=dropped))
    events.append(check.pk, told)
