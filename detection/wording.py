"""The words that readers see for verdicts, kinds, detectors and states. One place, so that the page is of one mind."""

from __future__ import annotations

from .core.active_generation.types import Answer, SentenceState, ValidationMode
from .core.evidence.plan import SearchEffort
from .core.evidence.record import ClaimRecord, SearchRecord, StopReason
from .core.llm.budget import Spending
from .core.types import FindingKind, Strictness, Verdict
from .cost_selectors import UnitCost

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

#: In the place of "no problem found", which would hide that there was one.
DECIDED = "decided by you"

KIND_TITLES: dict[FindingKind, str] = {
    FindingKind.SELF_CONTRADICTION: "The model contradicts itself",
    FindingKind.CROSS_CONTRADICTION: "Two sentences contradict each other",
    FindingKind.CONFLICTS_WITH_SOURCE: "Conflicts with your source",
    FindingKind.NOT_IN_SOURCE: "Not in your source",
    FindingKind.REFUTED_BY_EVIDENCE: "Refuted by what was found",
    FindingKind.UNSUPPORTED_BY_EVIDENCE: "Not borne out by what was found",
    FindingKind.REPAIRED_WHILE_GENERATING: "Corrected while it was written",
    FindingKind.FALSE_PREMISE: "The question takes something false for granted",
}

#: Severity is carried by icon, underline and word; colour comes second.
KIND_ICONS: dict[FindingKind, str] = {
    FindingKind.SELF_CONTRADICTION: "contradiction",
    FindingKind.CROSS_CONTRADICTION: "contradiction",
    FindingKind.CONFLICTS_WITH_SOURCE: "conflict",
    FindingKind.NOT_IN_SOURCE: "missing",
    FindingKind.REFUTED_BY_EVIDENCE: "conflict",
    FindingKind.UNSUPPORTED_BY_EVIDENCE: "missing",
    FindingKind.REPAIRED_WHILE_GENERATING: "missing",
    FindingKind.FALSE_PREMISE: "contradiction",
}

DETECTOR_LABELS: dict[str, str] = {
    "active_generation.v1": "each sentence checked before the next one was written",
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

#: How a sentence fares that a model is writing.
SENTENCE_STATE_LABELS: dict[SentenceState, str] = {
    SentenceState.HELD: "not decided yet",
    SentenceState.PASSED: "the model was sure of it, so nothing was asked",
    SentenceState.CHECKED: "checked, and borne out",
    SentenceState.UNSETTLED: "asked about, and not settled",
    SentenceState.REPAIRED: "corrected",
    SentenceState.LEFT_OUT: "left out of the text",
    SentenceState.RESTORED: "first version, put back by you",
    SentenceState.NOT_CHECKED: "not checked",
}

#: Of a sentence whose correction is still to be checked.
CORRECTION_HELD = "corrected, and checked again now"

ANSWER_LABELS: dict[Answer, str] = {
    Answer.YES: "yes",
    Answer.NO: "no",
    Answer.UNKNOWN: "not to be told",
}

CARRIED_COST = "nothing: taken over from the check before"
WRITING_COST = "asked while the text was written, and counted there"

STRICTNESS_LABELS: dict[Strictness, str] = {
    Strictness.BALANCED: "Balanced",
    Strictness.STRICT: "Strict: warn more often",
    Strictness.LENIENT: "Lenient: only the surest",
}


#: Where evidence is looked for, as it follows "looked up".
RETRIEVER_LABELS: dict[str, str] = {
    "library": "in your sources",
    "wikipedia": "in Wikipedia",
    "searxng": "on the web, by SearXNG",
    "brave": "on the web, by Brave Search",
    "tavily": "on the web, by Tavily",
}

EFFORT_LABELS: dict[SearchEffort, str] = {
    SearchEffort.QUICK: "Quick: one document, or few, for each claim",
    SearchEffort.BALANCED: "Balanced: reads on while a claim is in doubt",
    SearchEffort.CAREFUL: "Careful: reads more before it calls a claim wrong",
}

#: What came of a search in which a claim was found to be wrong.
CLAIM_IS_WRONG = "One of its claims is not borne out by what was found."


def retriever_label(retriever: str) -> str:
    """Where a retriever looks, in words; its name where there are none."""
    return RETRIEVER_LABELS.get(retriever, f"by {retriever}")


def validation_label(mode: ValidationMode, retriever: str) -> str:
    """What sentences were checked by while they were written."""
    match mode:
        case ValidationMode.SEARCH:
            return f"what the model was not sure of was looked up {retriever_label(retriever)}"
        case ValidationMode.SELF:
            return "what the model was not sure of was asked of the model’s own memory"
        case ValidationMode.NONE:
            return "nothing"


def percent(probability: float) -> str:
    """A probability (0 to 1) for the reader. Nothing is ever certain."""
    if probability < 0.01:
        return "under 1\u00a0%"
    if probability > 0.99:
        return "over 99\u00a0%"
    return f"{100 * probability:.0f}\u00a0%"


def claim_outcome(claim: ClaimRecord, most_documents: int) -> str:
    """What came of looking a claim up, in one sentence."""
    read, most = len(claim.documents), count_of(most_documents, "document")
    likely = f"{percent(claim.factual)} likely to be right"
    match claim.stop:
        case StopReason.NOTHING_FOUND if claim.skipped:
            return "What was found could not be read. That says nothing about it."
        case StopReason.NOTHING_FOUND:
            return "Nothing was found about it. That does not make it false."
        case StopReason.SENTENCE_DECIDED if not read:
            return "Not read about: another claim of the sentence was found to be wrong first."
        case StopReason.SENTENCE_DECIDED:
            return f"Left after {read} of at most {most}, {likely}: another claim was found to be wrong."
        case StopReason.MOST_DOCUMENTS:
            return f"All {most} read that it may read, {likely}."
        case StopReason.NO_MORE_DOCUMENTS:
            return f"No more to read after {read} of at most {most}, {likely}."
        case StopReason.DECIDED:
            return f"Stopped after {read} of at most {most}, {likely}."


def verdict_of_search(verdict: Verdict, search: SearchRecord | None) -> str:
    """A verdict that a search came to, in words that do not speak of a source of the user."""
    match verdict:
        case Verdict.CONTRADICTED:
            return KIND_TITLES[FindingKind.REFUTED_BY_EVIDENCE].lower()
        case Verdict.SUPPORTED:
            return "supported by what was found"
        case Verdict.UNSURE:
            return "not settled by what was found" if search and search.read else "nothing found about it"
        case _:
            return VERDICT_LABELS[verdict]


def search_outcome(verdict: Verdict, search: SearchRecord) -> str:
    """What came of a search for a sentence of which no claim was found to be wrong."""
    if not search.read:
        return "Nothing was found about it. That does not make it false, and it does not make it true."
    if verdict is Verdict.SUPPORTED:
        return "What was found bears it out."
    claims, silent = len(search.claims), len(search.claims) - len(search.read)
    if silent:
        return f"What was found does not settle it: about {silent} of its {claims} claims nothing was found."
    return "What was found does not settle it: it speaks of the same things, and does not bear all of it out."


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


def unit_cost_in_words(cost: UnitCost | None) -> str:
    """What a warning has cost."""
    if cost is None:
        return "no model call"
    money = "cost unknown" if cost.usd is None else f"${cost.usd:.4f}"
    told = f"{count_of(cost.calls, 'model call')} · {count_of(cost.tokens, 'token')} · {money}"
    if not cost.shared:
        return told
    shared = "It" if cost.calls == 1 else f"{cost.shared:,} of them"
    return f"{told}. {shared} asked about other sentences too: such a call counts by its share."


def count_of(number: int, singular: str, plural: str | None = None) -> str:
    """``1 sentence``, ``2 sentences``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
