"""The account of a text that was checked while it was written, for documents."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from .. import wording
from ..core.active_generation.types import SentenceState, ValidationMode
from ..selectors.detail import CheckDetail
from ..selectors.writing import WrittenView, counts_of_written


@dataclass(frozen=True, slots=True)
class WritingAccount:
    """``counts`` has a line for each state of sentences; ``changed`` are the sentences that were found wrong."""

    checked_by: str
    counts: tuple[str, ...]
    ending: str
    changed: tuple[WrittenView, ...]


def writing_of(detail: CheckDetail) -> WritingAccount | None:
    """The record of how the text was written; None if it was not checked while it was written."""
    settled = [sentence for sentence in detail.written if sentence.state != SentenceState.HELD]
    if not settled:
        return None
    return WritingAccount(
        checked_by=wording.validation_label(ValidationMode(detail.check.validation), detail.check.retriever),
        counts=counts_of_written(settled),
        ending=detail.writing_end,
        changed=tuple(sentence for sentence in settled if sentence.is_decided),
    )


def outcome_of(sentence: WrittenView) -> str:
    """The replacement of the first version of a sentence that was found wrong."""
    if sentence.is_restored:
        return _("The reader restored the first version.")
    return _("Corrected: “%s”") % sentence.text if sentence.text else _("Left out: no correction held.")
