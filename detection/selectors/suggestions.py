"""Suggestions: the wording of sentences with accepted ones, and the one that accept all would accept."""

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
    """The sentence (with the key ``sentence_id``) with its accepted suggestions; "" if it is removed.

    The user's own wording takes precedence over others that change the same words.

    Raises:
        StaleSuggestion: the accepted suggestions clash.
    """
    accepted = list(accepted)
    try:
        return revise.compose(sentence.text, [suggestion.wordings[sentence_id] for suggestion in accepted])
    except StaleSuggestion:
        own_words = [suggestion for suggestion in accepted if suggestion.method == SuggestionMethod.PERSON]
        if not own_words:
            raise
        return max(own_words, key=lambda suggestion: suggestion.pk).replacement


def seen_mark(state: str, wording_now: str, others: Iterable[Finding] = ()) -> str:
    """A hexadecimal mark of what a card shows: the ``state`` of the finding, the wording of its sentence, and the
    ``others`` on the card."""
    shown = [state, *(str(other.pk) for other in others)]
    return text_hash(f"{' '.join(shown)}\n{wording_now}")


def for_accept_all(finding: Finding, suggestions: Iterable[Suggestion]) -> Suggestion | None:
    """The first suggestion of a finding that accept all may accept; None if there is none or the finding is decided."""
    if finding.state != Finding.State.OPEN:
        return None
    suits = (
        suggestion
        for suggestion in suggestions
        if suggestion.state == Suggestion.State.OPEN and _suits_accept_all(suggestion)
    )
    suggestion = next(suits, None)
    if suggestion is None:
        return None
    evidence = EVIDENCE.from_json(finding.evidence)
    return suggestion if revise.is_decided_by_source(FindingKind(finding.kind), finding.score, evidence) else None


def _suits_accept_all(suggestion: Suggestion) -> bool:
    return revise.suits_accept_all(suggestion.label, verified=suggestion.verified)


#: The old words and the new words.
Change = tuple[tuple[str, str], ...]


class SameChanges:
    """Finds the open findings that make the same replacement, where a source decides.

    Changing only one of their sentences would make the text contradict itself. ``texts`` are the sentences by key.
    """

    def __init__(self, findings: Iterable[tuple[Finding, Sequence[Suggestion]]], texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._found: dict[Change, list[tuple[Finding, Suggestion]]] = defaultdict(list)
        self._with_change: dict[Change, set[int]] = defaultdict(set)
        for finding, suggestions in findings:
            changes = {one.pk: self._change(one) for one in suggestions if _suits_accept_all(one)}
            for change in changes.values():
                self._with_change[change].add(finding.pk)
            suggestion = for_accept_all(finding, suggestions)
            if suggestion is not None:
                self._found[changes[suggestion.pk]].append((finding, suggestion))

    def beside(self, suggestion: Suggestion) -> list[tuple[Finding, Suggestion]]:
        """The equal changes of other sentences; none if ``suggestion`` is not such a change itself."""
        same = self._found.get(self._change(suggestion), [])
        if all(twin.pk != suggestion.pk for _, twin in same):
            return []
        return [(finding, twin) for finding, twin in same if twin.sentence_id != suggestion.sentence_id]

    def findings_like(self, finding_id: int) -> frozenset[int]:
        """All findings, decided or not, of which an offer makes the same change as one of this finding."""
        groups = (findings for findings in self._with_change.values() if finding_id in findings)
        return frozenset[int]().union(*groups)

    def _change(self, suggestion: Suggestion) -> Change:
        text = self._texts[suggestion.sentence_id]
        return tuple((edit.span.of(text), edit.text) for edit in revise.edits(text, suggestion.replacement))
