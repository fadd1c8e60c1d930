"""The summary of a check for documents: text, sources, coverage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import wording
from ..core.types import Engine, Verdict
from ..models import Check, Finding
from ..selectors.detail import CheckDetail
from ..selectors.searches import SearchTotals
from ..selectors.sentences import SentenceView

#: Part of every document, because its readers may not know the program.
DISCLAIMER = gettext_lazy("“No problem found” does not mean “true”. The tool errs, in both directions.")

_ENGINES = {Engine.LOCAL: gettext_lazy("local models"), Engine.LLM: gettext_lazy("a language model and local models")}


@dataclass(frozen=True, slots=True)
class Summary:
    title: str
    date: datetime
    """The time of the end of the check, or of its creation."""
    engine: str
    coverage: str
    """How many sentences were checked, and why not all."""
    warnings: str
    """The number of warnings, and of decided ones."""
    topic: str
    prompt: str
    sources: tuple[str, ...]
    """The names of the sources, with a remark on unreadable ones."""
    looked_up: str
    usage: str
    unchecked: tuple[SentenceView, ...]
    """The sentences without a result."""


def summary_of(detail: CheckDetail) -> Summary:
    check, totals = detail.check, detail.search_totals
    return Summary(
        title=check.title,
        date=check.finished_at or check.created_at,
        engine=str(_ENGINES[Engine(check.engine)]),
        coverage=_coverage(detail),
        warnings=_warnings(detail),
        topic=check.topic,
        prompt=check.prompt,
        sources=tuple(
            _("%s (could not be read)") % use.name if use.is_unreadable else use.name for use in detail.sources
        ),
        looked_up=_looked_up(totals) if totals else "",
        usage=wording.spending_in_words(detail.usage) if detail.usage.calls else "",
        unchecked=tuple(
            sentence
            for sentence in detail.sentences
            if sentence.state != "settled" or sentence.verdict in (Verdict.NOT_CHECKED, Verdict.FAILED)
        ),
    )


def _looked_up(totals: SearchTotals) -> str:
    return _("%(claims)s %(place)s, %(documents)s read") % {
        "claims": wording.count_of(totals.claims, "claim"),
        "place": totals.place,
        "documents": wording.count_of(totals.documents, "document"),
    }


def _coverage(detail: CheckDetail) -> str:
    progress = detail.progress
    sentences = wording.count_of(progress.checkable, "sentence")
    parts = [_("%(checked)s of %(sentences)s checked") % {"checked": progress.checked, "sentences": sentences}]
    if progress.without_claim:
        parts.append(_("%s without a claim to check") % progress.without_claim)
    if progress.not_checked:
        parts.append(_("%s not checked") % progress.not_checked)
    if progress.failed:
        parts.append(_("%s failed") % progress.failed)
    if waiting := progress.waiting + progress.running:
        parts.append(_("%s not reached yet") % waiting)
    return ", ".join(parts)


def _warnings(detail: CheckDetail) -> str:
    """How many warnings the file lists, each by itself, and how many sentences they cannot be about."""
    left = _could_not_be_checked(detail)
    if not left:
        return _found(detail)
    return _("%(found)s; %(sentences)s could not be checked") % {
        "found": _found(detail),
        "sentences": wording.count_of(left, "sentence"),
    }


def _found(detail: CheckDetail) -> str:
    if not detail.cards:
        return _("no warnings")
    found = wording.count_of(len(detail.cards), "warning")
    undecided = sum(card.state == Finding.State.OPEN for card in detail.cards)
    if not undecided:
        return _("%s, all decided") % found
    return _("%(found)s, %(open)s not decided yet") % {"found": found, "open": undecided}


def _could_not_be_checked(detail: CheckDetail) -> int:
    """The number of sentences that failed or were not reached; of a check that ended early, all that are left."""
    progress = detail.progress
    left = progress.failed + progress.waiting + progress.running
    return left if detail.check.state == Check.State.DONE else left + progress.not_checked
