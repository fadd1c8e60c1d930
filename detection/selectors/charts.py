"""Coordinates of the small charts. The templates write the SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..core.evidence.induction import InductiveTest
from ..core.evidence.sequential import PRIOR

#: The frame of the curve, in units of the drawing.
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 164, 8, 68


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """``document`` is the number of the document that was read last, 0 before the first."""

    x: float
    y: float
    document: int
    factual: float


@dataclass(frozen=True, slots=True)
class ProbabilityChart:
    """The probability that a claim is right (0 to 100 %, upwards) after each document (to the right).

    ``points`` begin before the first document. The search reads on while the curve is in the band ``undecided``; when
    it ends at ``indifference`` or below, the claim counts as wrong. Lists of coordinates have the form of SVG:
    ``"34,41 50,38"``.
    """

    points: tuple[ChartPoint, ...]
    curve: str
    undecided: str
    """"" if another document is never worth its cost."""
    indifference: float
    line: float
    """Distance of the line of ``indifference`` from the top."""
    most_documents: int

    width: ClassVar[int] = 170
    height: ClassVar[int] = 86
    left: ClassVar[int] = _LEFT
    right: ClassVar[int] = _RIGHT
    top: ClassVar[int] = _TOP
    bottom: ClassVar[int] = _BOTTOM

    @property
    def last(self) -> ChartPoint:
        return self.points[-1]

    @property
    def has_room_at_the_right(self) -> bool:
        """Whether the last value fits to the right of its point."""
        return self.last.x < (_LEFT + _RIGHT) / 2


def probability_chart(factual: Sequence[float], test: InductiveTest, most_documents: int) -> ProbabilityChart:
    """The chart of a claim; ``factual`` are its probabilities after each document."""

    def place(documents: int, probability: float) -> ChartPoint:
        x = _LEFT + (_RIGHT - _LEFT) * documents / most_documents
        return ChartPoint(round(x, 1), _height_of(probability), documents, probability)

    points = tuple(place(number, probability) for number, probability in enumerate([PRIOR, *factual]))
    bands = {documents: band for documents in range(1, most_documents) if (band := test.undecided(documents))}
    lower = [place(documents, band[0]) for documents, band in bands.items()]
    upper = [place(documents, band[1]) for documents, band in bands.items()]
    return ProbabilityChart(
        points=points,
        curve=_places(points),
        undecided=_places([*lower, *reversed(upper)]),
        indifference=test.costs.indifference,
        line=_height_of(test.costs.indifference),
        most_documents=most_documents,
    )


def _height_of(probability: float) -> float:
    return round(_BOTTOM - (_BOTTOM - _TOP) * probability, 1)


def _places(points: Sequence[ChartPoint]) -> str:
    return " ".join(f"{point.x},{point.y}" for point in points)
