"""How much is spent on a search: one plain choice, or the costs in detail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .sequential import BALANCED, CAREFUL, MOST_DOCUMENTS, QUICK, Costs


class SearchEffort(StrEnum):
    """Quick reads few documents, careful reads more before it says that something is right or wrong."""

    QUICK = "quick"
    BALANCED = "balanced"
    CAREFUL = "careful"

    @property
    def costs(self) -> Costs:
        return _COSTS[self]


_COSTS = {SearchEffort.QUICK: QUICK, SearchEffort.BALANCED: BALANCED, SearchEffort.CAREFUL: CAREFUL}


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What mistakes and documents cost, and how many documents are looked at for a claim at most."""

    costs: Costs = BALANCED
    most_documents: int = MOST_DOCUMENTS


#: The paper's first setting.
DEFAULT_PLAN = SearchPlan()
