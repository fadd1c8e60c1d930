"""The findings of a check during a decision: the accepted ones, and the effect on the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from .. import events
from ..core.errors import StaleSuggestion
from ..core.rewriting import revise
from ..core.types import FindingKind, Span, text_hash
from ..models import Finding, Suggestion
from ..selectors.rows import ReviewRows
from ..selectors.suggestions import SameChanges, compose_accepted, seen_mark
from .dismissals import dismissal_follow

#: An accepted finding has the event of its suggestion. The undo of a dismissal can make a finding stale again.
_EVENT_OF_STATE = {
    Finding.State.REJECTED: events.FindingRejected,
    Finding.State.DISMISSED: events.FindingDismissed,
    Finding.State.OPEN: events.FindingReopened,
    Finding.State.STALE: events.FindingStale,
}


@dataclass(slots=True)
class Reviewed:
    """The rows after a decision, so that its answer need not read them again."""

    seq: int = 0
    """Number of the last event of the decision; 0 before a decision."""
    rows: ReviewRows | None = None

    def at(self, seq: int) -> ReviewRows | None:
        """The rows as of event ``seq``; None if it is not the last event of the decision."""
        return self.rows if seq == self.seq else None


_reviewed: ContextVar[Reviewed | None] = ContextVar("reviewed", default=None)


@contextmanager
def keeping_review() -> Iterator[Reviewed]:
    """Keep the rows of a decision made inside, for its answer."""
    reviewed = Reviewed()
    token = _reviewed.set(reviewed)
    try:
        yield reviewed
    finally:
        _reviewed.reset(token)


class Review:
    """All findings and suggestions of a check, in memory, during one transaction.

    ``choose`` changes the state of one finding; ``settle`` then updates the open findings and suggestions that no
    longer apply, or apply again; ``save`` stores the changes and returns their events.
    """

    def __init__(self, check_id: UUID) -> None:
        self.rows = ReviewRows(check_id)
        self._sentences = {row.pk: row.as_value() for row in self.rows.sentences}
        self._by_index = {sentence.index: sentence for sentence in self._sentences.values()}
        self.findings = self.rows.findings
        self._suggestions = self.rows.suggestions_of
        self._accepted: dict[int, list[Suggestion]] = defaultdict(list)  # by the sentence they change
        for suggestion in chain.from_iterable(self._suggestions.values()):
            if suggestion.state == Suggestion.State.ACCEPTED:
                for sentence_id in suggestion.wordings:
                    self._accepted[sentence_id].append(suggestion)
        self._events: list[events.Event] = []
        self._changed_findings: dict[int, Finding] = {}
        self._changed_suggestions: dict[int, Suggestion] = {}
        self._changed_dismissals: dict[int, Finding] = {}
        self._touched: set[int] = set()

    def suggestions_of(self, finding: Finding) -> list[Suggestion]:
        return self._suggestions[finding.pk]

    def accepted_of(self, finding: Finding) -> Suggestion | None:
        return next((s for s in self.suggestions_of(finding) if s.state == Suggestion.State.ACCEPTED), None)

    def seen_mark_of(self, finding: Finding) -> str:
        """The mark that an up-to-date page shows for ``finding``."""
        head, *others = self.of_card(finding)
        return seen_mark(head.state, self._wording_of(head.sentence_id), others)

    def of_card(self, finding: Finding) -> tuple[Finding, ...]:
        """All findings of the card that shows ``finding``, its head first."""
        joined = self.rows.joined()
        head = joined.head(finding.pk)
        return (*(one for one in self.findings if one.pk == head), *joined.others(head))

    def may_be_of_other_words(self, one: Finding, other: Finding) -> bool:
        """Whether one of the two is a contradiction that names no words of its sentence."""
        return any(
            finding.kind == FindingKind.CROSS_CONTRADICTION
            and Span(finding.start, finding.end) == self._sentences[finding.sentence_id].span
            for finding in (one, other)
        )

    def choose(
        self, finding: Finding, state: Finding.State, suggestion: Suggestion | None = None, reason: str = ""
    ) -> None:
        """Put ``finding`` into ``state``, with ``suggestion`` as the accepted one and the person's ``reason``, if any.

        Raises:
            StaleSuggestion: the suggestion clashes with another accepted change.
        """
        for other in self.suggestions_of(finding):
            if other.state == Suggestion.State.ACCEPTED and other != suggestion:
                self._set_suggestion(other, Suggestion.State.OPEN)
                self._events.append(events.SuggestionReopened(**self._ids(finding), suggestion=other.pk))
        if suggestion is not None and suggestion.state != Suggestion.State.ACCEPTED:
            self._set_suggestion(suggestion, Suggestion.State.ACCEPTED)
            self._events.append(events.SuggestionAccepted(**self._ids(finding), suggestion=suggestion.pk))
            for sentence_id in suggestion.wordings:
                self._wording_of(sentence_id)
        if finding.state != state:
            finding.reason = reason
            self._set_finding(finding, state)
            if state in _EVENT_OF_STATE:
                self._events.append(_EVENT_OF_STATE[state](**self._ids(finding)))

    def others_about(self, suggestion: Suggestion) -> list[Finding]:
        """Open findings about the sentence that a merge removes, whose words it would move to another one."""
        return [
            finding
            for finding in self.findings
            if finding.sentence_id == suggestion.absorbed_id
            and finding.pk != suggestion.finding_id
            and finding.state == Finding.State.OPEN
        ]

    def beside(self, suggestion: Suggestion) -> list[tuple[Finding, Suggestion]]:
        """Open findings of other sentences with the suggestion of each that is decided on together with this one."""
        return [*self.same_changes().beside(suggestion), *self._of_companions(suggestion)]

    def _of_companions(self, suggestion: Suggestion) -> Iterator[tuple[Finding, Suggestion]]:
        """The findings whose own suggestion makes the change of a companion."""
        wordings = dict(suggestion.companions or [])
        for finding in self.findings:
            if finding.sentence_id in wordings and finding.state == Finding.State.OPEN:
                own = (one for one in self.suggestions_of(finding) if _makes_only(one, wordings[finding.sentence_id]))
                if (twin := next(own, None)) is not None:
                    yield finding, twin

    def same_changes(self) -> SameChanges:
        texts = {pk: sentence.text for pk, sentence in self._sentences.items()}
        return SameChanges(((finding, self.suggestions_of(finding)) for finding in self.findings), texts)

    def add_suggestion(self, finding: Finding, suggestion: Suggestion) -> None:
        """Store a new suggestion and add it to the review."""
        suggestion.save()
        self._suggestions[finding.pk].append(suggestion)
        self._events.append(events.SuggestionAdded(**self._ids(finding), suggestion=suggestion.pk))

    def settle(self) -> None:
        """Update every undecided finding and its suggestions for the present accepted suggestions."""
        wordings = {self._sentences[pk].index: self._wording_of(pk) for pk, made in self._accepted.items() if made}
        for finding in self.findings:
            if finding.state not in Finding.DECIDED:
                self._settle_finding(finding, wordings)

    def save(self) -> list[events.Event]:
        """Store the changes, and return their events in order."""
        Finding.objects.bulk_update(self._changed_findings.values(), ["state", "reason"])
        Suggestion.objects.bulk_update(self._changed_suggestions.values(), ["state"])
        for finding in self._changed_dismissals.values():
            dismissal_follow(finding=finding)
        if self._touched:
            self._events.append(events.TextRevised(sentences=tuple(sorted(self._touched))))
        return self._events

    def store(self, check_id: UUID) -> None:
        """Store the changes with their events, as the last step of a decision."""
        seq = events.append(check_id, self.save())
        if reviewed := _reviewed.get():
            reviewed.seq, reviewed.rows = seq, self.rows

    def _settle_finding(self, finding: Finding, wordings: dict[int, str]) -> None:
        stale = self._lost_its_words(finding, wordings)
        if stale and finding.state != Finding.State.STALE:
            self._set_finding(finding, Finding.State.STALE)
            self._events.append(events.FindingStale(**self._ids(finding)))
        elif not stale and finding.state == Finding.State.STALE:
            self._set_finding(finding, Finding.State.OPEN)
            self._events.append(events.FindingReopened(**self._ids(finding)))
        for suggestion in self.suggestions_of(finding):
            usable = not stale and self._is_usable(suggestion)
            if usable and suggestion.state == Suggestion.State.STALE:
                self._set_suggestion(suggestion, Suggestion.State.OPEN)
                self._events.append(events.SuggestionReopened(**self._ids(finding), suggestion=suggestion.pk))
            elif not usable and suggestion.state == Suggestion.State.OPEN:
                self._set_suggestion(suggestion, Suggestion.State.STALE)
                self._events.append(events.SuggestionStale(**self._ids(finding), suggestion=suggestion.pk))

    def _lost_its_words(self, finding: Finding, wordings: dict[int, str]) -> bool:
        return revise.lost_its_words(
            Span(finding.start, finding.end),
            self._sentences[finding.sentence_id].index,
            self.rows.evidence_of(finding),
            self._by_index,
            wordings,
        )

    def _is_usable(self, suggestion: Suggestion) -> bool:
        sentence = self._sentences[suggestion.sentence_id]
        if suggestion.base_hash != text_hash(sentence.text):
            return False
        if suggestion.absorbed_id is not None and self._accepted[suggestion.absorbed_id]:
            return False  # it contains the original words of that sentence
        changed = (
            suggestion.wordings.items() if suggestion.companions else [(suggestion.sentence_id, suggestion.replacement)]
        )
        return all(self._is_composable(sentence_id, wording) for sentence_id, wording in changed)

    def _is_composable(self, sentence_id: int, wording: str) -> bool:
        """Whether a new wording of a sentence fits the accepted ones."""
        accepted = [other.wordings[sentence_id] for other in self._accepted[sentence_id]]
        try:
            revise.compose(self._sentences[sentence_id].text, [*accepted, wording])
        except StaleSuggestion:
            return False
        return True

    def _wording_of(self, sentence_id: int) -> str:
        """The wording of a sentence with its accepted suggestions.

        Raises:
            StaleSuggestion: the accepted suggestions clash.
        """
        return compose_accepted(self._sentences[sentence_id], sentence_id, self._accepted[sentence_id])

    def _ids(self, finding: Finding) -> dict[str, int]:
        return {"sentence": self._sentences[finding.sentence_id].index, "finding": finding.pk}

    def _set_finding(self, finding: Finding, state: Finding.State) -> None:
        if Finding.State.DISMISSED in (finding.state, state):
            self._changed_dismissals[finding.pk] = finding
        finding.state = state
        self._changed_findings[finding.pk] = finding

    def _set_suggestion(self, suggestion: Suggestion, state: Suggestion.State) -> None:
        for sentence_id in suggestion.wordings:
            accepted = self._accepted[sentence_id]
            if suggestion.state == Suggestion.State.ACCEPTED:
                accepted.remove(suggestion)
            if state == Suggestion.State.ACCEPTED:
                accepted.append(suggestion)
            if Suggestion.State.ACCEPTED in (suggestion.state, state):
                self._touched.add(self._sentences[sentence_id].index)
        suggestion.state = state
        self._changed_suggestions[suggestion.pk] = suggestion


def _makes_only(suggestion: Suggestion, wording: str) -> bool:
    """Whether a suggestion that can be accepted gives its sentence this wording and changes no other one."""
    return (
        suggestion.state == Suggestion.State.OPEN
        and len(suggestion.wordings) == 1
        and suggestion.sentence_id == suggestion.finding.sentence_id
        and suggestion.replacement == wording
    )
