"""The data that a decision is fitted on: features, classes and groups."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: The features of a case by name, its class, and its group.
Case = tuple[Mapping[str, float], int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """``rows`` has the shape [case, feature]; ``classes`` are indices of the decision's classes.

    ``groups`` names the group of each case; folds never split a group.
    """

    class_count: int
    names: tuple[str, ...]
    rows: NDArray[np.float64]
    classes: NDArray[np.int64]
    groups: tuple[str, ...]


async def gathered(class_count: int, cases: AsyncIterator[Case]) -> Features:
    """The features of all cases."""
    names: tuple[str, ...] = ()
    rows, classes, groups = [], [], []
    async for features, case_class, group in cases:
        names = tuple(features)
        rows.append(list(map(float, features.values())))
        classes.append(case_class)
        groups.append(group)
    return Features(class_count, names, np.array(rows), np.array(classes), tuple(groups))


def folds(groups: Sequence[str], count: int) -> Iterator[NDArray[np.bool_]]:
    """The mask of test rows of each fold; folds never split a group."""
    names = sorted(set(groups))
    for fold in range(count):
        chosen = set(names[fold::count])
        yield np.array([group in chosen for group in groups])
