"""The warnings of a check as cards: the problem, its evidence and the suggestions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import wording
from ..core.active_generation.findings import DETECTOR as WRITING
from ..core.labels import SuggestionLabel, read_label
from ..core.messages import Message
from ..core.rewriting import revise
from ..core.rewriting.revise import DiffPart
from ..core.types import SILENT_KINDS, Engine, FindingKind, ReadShare, SuggestionMethod, Verdict
from ..models import Finding, Suggestion
from .card_pages import order_of
from .costs import UnitCost, UnitCosts, unit_cost_in_words, unit_costs
from .decisions import decided_here
from .quotes import QuoteReader, QuoteView
from .rows import CheckRows, SentenceRow, UnitRow, read_share
from .searches import SearchReader, SearchView
from .suggestions import SameChanges, seen_mark


@dataclass(frozen=True, slots=True)
class CompanionView:
    """The change of another sentence that an option makes at the same time."""

    sentence: int
    parts: tuple[DiffPart, ...]

    @property
    def number(self) -> int:
        return self.sentence + 1


@dataclass(frozen=True, slots=True)
class OptionView:
    """One suggestion of a finding, with its change."""

    suggestion: int
    label: str
    parts: tuple[DiffPart, ...]
    removes: bool
    verified: bool
    method: SuggestionMethod
    usable: bool
    accepted: bool
    sentence: int
    absorbed: int | None
    """Index of the sentence that is merged into this one, if any."""
    also: tuple[int, ...]
    """Numbers of the sentences that repeat the value and change with it."""
    same_figure: tuple[int, ...]
    """Numbers of other sentences that have a figure which this suggestion replaces, and that it leaves as they are."""
    restores_correction: bool
    """Whether it restores the correction in place of a first version."""
    companions: tuple[CompanionView, ...] = ()
    """The other sentences that it changes."""

    @property
    def companion_numbers(self) -> tuple[int, ...]:
        return tuple(one.number for one in self.companions)

    @property
    def absorbed_number(self) -> int:
        return 0 if self.absorbed is None else self.absorbed + 1


@dataclass(frozen=True, slots=True)
class CardView:
    """One finding as a card."""

    finding: int
    sentence: int
    order: int
    kind: FindingKind
    verdict: Verdict
    icon: str
    title: str
    message: str
    explanation: str
    score: float
    sure: str
    quotes: tuple[QuoteView, ...]
    options: tuple[OptionView, ...]
    state: str
    reason: str
    """Why a person rejected or dismissed it."""
    is_new: bool
    """Whether the previous check did not have it."""
    came_decided: bool
    """Whether it was decided on in an earlier check, and not in this one."""
    seen: str
    """Mark of the state that the card shows: a decision with an older mark is refused."""
    detector: str
    """What the detector does, in words."""
    detector_id: str
    prompt: str
    read: ReadShare | None
    """How much of the sources was read for it."""
    search: SearchView | None
    """The evidence search for it."""
    draft: str
    """The initial text of the editing field: the present wording of the sentence."""
    cost: str
    """The cost of the language model for it, in words."""
    prompts: tuple[str, ...]
    """The ids of the prompts that were used for it."""
    joined: tuple[CardView, ...] = ()
    """Other findings about the same words, which have no card of their own; decided on together with this one."""

    @property
    def number(self) -> int:
        return self.sentence + 1

    @property
    def all_findings(self) -> tuple[CardView, ...]:
        return (self, *self.joined)

    @property
    def also(self) -> str:
        """What the other findings say, in words; "" if there are none."""
        told = [one.message for one in self.joined if one.kind in _OF_DOCUMENTS]
        if any(one.kind is FindingKind.CROSS_CONTRADICTION for one in self.joined):
            told.append(self._in_text())
        elif any(one.kind is FindingKind.NOT_IN_SOURCE for one in self.joined):
            told.append(_("Your sources do not mention it."))
        return " ".join(told)

    def _in_text(self) -> str:
        """The sentences that contradict it, in words."""
        in_text = [one for one in self.joined if one.kind is FindingKind.CROSS_CONTRADICTION]
        quoted = {quote.sentence + 1 for one in in_text for quote in one.quotes if quote.sentence is not None}
        numbers = sorted(quoted - {self.number})
        return ngettext(
            "The text itself also says otherwise: sentence %s.",
            "The text itself also says otherwise: sentences %s.",
            len(numbers),
        ) % ", ".join(map(str, numbers))

    @property
    def offers_first_version(self) -> bool:
        """Whether its sentence is already a correction and can go back to its first version."""
        is_of_writing = self.kind is FindingKind.REPAIRED_WHILE_GENERATING
        return is_of_writing and not any(option.restores_correction for option in self.options)

    @property
    def keep_label(self) -> str:
        """The label of the button that keeps the sentence."""
        if self.kind is not FindingKind.REPAIRED_WHILE_GENERATING:
            return _("Keep the original")
        return _("Keep the correction") if self.offers_first_version else _("Keep the first version")

    @property
    def accepted(self) -> OptionView | None:
        return next((option for option in self.options if option.accepted), None)

    @property
    def rewrites(self) -> tuple[OptionView, ...]:
        """Options that can be accepted now and keep a sentence."""
        return _each_once((one for one in self.options if one.usable and not one.removes), _effect)

    @property
    def default(self) -> OptionView | None:
        """The option that Alt+Enter accepts: a rewrite that was checked again. No key removes a sentence."""
        if self.offers_first_version:
            return None
        return next((option for option in self.rewrites if option.verified and option.absorbed is None), None)

    @property
    def is_silent(self) -> bool:
        return self.kind in SILENT_KINDS

    @property
    def passage(self) -> str:
        """The quoted words of a source or document, for copying; "" if none is quoted."""
        quote = next((quote for quote in self.quotes if quote.is_source or quote.site), None)
        return "" if quote is None else "".join(piece.text for piece in quote.pieces)

    @property
    def copy_label(self) -> str:
        """The label of the button that copies the passage; another one if the passage is only near."""
        if self.is_silent:
            return _("Copy the nearest passage")
        return _("Copy what the source says")

    @property
    def removals(self) -> tuple[OptionView, ...]:
        """Options that can be accepted now and remove a sentence."""
        return _each_once((one for one in self.options if one.usable and one.removes), _effect)


class CardReader:
    """Builds the cards of one check. ``new_ids`` are the findings that the previous check did not have."""

    def __init__(self, rows: CheckRows, quotes: QuoteReader, searches: SearchReader, new_ids: Set[int]) -> None:
        self._rows = rows
        self._quotes = quotes
        self._searches = searches
        self._new_ids = new_ids

    def view(self, finding: Finding) -> CardView:
        sentence = self._rows.by_id[finding.sentence_id]
        kind = FindingKind(finding.kind)
        wording_now = self._rows.wording_now(sentence)
        unit = self._rows.unit_of(finding)
        cost = self._unit_costs.get((unit.detector, sentence.index))
        return CardView(
            finding=finding.pk,
            sentence=sentence.index,
            order=order_of(finding),
            kind=kind,
            verdict=Verdict(finding.verdict),
            icon=wording.KIND_ICONS[kind],
            title=str(wording.KIND_TITLES[kind]),
            message=wording.message_words(Message.read(finding.message)),
            explanation=finding.explanation,
            score=finding.score,
            sure=wording.sure_words(finding.score),
            quotes=self._quotes.of_finding(finding),
            options=tuple(map(self._option, self._rows.suggestions_of[finding.pk])),
            state=finding.state,
            reason=wording.reason_words(finding.reason),
            is_new=finding.pk in self._new_ids,
            came_decided=finding.state in Finding.DECIDED and finding.pk not in self._decided_here,
            seen=seen_mark(finding.state, wording_now),
            prompt=finding.prompt,
            detector=wording.detector_label(unit.detector),
            detector_id=unit.detector,
            read=read_share(unit),
            search=self._searches.of_unit(unit),
            draft=wording_now,
            cost=_cost_in_words(unit, cost),
            prompts=cost.prompts if cost else (finding.prompt,) if finding.prompt else (),
        )

    def joined_view(self, head: Finding) -> CardView:
        """The card of ``head`` with the findings that it shows as well."""
        others = self._rows.joined.others(head.pk)
        card = self.view(head)
        if not others:
            return card
        seen = seen_mark(head.state, card.draft, others)
        return _with_joined(replace(card, seen=seen), tuple(map(self.view, others)))

    def _option(self, suggestion: Suggestion) -> OptionView:
        sentence = self._rows.by_id[suggestion.sentence_id]
        companions = tuple(self._companions(suggestion))
        also = self._also(suggestion)
        changed = (*also, *(one.number for one in companions))
        return OptionView(
            suggestion=suggestion.pk,
            label=wording.suggestion_label(suggestion.label),
            parts=revise.diff(sentence.text, suggestion.replacement),
            removes=not suggestion.replacement,
            verified=suggestion.verified,
            method=SuggestionMethod(suggestion.method),
            usable=suggestion.state == Suggestion.State.OPEN,
            accepted=suggestion.state == Suggestion.State.ACCEPTED,
            sentence=sentence.index,
            absorbed=None if suggestion.absorbed_id is None else self._rows.by_id[suggestion.absorbed_id].index,
            also=also,
            same_figure=self._same_figure(sentence, suggestion, changed),
            restores_correction=_restores_correction(suggestion.label),
            companions=companions,
        )

    def _companions(self, suggestion: Suggestion) -> Iterator[CompanionView]:
        for sentence_id, replacement in suggestion.companions or []:
            sentence = self._rows.by_id[sentence_id]
            yield CompanionView(sentence.index, revise.diff(sentence.text, replacement))

    def _also(self, suggestion: Suggestion) -> tuple[int, ...]:
        twins = self._same_changes.beside(suggestion)
        return tuple(sorted({self._rows.by_id[twin.sentence_id].index + 1 for _, twin in twins}))

    def findings_like(self, finding_id: int) -> frozenset[int]:
        """The findings whose offers make the same change, so that the cards name each other's sentences."""
        return self._same_changes.findings_like(finding_id)

    def findings_naming(self, index: int) -> frozenset[int]:
        """The findings of which a rewrite replaces a figure that the sentence at ``index`` has or had."""
        sentence = self._rows.sentences[index]
        figures = _figures(sentence.text) | _figures(self._rows.wording_now(sentence))
        return frozenset(
            finding.pk
            for finding in self._rows.findings
            for suggestion in self._rows.suggestions_of[finding.pk]
            if figures & _replaced_figures(self._rows.by_id[finding.sentence_id], suggestion)
        )

    def _same_figure(self, sentence: SentenceRow, suggestion: Suggestion, changed: tuple[int, ...]) -> tuple[int, ...]:
        if self._rows.check.is_generated:
            return ()  # its sentences are not all written when a card is shown
        figures = _replaced_figures(sentence, suggestion)
        numbers = {number for figure in figures for number in self._numbers_of_figures[figure]}
        return tuple(sorted(numbers - {sentence.index + 1, *changed}))

    @cached_property
    def _numbers_of_figures(self) -> dict[str, set[int]]:
        """The numbers of the sentences by the figures that they have now."""
        found: dict[str, set[int]] = defaultdict(set)
        for sentence in self._rows.sentences:
            for figure in _figures(self._rows.wording_now(sentence)):
                found[figure].add(sentence.index + 1)
        return found

    @cached_property
    def _same_changes(self) -> SameChanges:
        rows = self._rows
        findings = ((finding, rows.suggestions_of[finding.pk]) for finding in rows.findings)
        return SameChanges(findings, {sentence.pk: sentence.text for sentence in rows.sentences})

    @cached_property
    def _unit_costs(self) -> UnitCosts:
        check = self._rows.check
        return unit_costs(check) if check.engine == Engine.LLM or check.is_generated else {}

    @cached_property
    def _decided_here(self) -> frozenset[int]:
        return decided_here(self._rows.check)


def _with_joined(card: CardView, others: tuple[CardView, ...]) -> CardView:
    """One card of them all: their quotes, their offers, those of ``card`` first, and the strongest of their decisions.

    A merge is no way out of two problems: it would carry the words over that the other finding is about.
    """
    everyone = (card, *others)
    leading = min(everyone, key=lambda one: _STRONGEST.index(one.state))
    quotes = (quote for one in everyone for quote in one.quotes)
    return replace(
        card,
        joined=others,
        quotes=_each_once(quotes, lambda quote: (quote.label, quote.start)),
        options=tuple(option for one in everyone for option in one.options if option.absorbed is None),
        state=leading.state,
        reason=leading.reason,
        came_decided=leading.came_decided,
        is_new=any(one.is_new for one in everyone),
        search=next((one.search for one in everyone if one.search), None),
        detector="; ".join(dict.fromkeys(one.detector for one in everyone)),
        cost="; ".join(dict.fromkeys(one.cost for one in everyone)),
        prompts=tuple(dict.fromkeys(prompt for one in everyone for prompt in one.prompts)),
    )


#: A year, a price: figures of one digit are of too many things.
_FIGURE = re.compile(r"\d[\d.,:]*\d")


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(text))


def _replaced_figures(sentence: SentenceRow, suggestion: Suggestion) -> frozenset[str]:
    """The figures of the sentence that the suggestion replaces; none if it removes the sentence."""
    if not suggestion.replacement:
        return frozenset()
    return _figures(sentence.text) - _figures(suggestion.replacement)


_OF_DOCUMENTS = (FindingKind.REFUTED_BY_EVIDENCE, FindingKind.UNSUPPORTED_BY_EVIDENCE)

_T = TypeVar("_T")


def _effect(option: OptionView) -> Hashable:
    return option.sentence, option.parts, option.absorbed, option.companions


def _each_once(items: Iterable[_T], key: Callable[[_T], Hashable]) -> tuple[_T, ...]:
    """The items without those whose key an earlier one has."""
    found: dict[Hashable, _T] = {}
    for item in items:
        found.setdefault(key(item), item)
    return tuple(found.values())


#: Open findings share no card with decided ones.
_STRONGEST = (*Finding.DECIDED, Finding.State.STALE, Finding.State.OPEN)

#: The English label that earlier versions stored instead of a code.
_FORMER_LABELS = frozenset({"Use the correction", "Leave it out"})


def _restores_correction(stored: str) -> bool:
    label = read_label(stored)
    if label is None:
        return stored in _FORMER_LABELS
    return label[0] in (SuggestionLabel.USE_CORRECTION, SuggestionLabel.LEAVE_OUT)


def _cost_in_words(unit: UnitRow, cost: UnitCost | None) -> str:
    if unit.is_carried:
        return str(wording.CARRIED_COST)
    if cost is None and unit.detector == WRITING:
        return str(wording.WRITING_COST)
    return unit_cost_in_words(cost)
