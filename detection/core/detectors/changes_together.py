"""Offers that change a sentence together with others that repeat its wrong value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..comparing.sentence import ComparableSentence
from ..comparing.tables import is_row
from ..labels import SuggestionLabel, read_label
from ..ports import DetectionRequest
from ..rewriting.rewrites import SourceConflict
from ..rewriting.together import change_together, is_repeat
from ..rules.base import Relation
from ..source_findings.judgement import Judgement
from ..source_findings.support import support_by_source
from ..types import Finding, Suggestion


async def with_change_together(
    request: DetectionRequest, sentence: ComparableSentence, judgement: Judgement, finding: Finding
) -> Finding:
    """The finding with an offer to change the sentences that repeat its wrong value, before its other offers.

    A correction that was checked again needs none, because all repeats have the same conflict and are changed with it;
    but it loses this mark if another sentence counts the same.
    """
    correction = next(iter(finding.suggestions), None)
    if correction is None or judgement.failure is None or not _uses_source(correction):
        return finding
    index = sentence.parsed.sentence.index
    others = [
        other
        for position, other in enumerate(request.material.sentences)
        if position != index and other.is_comparable and not is_row(other)
    ]
    conflicts = judgement.failure.conflicts
    if correction.verified and not any(_counts_the_same(sentence, one, others) for one in conflicts):
        return finding
    offered = (replace(correction, verified=False), *finding.suggestions[1:])
    together = await change_together(
        sentence,
        correction.replacement,
        conflicts,
        others,
        request.recheck,
        is_doubtful=_is_doubtful(judgement),
    )
    return replace(finding, suggestions=offered if together is None else (together, *offered))


def _counts_the_same(
    sentence: ComparableSentence, conflict: SourceConflict, others: Sequence[ComparableSentence]
) -> bool:
    """Whether another sentence gives the wrong number of the same noun with another verb."""
    wrong = conflict.conflict.hypothesis
    return any(
        value.relation_to(wrong) is not Relation.SAME and is_repeat(sentence, wrong, other, value)
        for other in others
        for value in other.clause.values
    )


def _uses_source(suggestion: Suggestion) -> bool:
    label = read_label(suggestion.label)
    return label is not None and label[0] is SuggestionLabel.USE_SOURCE


def _is_doubtful(judgement: Judgement) -> bool:
    """Whether a source has the old value or supports the sentence, or no source has something else of the sentence."""
    failure = judgement.failure
    if failure is None or failure.reading is None:
        return True
    absent = {value.span for value in judgement.absent}
    wrong = {clash.conflict.hypothesis.span for clash in failure.clashes}
    conflicting = failure.reading.sentence.source.id
    return absent != wrong or any(source.id != conflicting for _, source, _ in support_by_source(judgement.read))
