"""The data that a decision is fitted on: features, classes and groups."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

#: The features of a case by name, its class, and its group.
Case = tuple[Mapping[str, float], int, str]


#: Texts that are read at a time, so that a batch can have pairs of several.
_TEXTS_AT_ONCE = 24


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


async def gathered(class_count: int, texts: Iterable[AsyncIterator[Case]]) -> Features:
    """The features of the cases of all texts, of which some are read at a time."""
    names: tuple[str, ...] = ()
    rows, classes, groups = [], [], []
    waiting = list(texts)
    for start in range(0, len(waiting), _TEXTS_AT_ONCE):
        some = waiting[start : start + _TEXTS_AT_ONCE]
        for features, case_class, group in chain.from_iterable(await asyncio.gather(*map(_all, some))):
            names = tuple(features)
            rows.append(list(map(float, features.values())))
            classes.append(case_class)
            groups.append(group)
    return Features(class_count, names, np.array(rows), np.array(classes), tuple(groups))


async def _all(cases: AsyncIterator[Case]) -> list[Case]:
    return [case async for case in cases]


class Grouped(Protocol):
    @property
    def group(self) -> str: ...


OfGroup = TypeVar("OfGroup", bound=Grouped)


def of_every_nth_group(rows: Sequence[OfGroup], number: int) -> list[OfGroup]:
    """The rows of every ``number``-th group: a text stays with its repair, a source with its other side."""
    chosen = set(islice(dict.fromkeys(row.group for row in rows), 0, None, number))
    return [row for row in rows if row.group in chosen]


def folds(groups: Sequence[str], count: int) -> Iterator[NDArray[np.bool_]]:
    """The mask of test rows of each fold; folds never split a group."""
    names = sorted(set(groups))
    for fold in range(count):
        chosen = set(names[fold::count])
        yield np.array([group in chosen for group in groups])
