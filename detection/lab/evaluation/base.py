"""Evaluation sets: a set has rows and a measure; the judge of an engine gives the answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from detection.core.ports import Ports
from detection.core.rules import Family
from detection.core.types import Engine, GroundingLevel, Strictness

from .metrics import Metrics
from .rows import Question, Row, Truth

Answer = TypeVar("Answer")
AskedQuestion = TypeVar("AskedQuestion", contravariant=True)
GivenAnswer = TypeVar("GivenAnswer", covariant=True)


class Judge(Protocol[AskedQuestion, GivenAnswer]):
    """The system under test."""

    async def judge(self, questions: Sequence[AskedQuestion]) -> Sequence[GivenAnswer]:
        """One answer for each question, in order."""
        ...


class Origin(StrEnum):
    """Where a baseline comes from."""

    RECORDED = "recorded"  # computed from recorded answers, on the same rows
    PUBLISHED = "published"  # printed in a paper, for all of its rows
    TRIVIAL = "trivial"  # always the same answer, on the same rows
    MEASURED = "measured"  # this program in another state, in the same run


@dataclass(frozen=True, slots=True)
class Baseline:
    """The figures of another system."""

    name: str
    origin: Origin
    metrics: Metrics


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of some of the rows."""

    name: str
    rows: int
    metrics: Metrics
    baselines: tuple[Baseline, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of all rows and of groups of rows. ``notes`` help to interpret them."""

    overall: Group
    groups: tuple[Group, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conditions:
    """The settings of the product during a measurement. ``levels`` are those of the comparison with sources."""

    strictness: Strictness = Strictness.BALANCED
    levels: frozenset[GroundingLevel] = frozenset(GroundingLevel)


#: Factories of the judges of each engine, by the name of the method; the first one is the engine's own method.
Judges = Mapping[Engine, Mapping[str, Callable[[Ports], Judge[Question, Answer]]]]


@dataclass(frozen=True, slots=True)
class EvaluationSet(Generic[Question, Truth, Answer]):
    """Labelled data, and what to measure on it.

    ``load`` reads the rows from a folder. ``measure`` gets the truth and the answer of every row, in order. A judge
    gets ``chunk`` questions at a time.
    """

    name: str
    load: Callable[[Path], list[Row[Question, Truth]]]
    judges: Judges[Question, Answer]
    measure: Callable[[Sequence[Truth], Sequence[Answer]], Measured]
    chunk: int
    caveats: Mapping[Engine, str] = field(default_factory=dict)
    """Notes on the figures of an engine on this set."""
    plot: Callable[[Measured], str] | None = None
    """Draws the figures as SVG; None if there is no drawing."""
    judges_at: Callable[[Conditions], Judges[Question, Answer]] | None = None
    """The judges under other settings; None if settings change nothing."""
    has_levels: bool = False
    """True if sentences are compared with sources at several levels, which can be measured separately."""
    reads_file: bool = False
    """True if ``load`` also accepts the user's own file."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A finished run. ``seconds`` is the time that the judge took, with the loading of its models."""

    name: str
    engine: Engine
    rows: int
    seconds: float
    measured: Measured
    without: frozenset[Family] = frozenset()
    """The families of values that the rules did not read."""

    @property
    def pairs_per_second(self) -> float:
        """A row is a pair: of two sentences, of a response and its source, or of a claim and its evidence."""
        return self.rows / self.seconds if self.seconds else 0.0


#: Called after each chunk with the numbers of finished and of all rows.
Progress = Callable[[int, int], None]


async def evaluate(
    evaluation_set: EvaluationSet[Question, Truth, Answer],
    rows: Sequence[Row[Question, Truth]],
    engine: Engine,
    method: str,
    ports: Ports,
    progress: Progress,
) -> Evaluation:
    """Have the engine judge all rows by a method of the set, and measure its answers."""
    judge = evaluation_set.judges[engine][method](ports)
    answers: list[Answer] = []
    started = time.monotonic()
    for first in range(0, len(rows), evaluation_set.chunk):
        chunk = rows[first : first + evaluation_set.chunk]
        answers += await judge.judge([row.question for row in chunk])
        progress(len(answers), len(rows))
    seconds = time.monotonic() - started
    measured = evaluation_set.measure([row.truth for row in rows], answers)
    if engine in evaluation_set.caveats:
        measured = replace(measured, notes=(evaluation_set.caveats[engine], *measured.notes))
    return Evaluation(evaluation_set.name, engine, len(rows), seconds, measured)
