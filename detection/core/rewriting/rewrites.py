"""Rewrites without a generator: put one side's words in place of the other's, or take words or a sentence away.

Only what the detectors accept on a second look is offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..comparing.sentence import ComparableSentence
from ..labels import SuggestionLabel
from ..rules.alignment import ValueConflict
from ..rules.base import Value
from ..rules.omission import omit
from ..rules.substitution import Replacement, substitute, substitute_all
from ..types import FindingKind, Span, Suggestion, SuggestionMethod, text_hash
from .recheck import Recheck

_REMOVE_WORDS = SuggestionLabel.REMOVE_WORDS.of()
_ELSEWHERE = frozenset({FindingKind.CROSS_CONTRADICTION})


@dataclass(frozen=True, slots=True)
class SourceConflict:
    """A value of a sentence, and the source sentence that gives another one."""

    source: ComparableSentence
    conflict: ValueConflict


async def rewrites_of_contradiction(
    earlier: ComparableSentence,
    later: ComparableSentence,
    conflict: ValueConflict | None,
    recheck: Recheck,
    merge: Suggestion | None = None,
) -> list[Suggestion]:
    """Ways out when two sentences of the text clash: believe one of them, merge them, or take one away.

    The later one can always be taken away; the earlier one where the later one cannot be believed otherwise.
    """
    kind = FindingKind.CROSS_CONTRADICTION
    suggestions: list[Suggestion] = []
    if conflict is not None:
        for kept, changed, truth, error in (
            (earlier, later, conflict.premise, conflict.hypothesis),
            (later, earlier, conflict.hypothesis, conflict.premise),
        ):
            label = SuggestionLabel.KEEP_SENTENCE.of(kept.parsed.sentence.index + 1)
            suggestion = await _first_that_holds(_wordings(truth, kept, error, changed), changed, label, kind, recheck)
            if suggestion is not None:
                suggestions.append(suggestion)
    believes_later = any(suggestion.sentence == earlier.parsed.sentence.index for suggestion in suggestions)
    if merge is not None:
        suggestions.append(merge)
    return [*suggestions, removal_of(later), *([] if believes_later else [removal_of(earlier)])]


def corrected(sentence: ComparableSentence, conflicts: Sequence[SourceConflict]) -> str | None:
    """The sentence with the values of the source; None where one of them does not fit in."""
    replacements = [Replacement(c.conflict.premise, c.source.text, c.conflict.hypothesis) for c in conflicts]
    return substitute_all(replacements, sentence.text)


async def rewrites_of_source_conflict(
    sentence: ComparableSentence,
    correction: str | None,
    error: Value | None,
    recheck: Recheck,
    *,
    label: SuggestionLabel = SuggestionLabel.USE_SOURCE,
    fixes: FindingKind = FindingKind.CONFLICTS_WITH_SOURCE,
) -> list[Suggestion]:
    """Ways out when a sentence clashes with a source: say what the source says, or take words or the sentence away.

    ``correction`` is the sentence with the values of the source; ``error`` is what is wrong.
    """
    # A text that is wrong throughout agrees with itself: where it says the same again, that has a warning of its own.
    suggestion = await _first_that_holds([correction], sentence, label, fixes, recheck, _ELSEWHERE)
    if suggestion is None and error is not None:
        shorter = omit(sentence.parsed, error.span)
        suggestion = await _first_that_holds([shorter], sentence, _REMOVE_WORDS, fixes, recheck)
    return [suggestion, removal_of(sentence)] if suggestion else [removal_of(sentence)]


async def rewrites_of_absence(
    sentence: ComparableSentence,
    span: Span | None,
    recheck: Recheck,
    *,
    fixes: FindingKind = FindingKind.NOT_IN_SOURCE,
) -> list[Suggestion]:
    """Ways out when a source does not say what a sentence says: take away the words at ``span``, or the sentence."""
    suggestions: list[Suggestion] = []
    if span is not None:
        shorter = omit(sentence.parsed, span)
        suggestion = await _first_that_holds([shorter], sentence, _REMOVE_WORDS, fixes, recheck)
        if suggestion is not None:
            suggestions.append(suggestion)
    return [*suggestions, removal_of(sentence)]


def _wordings(truth: Value, kept: ComparableSentence, error: Value, changed: ComparableSentence) -> list[str | None]:
    """The changed sentence with the true value, or without the wrong one; None for what cannot be said."""
    substitution = substitute(truth, kept.text, error, changed.text)
    return [substitution.text if substitution else None, omit(changed.parsed, error.span)]


async def _first_that_holds(
    wordings: Sequence[str | None],
    changed: ComparableSentence,
    label: str,
    fixes: FindingKind,
    recheck: Recheck,
    may_leave: frozenset[FindingKind] = frozenset(),
) -> Suggestion | None:
    index = changed.parsed.sentence.index
    for wording in wordings:
        if wording is None or wording == changed.text:
            continue
        if await recheck.holds(index, changed, wording, fixes=fixes, may_leave=may_leave):
            return suggestion_of(changed, wording, SuggestionMethod.LOCAL, label)
    return None


def suggestion_of(sentence: ComparableSentence, replacement: str, method: SuggestionMethod, label: str) -> Suggestion:
    """A suggestion that was checked again, written for the present wording of ``sentence``."""
    own = sentence.parsed.sentence
    return Suggestion(own.index, replacement, text_hash(own.text), method, verified=True, label=label)


def removal_of(sentence: ComparableSentence) -> Suggestion:
    """A removal needs no second look: nothing is left that could be wrong."""
    label = SuggestionLabel.REMOVE_SENTENCE.of(sentence.parsed.sentence.index + 1)
    return suggestion_of(sentence, "", SuggestionMethod.DROP, label)
