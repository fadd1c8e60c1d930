"""Sets of claims with evidence: does the evidence support the claim?

``vitaminc``, ``fever-symmetric``, ``fever-adversarial`` and ``nbc`` are of facts; ``anli``, ``lingnli`` and ``cad`` of
general inference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

import numpy as np

from detection.core.evidence.windows import windows
from detection.core.ports import Ports
from detection.core.types import Engine, NliPair, NliScore

from .base import Baseline, EvaluationSet, Group, Measured, Origin
from .metrics import (
    BinMetrics,
    ClaimMetrics,
    ConfidenceBin,
    Interval,
    bootstrap,
    expected_calibration_error,
    percentage,
    reliability,
)
from .rows import Fields, Row, find_files, read_rows

_NO_FIGURES = "The four papers have no figures for this set."
_SEEN = (
    "The NLI model that ships was trained on most of these rows (its card says so): "
    "the figures show that it works, not how well it reads other pairs."
)


class Label(StrEnum):
    """How evidence bears on a claim. For ``nbc`` a claim is factual (supports) or not (refutes)."""

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO"


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    evidence: str
    claim: str


@dataclass(frozen=True, slots=True)
class ClaimTruth:
    """``part`` is the part of the set that the row belongs to; rows of one ``cluster`` resemble each other."""

    label: Label
    part: str
    cluster: str | None = None


#: The answer of an engine for a claim: the probability of each label, with sum 1.
Shares = dict[Label, float]
ClaimRow = Row[ClaimQuestion, ClaimTruth]


# --- The judge -----------------------------------------------------------------------------------------------------


def three_ways(score: NliScore) -> Shares:
    return {
        Label.SUPPORTS: score.entailment,
        Label.REFUTES: score.contradiction,
        Label.NOT_ENOUGH_INFO: score.neutral,
    }


def supports_or_refutes(score: NliScore) -> Shares:
    """For evidence that always decides: without "neutral"."""
    told = score.entailment + score.contradiction
    return {Label.SUPPORTS: score.entailment / told, Label.REFUTES: score.contradiction / told}


def supports_or_not(score: NliScore) -> Shares:
    """For evidence that often does not decide: "neutral" counts as refuted."""
    return {Label.SUPPORTS: score.entailment, Label.REFUTES: 1 - score.entailment}


@dataclass(frozen=True, slots=True)
class LocalClaimJudge:
    """The NLI model on evidence and claim.

    Evidence that is longer than a passage is read in windows, as the detectors read sources; the window with the
    highest probability of entailment counts (METHODS C.3).
    """

    ports: Ports
    shares: Callable[[NliScore], Shares]

    async def judge(self, questions: Sequence[ClaimQuestion]) -> list[Shares]:
        pairs = [[NliPair(window, question.claim) for window in windows(question.evidence)] for question in questions]
        scores = iter(await self.ports.models.score([pair for group in pairs for pair in group]))
        best = [max((next(scores) for _ in group), key=lambda score: score.entailment) for group in pairs]
        return [self.shares(score) for score in best]


# --- Measuring -----------------------------------------------------------------------------------------------------


def measure_claims(notes: tuple[str, ...], truths: Sequence[ClaimTruth], answers: Sequence[Shares]) -> Measured:
    """Figures of all claims and of each part, with the calibration of the confidence."""
    cases = list(zip(truths, answers, strict=True))
    parts = sorted({truth.part for truth in truths})
    by_part = [_group(part, [case for case in cases if case[0].part == part]) for part in parts]
    bins = [
        Group(f"confidence {row.low:.1f} to {row.high:.1f}", row.answers, BinMetrics(row.confidence, row.accuracy))
        for row in _reliability(cases)
    ]
    return Measured(_group("all", cases), (*(by_part if len(parts) > 1 else ()), *bins), notes)


def _group(name: str, cases: Sequence[tuple[ClaimTruth, Shares]]) -> Group:
    correct = sum(_choice(shares) is truth.label for truth, shares in cases)
    interval = _interval(cases)
    metrics = ClaimMetrics(
        percentage(correct, len(cases)),
        expected_calibration_error(_reliability(cases)),
        *(interval.low, interval.high) if interval else (),
    )
    [(label, count)] = Counter(truth.label for truth, _ in cases).most_common(1)
    always = Baseline(f"always {label.lower()}", Origin.TRIVIAL, ClaimMetrics(percentage(count, len(cases))))
    return Group(name, len(cases), metrics, (always,))


def _interval(cases: Sequence[tuple[ClaimTruth, Shares]]) -> Interval | None:
    """The interval of the accuracy over clusters; None if the data has no clusters."""
    rows = {cluster: row for row, cluster in enumerate(dict.fromkeys(truth.cluster for truth, _ in cases))}
    if None in rows:
        return None
    counts = np.zeros((len(rows), 2))
    for truth, shares in cases:
        counts[rows[truth.cluster]] += (_choice(shares) is truth.label, 1)
    return bootstrap(counts, lambda sums: 100 * sums[0] / sums[1])


def _reliability(cases: Sequence[tuple[ClaimTruth, Shares]]) -> list[ConfidenceBin]:
    correct = [_choice(shares) is truth.label for truth, shares in cases]
    return reliability(correct, [max(shares.values()) for _, shares in cases])


def _choice(shares: Shares) -> Label:
    return max(shares, key=lambda label: shares[label])


# --- The sets ------------------------------------------------------------------------------------------------------


def _reads_parts(part: str) -> Callable[[Fields], ClaimRow]:
    """Reads evidence and claim; the field ``part`` names the part of the set."""

    def read(fields: Fields) -> ClaimRow:
        question = ClaimQuestion(fields.text("evidence"), fields.text("claim"))
        return Row(question, ClaimTruth(fields.choice("label", Label), fields.text(part)))

    return read


def _read_nbc(fields: Fields) -> ClaimRow:
    label = Label.SUPPORTS if fields.flag("factual") else Label.REFUTES
    return Row(ClaimQuestion(fields.text("premise"), fields.text("hypothesis")), ClaimTruth(label, "all"))


def _read_clustered(fields: Fields, part: str | None = None) -> ClaimRow:
    """A row of a set with clusters of similar rows."""
    question = ClaimQuestion(fields.text("evidence"), fields.text("claim"))
    label = fields.choice("label", Label)
    return Row(question, ClaimTruth(label, fields.text(part) if part else "all", fields.text("group")))


class InferenceLabel(StrEnum):
    """The names of the labels in the sets of general inference."""

    ENTAILMENT = "entailment"
    CONTRADICTION = "contradiction"
    NEUTRAL = "neutral"

    @property
    def label(self) -> Label:
        return {self.ENTAILMENT: Label.SUPPORTS, self.CONTRADICTION: Label.REFUTES}.get(self, Label.NOT_ENOUGH_INFO)


def _read_inference(fields: Fields) -> ClaimRow | None:
    """A row of the development part of a training set."""
    if fields.text("split") != "dev":
        return None
    premise = fields.text("premise")
    label = fields.choice("label", InferenceLabel).label
    cluster = fields.text("cluster") if fields.is_known("cluster") else premise
    return Row(ClaimQuestion(premise, fields.text("hypothesis")), ClaimTruth(label, fields.text("source"), cluster))


def _load_inference(folder: Path, file: str) -> list[ClaimRow]:
    """The rows of a file that is with the training data, in the folder or beside it."""
    found = find_files(folder, ("train/nli2", "nli2"), (f"{file}.jsonl*",))
    return read_rows(found[0] if found else folder, file, _read_inference)


def _claims(
    name: str,
    load: Callable[[Path], list[ClaimRow]],
    shares: Callable[[NliScore], Shares],
    notes: tuple[str, ...] = (_NO_FIGURES,),
) -> EvaluationSet[ClaimQuestion, ClaimTruth, Shares]:
    return EvaluationSet(
        name=name,
        load=load,
        judges={Engine.LOCAL: {"nli": partial(LocalClaimJudge, shares=shares)}},
        measure=partial(measure_claims, notes),
        chunk=512,
    )


def _reads(file: str, read: Callable[[Fields], ClaimRow]) -> Callable[[Path], list[ClaimRow]]:
    return partial(read_rows, name=file, read=read)


VITAMINC = _claims("vitaminc", _reads("vitaminc_test", _reads_parts("part")), three_ways, (_SEEN, _NO_FIGURES))
FEVER_SYMMETRIC = _claims("fever-symmetric", _reads("fever_symmetric", _reads_parts("orig_split")), supports_or_refutes)
FEVER_ADVERSARIAL = _claims("fever-adversarial", _reads("fever_adversarial", _read_clustered), supports_or_refutes)
ANLI = _claims("anli", _reads("anli_test", partial(_read_clustered, part="round")), three_ways)
LINGNLI = _claims("lingnli", partial(_load_inference, file="nli_lingnli"), three_ways)
CAD = _claims("cad", partial(_load_inference, file="nli_cad"), three_ways)
NBC = _claims("nbc", _reads("bayes_nbc", _read_nbc), supports_or_not)
