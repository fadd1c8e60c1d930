"""The words that readers see for verdicts, kinds, detectors and states. One place, so that the page is of one mind."""

from __future__ import annotations

import re

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from .core.active_generation.types import Answer, SentenceState, ValidationMode
from .core.evidence.plan import SearchEffort
from .core.evidence.record import ClaimRecord, SearchRecord, StopReason
from .core.llm.budget import Spending
from .core.types import FindingKind, Strictness, Verdict
from .selectors.costs import UnitCost

VERDICT_LABELS: dict[Verdict, str | Promise] = {
    Verdict.CONTRADICTED: _("contradicted"),
    Verdict.CONFLICTS_WITH_SOURCE: _("conflicts with your source"),
    Verdict.NOT_IN_SOURCE: _("not in your source"),
    Verdict.UNSURE: _("unsure"),
    Verdict.SUPPORTED: _("supported by your source"),
    Verdict.NO_PROBLEM_FOUND: _("no problem found"),
    Verdict.NOT_CHECKED: _("not checked"),
    Verdict.FAILED: _("could not be checked"),
}

#: In the place of "no problem found", which would hide that there was one.
DECIDED = _("decided by you")

KIND_TITLES: dict[FindingKind, str | Promise] = {
    FindingKind.SELF_CONTRADICTION: _("The model contradicts itself"),
    FindingKind.CROSS_CONTRADICTION: _("Two sentences contradict each other"),
    FindingKind.CONFLICTS_WITH_SOURCE: _("Conflicts with your source"),
    FindingKind.NOT_IN_SOURCE: _("Not in your source"),
    FindingKind.REFUTED_BY_EVIDENCE: _("Refuted by what was found"),
    FindingKind.UNSUPPORTED_BY_EVIDENCE: _("Not borne out by what was found"),
    FindingKind.REPAIRED_WHILE_GENERATING: _("Corrected while it was written"),
    FindingKind.FALSE_PREMISE: _("The question takes something false for granted"),
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

DETECTOR_LABELS: dict[str, str | Promise] = {
    "active_generation.v1": _("each sentence checked before the next one was written"),
    "self_contradiction.v1": _("the model was asked again about each fact, and the answers compared"),
    "cross_contradiction.v1": _("sentences compared with each other"),
    "grounding.v1": _("sentences compared with your sources"),
    "evidence.v1": _("sentences taken apart into claims, and each looked up"),
}

UNIT_STATE_LABELS: dict[str, str | Promise] = {
    "pending": _("not reached yet"),
    "running": _("being looked at"),
    "failed": _("failed"),
    "not_checked": _("not checked"),
}

#: How a sentence fares that a model is writing.
SENTENCE_STATE_LABELS: dict[SentenceState, str | Promise] = {
    SentenceState.HELD: _("not decided yet"),
    SentenceState.PASSED: _("the model was sure of it, so nothing was asked"),
    SentenceState.CHECKED: _("checked, and borne out"),
    SentenceState.UNSETTLED: _("asked about, and not settled"),
    SentenceState.REPAIRED: _("corrected"),
    SentenceState.LEFT_OUT: _("left out of the text"),
    SentenceState.RESTORED: _("first version, put back by you"),
    SentenceState.NOT_CHECKED: _("not checked"),
}

#: Of a sentence whose correction is still to be checked.
CORRECTION_HELD = _("corrected, and checked again now")

ANSWER_LABELS: dict[Answer, str | Promise] = {
    Answer.YES: _("yes"),
    Answer.NO: _("no"),
    Answer.UNKNOWN: _("not to be told"),
}

CARRIED_COST = _("nothing: taken over from the check before")
WRITING_COST = _("asked while the text was written, and counted there")

STRICTNESS_LABELS: dict[Strictness, str | Promise] = {
    Strictness.BALANCED: _("Balanced"),
    Strictness.STRICT: _("Strict: warn more often"),
    Strictness.LENIENT: _("Lenient: only the surest"),
}


#: Where evidence is looked for, as it follows "looked up".
RETRIEVER_LABELS: dict[str, str | Promise] = {
    "library": _("in your sources"),
    "wikipedia": _("in Wikipedia"),
    "searxng": _("on the web, by SearXNG"),
    "brave": _("on the web, by Brave Search"),
    "tavily": _("on the web, by Tavily"),
}

EFFORT_NAMES: dict[SearchEffort, str | Promise] = {
    SearchEffort.QUICK: _("quick"),
    SearchEffort.BALANCED: _("balanced"),
    SearchEffort.CAREFUL: _("careful"),
}

EFFORT_LABELS: dict[SearchEffort, str | Promise] = {
    SearchEffort.QUICK: _("Quick: one document, or few, for each claim"),
    SearchEffort.BALANCED: _("Balanced: reads on while a claim is in doubt"),
    SearchEffort.CAREFUL: _("Careful: reads more before it calls a claim wrong"),
}

#: What came of a search in which a claim was found to be wrong.
CLAIM_IS_WRONG = _("One of its claims is not borne out by what was found.")


def retriever_label(retriever: str) -> str:
    """Where a retriever looks, in words; its name where there are none."""
    if retriever not in RETRIEVER_LABELS:
        return gettext("by %s") % retriever
    return str(RETRIEVER_LABELS[retriever])


def validation_label(mode: ValidationMode, retriever: str) -> str:
    """What sentences were checked by while they were written."""
    match mode:
        case ValidationMode.SEARCH:
            return gettext("what the model was not sure of was looked up %s") % retriever_label(retriever)
        case ValidationMode.SELF:
            return gettext("what the model was not sure of was asked of the model’s own memory")
        case ValidationMode.NONE:
            return gettext("nothing")


def percent(probability: float) -> str:
    """A probability (0 to 1) for the reader. Nothing is ever certain."""
    if probability < 0.01:
        return gettext("under 1\u00a0%%") % ()
    if probability > 0.99:
        return gettext("over 99\u00a0%%") % ()
    return f"{100 * probability:.0f}\u00a0%"


def claim_outcome(claim: ClaimRecord, most_documents: int) -> str:
    """What came of looking a claim up, in one sentence."""
    values = {
        "read": len(claim.documents),
        "most": count_of(most_documents, "document"),
        "likely": percent(claim.factual),
    }
    match claim.stop:
        case StopReason.NOTHING_FOUND if claim.skipped:
            return gettext("What was found could not be read. That says nothing about it.")
        case StopReason.NOTHING_FOUND:
            return gettext("Nothing was found about it. That does not make it false.")
        case StopReason.SENTENCE_DECIDED if not claim.documents:
            return gettext("Not read about: another claim of the sentence was found to be wrong first.")
        case StopReason.SENTENCE_DECIDED:
            text = gettext(
                "Left after %(read)s of at most %(most)s, %(likely)s likely to be right: another claim was found to be "
                "wrong."
            )
        case StopReason.MOST_DOCUMENTS:
            text = gettext("All %(most)s read that it may read, %(likely)s likely to be right.")
        case StopReason.NO_MORE_DOCUMENTS:
            text = gettext("No more to read after %(read)s of at most %(most)s, %(likely)s likely to be right.")
        case StopReason.DECIDED:
            text = gettext("Stopped after %(read)s of at most %(most)s, %(likely)s likely to be right.")
    return text % values


def verdict_of_search(verdict: Verdict, search: SearchRecord | None) -> str:
    """A verdict that a search came to, in words that do not speak of a source of the user."""
    match verdict:
        case Verdict.CONTRADICTED:
            return str(KIND_TITLES[FindingKind.REFUTED_BY_EVIDENCE]).lower()
        case Verdict.SUPPORTED:
            return gettext("supported by what was found")
        case Verdict.UNSURE:
            if search and search.read:
                return gettext("not settled by what was found")
            return gettext("nothing found about it")
        case _:
            return str(VERDICT_LABELS[verdict])


def search_outcome(verdict: Verdict, search: SearchRecord) -> str:
    """What came of a search for a sentence of which no claim was found to be wrong."""
    if not search.read:
        return gettext("Nothing was found about it. That does not make it false, and it does not make it true.")
    if verdict is Verdict.SUPPORTED:
        return gettext("What was found bears it out.")
    claims, silent = len(search.claims), len(search.claims) - len(search.read)
    if silent:
        return gettext(
            "What was found does not settle it: about %(silent)s of its %(claims)s claims nothing was found."
        ) % {"silent": silent, "claims": claims}
    return gettext("What was found does not settle it: it speaks of the same things, and does not bear all of it out.")


def detector_label(detector: str) -> str:
    """What a detector does, in words; its id where there are none."""
    return str(DETECTOR_LABELS.get(detector, detector))


def sure_words(score: float) -> str:
    """A score (0 to 1) in words."""
    if score >= 0.9:
        return gettext("very sure")
    if score >= 0.75:
        return gettext("fairly sure")
    if score >= 0.6:
        return gettext("rather sure")
    return gettext("not sure")


def spending_in_words(spending: Spending) -> str:
    """Calls, tokens and cost of a run; a cost that is not known is said to be unknown."""
    cost = gettext("cost unknown") if spending.usd is None else f"${spending.usd:.4f}"
    return f"{count_of(spending.calls, 'model call')} · {count_of(spending.usage.total, 'token')} · {cost}"


def unit_cost_in_words(cost: UnitCost | None) -> str:
    """What a warning has cost."""
    if cost is None:
        return gettext("no model call")
    money = gettext("cost unknown") if cost.usd is None else f"${cost.usd:.4f}"
    told = f"{count_of(cost.calls, 'model call')} · {count_of(cost.tokens, 'token')} · {money}"
    if not cost.shared:
        return told
    return gettext("%(told)s. Of these, %(shared)s asked about other sentences too, and count by their share.") % {
        "told": told,
        "shared": f"{cost.shared:,}",
    }


#: What the buttons of suggestions say, as the engine labels them; numbers of sentences stand for themselves.
_SUGGESTION_LABELS: dict[str, str | Promise] = {
    "Keep sentence #": _("Keep sentence %s"),
    "Remove sentence #": _("Remove sentence %s"),
    "Merge sentences # and #": _("Merge sentences %s and %s"),
    "Use the source": _("Use the source"),
    "Use the document": _("Use the document"),
    "Use the rewrite": _("Use the rewrite"),
    "Use the first version": _("Use the first version"),
    "Use your wording": _("Use your wording"),
    "Remove these words": _("Remove these words"),
    "Put it back": _("Put it back"),
}


def suggestion_label(label: str) -> str:
    """What the button of a suggestion says, in the language of the page."""
    known = _SUGGESTION_LABELS.get(re.sub(r"\d+", "#", label))
    return label if known is None else str(known) % tuple(re.findall(r"\d+", label))


#: What is counted on the pages, so that every noun has its plural in every language.
_COUNTED = {
    "character": ngettext_lazy("%(number)s character", "%(number)s characters", "count"),
    "check": ngettext_lazy("%(number)s check", "%(number)s checks", "count"),
    "claim": ngettext_lazy("%(number)s claim", "%(number)s claims", "count"),
    "document": ngettext_lazy("%(number)s document", "%(number)s documents", "count"),
    "model call": ngettext_lazy("%(number)s model call", "%(number)s model calls", "count"),
    "open warning": ngettext_lazy("%(number)s open warning", "%(number)s open warnings", "count"),
    "other claim": ngettext_lazy("%(number)s other claim", "%(number)s other claims", "count"),
    "page": ngettext_lazy("%(number)s page", "%(number)s pages", "count"),
    "passage": ngettext_lazy("%(number)s passage", "%(number)s passages", "count"),
    "question": ngettext_lazy("%(number)s question", "%(number)s questions", "count"),
    "sentence": ngettext_lazy("%(number)s sentence", "%(number)s sentences", "count"),
    "source": ngettext_lazy("%(number)s source", "%(number)s sources", "count"),
    "token": ngettext_lazy("%(number)s token", "%(number)s tokens", "count"),
    "warning": ngettext_lazy("%(number)s warning", "%(number)s warnings", "count"),
}


def count_of(number: int, noun: str) -> str:
    """``1 sentence``, ``2 sentences``; of the nouns above.

    Raises:
        KeyError: the noun is not among them.
    """
    counted: str = _COUNTED[noun] % {"count": number, "number": f"{number:,}"}
    return counted
