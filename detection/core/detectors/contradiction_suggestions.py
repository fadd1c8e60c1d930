"""Suggestions for two sentences of one text that contradict each other."""

from __future__ import annotations

from ..comparing.sentence import ComparableSentence
from ..places import place_of
from ..ports import DetectionRequest
from ..rewriting.merging import merge_by_model, merge_of_contradiction
from ..rewriting.rewrites import removal_of, rewrites_of_contradiction
from ..rules.alignment import ValueConflict
from ..self_contradiction.model import Contradictions
from ..source_findings.backing import doubted_sentence
from ..types import Suggestion

#: A sentence with more contradictions than this gets rewrites for the first one only: a rewrite that resolves one
#: seldom resolves the others, and trying each costs minutes in a text of such sentences.
MAX_REWRITTEN_CONTRADICTIONS = 3


async def suggestions_of_contradiction(
    request: DetectionRequest,
    earlier: ComparableSentence,
    later: ComparableSentence,
    conflict: ValueConflict | None,
    contradictions: Contradictions | None,
    *,
    gets_rewrite: bool,
) -> list[Suggestion]:
    """Believe one of the two sentences, merge them, or remove one; without ``gets_rewrite`` only the latter.

    If the sources give the value of one sentence, only the other one is changed. ``contradictions`` is the language
    model that merges them; without one, or if it fails, the rules do.
    """
    if not gets_rewrite:
        return [removal_of(later), removal_of(earlier)]
    doubted = await doubted_sentence(request.material.library, earlier, later, conflict)
    if doubted is not None:
        return await rewrites_of_contradiction(earlier, later, conflict, request.recheck, doubted=doubted)
    merge = None
    if contradictions is not None:
        place = place_of(request.material, earlier.parsed.sentence.index)
        merge = await merge_by_model(earlier, later, conflict, request.recheck, contradictions, place)
    if merge is None:
        merge = await merge_of_contradiction(earlier, later, conflict, request.recheck)
    return await rewrites_of_contradiction(earlier, later, conflict, request.recheck, merge=merge)


def is_rewritten(number: int, count: int) -> bool:
    """Whether the contradiction ``number`` (from 0) of the ``count`` of one sentence gets rewrites."""
    return number == 0 or count <= MAX_REWRITTEN_CONTRADICTIONS
