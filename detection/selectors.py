"""Everything that reads. The page, its fragments and the downloads see a check through these views."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from . import codec, wording
from .code_blocks import language_before
from .comparison_selectors import Comparison, comparison_of
from .core import pipeline, revise, types
from .core.active_generation.findings import DETECTOR as WRITING
from .core.active_generation.findings import LEAVE_OUT, USE_CORRECTION
from .core.active_generation.types import Ending
from .core.active_generation.writer import REASONS
from .core.detectors import DETECTORS
from .core.detectors.base import Requirement
from .core.documents.places import locate
from .core.errors import StaleSuggestion
from .core.evidence.record import SearchRecord
from .core.llm.budget import Spending
from .core.llm.types import CallOutcome, TokenUsage
from .core.revise import DiffKind, DiffPart
from .core.types import Evidence, FindingKind, ReadShare, Span, SuggestionMethod, Verdict, text_hash
from .core.verdicts import sentence_verdict
from .cost_selectors import UnitCost, UnitCosts, unit_costs
from .decision_selectors import DecisionView, decided_here, decision_view, next_redo, next_undo
from .filter_selectors import Filters, SentenceCount, counts_of, filters_of
from .generation_selectors import PremiseView, WrittenView, counts_of_written, premise_view, written_views
from .models import Check, Finding, Sentence, ShareLink, Source, Suggestion, Unit
from .search_selectors import SearchReader, SearchTotals, SearchView, totals_of
from .source_selectors import SourceUse, places_of_check, source_link, sources_of_check
from .web_links import site_of, web_link

_SEARCHES = frozenset(detector.id for detector in DETECTORS.values() if Requirement.RETRIEVER in detector.requires)
#: Kinds whose verdict is told by their title: it is no source of the user that speaks.
_TOLD_BY_TITLE = (
    FindingKind.REFUTED_BY_EVIDENCE,
    FindingKind.UNSUPPORTED_BY_EVIDENCE,
    FindingKind.REPAIRED_WHILE_GENERATING,
    FindingKind.FALSE_PREMISE,
)
_NEED_SOURCES = frozenset(detector.id for detector in DETECTORS.values() if Requirement.SOURCES in detector.requires)

# --- Pieces of text ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that is shown in one way. ``strong`` marks the words that a warning is about."""

    text: str
    strong: bool = False
    change: str = ""  # "", "deleted" or "inserted"


def pieces(text: str, strong: Iterable[Span], parts: Sequence[DiffPart] = ()) -> tuple[Piece, ...]:
    """Cut ``text`` at the ``strong`` spans (counted in ``text``) and at the changes that ``parts`` make to it."""
    strong = list(strong)
    cuts = sorted({0, len(text), *(s.start for s in strong), *(s.end for s in strong)})
    result: list[Piece] = []
    position = 0
    for part in parts or (DiffPart(DiffKind.EQUAL, text),):
        if part.kind is DiffKind.INSERTED:
            result.append(Piece(part.text, change="inserted"))
            continue
        end = position + len(part.text)
        edges = [position, *(cut for cut in cuts if position < cut < end), end]
        for start, stop in pairwise(edges):
            is_strong = any(span.start <= start and stop <= span.end for span in strong)
            change = "deleted" if part.kind is DiffKind.DELETED else ""
            result.append(Piece(text[start:stop], strong=is_strong, change=change))
        position = end
    return tuple(piece for piece in result if piece.text)


# --- Views of a check -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SentenceView:
    """One sentence as the page shows it: the original, its marks, and what was decided."""

    index: int
    gap: str
    """White space between this sentence and the one before it in the same block."""
    text: str
    pieces: tuple[Piece, ...]
    state: str
    """``waiting``, ``running`` or ``settled``."""
    verdict: Verdict
    label: str
    """The verdict in words, or how far the check of it is."""
    reason: str
    """Why it was not checked or failed."""
    mark: str
    """Name of the mark: ``contradiction``, ``conflict``, ``missing``, or "" when nothing is open."""
    findings: tuple[int, ...]
    """Ids of the open findings about this sentence, or about it and another one."""
    change: str
    """``changed`` or ``removed`` by an accepted suggestion, or ""."""
    can_be_asked: bool
    """Whether there is more to say of it than its verdict: what supports it, how much was read."""

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def summary(self) -> str:
        """What the overview says of it."""
        return _("sentence %(number)d: %(label)s") % {"number": self.number, "label": self.label}

    @property
    def look(self) -> str:
        """How the overview shows it: by its mark, how far its check is, what was decided, or its verdict."""
        if self.mark or self.state != "settled":
            return self.mark or self.state
        return "decided" if self.label == str(wording.DECIDED) else self.verdict


@dataclass(frozen=True, slots=True)
class BlockView:
    """A paragraph, heading, list item ... with the marker that stands before its first sentence."""

    kind: str
    marker: str
    sentences: tuple[SentenceView, ...]
    language: str = ""
    """What a block of code says it is written in."""


@dataclass(frozen=True, slots=True)
class QuoteView:
    """One of the quotes that a card sets side by side."""

    label: str
    pieces: tuple[Piece, ...]
    sentence: int | None
    start: int
    is_source: bool = False
    href: str = ""
    """Opens the source or the web page at the quote; "" where there is none, or it was deleted."""
    site: str = ""
    """The host of the web page, where it is from one."""


@dataclass(frozen=True, slots=True)
class UnitView:
    """What one detector says of a sentence."""

    detector: str
    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class SentenceReport:
    """All that is known about a sentence that nothing is wrong with."""

    sentence: SentenceView
    quotes: tuple[QuoteView, ...]
    """What supports it in the sources, or comes nearest."""
    is_grounded: bool
    """Whether sources support it."""
    read: ReadShare | None
    search: SearchView | None
    """What was looked up for it."""
    units: tuple[UnitView, ...]


@dataclass(frozen=True, slots=True)
class OptionView:
    """One way out of a finding, with the change it makes."""

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
    """Index of the sentence that goes into this one, where it merges two."""

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
    """Whether the check before did not have it."""
    came_decided: bool
    """Whether it was decided on in an earlier check, and not in this one."""
    seen: str
    """Names what the card shows: a decision that comes with an older one is refused."""
    detector: str
    """What the detector does, in words."""
    detector_id: str
    prompt: str
    read: ReadShare | None
    """How much of the sources was read for it."""
    search: SearchView | None
    """What was looked up for it."""
    draft: str
    """What the editing field begins with: the sentence as it reads now."""
    cost: str
    """What the language model has cost for it, in words."""
    prompts: tuple[str, ...]
    """The ids of the prompts that were used for it."""

    @property
    def number(self) -> int:
        return self.sentence + 1

    @property
    def offers_first_version(self) -> bool:
        """Whether its sentence is a correction already: to keep it is what suggests itself."""
        is_of_writing = self.kind is FindingKind.REPAIRED_WHILE_GENERATING
        return is_of_writing and not any(option.label in (USE_CORRECTION, LEAVE_OUT) for option in self.options)

    @property
    def keep_label(self) -> str:
        """What the button says that leaves the sentence as it is."""
        if self.kind is not FindingKind.REPAIRED_WHILE_GENERATING:
            return _("Keep the original")
        return _("Keep the correction") if self.offers_first_version else _("Keep the first version")

    @property
    def accepted(self) -> OptionView | None:
        return next((option for option in self.options if option.accepted), None)

    @property
    def rewrites(self) -> tuple[OptionView, ...]:
        """What can be accepted now, and leaves a sentence."""
        return tuple(option for option in self.options if option.usable and not option.removes)

    @property
    def removals(self) -> tuple[OptionView, ...]:
        """What can be accepted now, and takes a sentence away."""
        return tuple(option for option in self.options if option.usable and option.removes)

    @property
    def for_accept_all(self) -> OptionView | None:
        """What accept all would accept."""
        return next(
            (
                option
                for option in self.options
                if option.usable
                and revise.suits_accept_all(
                    self.kind, option.method, verified=option.verified, merges=option.absorbed is not None
                )
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the check is, in sentences."""

    total: int
    checked: int
    skipped: int
    failed: int
    waiting: int
    running: int
    flagged: int
    """Sentences with an open warning."""

    @property
    def settled(self) -> int:
        return self.total - self.waiting - self.running

    @property
    def checkable(self) -> int:
        return self.total - self.skipped


class CheckDetail:
    """A check with everything that belongs to it, read once, and the views of it that are asked for."""

    def __init__(self, check: Check) -> None:
        self.check = check
        self.sources: tuple[SourceUse, ...] = sources_of_check(check)
        self._sentences = list(Sentence.objects.filter(parent_check=check))
        self._units: dict[int, list[Unit]] = defaultdict(list)
        for unit in Unit.objects.filter(parent_check=check):
            self._units[unit.sentence_id].append(unit)
        self._findings = list(
            Finding.objects.filter(parent_check=check).select_related("unit").prefetch_related("suggestions")
        )

    @cached_property
    def undo_step(self) -> DecisionView | None:
        """What undo would take back."""
        decision = next_undo(self.check)
        return decision_view(decision) if decision else None

    @cached_property
    def redo_step(self) -> DecisionView | None:
        """What redo would bring back."""
        decision = next_redo(self.check)
        return decision_view(decision) if decision else None

    @cached_property
    def comparison(self) -> Comparison | None:
        """What has become of the warnings of the check before; None where there is none."""
        return comparison_of(self.check)

    @property
    def next_check(self) -> Check | None:
        """The newest check of a later version of the text."""
        return self.check.next_checks.order_by("-created_at").first()

    @cached_property
    def _decided_here(self) -> frozenset[int]:
        return decided_here(self.check)

    @cached_property
    def wordings(self) -> dict[int, str]:
        """The new wording of every sentence that an accepted suggestion changes, by index; "" for a removed one."""
        accepted: dict[int, list[Suggestion]] = defaultdict(list)
        for finding in self._findings:
            for suggestion in finding.suggestions.all():
                if suggestion.state == Suggestion.State.ACCEPTED:
                    for sentence_id in suggestion.wordings:
                        accepted[sentence_id].append(suggestion)
        return {
            sentence.index: compose_accepted(sentence.as_value(), sentence.pk, accepted[sentence.pk])
            for sentence in self._sentences
            if sentence.pk in accepted
        }

    @cached_property
    def revised_text(self) -> str:
        return revise.apply(self.check.text, [row.as_value() for row in self._sentences], self.wordings)

    @cached_property
    def _by_pk(self) -> dict[int, Sentence]:
        return {sentence.pk: sentence for sentence in self._sentences}

    @cached_property
    def sentences(self) -> tuple[SentenceView, ...]:
        return tuple(self._sentence_view(position) for position in range(len(self._sentences)))

    @cached_property
    def blocks(self) -> tuple[BlockView, ...]:
        blocks: list[BlockView] = []
        by_block: dict[int, list[int]] = defaultdict(list)
        for position, sentence in enumerate(self._sentences):
            by_block[sentence.block].append(position)
        end = 0
        for positions in by_block.values():
            first = self._sentences[positions[0]]
            before = self.check.text[end : first.start]
            end = self._sentences[positions[-1]].end
            is_code = first.block_kind == types.BlockKind.CODE
            blocks.append(
                BlockView(
                    first.block_kind,
                    # The lines before belong to no block: the fence of a block of code that has ended, for one.
                    "" if is_code else before.rpartition("\n")[2],
                    tuple(self.sentences[i] for i in positions),
                    language_before(before) if is_code else "",
                )
            )
        return tuple(blocks)

    @cached_property
    def cards(self) -> tuple[CardView, ...]:
        return tuple(self._card_view(finding) for finding in self._findings)

    @cached_property
    def progress(self) -> Progress:
        states = Counter(
            sentence.verdict if sentence.state == "settled" else sentence.state for sentence in self.sentences
        )
        skipped, failed = states[Verdict.NOT_CHECKED], states[Verdict.FAILED]
        settled = sum(1 for sentence in self.sentences if sentence.state == "settled")
        return Progress(
            total=len(self.sentences),
            checked=settled - skipped - failed,
            skipped=skipped,
            failed=failed,
            waiting=states["waiting"],
            running=states["running"],
            flagged=sum(1 for sentence in self.sentences if sentence.findings),
        )

    @property
    def open_cards(self) -> tuple[CardView, ...]:
        return tuple(card for card in self.cards if card.state == Finding.State.OPEN)

    @cached_property
    def filters(self) -> Filters:
        return filters_of(self.cards)

    @cached_property
    def counts(self) -> tuple[SentenceCount, ...]:
        return counts_of(self.sentences)

    @property
    def acceptable(self) -> int:
        """How many open findings accept all is about."""
        return sum(card.for_accept_all is not None for card in self.open_cards)

    @property
    def can_retry(self) -> bool:
        """Whether the check came to its end with units that failed, and may do better a second time."""
        units = (unit for units in self._units.values() for unit in units)
        return self.check.state == Check.State.DONE and any(unit.state == Unit.State.FAILED for unit in units)

    @property
    def failure_reasons(self) -> tuple[str, ...]:
        """Why units failed, for the reader: each reason once, the most frequent first, and no more than three."""
        units = (unit for units in self._units.values() for unit in units)
        reasons = Counter(unit.reason for unit in units if unit.state == Unit.State.FAILED)
        return tuple(reason for reason, _times in reasons.most_common(3))

    @property
    def unread_sources(self) -> tuple[SourceUse, ...]:
        return tuple(source for source in self.sources if source.is_unread)

    @property
    def unreadable_sources(self) -> tuple[SourceUse, ...]:
        """Those that could not be read: the check goes without them."""
        return tuple(source for source in self.sources if source.is_unreadable)

    @property
    def readable_sources(self) -> tuple[SourceUse, ...]:
        return tuple(source for source in self.sources if source.is_readable)

    @property
    def is_grounded(self) -> bool:
        """Whether any sentence was compared with the sources."""
        return any(
            unit.state == Unit.State.DONE and unit.detector in _NEED_SOURCES
            for units in self._units.values()
            for unit in units
        )

    @cached_property
    def usage(self) -> Spending:
        """What language models have cost."""
        return spending_of(self.check)

    @property
    def waiting_reason(self) -> str:
        """Why nothing goes on at the moment; "" when nothing is waited for."""
        until = self.check.waiting_until
        return self.check.waiting_reason if self.check.is_active and until and until > timezone.now() else ""

    @property
    def waits_for_own(self) -> int:
        """How many checks of its owner may run at a time, when that is what it waits for; 0 when it is not."""
        if self.check.state != Check.State.QUEUED:
            return 0
        running = Check.objects.filter(owner=self.check.owner, state=Check.State.RUNNING).count()
        return settings.MAX_RUNNING if running >= settings.MAX_RUNNING else 0

    @property
    def seconds(self) -> float:
        """How long the check has been running, or ran."""
        if self.check.started_at is None:
            return 0.0
        return ((self.check.finished_at or timezone.now()) - self.check.started_at).total_seconds()

    # --- one sentence

    @cached_property
    def _open_by_sentence(self) -> dict[int, list[Finding]]:
        """Open findings by the index of each sentence they speak of: their own, and the one it clashes with."""
        by_sentence: dict[int, list[Finding]] = defaultdict(list)
        index_of = {sentence.pk: sentence.index for sentence in self._sentences}
        for finding in self._findings:
            if finding.state == Finding.State.OPEN:
                opposite = {e.sentence for e in self._evidence(finding) if e.sentence is not None}
                for index in {index_of[finding.sentence_id], *opposite}:
                    by_sentence[index].append(finding)
        return by_sentence

    def _sentence_view(self, position: int) -> SentenceView:
        sentence = self._sentences[position]
        before = self._sentences[position - 1] if position else None
        gap = self.check.text[before.end : sentence.start] if before and before.block == sentence.block else ""
        open_findings = self._open_by_sentence[sentence.index]
        wording_now = self.wordings.get(sentence.index, sentence.text)
        changes = () if wording_now == sentence.text else revise.diff(sentence.text, wording_now)
        worst = min(open_findings, key=lambda f: Verdict(f.verdict).rank, default=None)
        verdict, reason = self._verdict(sentence, worst)
        state = self._state(sentence)
        units = self._units[sentence.pk]
        return SentenceView(
            index=sentence.index,
            gap=gap,
            text=sentence.text,
            pieces=pieces(sentence.text, self._strong_spans(sentence, open_findings), changes),
            state=state,
            verdict=verdict,
            label=self._label(sentence, verdict, worst) if state == "settled" else state,
            reason=reason,
            mark=wording.KIND_ICONS[FindingKind(worst.kind)] if worst else "",
            findings=tuple(finding.pk for finding in open_findings),
            change="" if wording_now == sentence.text else "changed" if wording_now else "removed",
            can_be_asked=not open_findings and any(unit.evidence or unit.search for unit in units),
        )

    def sentence_report(self, index: int) -> SentenceReport | None:
        """What is known about a sentence; None if there is no such sentence."""
        if index >= len(self._sentences):
            return None
        units = self._units[self._sentences[index].pk]
        compared = [unit for unit in units if unit.detector not in _SEARCHES]
        evidence = [item for unit in compared for item in codec.evidence_from_json(unit.evidence)]
        return SentenceReport(
            sentence=self.sentences[index],
            quotes=tuple(self._evidence_quote(item) for item in evidence),
            is_grounded=any(unit.verdict == Verdict.SUPPORTED for unit in compared),
            read=next((share for unit in units if (share := _read_share(unit))), None),
            search=next((search for unit in units if (search := self._search_view(unit))), None),
            units=tuple(map(self._unit_view, units)),
        )

    def _strong_spans(self, sentence: Sentence, open_findings: Iterable[Finding]) -> list[Span]:
        spans: list[Span] = []
        whole = Span(sentence.start, sentence.end)
        for finding in open_findings:
            if finding.sentence_id == sentence.pk:
                spans.append(Span(finding.start, finding.end))
            for evidence in self._evidence(finding):
                if evidence.sentence == sentence.index:
                    spans += evidence.conflict
        return [span.shifted(-sentence.start) for span in spans if span != whole]

    def _state(self, sentence: Sentence) -> str:
        states = {unit.state for unit in self._units[sentence.pk]}
        if Unit.State.RUNNING in states and self.check.is_active:
            return "running"
        if states <= set(Unit.FINAL) or not self.check.is_active:
            return "settled"
        return "waiting"

    def _verdict(self, sentence: Sentence, worst: Finding | None) -> tuple[Verdict, str]:
        """The worst that any detector says of a sentence. What no detector looked at is not checked, never fine."""
        units = self._units[sentence.pk]
        if worst is not None:
            return Verdict(worst.verdict), ""
        # Warnings that were decided on are no longer the verdict; what other detectors found still is.
        done = [Verdict(unit.verdict) for unit in units if unit.state == Unit.State.DONE]
        harmless = [v if v.rank >= Verdict.UNSURE.rank else Verdict.NO_PROBLEM_FOUND for v in done]
        failed = [unit for unit in units if unit.state == Unit.State.FAILED]
        verdict = sentence_verdict(harmless, failed=bool(failed))
        unreached = any(unit.state in (Unit.State.PENDING, Unit.State.RUNNING) for unit in units)
        if unreached and not failed:
            return Verdict.NOT_CHECKED, _("the check was stopped before")
        if verdict is Verdict.FAILED:
            return verdict, failed[0].reason
        return verdict, units[0].reason if verdict is Verdict.NOT_CHECKED and units else ""

    # --- one card

    def _card_view(self, finding: Finding) -> CardView:
        sentence = self._by_pk[finding.sentence_id]
        kind = FindingKind(finding.kind)
        cost = self._unit_costs.get((finding.unit.detector, sentence.index))
        return CardView(
            finding=finding.pk,
            sentence=sentence.index,
            order=finding.start,
            kind=kind,
            verdict=Verdict(finding.verdict),
            icon=wording.KIND_ICONS[kind],
            title=str(wording.KIND_TITLES[kind]),
            message=finding.message,
            explanation=finding.explanation,
            score=finding.score,
            sure=wording.sure_words(finding.score),
            quotes=self._quotes(finding, sentence),
            options=tuple(map(self._option_view, finding.suggestions.all())),
            state=finding.state,
            reason=finding.reason,
            is_new=self.comparison is not None and finding.pk in self.comparison.new_ids,
            came_decided=finding.state in Finding.DECIDED and finding.pk not in self._decided_here,
            seen=seen_mark(finding.state, self.wordings.get(sentence.index, sentence.text)),
            prompt=finding.prompt,
            detector=wording.detector_label(finding.unit.detector),
            detector_id=finding.unit.detector,
            read=_read_share(finding.unit),
            search=self._search_view(finding.unit),
            draft=self.wordings.get(sentence.index, sentence.text),
            cost=self._cost_in_words(finding.unit, cost),
            prompts=cost.prompts if cost else (finding.prompt,) if finding.prompt else (),
        )

    @cached_property
    def _unit_costs(self) -> UnitCosts:
        return unit_costs(self.check) if self.check.engine == types.Engine.LLM or self.check.is_generated else {}

    def _cost_in_words(self, unit: Unit, cost: UnitCost | None) -> str:
        if unit.is_carried:
            return str(wording.CARRIED_COST)
        if cost is None and unit.detector == WRITING:
            return str(wording.WRITING_COST)
        return wording.unit_cost_in_words(cost)

    def _quotes(self, finding: Finding, sentence: Sentence) -> tuple[QuoteView, ...]:
        whole, claim = Span(sentence.start, sentence.end), Span(finding.start, finding.end)
        own = QuoteView(
            label=_("Sentence %d") % (sentence.index + 1),
            pieces=pieces(sentence.text, [] if claim == whole else [claim.shifted(-sentence.start)]),
            sentence=sentence.index,
            start=sentence.start,
        )
        quotes = [own, *(self._evidence_quote(evidence) for evidence in self._shown_evidence(finding))]
        if all(quote.sentence is not None for quote in quotes):
            quotes.sort(key=lambda quote: quote.start)
        return tuple(quotes)

    def _evidence_quote(self, evidence: Evidence) -> QuoteView:
        use = next((use for use in self.sources if str(use.id) == evidence.source), None)
        if evidence.sentence is not None:
            label = _("Sentence %d") % (evidence.sentence + 1)
        elif use is not None:
            place = str(locate(self._places.get(use.id, ()), evidence.span))
            label = f"{use.name}, {place}" if place else use.name
        elif evidence.document is not None:
            label = evidence.document.title or site_of(evidence.document.url)
        else:
            label = _("The model, asked again")
        return QuoteView(
            label=label,
            pieces=pieces(evidence.quote, [span.shifted(-evidence.span.start) for span in evidence.conflict]),
            sentence=evidence.sentence,
            start=evidence.span.start,
            is_source=use is not None,
            href=self._href(evidence, use),
            site=site_of(evidence.document.url) if evidence.document else "",
        )

    def _href(self, evidence: Evidence, use: SourceUse | None) -> str:
        if use is not None:
            return source_link(use.source, evidence.span, evidence.conflict) if use.source else ""
        return web_link(evidence.document.url, evidence.quote) if evidence.document else ""

    def _shown_evidence(self, finding: Finding) -> tuple[Evidence, ...]:
        """What stands beside the sentence. Of a search that is one quote: the rest is in the record of it."""
        evidence = self._evidence(finding)
        if finding.kind == FindingKind.REFUTED_BY_EVIDENCE:
            return evidence[:1]
        if finding.kind == FindingKind.UNSUPPORTED_BY_EVIDENCE and evidence:
            return (max(evidence, key=lambda item: item.score or 0.0),)
        return evidence

    # --- what is being written

    @cached_property
    def written(self) -> tuple[WrittenView, ...]:
        """The sentences of a text that is checked while a model writes it."""
        return written_views(list(self.check.written_sentences.all()), self._evidence_quote)

    @property
    def written_counts(self) -> tuple[str, ...]:
        """How the sentences of a text fared that is checked while a model writes it."""
        return counts_of_written(self.written)

    @property
    def writing_end(self) -> str:
        """Why the text is no longer, where the model was not at its end; "" otherwise."""
        reason = self.check.writing_end
        return "" if reason == REASONS[Ending.COMPLETE] else reason

    @property
    def premise(self) -> PremiseView | None:
        """What is to be decided before the question is answered; None where nothing is."""
        if self.check.state != Check.State.WAITING or self.check.premise is None:
            return None
        return premise_view(self.check.premise, self._evidence_quote)

    # --- what was looked up

    @cached_property
    def search_totals(self) -> SearchTotals | None:
        """What was looked up in all; None when nothing was, so far."""
        return totals_of(list(self._searches.values()))

    @property
    def searched_in(self) -> str:
        """Where the check looks for evidence, in words; "" for nowhere."""
        return wording.retriever_label(self.check.retriever) if self.check.retriever else ""

    @property
    def reason_for_no_search(self) -> str:
        """Why nothing could be looked up although it was to be; "" when it could."""
        reasons = {
            unit.reason
            for units in self._units.values()
            for unit in units
            if unit.detector in _SEARCHES and unit.state == Unit.State.NOT_CHECKED
        }
        return next(iter(reasons & {pipeline.NO_RETRIEVER, pipeline.NO_SOURCE}), "")

    @property
    def without_evidence(self) -> int:
        """Of how many sentences nothing was found."""
        return sum(not search.read for search in self._searches.values())

    @cached_property
    def _searches(self) -> dict[int, SearchRecord]:
        """By the ids of their units."""
        return {
            unit.pk: codec.search_from_json(unit.search)
            for units in self._units.values()
            for unit in units
            if unit.search
        }

    def _unit_view(self, unit: Unit) -> UnitView:
        if unit.state != Unit.State.DONE:
            result = str(wording.UNIT_STATE_LABELS[unit.state])
        elif unit.detector in _SEARCHES:
            result = wording.verdict_of_search(Verdict(unit.verdict), self._searches.get(unit.pk))
        else:
            result = str(wording.VERDICT_LABELS[Verdict(unit.verdict)])
        return UnitView(wording.detector_label(unit.detector), result, unit.reason)

    def _search_view(self, unit: Unit) -> SearchView | None:
        record = self._searches.get(unit.pk)
        return self._search_reader.view(record, Verdict(unit.verdict)) if record else None

    @cached_property
    def _search_reader(self) -> SearchReader:
        uses = {str(use.id): use for use in self.sources}

        def href(source: str, span: Span) -> str:
            use = uses.get(source)
            return source_link(use.source, span) if use and use.source else ""

        return SearchReader(self.check, href)

    def _label(self, sentence: Sentence, verdict: Verdict, worst: Finding | None) -> str:
        """The verdict in words, and whose it is: a source of the user, or what a search found."""
        if worst is not None and worst.kind in _TOLD_BY_TITLE:
            return str(wording.KIND_TITLES[FindingKind(worst.kind)]).lower()
        if verdict is Verdict.NO_PROBLEM_FOUND and sentence.pk in self._decided_sentences:
            return str(wording.DECIDED)
        units = [unit for unit in self._units[sentence.pk] if unit.verdict == verdict]
        if worst is None and units and all(unit.detector in _SEARCHES for unit in units):
            return wording.verdict_of_search(verdict, self._searches.get(units[0].pk))
        return str(wording.VERDICT_LABELS[verdict])

    @cached_property
    def _decided_sentences(self) -> frozenset[int]:
        """The ids of the sentences with a warning that was decided on."""
        return frozenset(finding.sentence_id for finding in self._findings if finding.state in Finding.DECIDED)

    @cached_property
    def _places(self) -> dict[int, tuple[types.Place, ...]]:
        return places_of_check(self.check)

    def _option_view(self, suggestion: Suggestion) -> OptionView:
        sentence = self._by_pk[suggestion.sentence_id]
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
            absorbed=None if suggestion.absorbed_id is None else self._by_pk[suggestion.absorbed_id].index,
        )

    def _evidence(self, finding: Finding) -> tuple[Evidence, ...]:
        return codec.evidence_from_json(finding.evidence)


def _read_share(unit: Unit) -> ReadShare | None:
    if unit.passages_read is None or unit.passages_total is None:
        return None
    return ReadShare(unit.passages_read, unit.passages_total)


def compose_accepted(sentence: types.Sentence, sentence_id: int, accepted: Iterable[Suggestion]) -> str:
    """The sentence (which has the key ``sentence_id``) with what was accepted for it; "" when it is removed.

    A wording by the person who decides goes before others that change the same words.

    Raises:
        StaleSuggestion: what is accepted cannot be put together.
    """
    accepted = list(accepted)
    try:
        return revise.compose(sentence.text, [suggestion.wordings[sentence_id] for suggestion in accepted])
    except StaleSuggestion:
        own_words = [suggestion for suggestion in accepted if suggestion.method == SuggestionMethod.PERSON]
        if not own_words:
            raise
        return max(own_words, key=lambda suggestion: suggestion.pk).replacement


def seen_mark(state: str, wording_now: str) -> str:
    """Name what a card shows of a finding in ``state`` whose sentence reads ``wording_now`` (hexadecimal)."""
    return text_hash(f"{state}\n{wording_now}")


def spending_of(check: Check) -> Spending:
    """The calls, tokens and cost of all runs of a check."""
    made = check.model_calls.exclude(outcome=CallOutcome.REUSED)
    totals = made.aggregate(
        calls=Count("id"),
        prompt=Coalesce(Sum("prompt_tokens"), 0),
        completion=Coalesce(Sum("completion_tokens"), 0),
        usd=Coalesce(Sum("cost_usd"), Decimal(0)),
        unknown=Count("id", filter=Q(outcome=CallOutcome.ANSWERED, cost_usd=None)),
    )
    usage = TokenUsage(totals["prompt"], totals["completion"])
    return Spending(totals["calls"], usage, None if totals["unknown"] else totals["usd"])


@dataclass(frozen=True, slots=True)
class WaitingTotals:
    """How much is unfinished, by kind and state, and for how many seconds the oldest of it waits."""

    unfinished: dict[tuple[str, str], int]
    oldest_s: float


def waiting_totals(now: datetime) -> WaitingTotals:
    checks = Check.objects.filter(state__in=(Check.State.QUEUED, Check.State.RUNNING))
    sources = Source.objects.exclude(state__in=Source.SETTLED)
    unfinished = {
        (kind, state): number
        for kind, rows in (("check", checks), ("source", sources))
        for state, number in rows.order_by().values_list("state").annotate(Count("pk"))
    }
    queued = checks.filter(state=Check.State.QUEUED).order_by("created_at").values_list("created_at", flat=True)
    oldest = queued.first()
    return WaitingTotals(unfinished, (now - oldest).total_seconds() if oldest else 0.0)


def check_of_share_link(token: str) -> Check | None:
    """The check that whoever has this token may read."""
    link = ShareLink.objects.select_related("parent_check").filter(token=token).first()
    return link.parent_check if link else None


def check_of_owner(check_id: UUID, owner: str) -> Check | None:
    """A check, for the browser session that made it and for nobody else."""
    return Check.objects.filter(pk=check_id, owner=owner).first() if owner else None
