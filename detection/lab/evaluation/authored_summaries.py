"""Set ``authored-summaries``: summaries as language models write them, sentence by sentence beside a source.

A sentence is supported by the source, conflicts with it, or has a part that is not in it. It is flagged if a warning
says that it does not agree with the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from detection.core.types import Span, Verdict

from .base import Baseline, Conditions, EvaluationSet, Measured, Origin
from .checked import UNSUPPORTED, CheckAnswer, CheckQuestion, joined, source_judges
from .rewrites import Correction
from .rows import Fields, Row, read_rows
from .tallies import Formula, Tally, figures, measure, share, total


class Label(StrEnum):
    """The relation of a sentence to the source, by the letter in the data."""

    SUPPORTED = "s"
    CONFLICT = "c"
    UNSUPPORTED = "u"


FORMULAS: dict[str, Formula] = {
    "recall_c": share("c_flagged", "c"),
    "recall_c_as_conflict": share("c_conflict", "c"),
    "c_as_supported": share("c_supported", "c"),
    "recall_u": share("u_flagged", "u"),
    "u_as_supported": share("u_supported", "u"),
    "flagged_per_100": share("s_flagged", "s"),
    "s_as_supported": share("s_supported", "s"),
    **{f"unsure_{label}": share(f"{label}_unsure", label) for label in Label},
    "rewrites_right": share("rewrites_right", "rewrites"),
}
_NOTE = (
    "s: sentences that the source bears out; c: in conflict with it; u: with a part that it does not say. "
    "flagged_per_100 is the share of s with a warning, recall_c and recall_u that of c and u with one of either kind."
)
_NOTE_ON_REWRITES = (
    "rewrites_right: of the rewrites that are offered as checked again, removals of a sentence aside. Those of a "
    "faithful sentence are wrong; those of a sentence for which nobody wrote a right wording are left out."
)


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """The span of a sentence, its relation to the source, and its right wordings, if any."""

    span: Span
    label: Label
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SummaryTruth:
    name: str
    genre: str
    text: str
    sentences: tuple[LabelledSentence, ...]


def read_summary(fields: Fields) -> Row[CheckQuestion, SummaryTruth]:
    items = fields.items("sentences")
    text, spans = joined([item.text("t") for item in items])
    sentences = tuple(
        LabelledSentence(span, item.choice("l", Label), (*item.wordings("fix"), *item.wordings("right")))
        for span, item in zip(spans, items, strict=True)
    )
    truth = SummaryTruth(fields.text("g"), fields.text("genre"), text, sentences)
    return Row(CheckQuestion(text, fields.text("source")), truth)


def measure_summaries(truths: Sequence[SummaryTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Figures of all sentences, and by genre."""
    cases = list(zip(truths, answers, strict=True))
    with_rewrites = any(sentence.wordings for truth in truths for sentence in truth.sentences)
    tallies = [
        _tally(truth, _verdicts(truth, answer), _rewrites(truth, answer) if with_rewrites else {})
        for truth, answer in cases
    ]
    baselines = tuple(
        _always(truths, name, verdict)
        for name, verdict in (("no warnings", Verdict.SUPPORTED), ("all in conflict", Verdict.CONFLICTS_WITH_SOURCE))
    )
    judged = f"{_NOTE_ON_REWRITES} Judged here: {total(tallies, 'rewrites')}."
    notes = (_NOTE, judged) if with_rewrites else (_NOTE,)
    return measure(tallies, FORMULAS, rows=len(cases), notes=notes, baselines=baselines)


def _verdicts(truth: SummaryTruth, answer: CheckAnswer) -> list[Verdict]:
    return [answer.verdict_at(sentence.span) for sentence in truth.sentences]


def _tally(truth: SummaryTruth, verdicts: Sequence[Verdict], others: dict[str, float]) -> Tally:
    counts = dict(others)
    for sentence, verdict in zip(truth.sentences, verdicts, strict=True):
        for name, holds in (
            ("", True),
            ("_flagged", verdict in UNSUPPORTED),
            ("_conflict", verdict is Verdict.CONFLICTS_WITH_SOURCE),
            ("_supported", verdict is Verdict.SUPPORTED),
            ("_unsure", verdict is Verdict.UNSURE),
        ):
            key = f"{sentence.label}{name}"
            counts[key] = counts.get(key, 0) + holds
    return Tally(truth.name, counts, (f"genre: {truth.genre}",))


def _rewrites(truth: SummaryTruth, answer: CheckAnswer) -> dict[str, float]:
    verdicts = [
        verdict
        for _, suggestion in answer.suggestions
        if not suggestion.companions  # the same change is offered for the sentence alone, too
        for verdict in [_is_right(truth, answer.sentences[suggestion.sentence].span, suggestion.replacement)]
        if verdict is not None
    ]
    return {"rewrites": len(verdicts), "rewrites_right": sum(verdicts)} if verdicts else {}


def _is_right(truth: SummaryTruth, span: Span, replacement: str) -> bool | None:
    """Whether a rewrite is right; None if the data has no right wording."""
    bad = [s for s in truth.sentences if s.span.overlaps(span) and s.label is not Label.SUPPORTED]
    if not bad:
        return False
    corrections = [Correction(truth.text, sentence.span, sentence.wordings) for sentence in bad if sentence.wordings]
    if not corrections:
        return None
    return any(correction.is_met_by(replacement, span) for correction in corrections)


def _always(truths: Sequence[SummaryTruth], name: str, verdict: Verdict) -> Baseline:
    tallies = [_tally(truth, [verdict] * len(truth.sentences), {}) for truth in truths]
    return Baseline(name, Origin.TRIVIAL, figures(tallies, FORMULAS, intervals=False))


AUTHORED_SUMMARIES = EvaluationSet(
    name="authored-summaries",
    load=partial(read_rows, name="authored_summaries", read=read_summary),
    judges=source_judges(Conditions()),
    judges_at=source_judges,
    measure=measure_summaries,
    chunk=4,
    reads_file=True,
)
