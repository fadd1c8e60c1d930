"""Suggestions: how sentences read with those that were accepted, and which one accept all would accept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ..core import types
from ..core.errors import StaleSuggestion
from ..core.rewriting import revise
from ..core.types import FindingKind, SuggestionMethod, text_hash
from ..models import Finding, Suggestion
from ..storage.evidence import EVIDENCE


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


def for_accept_all(finding: Finding, suggestions: Iterable[Suggestion]) -> Suggestion | None:
    """The first of a finding's suggestions that accept all may accept; None where no one is, or it is decided."""
    if finding.state != Finding.State.OPEN:
        return None
    suits = (
        suggestion
        for suggestion in suggestions
        if suggestion.state == Suggestion.State.OPEN
        and revise.suits_accept_all(suggestion.label, verified=suggestion.verified)
    )
    suggestion = next(suits, None)
    if suggestion is None:
        return None
    evidence = EVIDENCE.from_json(finding.evidence)
    return suggestion if revise.is_decided_by_source(FindingKind(finding.kind), finding.score, evidence) else None


#: The words that give way, and those in their place.
Change = tuple[tuple[str, str], ...]


class SameChanges:
    """Which open findings put the same words in the place of the same others, where a source decides.

    To change one of their sentences alone would make the text contradict itself. ``texts`` are the sentences by key.
    """

    def __init__(self, findings: Iterable[tuple[Finding, Sequence[Suggestion]]], texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._found: dict[Change, list[tuple[Finding, Suggestion]]] = defaultdict(list)
        for finding, suggestions in findings:
            suggestion = for_accept_all(finding, suggestions)
            if suggestion is not None:
                self._found[self._change(suggestion)].append((finding, suggestion))

    def beside(self, suggestion: Suggestion) -> list[tuple[Finding, Suggestion]]:
        """The others about other sentences; none for a suggestion that is not itself among them."""
        same = self._found.get(self._change(suggestion), [])
        if all(twin.pk != suggestion.pk for _, twin in same):
            return []
        return [(finding, twin) for finding, twin in same if twin.sentence_id != suggestion.sentence_id]

    def _change(self, suggestion: Suggestion) -> Change:
        text = self._texts[suggestion.sentence_id]
        return tuple((edit.span.of(text), edit.text) for edit in revise.edits(text, suggestion.replacement))
