"""Events to HTML: the parts of the page that changed, rendered by the same templates as the page.

A fragment shows the complete present state of one part of the page. Applying it twice, or applying one that is newer
than its event, is harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.html import format_html

from ... import events
from ...events import Event
from ...models import Check, CheckEvent
from ...selectors.card_pages import CARDS_OF_PAGE, AskedPage
from ...selectors.cards import CardView
from ...selectors.detail import CheckDetail
from ...services.review import Reviewed


class Part(IntEnum):
    """The parts of the page that are replaced one by one, in the order in which they are sent."""

    TITLE = 0
    SOURCES = 1
    TEXT = 2
    SENTENCE = 3
    CARD = 4
    FEED_STATE = 5
    OVERVIEW = 6
    CELL = 7
    """The cell of one sentence in the overview."""
    COUNTS = 8
    PROGRESS = 9
    TOOLS = 10
    REVISED = 11
    COMPARISON = 12
    FILTERS = 13
    MORE = 14
    """The link to the hidden warnings of a sentence."""
    CARD_PAGES = 15
    SUMMARY = 16
    SILENT_GROUP = 17
    """The head of the cards that only say "not in your source"."""
    CARDS_OF_SENTENCE = 18
    """Not a part itself: stands for all cards about a sentence."""


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """One part of the page; ``key`` is the index of a sentence or the id of a finding."""

    part: Part
    key: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """What a page must apply to be up to date with event ``seq``."""

    seq: int
    html: str


#: Parts inside a larger part that is sent are not sent separately.
_WITHIN = {Part.TEXT: (Part.SENTENCE,), Part.OVERVIEW: (Part.CELL, Part.COUNTS)}
_AROUND = tuple(
    map(
        Target,
        (
            Part.PROGRESS,
            Part.TOOLS,
            Part.COUNTS,
            Part.FEED_STATE,
            Part.COMPARISON,
            Part.FILTERS,
            Part.SUMMARY,
            Part.SILENT_GROUP,
        ),
    )
)


def _of_check(event: Event) -> Iterable[Target]:
    # The end of a check changes the look of sentences that were waiting or running.
    return (Target(Part.SOURCES), Target(Part.TEXT), Target(Part.OVERVIEW), *_AROUND)


def _of_comparison(event: events.CheckedAgain) -> Iterable[Target]:
    return (Target(Part.COMPARISON),)


def _of_title(event: events.CheckRenamed) -> Iterable[Target]:
    return (Target(Part.TITLE),)


def _of_source(event: events.SourceReading | events.SourceReady | events.SourceFailed) -> Iterable[Target]:
    return (Target(Part.SOURCES), *_AROUND)


def _of_source_deleted(event: events.SourceDeleted) -> Iterable[Target]:
    return (Target(Part.SOURCES), *(Target(Part.CARD, finding) for finding in event.findings), *_AROUND)


def _of_unit(
    event: events.UnitStarted | events.UnitDone | events.UnitFailed | events.UnitSkipped | events.UnitReopened,
) -> Iterable[Target]:
    return (Target(Part.SENTENCE, event.sentence), *_AROUND)


def _of_finding(
    event: events.FindingAdded
    | events.FindingRejected
    | events.FindingDismissed
    | events.FindingReopened
    | events.FindingStale
    | events.SuggestionAdded
    | events.SuggestionAccepted
    | events.SuggestionReopened
    | events.SuggestionStale,
) -> Iterable[Target]:
    return (Target(Part.CARD, event.finding), *_AROUND)


def _of_revision(event: events.TextRevised) -> Iterable[Target]:
    parts = (Part.SENTENCE, Part.CARDS_OF_SENTENCE)
    changed = (Target(part, index) for index in event.sentences for part in parts)
    return (*changed, Target(Part.REVISED), Target(Part.TOOLS))


def _of_generation(
    event: events.GenerationSentence
    | events.GenerationDropped
    | events.GenerationChosen
    | events.GenerationEnded
    | events.PremiseChecked
    | events.PremiseDecided,
) -> Iterable[Target]:
    return (Target(Part.TEXT), Target(Part.PROGRESS), Target(Part.REVISED))


def _of_usage(event: events.ModelThrottled | events.UsageChanged) -> Iterable[Target]:
    return (Target(Part.PROGRESS),)


#: The parts of the page that each type of event touches.
TARGETS: dict[type[Event], Callable[..., Iterable[Target]]] = {
    events.CheckQueued: _of_check,
    events.CheckStarted: _of_check,
    events.CheckSegmented: _of_check,
    events.CheckDone: _of_check,
    events.CheckFailed: _of_check,
    events.CheckCancelled: _of_check,
    events.CheckInterrupted: _of_check,
    events.CheckRenamed: _of_title,
    events.CheckedAgain: _of_comparison,
    events.SourceReading: _of_source,
    events.SourceReady: _of_source,
    events.SourceFailed: _of_source,
    events.SourceDeleted: _of_source_deleted,
    events.UnitStarted: _of_unit,
    events.UnitDone: _of_unit,
    events.UnitFailed: _of_unit,
    events.UnitSkipped: _of_unit,
    events.UnitReopened: _of_unit,
    events.FindingAdded: _of_finding,
    events.FindingRejected: _of_finding,
    events.FindingDismissed: _of_finding,
    events.FindingReopened: _of_finding,
    events.FindingStale: _of_finding,
    events.SuggestionAdded: _of_finding,
    events.SuggestionAccepted: _of_finding,
    events.SuggestionReopened: _of_finding,
    events.SuggestionStale: _of_finding,
    events.TextRevised: _of_revision,
    events.GenerationSentence: _of_generation,
    events.GenerationDropped: _of_generation,
    events.GenerationChosen: _of_generation,
    events.GenerationEnded: _of_generation,
    events.CheckWaiting: _of_check,
    events.PremiseChecked: _of_generation,
    events.PremiseDecided: _of_generation,
    events.ModelThrottled: _of_usage,
    events.UsageChanged: _of_usage,
}


def since(
    check_id: UUID,
    seq: int,
    *,
    notice: str = "",
    asked: AskedPage | None = None,
    reviewed: Reviewed | None = None,
) -> Batch:
    """The changes after event ``seq``, for a reader of the page ``asked``. An empty batch has the same ``seq`` and no
    HTML. ``reviewed`` are the rows after the decision that this answers, if it answers one.

    Raises:
        Check.DoesNotExist: the check was deleted.
    """
    html = render_to_string("detection/partials/_notice.html", {"notice": notice}) if notice else ""
    if Check.objects.values_list("last_seq", flat=True).get(pk=check_id) <= seq:
        return Batch(seq, html)
    # The log is read before the state, so that the state is at least as new as the events.
    rows = events.since(check_id, seq)
    targets = {target for row in rows for target in _targets(events.load(row))}
    kept = reviewed.at(rows[-1].seq) if reviewed else None
    detail = CheckDetail(Check.objects.get(pk=check_id), asked=asked, reviewed=kept)
    if added := _added(rows):
        with_more = {index for index in map(detail.sentence_of, added) if detail.card_pages.more_of(index)}
        targets |= {Target(Part.CARD_PAGES), *(Target(Part.MORE, index) for index in with_more)}
        targets -= {
            Target(Part.CARD, finding) for finding in added if detail.card_of(finding) not in detail.card_pages.shown
        }
    return Batch(rows[-1].seq, render(detail, targets) + html)


def _added(rows: Iterable[CheckEvent]) -> set[int]:
    """The ids of new findings, which must not make a page grow without limit."""
    loaded = (events.load(row) for row in rows)
    return {event.finding for event in loaded if isinstance(event, events.FindingAdded)}


def _targets(event: Event) -> Iterable[Target]:
    return TARGETS[type(event)](event)


def render(detail: CheckDetail, targets: Iterable[Target]) -> str:
    """The HTML of ``targets``, each once, as elements with the ids that they have in the page."""
    targets = set(targets)
    for target in list(targets):
        if target.part is Part.CARDS_OF_SENTENCE:
            # The editing field of a card contains the present wording of its sentence.
            targets |= {Target(Part.CARD, finding) for finding in detail.cards_of_sentence(target.key)}
            targets.discard(target)
    changed = (target.key for target in targets if target.part is Part.CARD)
    targets |= {Target(Part.CARD, finding) for key in changed for finding in detail.with_same_change(key)}
    if sharing := _sharing(detail, targets):
        targets |= {*sharing, Target(Part.CARD_PAGES)}
    targets -= _beyond_page(detail, targets)
    gone = {target for target in targets if target.part is Part.CARD and detail.card_of(target.key) != target.key}
    cards = {target.key: detail.card(target.key) for target in targets - gone if target.part is Part.CARD}
    for card in cards.values():
        targets |= {Target(Part.SENTENCE, index) for index in _sentences_of(card)}
    targets |= {Target(Part.CELL, target.key) for target in targets if target.part is Part.SENTENCE}
    for whole, parts in _WITHIN.items():
        if Target(whole) in targets:
            targets = {target for target in targets if target.part not in parts}
    return "".join(
        _gone(target, detail.card_of(target.key)) if target in gone else _render(detail, cards, target)
        for target in sorted(targets)
    )


def _sharing(detail: CheckDetail, targets: Iterable[Target]) -> set[Target]:
    """The cards that ``targets`` share with other findings, or shared before their states changed."""
    groups = (detail.alike(target.key) for target in targets if target.part is Part.CARD)
    return {Target(Part.CARD, finding) for group in groups if len(group) > 1 for finding in group}


def _gone(target: Target, head: int) -> str:
    """Takes a card away that the one of ``head`` now shows."""
    return format_html('<div id="card-{}" data-gone="card-{}"></div>', target.key, head)


def _beyond_page(detail: CheckDetail, targets: Iterable[Target]) -> set[Target]:
    """Cards of other pages, except those that this page may still show because they were found first."""
    shown = detail.card_pages.shown
    elsewhere = sorted(target for target in targets if target.part is Part.CARD and target.key not in shown)
    return set(elsewhere[CARDS_OF_PAGE:])


def _sentences_of(card: CardView) -> set[int]:
    quoted = {quote.sentence for quote in card.quotes if quote.sentence is not None}
    companions = {one.sentence for option in card.options for one in option.companions}
    return quoted | companions | {option.sentence for option in card.options}


def _render(detail: CheckDetail, cards: dict[int, CardView], target: Target) -> str:
    context: dict[str, object] = {"detail": detail}
    if target.part is Part.SENTENCE:
        context["sentence"] = detail.sentence(target.key)
    elif target.part is Part.CELL:
        context["sentence"] = detail.standings[target.key]
    elif target.part is Part.CARD:
        context["card"] = cards[target.key]
        context["is_elsewhere"] = target.key not in detail.card_pages.shown
    elif target.part is Part.MORE:
        context["more"] = detail.card_pages.more_of(target.key)
    return render_to_string(f"detection/partials/_{target.part.name.lower()}.html", context)
