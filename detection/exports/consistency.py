"""Consistency of a loaded check: ``schema`` validates single fields, this module their relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set

from .. import wording
from ..core.active_generation.types import SentenceState, ValidationMode
from ..core.errors import StaleSuggestion
from ..core.rewriting import revise
from ..core.types import Sentence, text_hash
from ..models import Finding, Suggestion, Unit
from ..selectors.suggestions import compose_accepted
from .schema import (
    ChangeRecord,
    CheckRecord,
    EvidenceRecord,
    FindingRecord,
    PlaceRecord,
    Range,
    SearchRecord,
    SentenceRecord,
    SourceState,
    SuggestionRecord,
    UnitRecord,
)

#: Combining them takes time quadratic in their number.
_MAX_ACCEPTED_OF_SENTENCE = 50


class Inconsistent(ValueError):
    """Two parts of the file contradict each other. The message names them, as the end of a sentence."""


def verify(check: CheckRecord) -> None:
    """Verify the whole check.

    Raises:
        Inconsistent: the file is no complete saved check.
    """
    _Verification(check).run()


class _Verification:
    def __init__(self, check: CheckRecord) -> None:
        self._check = check
        self._findings = {
            finding.id: (sentence, finding)
            for sentence in check.sentences
            for unit in sentence.units
            for finding in unit.findings
        }

    def run(self) -> None:
        check = self._check
        self._sentences()
        self._written()
        for number, source in enumerate(check.sources, start=1):
            _require(source.state is SourceState.READY or not source.text, f"source {number} is unread and has a text")
            _require(source.state is not SourceState.FAILED or source.error, f"source {number} failed without a reason")
            self._places(number, source.places, len(source.text))
        for sentence in check.sentences:
            for unit in sentence.units:
                self._unit(sentence, unit)
        self._numbers()
        _require(check.retriever == "" or check.search_plan, "evidence was looked for without a plan")
        _require(self._revised() == check.revised, "the revised text is not what the decisions make of the text")
        _History(check, {number: finding for number, (_, finding) in self._findings.items()}).verify()

    def _sentences(self) -> None:
        text, end, block = self._check.text, 0, 0
        for number, sentence in enumerate(self._check.sentences):
            where = f"sentence {number + 1}"
            _require(sentence.index == number, f"{where} has the number {sentence.index + 1}")
            _require(end <= sentence.start < sentence.end <= len(text), f"{where} lies outside the text")
            same = text[sentence.start : sentence.end] == sentence.text
            _require(same and sentence.text == sentence.text.strip(), f"{where} does not stand in the text")
            _require(block <= sentence.block, f"{where} stands in an earlier paragraph than the one before it")
            end, block = sentence.end, sentence.block

    def _written(self) -> None:
        check, text = self._check, ""
        for number, sentence in enumerate(check.written, start=1):
            where = f"written sentence {number}"
            is_left_out = sentence.state is SentenceState.LEFT_OUT
            _require(is_left_out != bool(sentence.text), f"{where} is left out with a text, or kept without one")
            is_changed = is_left_out or sentence.state is SentenceState.REPAIRED
            is_chosen = sentence.is_restored or sentence.chosen_at is not None
            _require(is_changed or not is_chosen, f"{where} was put back, and never changed")
            _require(is_changed or sentence.text == sentence.first_version, f"{where} was changed without a reason")
            _require((sentence.chosen_at or 0) <= len(check.written), f"{where} was put back after the end of the text")
            now = sentence.first_version if sentence.is_restored else sentence.text
            text += sentence.lead + now if now else ""
            for validation in sentence.validations:
                _require(validation.span[0] <= validation.span[1], f"{where} is asked about words that are nowhere")
                for item in validation.evidence:
                    self._evidence(where, item)
        _require(not check.written or check.is_generated, "a text that nobody wrote has written sentences")
        _require(not check.written or check.validation is not ValidationMode.NONE, "sentences were checked by nothing")
        _require(not check.written or text == check.text, "the written sentences do not make the text")
        for item in check.premise.evidence if check.premise else ():
            self._evidence("the question", item)

    def _places(self, number: int, places: Iterable[PlaceRecord], length: int) -> None:
        for place in places:
            _require(place.start <= place.end <= length, f"a place of source {number} lies outside its text")

    def _unit(self, sentence: SentenceRecord, unit: UnitRecord) -> None:
        where = f"{unit.detector} on sentence {sentence.index + 1}"
        same = [other for other in sentence.units if other.detector == unit.detector]
        _require(len(same) == 1, f"{where} stands there twice")
        _require((unit.state is Unit.State.DONE) == bool(unit.verdict), f"{where} has a verdict without being done")
        _require(unit.state is Unit.State.DONE or not unit.findings, f"{where} has a warning without being done")
        _require((unit.passages_read is None) == (unit.passages_total is None), f"{where} has half a count of passages")
        for item in unit.evidence:
            self._evidence(where, item)
        if unit.search is not None:
            self._search(where, unit.search)
        for finding in unit.findings:
            self._finding(sentence, finding)

    def _finding(self, sentence: SentenceRecord, finding: FindingRecord) -> None:
        where = f"warning {finding.id}"
        _require(finding.kind in wording.KIND_TITLES, f"{where} is of a kind that this version does not show")
        inside = sentence.start <= finding.start <= finding.end <= sentence.end
        _require(inside, f"{where} lies outside its sentence")
        for item in finding.evidence:
            self._evidence(where, item)
        positions = [suggestion.position for suggestion in finding.suggestions]
        _require(len(set(positions)) == len(positions), f"{where} has two suggestions in one place")
        accepted = [item for item in finding.suggestions if item.state is Suggestion.State.ACCEPTED]
        expected = 1 if finding.state is Finding.State.ACCEPTED else 0
        _require(len(accepted) == expected, f"{where} is {finding.state}, and {len(accepted)} suggestions are accepted")
        for suggestion in finding.suggestions:
            _require(suggestion.sentence < len(self._check.sentences), f"{where} changes a sentence that is not there")
            absorbed = suggestion.absorbed
            fits = absorbed is None or (absorbed < len(self._check.sentences) and absorbed != suggestion.sentence)
            _require(fits, f"{where} merges a sentence that is not there")
            self._companions(where, suggestion)
            base = self._check.sentences[suggestion.sentence].text
            _require(suggestion.base_hash == text_hash(base), f"{where} was written for another sentence")

    def _companions(self, where: str, suggestion: SuggestionRecord) -> None:
        changed = _sentences_of(suggestion)
        _require(len(set(changed)) == len(changed), f"{where} changes a sentence twice")
        _require(max(changed) < len(self._check.sentences), f"{where} changes a sentence that is not there")

    def _evidence(self, where: str, item: EvidenceRecord) -> None:
        # Evidence that a search found in the user's own source has that source, and a document without an address.
        is_elsewhere = item.document is not None and (item.source is None or bool(item.document.url))
        named = [item.sentence is not None, item.source is not None, is_elsewhere]
        _require(sum(named) <= 1, f"{where} has evidence from two places")
        start, length = 0, len(item.quote)
        if item.sentence is not None:
            _require(item.sentence < len(self._check.sentences), f"{where} quotes a sentence that is not there")
            sentence = self._check.sentences[item.sentence]
            start, length = sentence.start, sentence.end
            quoted = self._check.text[item.start : item.end]
            _require(quoted == item.quote, f"{where} quotes words that do not stand in the text")
        elif item.source is not None:
            length = self._source_length(where, item.source)
        _require(start <= item.start <= item.end <= length, f"{where} quotes beyond the end of what it quotes")
        _require_inside(where, item.conflict, item.start, item.end)

    def _search(self, where: str, search: SearchRecord) -> None:
        for claim in search.claims:
            _require_inside(where, [claim.span], 0, len(self._check.text))
            _require(len(claim.documents) <= search.most_documents, f"{where} has read more than it may")
            for reading in claim.documents:
                _require_inside(where, [reading.quote], 0, len(reading.passage))
                if reading.source is not None:
                    length = self._source_length(where, reading.source)
                    _require(reading.start <= length, f"{where} quotes beyond the end of what it quotes")

    def _source_length(self, where: str, number: int) -> int:
        """The length of the text of a source. Quotes of a missing source have no limit."""
        _require(number < len(self._check.sources), f"{where} quotes a source that is not there")
        source = self._check.sources[number]
        return len(source.text) if source.state is SourceState.READY else 2_000_000_000

    def _numbers(self) -> None:
        found = [f for sentence in self._check.sentences for unit in sentence.units for f in unit.findings]
        _require(len(self._findings) == len(found), "two warnings have the same number")
        _require(len({finding.fingerprint for finding in found}) == len(found), "a warning stands there twice")
        suggestions = [item.id for finding in found for item in finding.suggestions]
        _require(len(set(suggestions)) == len(suggestions), "two suggestions have the same number")

    def _revised(self) -> str:
        sentences = [_sentence(self._check, index) for index in range(len(self._check.sentences))]
        wordings = _wordings(self._check, _accepted_of(finding for _, finding in self._findings.values()).values())
        return revise.apply(self._check.text, sentences, wordings)


class _History:
    """Reverts one decision after the other, as undo would, and verifies that each can be reverted."""

    def __init__(self, check: CheckRecord, findings: dict[int, FindingRecord]) -> None:
        self._check = check
        self._findings = findings
        self._states = {number: finding.state for number, finding in findings.items()}
        self._accepted = _accepted_of(findings.values())
        self._by_sentence: dict[int, dict[int, SuggestionRecord]] = defaultdict(dict)
        """The accepted suggestions of each sentence."""
        for suggestion in self._accepted.values():
            self._note(suggestion)

    def verify(self) -> None:
        for decision in self._check.decisions:
            for change in decision.changes:
                _require(change.finding in self._findings, "a decision is about a warning that is not there")
                self._suggestion(change, change.accepted_before)
                self._suggestion(change, change.accepted_after)
        for decision in reversed(self._check.decisions):
            if decision.undone_at is None:
                self._take_back_all(decision.changes)

    def _take_back_all(self, changes: Sequence[ChangeRecord]) -> None:
        """Compose only the sentences that a decision touches, because a file may have thousands of decisions."""
        touched = {
            index
            for change in reversed(changes)
            for suggestion in self._take_back(change)
            for index in _sentences_of(suggestion)
        }
        near = {item.id: item for index in touched for item in self._by_sentence[index].values()}
        _wordings(self._check, near.values(), only=touched)

    def _take_back(self, change: ChangeRecord) -> list[SuggestionRecord]:
        """The accepted suggestions after the change and before it."""
        now = self._accepted.get(change.finding)
        same = _settled(self._states[change.finding]) == _settled(change.state_after)
        fits = same and (now.id if now else None) == change.accepted_after
        _require(fits, "the decisions do not lead to what is decided")
        before = self._suggestion(change, change.accepted_before)
        _require((change.state_before is Finding.State.ACCEPTED) == (before is not None), "a decision accepts nothing")
        self._states[change.finding] = change.state_before
        self._forget(self._accepted.pop(change.finding, None))
        if before is not None:
            self._accepted[change.finding] = before
            self._note(before)
        return [item for item in (now, before) if item is not None]

    def _note(self, suggestion: SuggestionRecord) -> None:
        for index in _sentences_of(suggestion):
            self._by_sentence[index][suggestion.id] = suggestion

    def _forget(self, suggestion: SuggestionRecord | None) -> None:
        if suggestion is None:
            return
        for index in _sentences_of(suggestion):
            self._by_sentence[index].pop(suggestion.id, None)

    def _suggestion(self, change: ChangeRecord, suggestion_id: int | None) -> SuggestionRecord | None:
        if suggestion_id is None:
            return None
        suggestions = self._findings[change.finding].suggestions
        found = next((item for item in suggestions if item.id == suggestion_id), None)
        _require(found is not None, "a decision accepts a suggestion that is not there")
        return found


def _accepted_of(findings: Iterable[FindingRecord]) -> dict[int, SuggestionRecord]:
    """The accepted suggestions by the ids of the findings."""
    return {
        finding.id: suggestion
        for finding in findings
        for suggestion in finding.suggestions
        if suggestion.state is Suggestion.State.ACCEPTED
    }


def _settled(state: Finding.State) -> Finding.State:
    """The state without the difference of open and stale, which depends on other decisions."""
    return Finding.State.OPEN if state is Finding.State.STALE else state


def _sentences_of(suggestion: SuggestionRecord) -> tuple[int, ...]:
    """The sentences that a suggestion changes."""
    absorbed = () if suggestion.absorbed is None else (suggestion.absorbed,)
    return (suggestion.sentence, *absorbed, *(one.sentence for one in suggestion.companions))


def _wordings(
    check: CheckRecord, accepted: Iterable[SuggestionRecord], *, only: Set[int] | None = None
) -> dict[int, str]:
    """The wordings of sentences, all or ``only`` some, with their accepted suggestions."""
    by_sentence: dict[int, list[Suggestion]] = defaultdict(list)
    for item in accepted:
        # The index of a sentence serves as its key.
        suggestion = Suggestion(
            pk=item.id,
            replacement=item.replacement,
            method=item.method,
            sentence_id=item.sentence,
            absorbed_id=item.absorbed,
            companions=[[one.sentence, one.replacement] for one in item.companions],
        )
        for index in suggestion.wordings:
            if only is None or index in only:
                by_sentence[index].append(suggestion)
    _require(
        all(len(items) <= _MAX_ACCEPTED_OF_SENTENCE for items in by_sentence.values()),
        "a sentence has more accepted suggestions than words that they could change",
    )
    try:
        return {index: compose_accepted(_sentence(check, index), index, items) for index, items in by_sentence.items()}
    except StaleSuggestion:
        raise Inconsistent("two accepted suggestions change the same words") from None


def _sentence(check: CheckRecord, index: int) -> Sentence:
    item = check.sentences[index]
    return Sentence(item.index, item.start, item.end, item.text, item.block, item.block_kind)


def _require(holds: object, problem: str) -> None:
    if not holds:
        raise Inconsistent(problem)


def _require_inside(where: str, ranges: Iterable[Range], start: int, end: int) -> None:
    for a, b in ranges:
        _require(start <= a <= b <= end, f"{where} marks words outside of what it quotes")
