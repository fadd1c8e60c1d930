"""The result of a check, as the doors return it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from ..core.types import Engine, Finding, FindingKind, Sentence, SourceText, Suggestion, Verdict

if TYPE_CHECKING:
    from ..core.reports import UnitResult

_KIND_LABELS = {
    FindingKind.SELF_CONTRADICTION: "The model says otherwise when asked again",
    FindingKind.CROSS_CONTRADICTION: "Contradiction inside the text",
    FindingKind.CONFLICTS_WITH_SOURCE: "Conflicts with the source",
    FindingKind.NOT_IN_SOURCE: "Not in the source",
    FindingKind.REFUTED_BY_EVIDENCE: "Contradicted by evidence",
    FindingKind.UNSUPPORTED_BY_EVIDENCE: "No supporting evidence",
    FindingKind.REPAIRED_WHILE_GENERATING: "Repaired while it was written",
    FindingKind.FALSE_PREMISE: "False premise",
}


def kind_label(kind: FindingKind) -> str:
    """The name of a kind of finding. Works without Django, and so without translations."""
    return _KIND_LABELS[kind]


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage of a check. ``cost_usd`` is None if the price of a model is unknown."""

    model_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: str | None
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return {
            "model_calls": self.model_calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "tokens": self.prompt_tokens + self.completion_tokens,
            "cost_usd": self.cost_usd,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence with its findings. ``units`` has the result of each detector."""

    sentence: Sentence
    verdict: Verdict
    units: Mapping[str, UnitResult]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check. All offsets count code points of ``text``, or of the source of a quote."""

    text: str
    engine: Engine
    topic: str | None
    sentences: tuple[CheckedSentence, ...]
    sources: tuple[SourceText, ...]
    checked: int
    """Number of sentences that were judged without a failed detector."""
    revised: str
    """The text with the changes of *Accept all*: values that a source decides."""
    usage: Usage

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the text."""
        return tuple(finding for sentence in self.sentences for finding in sentence.findings)

    def as_json(self) -> dict[str, Any]:
        """The report in the format that README describes, ready for ``json.dumps``."""
        return {
            "text": self.text,
            "engine": self.engine.value,
            "topic": self.topic,
            "sentences": [self._sentence_as_json(sentence) for sentence in self.sentences],
            "coverage": {"checked": self.checked, "total": len(self.sentences)},
            "usage": self.usage.as_json(),
            "revised": self.revised,
        }

    def _sentence_as_json(self, checked: CheckedSentence) -> dict[str, Any]:
        from ..core.reports import UnitDone  # imported with the engine, once there is a report to write
        from .evidence_output import search_as_json

        sentence = checked.sentence
        searches = [unit.search for unit in checked.units.values() if isinstance(unit, UnitDone) and unit.search]
        return {
            "index": sentence.index,
            "start": sentence.start,
            "end": sentence.end,
            "text": sentence.text,
            "verdict": checked.verdict.value,
            "units": {detector: _unit_as_json(unit) for detector, unit in checked.units.items()},
            "findings": [finding_as_json(finding, self.sources) for finding in checked.findings],
            "searches": [search_as_json(search) for search in searches],
        }

    def _repr_html_(self) -> str:
        """The text with marks and the findings below it, for notebooks."""
        return _as_html(self)


def finding_as_json(finding: Finding, sources: Sequence[SourceText]) -> dict[str, Any]:
    """The finding in the format that README describes."""
    from .evidence_output import evidence_as_json

    return {
        "kind": finding.kind.value,
        "verdict": finding.verdict.value,
        "score": round(finding.score, 4),
        "span": [finding.span.start, finding.span.end],
        "message": str(finding.message),
        "explanation": finding.explanation,
        "detector": finding.detector,
        "evidence": [evidence_as_json(evidence, sources) for evidence in finding.evidence],
        "suggestions": [suggestion_as_json(suggestion) for suggestion in finding.suggestions],
    }


def suggestion_as_json(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "sentence": suggestion.sentence,
        "replacement": suggestion.replacement,
        **({} if suggestion.absorbed is None else {"absorbed": suggestion.absorbed}),
        **({"companions": [asdict(one) for one in suggestion.companions]} if suggestion.companions else {}),
        "method": suggestion.method.value,
        "verified": suggestion.verified,
        "label": suggestion.label,
    }


def _unit_as_json(unit: UnitResult) -> str:
    from ..core.reports import UnitDone, UnitFailed

    if isinstance(unit, UnitDone):
        return "done"
    return f"{'failed' if isinstance(unit, UnitFailed) else 'not_checked'}({unit.reason})"


# --- In a notebook ------------------------------------------------------------------------------------------------

_MARK = "background:#ffe2d6;border-bottom:2px solid #b3261e;color:#1b1b1b"


def _as_html(report: Report) -> str:
    parts, position = [], 0
    for number, finding in enumerate(report.findings, 1):
        start, end = max(finding.span.start, position), finding.span.end
        if start >= end:
            continue  # inside an existing mark
        marked = f'<mark style="{_MARK}" title="{escape(str(finding.message))}">{escape(report.text[start:end])}</mark>'
        parts += [escape(report.text[position:start]), marked, f"<sup>{number}</sup>"]
        position = end
    parts.append(escape(report.text[position:]))
    return (
        f'<div><p style="white-space:pre-wrap">{"".join(parts)}</p>{_findings_as_html(report)}'
        f"<p>{report.checked} of {len(report.sentences)} sentences checked.</p></div>"
    )


def _findings_as_html(report: Report) -> str:
    if not report.findings:
        return "<p>Nothing stood out. That does not mean that all of it is true.</p>"
    return f"<ol>{''.join(map(_finding_as_html, report.findings))}</ol>"


def _finding_as_html(finding: Finding) -> str:
    quotes = "".join(f"<br><q>{escape(evidence.quote)}</q>" for evidence in finding.evidence)
    rewrites = "".join(
        f"<br>→ {escape(suggestion.replacement) or '(remove the sentence)'}" for suggestion in finding.suggestions[:1]
    )
    return f"<li><b>{escape(kind_label(finding.kind))}.</b> {escape(str(finding.message))}{quotes}{rewrites}</li>"
