"""Strategies that settle a claim by its documents: how many to read, and how to combine their scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol

from detection.core.evidence.sequential import Belief, SequentialTest

#: Entailment of each document of a claim, 0 to 1, in the order in which they were found.
Entailments = Sequence[float]

#: Above, a mean or maximum of entailments is taken for support.
_SUPPORT = 0.5


@dataclass(frozen=True, slots=True)
class Settled:
    """The probability that a claim is factual, and the number of documents read."""

    factual: float
    documents: int


class Strategy(Protocol):
    """Settles one claim."""

    @property
    def name(self) -> str: ...

    def settle(self, entailments: Entailments) -> Settled: ...

    def declares_factual(self, factual: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class Sequential:
    """Reads as long as the test demands it (METHODS C.5)."""

    name: str
    test: SequentialTest

    def settle(self, entailments: Entailments) -> Settled:
        belief = Belief()
        for entailment in entailments[: self.test.most_documents]:
            belief = self.test.after(belief, entailment)
            if self.test.stops(belief):
                break
        return Settled(belief.factual, belief.documents)

    def declares_factual(self, factual: float) -> bool:
        return self.test.costs.declares_factual(factual)


@dataclass(frozen=True, slots=True)
class FixedNaiveBayes:
    """Reads a fixed number of documents, if available, and combines them like the sequential test (eq. 4)."""

    documents: int
    test: SequentialTest

    @property
    def name(self) -> str:
        return f"naive Bayes, {self.documents}"

    def settle(self, entailments: Entailments) -> Settled:
        belief = reduce(self.test.after, entailments[: self.documents], Belief())
        return Settled(belief.factual, belief.documents)

    def declares_factual(self, factual: float) -> bool:
        return self.test.costs.declares_factual(factual)


@dataclass(frozen=True, slots=True)
class FixedScore:
    """Reads a fixed number of documents, if available, and takes the mean or maximum of their entailments."""

    documents: int
    title: str
    join: Callable[[Entailments], float]

    @property
    def name(self) -> str:
        return f"{self.title}, {self.documents}"

    def settle(self, entailments: Entailments) -> Settled:
        read = entailments[: self.documents]
        return Settled(self.join(read) if read else 0.0, len(read))

    def declares_factual(self, factual: float) -> bool:
        return factual > _SUPPORT
