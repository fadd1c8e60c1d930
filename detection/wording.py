"""The words that readers see for verdicts, kinds, detectors and states. One place, so that the page is of one mind."""

from __future__ import annotations

from .core.llm.budget import Spending
from .core.types import FindingKind, Strictness, Verdict

VERDICT_LABELS: dict[Verdict, str] = {
    Verdict.CONTRADICTED: "contradicted",
    Verdict.CONFLICTS_WITH_SOURCE: "conflicts with your source",
    Verdict.NOT_IN_SOURCE: "not in your source",
    Verdict.UNSURE: "unsure",
    Verdict.SUPPORTED: "supported by your source",
    Verdict.NO_PROBLEM_FOUND: "no problem found",
    Verdict.NOT_CHECKED: "not checked",
    Verdict.FAILED: "check failed",
}

KIND_TITLES: dict[FindingKind, str] = {
    FindingKind.SELF_CONTRADICTION: "The model contradicts itself",
    FindingKind.CROSS_CONTRADICTION: "Two sentences contradict each other",
    FindingKind.CONFLICTS_WITH_SOURCE: "Conflicts with your source",
    FindingKind.NOT_IN_SOURCE: "Not in your source",
    FindingKind.REFUTED_BY_EVIDENCE: "Refuted by what was found",
    FindingKind.UNSUPPORTED_BY_EVIDENCE: "Not borne out by what was found",
}

#: Severity is carried by icon, underline and word; colour comes second.
KIND_ICONS: dict[FindingKind, str] = {
    FindingKind.SELF_CONTRADICTION: "contradiction",
    FindingKind.CROSS_CONTRADICTION: "contradiction",
    FindingKind.CONFLICTS_WITH_SOURCE: "conflict",
    FindingKind.NOT_IN_SOURCE: "missing",
    FindingKind.REFUTED_BY_EVIDENCE: "conflict",
    FindingKind.UNSUPPORTED_BY_EVIDENCE: "missing",
}

DETECTOR_LABELS: dict[str, str] = {
    "self_contradiction.v1": "the model was asked again about each fact, and the answers compared",
    "cross_contradiction.v1": "sentences compared with each other",
    "grounding.v1": "sentences compared with your sources",
    "evidence.v1": "sentences taken apart into claims, and each looked up",
}

UNIT_STATE_LABELS: dict[str, str] = {
    "pending": "not reached yet",
    "running": "being looked at",
    "failed": "failed",
    "not_checked": "not checked",
}

STRICTNESS_LABELS: dict[Strictness, str] = {
    Strictness.BALANCED: "Balanced",
    Strictness.STRICT: "Strict: warn more often",
    Strictness.LENIENT: "Lenient: only the surest",
}


def detector_label(detector: str) -> str:
    """What a detector does, in words; its id where there are none."""
    return DETECTOR_LABELS.get(detector, detector)


def sure_words(score: float) -> str:
    """A score (0 to 1) in words."""
    if score >= 0.9:
        return "very sure"
    if score >= 0.75:
        return "fairly sure"
    if score >= 0.6:
        return "rather sure"
    return "not sure"


def spending_in_words(spending: Spending) -> str:
    """Calls, tokens and cost of a run; a cost that is not known is said to be unknown."""
    cost = "cost unknown" if spending.usd is None else f"${spending.usd:.4f}"
    return f"{count_of(spending.calls, 'model call')} · {count_of(spending.usage.total, 'token')} · {cost}"


def count_of(number: int, singular: str, plural: str | None = None) -> str:
    """``1 sentence``, ``2 sentences``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
