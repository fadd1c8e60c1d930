"""Set ``wikibio``: biographies by GPT-3, with the pages that were found for them on the web (METHODS C).

A row is a whole biography, because some figures are about biographies. Sentences come as recorded sub-claims, each
with its recorded pages in the order of the search. Labels, scores and figures are those of the papers on this set: a
sentence with a minor or a major inaccuracy is non-factual.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

import numpy as np

from detection import wiring
from detection.core.evidence.induction import InductiveTest
from detection.core.evidence.sequential import (
    BALANCED,
    CAREFUL,
    MOST_DOCUMENTS,
    QUICK,
    SequentialTest,
    claim_probability,
)
from detection.core.evidence.windows import entailments
from detection.core.ports import Ports
from detection.core.types import Engine, NliPair

from . import baselines
from .base import Baseline, EvaluationSet, Group, Measured, Origin
from .metrics import FactualityMetrics, pearson, percentage, precision_recall_area, spearman
from .plot import Curve, as_svg
from .rows import Fields, Row, read_rows
from .strategies import FixedNaiveBayes, FixedScore, Sequential, Strategy

_UNITS = "Correlations are times 100; documents are a number, for each sub-claim."
_OTHER_ROWS = (
    "Published figures are for all 238 biographies and another NLI model; those of the judges on record are for the "
    "biographies that they saw."
)


_SCORED_BY_OTHERS = "scored by others"


class Factuality(StrEnum):
    """The labels of a sentence."""

    ACCURATE = "accurate"
    MINOR = "minor_inaccurate"
    MAJOR = "major_inaccurate"

    @property
    def is_factual(self) -> bool:
        return self is Factuality.ACCURATE


#: How inaccurate a sentence is, for the mean of a biography.
_INACCURACY = {Factuality.ACCURATE: 0.0, Factuality.MINOR: 0.5, Factuality.MAJOR: 1.0}


@dataclass(frozen=True, slots=True)
class Page:
    """A web page; its text is stored compressed, because thousands are in memory."""

    packed: bytes

    @property
    def text(self) -> str:
        return zlib.decompress(self.packed).decode()


@dataclass(frozen=True, slots=True)
class Subclaim:
    text: str
    pages: tuple[Page, ...]
    """In the order in which they were found."""


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    """The sub-claims of each sentence."""

    sentences: tuple[tuple[Subclaim, ...], ...]


@dataclass(frozen=True, slots=True)
class PassageTruth:
    """``recorded`` holds the scores of other judges for each sentence, by judge; higher means less factual."""

    labels: tuple[Factuality, ...]
    recorded: Mapping[str, tuple[float, ...]]


#: For each sentence, for each of its sub-claims: the entailment of each page, 0 to 1, in the order of the search.
PassageAnswer = tuple[tuple[tuple[float, ...], ...], ...]
PassageRow = Row[PassageQuestion, PassageTruth]
_Case = tuple[PassageTruth, PassageAnswer]


# --- Reading ----------------------------------------------------------------------------------------------------


def load_passages(folder: Path) -> list[PassageRow]:
    """The biographies with their sub-claims and pages.

    Raises:
        BadData: one of the three files is missing or broken.
    """
    pages: dict[str, Page] = {}
    read_rows(folder, "bayes_pages", partial(_note_page, pages))
    sentences: defaultdict[int, dict[int, tuple[Subclaim, ...]]] = defaultdict(dict)
    read_rows(folder, "bayes_subclaims", partial(_note_sentence, pages, sentences))
    return read_rows(folder, "wikibio_gpt3", partial(_read_passage, sentences))


def _note_page(pages: dict[str, Page], fields: Fields) -> Row[None, None]:
    pages[fields.text("page_id")] = Page(zlib.compress(fields.text("text").encode()))
    return Row(None, None)


def _note_sentence(
    pages: Mapping[str, Page], sentences: Mapping[int, dict[int, tuple[Subclaim, ...]]], fields: Fields
) -> Row[None, None]:
    sentences[fields.number("passage")][fields.number("sentence_index")] = tuple(
        Subclaim(subclaim.text("subclaim"), subclaim.named("pages", pages)) for subclaim in fields.items("subclaims")
    )
    return Row(None, None)


def _read_passage(sentences: Mapping[int, Mapping[int, tuple[Subclaim, ...]]], fields: Fields) -> PassageRow | None:
    """None for a biography with a sentence without sub-claims, for which nothing can be looked up."""
    labels = fields.choices("labels", Factuality)
    of_passage = sentences[fields.number("passage")]
    found = tuple(of_passage.get(index, ()) for index in range(len(labels)))
    if not all(found):
        return None
    recorded = fields.scores("replicated_scores")
    return Row(PassageQuestion(found), PassageTruth(labels, recorded))


# --- The judge --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PageJudge:
    """Reads all recorded pages of each sub-claim, so that all strategies can be measured on one reading."""

    ports: Ports

    async def judge(self, questions: Sequence[PassageQuestion]) -> list[PassageAnswer]:
        subclaims = [subclaim for question in questions for sentence in question.sentences for subclaim in sentence]
        pages = [subclaim.pages[:MOST_DOCUMENTS] for subclaim in subclaims]
        pairs = [
            NliPair(page.text, subclaim.text)
            for subclaim, found in zip(subclaims, pages, strict=True)
            for page in found
        ]
        scores = iter(await entailments(pairs, self.ports.models))
        of_subclaims = iter([tuple(next(scores) for _ in found) for found in pages])
        return [
            tuple(tuple(next(of_subclaims) for _ in sentence) for sentence in question.sentences)
            for question in questions
        ]


# --- Measuring --------------------------------------------------------------------------------------------------


def strategies() -> list[Strategy]:
    """What is measured: first what the program does, then the paper's two settings, then fixed numbers of documents."""
    histograms = wiring.histograms()
    naive_bayes = SequentialTest(histograms, BALANCED)
    fixed: list[Strategy] = []
    for count in range(1, MOST_DOCUMENTS + 1):
        fixed += [
            FixedNaiveBayes(count, naive_bayes),
            FixedScore(count, "mean", lambda scores: float(np.mean(scores))),
            FixedScore(count, "maximum", max),
        ]
    return [
        Sequential("looking ahead to the last document, balanced", InductiveTest(histograms, BALANCED)),
        Sequential("the same, quick", InductiveTest(histograms, QUICK)),
        Sequential("the same, careful", InductiveTest(histograms, CAREFUL)),
        Sequential("looking one document ahead, 14 and 24", SequentialTest(histograms, BALANCED)),
        Sequential("the same, 28 and 96", SequentialTest(histograms, CAREFUL)),
        *sorted(fixed, key=lambda strategy: strategy.name.split(",")[0]),
    ]


def measure_passages(truths: Sequence[PassageTruth], answers: Sequence[PassageAnswer]) -> Measured:
    """Figures of all biographies by each strategy, and of those that other judges have scores on record for."""
    cases = list(zip(truths, answers, strict=True))
    first, *others = strategies()
    overall = Group("all", len(cases), _figures(cases, first), (*_trivial(truths), *baselines.published_wikibio()))
    groups = [Group(strategy.name, len(cases), _figures(cases, strategy)) for strategy in others]
    return Measured(overall, (*_scored_by_others(cases, first), *groups), (_UNITS, _OTHER_ROWS))


def _scored_by_others(cases: Sequence[_Case], strategy: Strategy) -> Iterator[Group]:
    scored = [case for case in cases if case[0].recorded]
    if scored:
        others = tuple(_recorded([truth for truth, _ in scored]))
        yield Group(_SCORED_BY_OTHERS, len(scored), _figures(scored, strategy), others)


def _figures(cases: Sequence[_Case], strategy: Strategy) -> FactualityMetrics:
    settled = [[[strategy.settle(subclaim) for subclaim in sentence] for sentence in answer] for _, answer in cases]
    factual = [[claim_probability(claim.factual for claim in sentence) for sentence in answer] for answer in settled]
    said = [strategy.declares_factual(probability) for answer in factual for probability in answer]
    labels = [label.is_factual for truth, _ in cases for label in truth.labels]
    right = sum(says == label for says, label in zip(said, labels, strict=True))
    return _ranked(
        [truth for truth, _ in cases],
        [[1 - probability for probability in answer] for answer in factual],
        accuracy=percentage(right, len(labels)),
        mean_documents=float(np.mean([c.documents for answer in settled for sentence in answer for c in sentence])),
    )


def _ranked(
    truths: Sequence[PassageTruth],
    scores: Sequence[Sequence[float]],
    accuracy: float | None = None,
    mean_documents: float | None = None,
) -> FactualityMetrics:
    """``scores`` has one score for each sentence of each biography; higher means less factual."""
    labels = [label.is_factual for truth in truths for label in truth.labels]
    flat = [score for of_passage in scores for score in of_passage]
    mean_labels = [float(np.mean([_INACCURACY[label] for label in truth.labels])) for truth in truths]
    mean_scores = [float(np.mean(of_passage)) for of_passage in scores]
    return FactualityMetrics(
        auc_pr_nonfactual=precision_recall_area([not label for label in labels], flat),
        auc_pr_factual=precision_recall_area(labels, [-score for score in flat]),
        accuracy=accuracy,
        pearson=pearson(mean_scores, mean_labels),
        spearman=spearman(mean_scores, mean_labels),
        mean_documents=mean_documents,
    )


def plot_passages(measured: Measured) -> str:
    """Spearman's correlation over biographies by documents read, as figure 2 of Wang et al. 2023, as SVG."""
    curves: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for group in (measured.overall, *(group for group in measured.groups if group.name != _SCORED_BY_OTHERS)):
        figures = group.metrics.values()
        curve, _, count = group.name.rpartition(", ")
        name = curve if count.isdigit() else "sequential test"
        curves[name].append((figures["mean_documents"], figures["spearman"]))
    return as_svg(
        "Biographies ranked by how inaccurate they are",
        "documents read for each sub-claim, mean",
        "Spearman's correlation with people",
        [Curve(name, tuple(points)) for name, points in curves.items()],
    )


def _trivial(truths: Sequence[PassageTruth]) -> Iterator[Baseline]:
    labels = [label.is_factual for truth in truths for label in truth.labels]
    factual = percentage(sum(labels), len(labels))
    metrics = FactualityMetrics(auc_pr_nonfactual=100 - factual, auc_pr_factual=factual, accuracy=100 - factual)
    yield Baseline("always non-factual", Origin.TRIVIAL, metrics)


def _recorded(truths: Sequence[PassageTruth]) -> Iterator[Baseline]:
    for judge in sorted(set.intersection(*(set(truth.recorded) for truth in truths))):
        yield Baseline(judge, Origin.RECORDED, _ranked(truths, [truth.recorded[judge] for truth in truths]))


WIKIBIO = EvaluationSet(
    name="wikibio",
    load=load_passages,
    judges={Engine.LOCAL: {"nli": PageJudge}},
    measure=measure_passages,
    plot=plot_passages,
    chunk=4,
)
