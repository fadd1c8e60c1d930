"""Examples that stay in one batch, because their scores are ranked."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .data import Example
from .labels import InferenceClass


@dataclass(frozen=True, slots=True)
class Rank:
    """A ranking of two examples of a unit (by position) for a class."""

    of: InferenceClass
    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class Unit:
    """Examples of one batch, and the ranks of their scores."""

    examples: tuple[Example, ...]
    ranks: tuple[Rank, ...] = ()

    def weighted(self, factor: float) -> "Unit":
        """The same unit with the weights of its examples multiplied."""
        return replace(self, examples=tuple(replace(e, weight=e.weight * factor) for e in self.examples))


def singles(examples: Sequence[Example], size: int) -> list[Unit]:
    """Units of unrelated examples of similar length, so that little is padded."""
    ordered = sorted(examples, key=lambda example: len(example.premise) + len(example.hypothesis))
    return [Unit(tuple(ordered[start : start + size])) for start in range(0, len(ordered), size)]


def ranked(
    of: InferenceClass, better: Sequence[int], worse: Sequence[int], chooser: random.Random, most: int = 2
) -> list[Rank]:
    """Rank each of ``better`` against a limited number of ``worse``."""
    return [Rank(of, high, low) for high in better for low in chooser.sample(worse, min(most, len(worse)))]
