"""What a document says of the check as a whole: what was checked, with what, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .. import wording
from ..core.types import Engine, Verdict
from ..models import Finding
from ..selectors.detail import CheckDetail

#: Said in every document: it may reach people who have never seen the program.
from ..selectors.sentences import SentenceView

#: Said in every document: it may reach people who have never seen the program.
DISCLAIMER = "“No problem found” does not mean “true”. The tool errs, in both directions."

_ENGINES = {Engine.LOCAL: "local models", Engine.LLM: "a language model and local models"}


@dataclass(frozen=True, slots=True)
class Summary:
    title: str
    date: datetime
    """When the check ended, or was made."""
    engine: str
    coverage: str
    """How many sentences were checked, and why not all."""
    warnings: str
    """How many there are, and how many were decided."""
    topic: str
    prompt: str
    sources: tuple[str, ...]
    """Their names; of one that could not be read, that as well."""
    looked_up: str
    usage: str
    unchecked: tuple[SentenceView, ...]
    """The sentences about which nothing is known."""


def summary_of(detail: CheckDetail) -> Summary:
    check, totals = detail.check, detail.search_totals
    return Summary(
        title=check.title,
        date=check.finished_at or check.created_at,
        engine=_ENGINES[Engine(check.engine)],
        coverage=_coverage(detail),
        warnings=_warnings(detail),
        topic=check.topic,
        prompt=check.prompt,
        sources=tuple(f"{use.name} (could not be read)" if use.is_unreadable else use.name for use in detail.sources),
        looked_up=(
            f"{wording.count_of(totals.claims, 'claim')} {totals.place}, "
            f"{wording.count_of(totals.documents, 'document')} read"
            if totals
            else ""
        ),
        usage=wording.spending_in_words(detail.usage) if detail.usage.calls else "",
        unchecked=tuple(
            sentence
            for sentence in detail.sentences
            if sentence.state != "settled" or sentence.verdict in (Verdict.NOT_CHECKED, Verdict.FAILED)
        ),
    )


def _coverage(detail: CheckDetail) -> str:
    progress = detail.progress
    parts = [f"{progress.checked} of {wording.count_of(progress.checkable, 'sentence')} checked"]
    if progress.skipped:
        parts.append(f"{progress.skipped} without a claim to check")
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if waiting := progress.waiting + progress.running:
        parts.append(f"{waiting} not reached yet")
    return ", ".join(parts)


def _warnings(detail: CheckDetail) -> str:
    if not detail.cards:
        return "no warnings"
    still_open = sum(card.state == Finding.State.OPEN for card in detail.cards)
    found = wording.count_of(len(detail.cards), "warning")
    return f"{found}, {still_open} not decided yet" if still_open else f"{found}, all decided"
