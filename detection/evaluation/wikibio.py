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
from detection.core.detectors.base import Ports
from detection.core.evidence.induction import InductiveTest
from detection.core.evidence.sequential import (
    BALANCED,
    CAREFUL,
    QUICK,
    Belief,
    Costs,
    SequentialTest,
    claim_probability,
)
from detection.core.evidence.windows import entailments
from detection.core.types import Engine, NliPair

from . import baselines
from .base import Baseline, EvaluationSet, Group, Measured, Origin
from .metrics import FactualityMetrics, pearson, percentage, precision_recall_area, spearman
from .rows import Fields, Row, read_rows

_UNITS = "Correlations are times 100; documents are a number, for each sub-claim."
_OTHER_ROWS = (
    "Published figures are for all 238 biographies and another NLI model; those of the judges on record are for the "
    "biographies that they saw."
)


class Factuality(StrEnum):
    """What people said of a sentence."""

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
    """A web page; its text is kept packed, because thousands are held at a time."""

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


@dataclass(frozen=True, slots=True)
class SentenceAnswer:
    """The probability that a sentence is factual, what is declared, and the documents read for each sub-claim."""

    factual: float
    is_factual: bool
    documents: tuple[int, ...]


PassageAnswer = tuple[SentenceAnswer, ...]
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
    """None for a biography of which a sentence has no sub-claims: nothing could be looked up for it."""
    labels = fields.choices("labels", Factuality)
    of_passage = sentences[fields.number("passage")]
    found = tuple(of_passage.get(index, ()) for index in range(len(labels)))
    if not all(found):
        return None
    recorded = fields.scores("replicated_scores")
    return Row(PassageQuestion(found), PassageTruth(labels, recorded))


# --- The judge --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SequentialJudge:
    """Reads the recorded pages of each sub-claim as the test says; the pages of many sub-claims at once.

    With ``fixed`` it reads that many pages of each instead, as far as there are. ``kind`` says how far the test looks
    ahead.
    """

    ports: Ports
    costs: Costs
    fixed: int | None = None
    kind: type[SequentialTest] = SequentialTest

    async def judge(self, questions: Sequence[PassageQuestion]) -> list[PassageAnswer]:
        subclaims = [subclaim for question in questions for sentence in question.sentences for subclaim in sentence]
        beliefs = iter(await self._beliefs(subclaims))
        return [
            tuple(self._answer([next(beliefs) for _ in sentence]) for sentence in question.sentences)
            for question in questions
        ]

    async def _beliefs(self, subclaims: Sequence[Subclaim]) -> list[Belief]:
        test = self.kind(wiring.histograms(), self.costs)
        beliefs = [Belief() for _ in subclaims]
        undecided = [i for i, subclaim in enumerate(subclaims) if subclaim.pages]
        while undecided:
            pairs = [NliPair(subclaims[i].pages[beliefs[i].documents].text, subclaims[i].text) for i in undecided]
            for i, entailment in zip(undecided, await entailments(pairs, self.ports.models), strict=True):
                beliefs[i] = test.after(beliefs[i], entailment)
            undecided = [
                i
                for i in undecided
                if beliefs[i].documents < len(subclaims[i].pages) and not self._stops(test, beliefs[i])
            ]
        return beliefs

    def _stops(self, test: SequentialTest, belief: Belief) -> bool:
        return test.stops(belief) if self.fixed is None else belief.documents >= self.fixed

    def _answer(self, beliefs: Sequence[Belief]) -> SentenceAnswer:
        factual = claim_probability(belief.factual for belief in beliefs)
        documents = tuple(belief.documents for belief in beliefs)
        return SentenceAnswer(factual, self.costs.declares_factual(factual), documents)


# --- Measuring --------------------------------------------------------------------------------------------------


def measure_passages(truths: Sequence[PassageTruth], answers: Sequence[PassageAnswer]) -> Measured:
    """Figures of all biographies, and of those that other judges have scores on record for."""
    cases = list(zip(truths, answers, strict=True))
    overall = _group("all", cases, (*_trivial(truths), *baselines.published_wikibio()))
    return Measured(overall, tuple(_scored_by_others(cases)), (_UNITS, _OTHER_ROWS))


def _scored_by_others(cases: Sequence[_Case]) -> Iterator[Group]:
    scored = [case for case in cases if case[0].recorded]
    if scored:
        yield _group("scored by others", scored, tuple(_recorded([truth for truth, _ in scored])))


def _group(name: str, cases: Sequence[_Case], others: tuple[Baseline, ...]) -> Group:
    truths = [truth for truth, _ in cases]
    labels = [label.is_factual for truth in truths for label in truth.labels]
    said = [sentence for _, answer in cases for sentence in answer]
    right = sum(sentence.is_factual == label for sentence, label in zip(said, labels, strict=True))
    metrics = _ranked(
        truths,
        [[1 - sentence.factual for sentence in answer] for _, answer in cases],
        accuracy=percentage(right, len(labels)),
        mean_documents=float(np.mean([count for sentence in said for count in sentence.documents])),
    )
    return Group(name, len(cases), metrics, others)


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
    judges={
        Engine.LOCAL: {
            "sequential": partial(SequentialJudge, costs=BALANCED),
            "sequential-quick": partial(SequentialJudge, costs=QUICK),
            "sequential-careful": partial(SequentialJudge, costs=CAREFUL),
            "inductive": partial(SequentialJudge, costs=BALANCED, kind=InductiveTest),
            "inductive-careful": partial(SequentialJudge, costs=CAREFUL, kind=InductiveTest),
            "fixed-3": partial(SequentialJudge, costs=BALANCED, fixed=3),
            "fixed-10": partial(SequentialJudge, costs=BALANCED, fixed=10),
        }
    },
    measure=measure_passages,
    chunk=4,
)
