"""Examples that stay in one batch, because it is known which of them has to score higher."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .data import Example
from .labels import InferenceClass


@dataclass(frozen=True, slots=True)
class Rank:
    """Of two examples of a unit, the one (by position) that the class fits better."""

    of: InferenceClass
    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class Unit:
    """Examples that one batch keeps together, and how their scores compare."""

    examples: tuple[Example, ...]
    ranks: tuple[Rank, ...] = ()

    def weighted(self, factor: float) -> "Unit":
        """The same unit, its examples counting more or less."""
        return replace(self, examples=tuple(replace(e, weight=e.weight * factor) for e in self.examples))


def singles(examples: Sequence[Example], size: int) -> list[Unit]:
    """Units of examples that have nothing to do with each other; like lengths meet, so that little is padded."""
    ordered = sorted(examples, key=lambda example: len(example.premise) + len(example.hypothesis))
    return [Unit(tuple(ordered[start : start + size])) for start in range(0, len(ordered), size)]


def ranked(
    of: InferenceClass, better: Sequence[int], worse: Sequence[int], chooser: random.Random, most: int = 2
) -> list[Rank]:
    """Each of ``better`` against at most so many of ``worse``."""
    return [Rank(of, high, low) for high in better for low in chooser.sample(worse, min(most, len(worse)))]
