"""Reuse results of an earlier check for sentences whose basis is unchanged.

The basis of a result is a hash of everything that it depends on: the detector, the sentence, the settings of the check,
and the other input of the detector (``Detector.basis``). A later check of a changed text reuses the results with an
unchanged basis and judges all other sentences again. In doubt it judges again, so that no warning is lost.

The suggestions of a result were checked against the sentences of the earlier text. They are checked again against the
new sentences.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..comparing.sentence import ComparableSentence
from ..findings import make_finding
from ..ports import Detector, Material, Ports
from ..reports import UnitDone
from ..rewriting.recheck import Recheck
from ..rewriting.rewrites import removal_of
from ..types import Finding, FindingKind, Suggestion

#: The results of an earlier check, by their basis.
EarlierResults = Mapping[str, "EarlierResult"]


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """The result of a detector for a sentence that began at ``start`` of the earlier text."""

    start: int
    result: UnitDone


async def basis_of(detector: Detector, material: Material, ports: Ports, index: int) -> str:
    """Hash everything that the result of a detector for the sentence at ``index`` depends on (hexadecimal)."""
    parts = (
        detector.id,
        material.strictness,
        material.topic or "",
        material.prompt or "",
        str(material.is_english),
        material.sentences[index].text,
        material.sentences[index].parsed.sentence.block_kind,
        *await detector.basis(material, ports, index),
    )
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()


async def carry_over(
    earlier: EarlierResults,
    detectors: Sequence[Detector],
    material: Material,
    ports: Ports,
    recheck_by: Callable[[Iterable[Detector]], Recheck],
) -> list[UnitDone]:
    """The results of ``earlier`` that also hold for ``material``, moved to their new positions."""
    if not earlier:
        return []  # most checks: no basis needs to be computed
    known: list[tuple[int, EarlierResult]] = []
    for detector in detectors:
        for index in range(len(material.sentences)):
            result = earlier.get(await basis_of(detector, material, ports, index))
            if result is not None:
                known.append((index, result))
    recheck = _Recheck(
        recheck_by(detectors),
        recheck_by(detector for detector in detectors if detector.compares_sentences),
        unchanged=frozenset(index for index, _ in known),
    )
    return [
        await _moved(result, material.sentences[index], recheck)
        for index, result in known
        if not any(map(_names_another_sentence, result.result.findings))
    ]


class _Recheck:
    """Rechecks carried suggestions against the new sentences only."""

    def __init__(self, whole: Recheck, with_sentences: Recheck, *, unchanged: frozenset[int]) -> None:
        self._whole = whole
        self._with_sentences = with_sentences
        self._unchanged = unchanged

    async def holds(self, sentence: ComparableSentence, wording: str, *, fixes: FindingKind) -> bool:
        index = sentence.parsed.sentence.index
        changed = await self._whole.parsed(wording)
        if changed is None:
            return False
        if changed.leans_on_previous and not sentence.leans_on_previous:
            return await self._whole.holds(index, sentence, wording, fixes=fixes)
        return await self._with_sentences.holds(index, sentence, wording, fixes=fixes, left_out=self._unchanged)


def _names_another_sentence(finding: Finding) -> bool:
    """Whether a finding has the number of another sentence. The number may have changed: it is judged again."""
    changes_others = any(suggestion.companions for suggestion in finding.suggestions)
    return changes_others or any(evidence.sentence is not None for evidence in finding.evidence)


async def _moved(known: EarlierResult, sentence: ComparableSentence, recheck: _Recheck) -> UnitDone:
    own = sentence.parsed.sentence
    findings = [
        await _moved_finding(finding, own.start - known.start, sentence, recheck) for finding in known.result.findings
    ]
    return replace(known.result, sentence=own.index, findings=tuple(findings), is_carried=True)


async def _moved_finding(finding: Finding, offset: int, sentence: ComparableSentence, recheck: _Recheck) -> Finding:
    return make_finding(
        sentence,
        span=finding.span.shifted(offset),
        kind=finding.kind,
        verdict=finding.verdict,
        score=finding.score,
        message=finding.message,
        explanation=finding.explanation,
        evidence=finding.evidence,
        detector=finding.detector,
        prompt=finding.prompt,
        suggestions=[
            kept
            for suggestion in finding.suggestions
            if (kept := await _kept_suggestion(suggestion, finding, sentence, recheck)) is not None
        ],
    )


async def _kept_suggestion(
    suggestion: Suggestion, finding: Finding, sentence: ComparableSentence, recheck: _Recheck
) -> Suggestion | None:
    """The suggestion, if it still holds."""
    if not suggestion.replacement:
        return removal_of(sentence)  # its label has the number of the sentence
    if not await recheck.holds(sentence, suggestion.replacement, fixes=finding.kind):
        return None
    return replace(suggestion, sentence=sentence.parsed.sentence.index)
