"""Rewrites without a generator: replace one side's value by the other's, or remove a sentence.

Only rewrites that the detectors accept are offered, and only those that ``proof`` verifies are called "checked again".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..comparing.sentence import ComparableSentence, one_sentence
from ..labels import SuggestionLabel
from ..local_models.process import LocalModels
from ..rules.alignment import ValueConflict
from ..rules.base import Value
from ..rules.substitution import Replacement, substitute, substitute_all
from ..types import FindingKind, Suggestion, SuggestionMethod, text_hash
from .proof import Proof, Swap, are_of_one_thing, has_same_frame, proof_of_rewrite, proof_of_substitution
from .recheck import Recheck

_ELSEWHERE = frozenset({FindingKind.CROSS_CONTRADICTION})


@dataclass(frozen=True, slots=True)
class SourceConflict:
    """A value of a sentence, and the source sentence that gives another one."""

    source: ComparableSentence
    conflict: ValueConflict
    is_of_one_slot: bool = False
    """Whether a model found that both values fill the same slot of their sentences."""

    @property
    def swap(self) -> Swap:
        """The correction by the value of the source."""
        return Swap(self.source, self.conflict.premise, self.is_of_one_slot)


async def rewrites_of_contradiction(
    earlier: ComparableSentence,
    later: ComparableSentence,
    conflict: ValueConflict | None,
    recheck: Recheck,
    *,
    merge: Suggestion | None = None,
    doubted: ComparableSentence | None = None,
) -> list[Suggestion]:
    """Suggestions for two sentences of the text that clash: believe one of them, merge them, or remove one.

    The later one can always be removed; the earlier one only if nothing else makes the text agree with the later one.
    If the sources speak against one of the two (``doubted``), only this one is changed or removed.
    """
    suggestions: list[Suggestion] = []
    if conflict is not None:
        for kept, changed, truth, error in (
            (earlier, later, conflict.premise, conflict.hypothesis),
            (later, earlier, conflict.hypothesis, conflict.premise),
        ):
            if kept is doubted:
                continue
            suggestion = await _believing(kept, changed, truth, error, recheck)
            if suggestion is not None:
                suggestions.append(suggestion)
    if doubted is not None:
        return [*suggestions, removal_of(doubted)]
    believes_later = any(suggestion.sentence == earlier.parsed.sentence.index for suggestion in suggestions)
    if merge is not None:
        suggestions.append(merge)
    return [*suggestions, removal_of(later), *([] if believes_later else [removal_of(earlier)])]


async def _believing(
    kept: ComparableSentence, changed: ComparableSentence, truth: Value, error: Value, recheck: Recheck
) -> Suggestion | None:
    """The changed sentence with the value of the kept one."""
    text = substitute(truth, kept.text, error, changed.text)
    if text is None or not are_of_one_thing(kept, truth, changed, error):
        return None
    label = SuggestionLabel.KEEP_SENTENCE.of(kept.parsed.sentence.index + 1)
    attempt = _Attempt(changed, label, FindingKind.CROSS_CONTRADICTION, recheck)
    return await attempt.offer(text, [Swap(kept, truth)])


def corrected(sentence: ComparableSentence, conflicts: Sequence[SourceConflict]) -> str | None:
    """The sentence with the values of the source; None if one of them does not fit."""
    replacements = [Replacement(c.conflict.premise, c.source.text, c.conflict.hypothesis) for c in conflicts]
    return substitute_all(replacements, sentence.text)


@dataclass(frozen=True, slots=True)
class Correction:
    """A sentence with the values that ``conflicts`` give.

    ``is_doubtful`` if another source supports the old value, or if the sentence names something else that no source
    has. ``repeats`` are the other sentences of the text with the same conflict, to be changed together with it.
    """

    wording: str
    conflicts: Sequence[SourceConflict]
    is_doubtful: bool = False
    repeats: frozenset[int] = frozenset()


async def rewrites_of_source_conflict(
    sentence: ComparableSentence,
    corrections: Sequence[Correction],
    recheck: Recheck,
    *,
    label: SuggestionLabel = SuggestionLabel.USE_SOURCE,
    fixes: FindingKind = FindingKind.CONFLICTS_WITH_SOURCE,
) -> list[Suggestion]:
    """Suggestions for a sentence that clashes with a source: the first correction that holds, or a removal."""
    attempt = _Attempt(sentence, label, fixes, recheck)
    for correction in corrections:
        suggestion = await _corrected(correction, attempt)
        if suggestion is not None:
            return [suggestion, removal_of(sentence)]
    return [removal_of(sentence)]


async def _corrected(correction: Correction, attempt: _Attempt) -> Suggestion | None:
    swaps = [conflict.swap for conflict in correction.conflicts]
    suggestion = await attempt.offer(correction.wording, swaps)
    if suggestion is None and correction.repeats:
        suggestion = await attempt.offer(correction.wording, swaps, left_out=correction.repeats)
    if suggestion is None:
        # A text that repeats a wrong value is consistent; all repeats must change together.
        suggestion = await attempt.offer(correction.wording, swaps, may_leave=_ELSEWHERE)
    if suggestion is not None and correction.is_doubtful:
        return replace(suggestion, verified=False)
    return suggestion


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt to rewrite ``sentence``: its label, and the problem that it must resolve."""

    sentence: ComparableSentence
    label: str
    fixes: FindingKind
    recheck: Recheck

    async def offer(
        self,
        wording: str,
        swaps: Sequence[Swap],
        *,
        may_leave: frozenset[FindingKind] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> Suggestion | None:
        """The wording as a suggestion; None if the recheck or the proof rejects it.

        The sentences at ``left_out`` are changed at the same time.
        """
        changed = await self.recheck.parsed(wording)
        if changed is None:
            return None
        found = proof_of_substitution(self.sentence, changed, swaps)
        if found is Proof.BROKEN:
            return None
        index = self.sentence.parsed.sentence.index
        holds = await self.recheck.holds(
            index, self.sentence, wording, fixes=self.fixes, may_leave=may_leave, left_out=left_out
        )
        if not holds:
            return None
        is_shown = found is Proof.SHOWN and not may_leave
        return suggestion_of(self.sentence, wording, SuggestionMethod.LOCAL, self.label, verified=is_shown)


async def proposal(
    sentence: ComparableSentence, wording: str, label: str, recheck: Recheck, *, fixes: FindingKind
) -> Suggestion | None:
    """The wording as a proposal; None if another structure or a problem remains.

    It is never called "checked again": words that are left out may be true, and a source may not have those put in.
    """
    changed = await recheck.parsed(wording)
    if changed is None or not has_same_frame(sentence, changed):
        return None
    if not await recheck.holds(sentence.parsed.sentence.index, sentence, wording, fixes=fixes):
        return None
    return suggestion_of(sentence, wording, SuggestionMethod.LOCAL, label, verified=False)


async def rewrite_of_model(
    sentence: ComparableSentence, wording: str, quotes: Sequence[str], models: LocalModels
) -> Suggestion:
    """A suggestion from a language model's rewrite of ``sentence``, which ``quotes`` of a source contradict.

    It is verified like the rewrites of the rules; if that fails, it stays a proposal.
    """
    changed = await one_sentence(wording, models)
    partners = [partner for quote in quotes if (partner := await one_sentence(quote, models)) is not None]
    is_shown = changed is not None and proof_of_rewrite(sentence, changed, partners) is Proof.SHOWN
    return suggestion_of(sentence, wording, SuggestionMethod.LLM, SuggestionLabel.USE_REWRITE, verified=is_shown)


def suggestion_of(
    sentence: ComparableSentence, replacement: str, method: SuggestionMethod, label: str, *, verified: bool
) -> Suggestion:
    """A suggestion for the present wording of ``sentence``; ``verified`` if it was proved."""
    own = sentence.parsed.sentence
    return Suggestion(own.index, replacement, text_hash(own.text), method, verified=verified, label=label)


def removal_of(sentence: ComparableSentence) -> Suggestion:
    """A removal is never called "checked again": it may remove a true statement."""
    label = SuggestionLabel.REMOVE_SENTENCE.of(sentence.parsed.sentence.index + 1)
    return suggestion_of(sentence, "", SuggestionMethod.DROP, label, verified=False)
