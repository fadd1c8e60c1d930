"""Reuse results of an earlier check for sentences whose basis is unchanged.

A result is named by all that it hangs on: the detector, the sentence, what the whole check was asked, and what the
detector looks at besides (``Detector.basis``). A later check of a changed text takes over the results whose names come
up again, and judges everything else anew: a doubt costs time, and never a warning.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..comparing.sentence import ComparableSentence
from ..findings import make_finding
from ..ports import Detector, Material, Ports
from ..reports import UnitDone
from ..rewriting.recheck import Recheck
from ..rewriting.rewrites import removal_of
from ..types import Finding, Suggestion

#: The results of an earlier check, by their basis.
EarlierResults = Mapping[str, "EarlierResult"]


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """What a detector said of a sentence that began at ``start`` of the earlier text."""

    start: int
    result: UnitDone


async def basis_of(detector: Detector, material: Material, ports: Ports, index: int) -> str:
    """Name the result of a detector for the sentence at ``index`` by all that it hangs on (hexadecimal)."""
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
    detectors: Iterable[Detector],
    material: Material,
    ports: Ports,
    recheck: Recheck,
) -> list[UnitDone]:
    """The results of ``earlier`` that hold for ``material`` as well, at the places where they now stand."""
    if not earlier:
        return []  # most checks: then no result needs a name
    carried = []
    for detector in detectors:
        for index, sentence in enumerate(material.sentences):
            known = earlier.get(await basis_of(detector, material, ports, index))
            if known is not None and not any(map(_names_another_sentence, known.result.findings)):
                carried.append(await _moved(known, sentence, recheck))
    return carried


def _names_another_sentence(finding: Finding) -> bool:
    """Such a finding tells the number of the other sentence, which may have changed. It is looked for again."""
    return any(evidence.sentence is not None for evidence in finding.evidence)


async def _moved(known: EarlierResult, sentence: ComparableSentence, recheck: Recheck) -> UnitDone:
    own = sentence.parsed.sentence
    findings = [
        await _moved_finding(finding, own.start - known.start, sentence, recheck) for finding in known.result.findings
    ]
    return replace(known.result, sentence=own.index, findings=tuple(findings), is_carried=True)


async def _moved_finding(finding: Finding, offset: int, sentence: ComparableSentence, recheck: Recheck) -> Finding:
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
    suggestion: Suggestion, finding: Finding, sentence: ComparableSentence, recheck: Recheck
) -> Suggestion | None:
    """The suggestion, if it still holds: it was checked against the sentences of the earlier text."""
    if not suggestion.replacement:
        return removal_of(sentence)  # which is called by the number of the sentence
    index = sentence.parsed.sentence.index
    if not await recheck.holds(index, sentence, suggestion.replacement, fixes=finding.kind):
        return None
    return replace(suggestion, sentence=index)
