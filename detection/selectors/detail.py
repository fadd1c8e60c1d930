"""A check with everything that its page, the fragments of the page and the exports show."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import wording
from ..core.detectors import DETECTORS
from ..core.llm.budget import Spending
from ..core.ports import Requirement
from ..core.reasons import Reason, is_reason
from ..core.rewriting import revise
from ..core.types import SILENT_KINDS, BlockKind, Engine, Verdict
from ..models import Check, Finding, Unit
from .card_pages import SILENT_GROUP_ORDER, AskedPage, CardPages, MoreCards
from .cards import CardReader, CardView
from .comparison import Comparison, comparison_of
from .costs import spending_of
from .decisions import DecisionView, decision_view, next_redo, next_undo
from .filters import Filters, SentenceCount, counts_of, filters_of
from .quotes import QuoteReader
from .rows import CheckRows, ReviewRows
from .searches import SearchReader, SearchTotals, totals_of
from .sentences import SEARCHES, BlockView, SentenceReader, SentenceReport, SentenceStanding, SentenceView
from .sources import SourceUse
from .suggestions import for_accept_all
from .writing import PremiseView, WrittenView, counts_of_written, premise_view, written_views

_NEED_SOURCES = frozenset(detector.id for detector in DETECTORS.values() if Requirement.SOURCES in detector.requires)

#: An estimate of the time left needs as many checked sentences, and as much time.
_LEAST_DONE = 5
_LEAST_SECONDS = 2

#: So many unchecked sentences are named for each reason.
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a check, in sentences."""

    total: int
    checked: int
    skipped: int
    without_claim: int
    """Number of skipped sentences that state no fact."""
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

    @property
    def not_checked(self) -> int:
        """Number of skipped sentences that may state a fact: too long, in another language, not reached."""
        return self.skipped - self.without_claim


@dataclass(frozen=True, slots=True)
class NotChecked:
    """Sentences that were not checked for one reason."""

    reason: str
    indices: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.indices)

    @property
    def named(self) -> tuple[int, ...]:
        """The sentences that the page links to."""
        return self.indices[:_MOST_NAMED]


class CheckDetail:
    """A check, read once, with views computed on demand. ``asked`` is the page of its warnings.

    ``reviewed`` are the rows that a decision has just read and changed, if any.
    """

    def __init__(self, check: Check, *, asked: AskedPage | None = None, reviewed: ReviewRows | None = None) -> None:
        self.check = check
        self._asked = asked or AskedPage()
        self._rows = CheckRows(check, reviewed)
        self._quotes = QuoteReader(self._rows)
        self._searches = SearchReader(self._rows)
        self._sentences = SentenceReader(self._rows, self._quotes, self._searches)

    # --- the text

    @property
    def sentences(self) -> tuple[SentenceView, ...]:
        return self._sentences.sentences

    def sentence(self, index: int) -> SentenceView:
        """One sentence. Composing all sentences is slow."""
        return self._sentences.sentence(index)

    @property
    def standings(self) -> tuple[SentenceStanding, ...]:
        """The state of each sentence."""
        return self._sentences.standings

    @property
    def blocks(self) -> tuple[BlockView, ...]:
        return self._sentences.blocks

    def sentence_report(self, index: int) -> SentenceReport | None:
        """What is known about a sentence; None if there is no such sentence."""
        return self._sentences.report(index)

    @property
    def wordings(self) -> dict[int, str]:
        """The new wording of every sentence that an accepted suggestion changes, by index; "" for a removed one."""
        return self._rows.wordings

    @cached_property
    def revised_text(self) -> str:
        return revise.apply(self.check.text, [row.as_value() for row in self._rows.sentences], self.wordings)

    # --- the warnings

    @cached_property
    def cards(self) -> tuple[CardView, ...]:
        return tuple(map(self._cards.view, self._rows.findings))

    @cached_property
    def card_pages(self) -> CardPages:
        """The findings whose cards the page shows."""
        asked = self._asked.finding
        asked_page = replace(self._asked, finding=None if asked is None else self.card_of(asked))
        return CardPages(self._rows.with_card, self._rows.index_of, asked_page)

    @cached_property
    def shown_cards(self) -> tuple[CardView, ...]:
        return tuple(map(self._cards.joined_view, self.card_pages.page.object_list))

    @cached_property
    def shown_entries(self) -> tuple[tuple[CardView, MoreCards | None], ...]:
        """Each card of the page; the last one of a sentence with its hidden warnings."""
        last_of = {card.sentence: card.finding for card in self.shown_cards}
        return tuple(
            (card, self.card_pages.more_of(card.sentence) if last_of[card.sentence] == card.finding else None)
            for card in self.shown_cards
        )

    def sentence_of(self, finding_id: int) -> int:
        """The index of the sentence that a finding is about."""
        return self._rows.index_of(self._findings[finding_id])

    def card(self, finding_id: int) -> CardView:
        """One of the cards. Building all cards is slow."""
        return self._cards.joined_view(self._findings[finding_id])

    def card_of(self, finding_id: int) -> int:
        """The finding whose card shows a finding, most often itself."""
        return self._rows.joined.head(finding_id)

    def alike(self, finding_id: int) -> frozenset[int]:
        """The findings that share a card with a finding in some states of theirs, and itself."""
        return self._rows.joined.alike(finding_id)

    def cards_of_sentence(self, index: int) -> tuple[int, ...]:
        """The findings whose cards are about a sentence, or name it because it has a figure that they replace."""
        naming = self._cards.findings_naming(index)
        return tuple(
            finding.pk
            for finding in self._rows.with_card
            if self._rows.index_of(finding) == index or finding.pk in naming
        )

    def with_same_change(self, finding_id: int) -> frozenset[int]:
        """The findings with a card whose offers make the same change as one of this finding."""
        like = self._cards.findings_like(finding_id)
        return frozenset(finding.pk for finding in self._rows.with_card if finding.pk in like)

    @cached_property
    def _cards(self) -> CardReader:
        new_ids = self.comparison.new_ids if self.comparison else frozenset()
        return CardReader(self._rows, self._quotes, self._searches, new_ids)

    @cached_property
    def _findings(self) -> dict[int, Finding]:
        return {finding.pk: finding for finding in self._rows.findings}

    @property
    def warnings(self) -> int:
        """The number of warnings, each with its card."""
        return len(self._rows.with_card)

    @property
    def open_warnings(self) -> int:
        """The number of undecided warnings."""
        return sum(finding.state == Finding.State.OPEN for finding in self._rows.with_card)

    @property
    def silent_warnings(self) -> int:
        """The number of open warnings that only say "not in your source"."""
        return sum(f.state == Finding.State.OPEN and f.kind in SILENT_KINDS for f in self._rows.with_card)

    @property
    def silent_order(self) -> int:
        """The place of the head of these warnings among the cards."""
        return SILENT_GROUP_ORDER

    @cached_property
    def filters(self) -> Filters:
        cards = [(head, *self._rows.joined.others(head.pk)) for head in self._rows.with_card]
        return filters_of(cards, lambda finding: self._rows.unit_of(finding).detector)

    @cached_property
    def acceptable(self) -> int:
        """The number of open findings that accept all would accept."""
        chosen = (for_accept_all(finding, self._rows.suggestions_of[finding.pk]) for finding in self._rows.findings)
        return sum(suggestion is not None for suggestion in chosen)

    @cached_property
    def undo_step(self) -> DecisionView | None:
        """The decision that undo would revert."""
        decision = next_undo(self.check)
        return decision_view(decision) if decision else None

    @cached_property
    def redo_step(self) -> DecisionView | None:
        """The decision that redo would restore."""
        decision = next_redo(self.check)
        return decision_view(decision) if decision else None

    # --- other versions of the text

    @cached_property
    def comparison(self) -> Comparison | None:
        """The outcome of the warnings of the previous check; None without one."""
        return comparison_of(self.check)

    @property
    def is_editable(self) -> bool:
        """Whether typed changes are checked automatically, because the check costs only time."""
        return self.check.engine == Engine.LOCAL and not self.check.retriever and not self.check.is_unwritten

    @property
    def next_check(self) -> Check | None:
        """The newest check of a later version of the text."""
        return self.check.next_checks.order_by("-created_at").first()

    # --- how far it is

    @cached_property
    def progress(self) -> Progress:
        states = Counter(
            sentence.verdict if sentence.state == "settled" else sentence.state for sentence in self.standings
        )
        skipped, failed = states[Verdict.NOT_CHECKED], states[Verdict.FAILED]
        settled = sum(1 for sentence in self.standings if sentence.state == "settled")
        return Progress(
            total=len(self.standings),
            checked=settled - skipped - failed,
            skipped=skipped,
            without_claim=sum(is_reason(sentence.stored_reason, Reason.STATES_NO_FACT) for sentence in self.standings),
            failed=failed,
            waiting=states["waiting"],
            running=states["running"],
            flagged=sum(1 for sentence in self.standings if sentence.findings),
        )

    @property
    def unsure(self) -> int:
        """The number of sentences with the verdict unsure and no warning."""
        return sum(view.verdict is Verdict.UNSURE and not view.findings for view in self.standings)

    @cached_property
    def not_checked(self) -> tuple[NotChecked, ...]:
        """The unchecked sentences by reason, most frequent first. The reason of a failed check stands above the cards
        and is left out."""
        indices: dict[str, list[int]] = defaultdict(list)
        for view in self.standings:
            if view.state == "settled" and view.verdict is Verdict.FAILED:
                is_late = is_reason(view.stored_reason, Reason.OUT_OF_TIME)
                indices[_("not reached within the time limit") if is_late else _("the check failed")].append(view.index)
            elif view.state == "settled" and view.verdict is Verdict.NOT_CHECKED:
                indices[self._reason_of_many(view)].append(view.index)
        groups = (NotChecked(reason, tuple(found)) for reason, found in indices.items())
        return tuple(sorted(groups, key=lambda group: -group.count))

    @property
    def number_not_checked(self) -> int:
        """The number of unchecked sentences, whatever the reason."""
        return sum(group.count for group in self.not_checked)

    def _reason_of_many(self, view: SentenceStanding) -> str:
        """Why a sentence was not checked, in words that fit several sentences."""
        if not is_reason(view.stored_reason, Reason.STATES_NO_FACT):
            return view.reason
        is_heading = self._rows.sentences[view.index].block_kind == BlockKind.HEADING
        return _("headings") if is_heading else _("no statement of fact, for example instructions and questions")

    @property
    def noteworthy(self) -> tuple[SentenceStanding, ...]:
        """The sentences that need review or are not settled yet."""
        return tuple(view for view in self.standings if view.findings or view.state != "settled")

    @cached_property
    def counts(self) -> tuple[SentenceCount, ...]:
        return counts_of(self.standings)

    @property
    def can_retry(self) -> bool:
        """Whether the check ended with failed units that a retry may settle."""
        return self.check.state == Check.State.DONE and bool(self._failures)

    @cached_property
    def is_out_of_time(self) -> bool:
        """Whether the check ended at its time limit, and nothing else failed."""
        return self.can_retry and all(is_reason(reason, Reason.OUT_OF_TIME) for reason in self._failures)

    @property
    def failure_reasons(self) -> tuple[str, ...]:
        """Up to three reasons of failed units, most frequent first."""
        reasons = Counter(self._failures)
        return tuple(wording.reason_words(reason) for reason, _times in reasons.most_common(3))

    @cached_property
    def _failures(self) -> tuple[str, ...]:
        """The reason of each failed unit."""
        return tuple(unit.reason for unit in self._rows.units if unit.state == Unit.State.FAILED)

    @property
    def waiting_reason(self) -> str:
        """Why the check waits; "" if it does not."""
        until = self.check.waiting_until
        return self.check.waiting_reason if self.check.is_active and until and until > timezone.now() else ""

    @property
    def waits_for_own(self) -> int:
        """The owner's limit of running checks if the check waits because of it; otherwise 0."""
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

    @property
    def seconds_left(self) -> int:
        """How long a running check probably still takes, by its speed so far; 0 if that cannot be told yet."""
        done, seconds = self.progress.checked + self.progress.failed, self.seconds
        if not self.check.is_active or self.waiting_reason or done < _LEAST_DONE or seconds < _LEAST_SECONDS:
            return 0
        return math.ceil(seconds / done * (self.progress.waiting + self.progress.running))

    @cached_property
    def usage(self) -> Spending:
        """The cost of language models."""
        return spending_of(self.check)

    # --- the sources

    @property
    def sources(self) -> tuple[SourceUse, ...]:
        return self._rows.sources

    @property
    def unread_sources(self) -> tuple[SourceUse, ...]:
        return tuple(source for source in self.sources if source.is_unread)

    @property
    def unreadable_sources(self) -> tuple[SourceUse, ...]:
        """Sources that could not be read and that the check omits."""
        return tuple(source for source in self.sources if source.is_unreadable)

    @property
    def readable_sources(self) -> tuple[SourceUse, ...]:
        return tuple(source for source in self.sources if source.is_readable)

    @property
    def is_grounded(self) -> bool:
        """Whether any sentence was compared with the sources."""
        return any(unit.state == Unit.State.DONE and unit.detector in _NEED_SOURCES for unit in self._rows.units)

    # --- the text that a model writes

    @cached_property
    def written(self) -> tuple[WrittenView, ...]:
        """The sentences of a text that is checked while a model writes it."""
        return written_views(list(self.check.written_sentences.all()), self._quotes.of_evidence)

    @property
    def written_counts(self) -> tuple[str, ...]:
        """Number of sentences in each state, for a text that is checked while a model writes it."""
        return counts_of_written(self.written)

    @property
    def error(self) -> str:
        """Why the check failed; "" if it did not."""
        return wording.reason_words(self.check.error)

    @property
    def writing_end(self) -> str:
        """Why the writing ended; "" if unknown."""
        return wording.reason_words(self.check.writing_end)

    @property
    def early_end(self) -> str:
        """Why the writing ended before the model was finished; "" otherwise."""
        return "" if is_reason(self.check.writing_end, Reason.WRITING_COMPLETE) else self.writing_end

    @property
    def premise(self) -> PremiseView | None:
        """The pending decision about the question; None if there is none."""
        if self.check.state != Check.State.WAITING or self.check.premise is None:
            return None
        return premise_view(self.check.premise, self._quotes.of_evidence)

    # --- the evidence search

    @cached_property
    def search_totals(self) -> SearchTotals | None:
        """The totals of all searches; None before the first one."""
        return totals_of(list(self._rows.searches.values()))

    @property
    def reason_for_no_search(self) -> str:
        """Why the requested search was not possible; "" if it was."""
        reasons = {
            unit.reason
            for unit in self._rows.units
            if unit.detector in SEARCHES and unit.state == Unit.State.NOT_CHECKED
        }
        found = (reason for reason in reasons if is_reason(reason, Reason.NO_SEARCH, Reason.NO_SOURCE))
        return wording.reason_words(next(found, ""))

    @property
    def without_evidence(self) -> int:
        """The number of sentences without evidence."""
        return sum(not search.read for search in self._rows.searches.values())
