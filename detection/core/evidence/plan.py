"""The cost limits of a search: a simple choice, or the detailed costs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .sequential import BALANCED, CAREFUL, MOST_DOCUMENTS, QUICK, Costs


class SearchEffort(StrEnum):
    """Quick reads few documents; careful reads more before it decides."""

    QUICK = "quick"
    BALANCED = "balanced"
    CAREFUL = "careful"

    @property
    def costs(self) -> Costs:
        return _COSTS[self]


_COSTS = {SearchEffort.QUICK: QUICK, SearchEffort.BALANCED: BALANCED, SearchEffort.CAREFUL: CAREFUL}


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The costs of mistakes and documents, and the maximum number of documents for a claim."""

    costs: Costs = BALANCED
    most_documents: int = MOST_DOCUMENTS


#: The paper's first setting.
DEFAULT_PLAN = SearchPlan()
