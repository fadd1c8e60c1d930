"""The severity of findings for pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from ...core.types import Finding, Verdict

_CONTRADICTIONS = (Verdict.CONTRADICTED, Verdict.CONFLICTS_WITH_SOURCE)


class FailOn(StrEnum):
    """Which findings make a command fail."""

    ANY = "any"
    CONTRADICTION = "contradiction"
    NEVER = "never"

    def fails(self, findings: Iterable[Finding]) -> bool:
        return any(self is FailOn.ANY or is_contradiction(finding) for finding in findings) and self is not FailOn.NEVER


def is_contradiction(finding: Finding) -> bool:
    """Whether the finding says that the text contradicts itself or a source; others say that something is missing."""
    return finding.verdict in _CONTRADICTIONS
