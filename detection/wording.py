"""The words that readers see for verdicts, kinds, detectors and states. One place, so that labels stay consistent."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from .core.active_generation.types import Answer, SentenceState, ValidationMode
from .core.evidence.plan import SearchEffort
from .core.evidence.record import ClaimRecord, SearchRecord, StopReason
from .core.labels import SuggestionLabel, read_label
from .core.llm.budget import Spending
from .core.messages import Message
from .core.reasons import Reason, read_reason
from .core.types import FindingKind, Strictness, Verdict

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

#: Shown instead of "no problem found", which would hide that there was one.
DECIDED = _("decided by you")

KIND_TITLES: dict[FindingKind, str | Promise] = {
    FindingKind.SELF_CONTRADICTION: _("The model contradicts itself"),
    FindingKind.CROSS_CONTRADICTION: _("Two sentences contradict each other"),
    FindingKind.CONFLICTS_WITH_SOURCE: _("Conflicts with your source"),
    FindingKind.NOT_IN_SOURCE: _("Not in your source"),
    FindingKind.REFUTED_BY_EVIDENCE: _("Contradicted by evidence"),
    FindingKind.UNSUPPORTED_BY_EVIDENCE: _("No supporting evidence"),
    FindingKind.REPAIRED_WHILE_GENERATING: _("Corrected while it was written"),
    FindingKind.FALSE_PREMISE: _("The question assumes something false"),
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
    "self_contradiction.v1": _("the model answered again about each fact, and the answers were compared"),
    "cross_contradiction.v1": _("sentences compared with each other"),
    "grounding.v1": _("sentences compared with your sources"),
    "evidence.v1": _("sentences split into claims, and each looked up"),
}

UNIT_STATE_LABELS: dict[str, str | Promise] = {
    "pending": _("not reached yet"),
    "running": _("running"),
    "failed": _("failed"),
    "not_checked": _("not checked"),
}

#: States of a sentence that a model is writing.
SENTENCE_STATE_LABELS: dict[SentenceState, str | Promise] = {
    SentenceState.HELD: _("not decided yet"),
    SentenceState.PASSED: _("the model was sure, nothing was asked"),
    SentenceState.CHECKED: _("checked and supported"),
    SentenceState.UNSETTLED: _("asked about, not settled"),
    SentenceState.REPAIRED: _("corrected"),
    SentenceState.LEFT_OUT: _("left out of the text"),
    SentenceState.RESTORED: _("first version, restored by you"),
    SentenceState.NOT_CHECKED: _("not checked"),
}

#: The state of a sentence whose correction is not checked yet.
CORRECTION_HELD = _("corrected, and checked again now")

ANSWER_LABELS: dict[Answer, str | Promise] = {
    Answer.YES: _("yes"),
    Answer.NO: _("no"),
    Answer.UNKNOWN: _("cannot be determined"),
}

CARRIED_COST = _("nothing: reused from the previous check")
WRITING_COST = _("counted while the text was written")

STRICTNESS_LABELS: dict[Strictness, str | Promise] = {
    Strictness.BALANCED: _("Balanced"),
    Strictness.STRICT: _("Strict: warn more often"),
    Strictness.LENIENT: _("Lenient: warn less often"),
}

#: What a key for another program may do (``AccessKey.Scope``).
SCOPE_LABELS: dict[str, str | Promise] = {
    "read": _("Read your checks and sources"),
    "write": _("Start, decide and delete checks, add and delete sources"),
    "writing_tools": _("Check texts for writing tools (LanguageTool)"),
    "guard": _("Ask the language model, with checked answers (guard)"),
}

#: The reasoning effort of a model.
EFFORT_CHOICES: dict[str, str | Promise] = {
    "": _("as the model does by itself"),
    "off": _("not at all"),
    "low": _("little"),
    "medium": _("some"),
    "high": _("much"),
}

#: Places of searches, to follow "looked up".
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

#: Outcome of a search in which a claim turned out wrong.
CLAIM_IS_WRONG = _("One of its claims has no supporting evidence.")


def retriever_label(retriever: str) -> str:
    """The place that a retriever searches, in words; its name if there are none."""
    if retriever not in RETRIEVER_LABELS:
        return gettext("by %s") % retriever
    return str(RETRIEVER_LABELS[retriever])


def validation_label(mode: ValidationMode, retriever: str) -> str:
    """How sentences were checked while they were written."""
    match mode:
        case ValidationMode.SEARCH:
            return gettext("what the model was unsure of was looked up %s") % retriever_label(retriever)
        case ValidationMode.SELF:
            return gettext("the model answered questions about what it was unsure of")
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
    """The outcome of looking a claim up, in one sentence."""
    values = {
        "read": len(claim.documents),
        "most": count_of(most_documents, "document"),
        "likely": percent(claim.factual),
    }
    match claim.stop:
        case StopReason.NOTHING_FOUND if claim.skipped:
            return gettext("The documents found could not be read. This says nothing about the claim.")
        case StopReason.NOTHING_FOUND:
            return gettext("Nothing was found about it. That does not make it false.")
        case StopReason.SENTENCE_DECIDED if not claim.documents:
            return gettext("Not looked up: another claim of the sentence turned out wrong first.")
        case StopReason.SENTENCE_DECIDED:
            text = gettext(
                "Left after %(read)s of at most %(most)s, %(likely)s likely to be right: another claim was found to be "
                "wrong."
            )
        case StopReason.MOST_DOCUMENTS:
            text = gettext("All %(most)s allowed were read, %(likely)s likely to be right.")
        case StopReason.NO_MORE_DOCUMENTS:
            text = gettext("No more to read after %(read)s of at most %(most)s, %(likely)s likely to be right.")
        case StopReason.DECIDED:
            text = gettext("Stopped after %(read)s of at most %(most)s, %(likely)s likely to be right.")
    return text % values


def verdict_of_search(verdict: Verdict, search: SearchRecord | None) -> str:
    """The verdict of a search, in words that do not mention a source of the user."""
    match verdict:
        case Verdict.CONTRADICTED:
            return str(KIND_TITLES[FindingKind.REFUTED_BY_EVIDENCE]).lower()
        case Verdict.SUPPORTED:
            return gettext("supported by evidence")
        case Verdict.UNSURE:
            if search and search.read:
                return gettext("not settled by evidence")
            return gettext("nothing found about it")
        case _:
            return str(VERDICT_LABELS[verdict])


def search_outcome(verdict: Verdict, search: SearchRecord) -> str:
    """The outcome of a search for a sentence without a wrong claim."""
    if not search.read:
        return gettext("Nothing was found about it. This makes it neither false nor true.")
    if verdict is Verdict.SUPPORTED:
        return gettext("The evidence supports it.")
    claims, silent = len(search.claims), len(search.claims) - len(search.read)
    if silent:
        return gettext(
            "The evidence does not settle it: nothing was found about %(silent)s of its %(claims)s claims."
        ) % {"silent": silent, "claims": claims}
    return gettext("The evidence does not settle it: it is about the same things and does not support all of it.")


def detector_label(detector: str) -> str:
    """What a detector does, in words; its id if there are none."""
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


def time_left(seconds: int) -> str:
    """An estimate of the time left, no more precise than it is: 37 -> "about 40 s left"."""
    tens = -(-seconds // 10) * 10
    if tens < 60:
        return gettext("about %d s left") % tens
    return gettext("about %d min left") % -(-seconds // 60)


def spending_in_words(spending: Spending) -> str:
    """Calls, tokens and cost of a run; an unknown cost is shown as unknown."""
    cost = gettext("cost unknown") if spending.usd is None else f"${spending.usd:.4f}"
    told = f"{count_of(spending.calls, 'model call')} · {count_of(spending.usage.total, 'token')}"
    if spending.usage.thinking:
        told += " " + gettext("(%s of them for reasoning)") % f"{spending.usage.thinking:,}"
    return f"{told} · {cost}"


#: The texts of reasons; numbers replace %s.
REASONS: dict[Reason, str | Promise] = {
    Reason.STATES_NO_FACT: _("it states no fact"),
    Reason.NAMES_NO_FACT: _("the model found no factual claim in it"),
    Reason.TOO_LONG: _("longer than %s words: split it to have it checked"),
    Reason.NO_SOURCE: _("there is no source that could be read"),
    Reason.NO_LANGUAGE_MODEL: _("no language model is set up"),
    Reason.NO_SEARCH: _("there is no search to look it up with"),
    Reason.NOT_ENGLISH: _("the local models read English only"),
    Reason.ONE_SENTENCE: _("there is no other sentence to compare it with"),
    Reason.TABLE_HEADING: _("the headings of a table"),
    Reason.TABLE_WITHOUT_HEADING: _("a row of a table without headings: it is unclear what its cells are"),
    Reason.TABLE_RAGGED: _("a row that does not have as many cells as the table has headings"),
    Reason.TABLE_UNNAMED: _("a row of a table without a name: it is unclear what its cells are about"),
    Reason.TABLE_EMPTY: _("a row of a table with only empty cells"),
    Reason.TABLE_TOO_LONG: _("of each table the first %s cells are compared"),
    Reason.TABLE_CELLS_UNREAD: _("a row of a table with cells that have no figure or date to compare"),
    Reason.TABLE_CELLS_UNTOLD: _("a row of a table: no other sentence mentions all of its cells"),
    Reason.TABLE_CELLS_UNKNOWN: _("a row of a table: your sources do not mention all of its cells"),
    Reason.TABLE_CELLS_PARTLY: _("a row of a table: your sources support %s of its %s cells"),
    Reason.OUT_OF_TIME: _("not reached within the time limit of a check; you can try it again"),
    Reason.NO_RESULT: _("the detector gave no result"),
    Reason.PROGRAM_FAULT: _("a fault in the program; it has been logged"),
    Reason.IS_HEADING: _("a heading"),
    Reason.IS_CODE: _("a block of code"),
    Reason.IS_TABLE_ROW: _("a row of a table"),
    Reason.WRITTEN_ONLY: _("it was written without a check"),
    Reason.NOT_REPAIRED: _("No correction passed all checks."),
    Reason.NOTHING_FOUND: _("Nothing was found about it."),
    Reason.WRITING_COMPLETE: _("The model finished its text."),
    Reason.TEXT_TOO_LONG: _("The text reached the maximum length."),
    Reason.TEXT_REPEATED: _("The model began to repeat itself."),
    Reason.TOO_MANY_LEFT_OUT: _("%s sentences in a row had to be left out."),
    Reason.WRITING_REFUSED: _("The model refused to write it."),
    Reason.NOTHING_WRITTEN: _("The model wrote nothing."),
    Reason.NO_WRITER: _("No language model is set up here."),
    Reason.WRITTEN_TOO_LONG: _("The model wrote more than can be checked. Ask for a shorter text."),
    Reason.CHECK_FAULT: _("Something went wrong in the program. It has been logged; you can try again."),
    Reason.CHECK_STOPPED: _("The server stopped %s times while it checked this text. You can try again."),
    Reason.CHECK_WITHOUT_END: _("The check was started %s times and never finished. You can try again."),
    Reason.SPLIT_DIFFERENTLY: _(
        "A newer version splits this text into other sentences. Start a new check with the same text."
    ),
    Reason.READING_FAULT: _(
        "Something went wrong in the program while it was read. It has been logged; add it again to retry."
    ),
    Reason.READING_STOPPED: _("The server stopped %s times while it was read. Add it again to retry."),
    Reason.KEPT_WHILE_WRITING: _("First version put back while the text was written."),
}


def reason_words(stored: str) -> str:
    """The text of a stored reason, in the language of the page; a text that is no code is shown unchanged."""
    reason = read_reason(stored)
    return stored if reason is None else _filled(str(REASONS[reason[0]]), reason[1])


def _filled(words: str, numbers: tuple[int, ...]) -> str:
    """``words`` with its numbers; without places for numbers where the stored code has too few or too many."""
    return words % numbers if words.count("%s") == len(numbers) else words.replace("%s", "").strip()


def message_words(message: Message) -> str:
    """What a finding says, in the language of the page."""
    return message.words(gettext)


#: The buttons of suggestions; numbers of sentences, or their count, replace %s.
SUGGESTION_LABELS: dict[SuggestionLabel, str | Promise] = {
    SuggestionLabel.KEEP_SENTENCE: _("Keep sentence %s"),
    SuggestionLabel.REMOVE_SENTENCE: _("Remove sentence %s"),
    SuggestionLabel.MERGE_SENTENCES: _("Merge sentences %s and %s"),
    SuggestionLabel.USE_SOURCE: _("Use the source"),
    SuggestionLabel.CHANGE_TOGETHER: _("Change all %s sentences"),
    SuggestionLabel.USE_DOCUMENT: _("Use the document"),
    SuggestionLabel.USE_REWRITE: _("Use the rewrite"),
    SuggestionLabel.USE_FIRST_VERSION: _("Use the first version"),
    SuggestionLabel.USE_CORRECTION: _("Use the correction"),
    SuggestionLabel.LEAVE_OUT: _("Leave it out"),
    SuggestionLabel.RESTORE: _("Restore it"),
    SuggestionLabel.USE_OWN_WORDING: _("Use your wording"),
    SuggestionLabel.REMOVE_WORDS: _("Remove these words"),
    SuggestionLabel.CHANGE_WORD: _("Change this word"),
    SuggestionLabel.NEGATE: _("Add or remove “not”"),
}


def suggestion_label(stored: str) -> str:
    """The button of a suggestion, in the language of the page. English text of earlier versions is shown unchanged."""
    label = read_label(stored)
    if label is None:
        return stored
    return _filled(str(SUGGESTION_LABELS[label[0]]), label[1])


#: Nouns that the pages count, with a plural for every language.
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
