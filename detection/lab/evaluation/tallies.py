"""Figures computed from sums: each case has counts, each figure has a formula.

So every set computes the figures of its groups, and their intervals, in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .base import Baseline, Group, Measured
from .metrics import Metrics, bootstrap

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one case.

    ``cluster`` names the text or source that it is of: what is of one is drawn together for the intervals. ``groups``
    are those of the report that it counts in, beside "all".
    """

    cluster: str
    counts: Mapping[str, float]
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Formula:
    """How a figure follows from sums. It is left out where no case has one of the counts that it ``needs``."""

    needs: tuple[str, ...]
    of: Callable[[Numbers], Numbers]
    """Makes the figures, ``[sample]``, of the sums of what it needs, ``[count, sample]``."""


@dataclass(frozen=True, slots=True)
class Figures(Metrics):
    """Figures by name; those of an interval end in ``_low`` and ``_high``. Percentages, or counts per 100."""

    named: Mapping[str, float]

    def values(self) -> dict[str, float]:
        return dict(self.named)


def share(part: str, whole: str) -> Formula:
    """``part`` as a percentage of ``whole``; 0 if ``whole`` is 0."""
    return Formula((part, whole), lambda sums: _percentage(sums[0], sums[1]))


def precision(found: str, false: str) -> Formula:
    """The share of right warnings; 0 without warnings."""
    return Formula((found, false), lambda sums: _percentage(sums[0], sums[0] + sums[1]))


def f1(both: str, predicted: str, true: str) -> Formula:
    """The harmonic mean of precision and recall, where ``both`` were predicted and are true."""
    return Formula((both, predicted, true), lambda sums: _percentage(2 * sums[0], sums[1] + sums[2]))


def balanced_accuracy(found: str, bad: str, passed: str, good: str) -> Formula:
    """The mean of the share of the bad that was found and of the good that was passed."""
    return Formula(
        (found, bad, passed, good),
        lambda sums: (_percentage(sums[0], sums[1]) + _percentage(sums[2], sums[3])) / 2,
    )


def _percentage(part: Numbers, whole: Numbers) -> Numbers:
    percentages: Numbers = 100 * part / np.where(whole > 0, whole, 1)
    return percentages


def measure(
    tallies: Sequence[Tally],
    formulas: Mapping[str, Formula],
    *,
    rows: int,
    notes: tuple[str, ...] = (),
    baselines: tuple[Baseline, ...] = (),
) -> Measured:
    """The figures of all cases and of each group, with 95 % intervals. ``rows`` is how many rows there were."""
    names = sorted({name for tally in tallies for name in tally.groups})
    groups = [_group(name, [tally for tally in tallies if name in tally.groups], formulas) for name in names]
    overall = Group("all", rows, figures(tallies, formulas), baselines)
    return Measured(overall, tuple(groups), notes)


def total(tallies: Iterable[Tally], name: str) -> int:
    """One of the counts of all cases."""
    return int(sum(tally.counts.get(name, 0) for tally in tallies))


def _group(name: str, tallies: Sequence[Tally], formulas: Mapping[str, Formula]) -> Group:
    return Group(name, len({tally.cluster for tally in tallies}), figures(tallies, formulas))


def figures(tallies: Sequence[Tally], formulas: Mapping[str, Formula], *, intervals: bool = True) -> Figures:
    """Each figure that has counts, with its interval if requested."""
    named: dict[str, float] = {}
    for name, formula in formulas.items():
        by_cluster = _by_cluster(tallies, formula.needs)
        if by_cluster is None:
            continue
        named[name] = float(formula.of(by_cluster.sum(axis=0)[:, np.newaxis])[0])
        if intervals:
            interval = bootstrap(by_cluster, formula.of)
            named[f"{name}_low"], named[f"{name}_high"] = interval.low, interval.high
    return Figures(named)


def _by_cluster(tallies: Iterable[Tally], needs: Sequence[str]) -> Numbers | None:
    """The counts of each cluster, ``[cluster, count]``; None where one of them is nowhere."""
    sums: dict[str, Numbers] = {}
    seen: set[str] = set()
    for tally in tallies:
        seen.update(tally.counts)
        row = np.array([tally.counts.get(name, 0.0) for name in needs])
        sums[tally.cluster] = sums.get(tally.cluster, 0.0) + row
    return np.stack(list(sums.values())) if sums and seen.issuperset(needs) else None
