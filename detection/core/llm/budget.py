"""The budget of a run. It is checked before every call, so that the run stops before exceeding it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ..errors import BudgetExhausted
from .types import CallOutcome, CallRecord, TokenUsage


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; None means no limit."""

    calls: int | None = None
    tokens: int | None = None
    usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Spending:
    """The spending so far. ``usd`` is None as soon as the price of one call is unknown."""

    calls: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)
    usd: Decimal | None = Decimal(0)

    def plus(self, record: CallRecord) -> Spending:
        if record.outcome is CallOutcome.REUSED:
            return self
        usage = self.usage + record.usage if record.usage else self.usage
        known = self.usd is not None and (record.cost_usd is not None or record.outcome is CallOutcome.FAILED)
        usd = self.usd + (record.cost_usd or Decimal(0)) if known and self.usd is not None else None
        return Spending(self.calls + 1, usage, usd)

    def with_under_way(self, calls: int, usage: TokenUsage, usd: Decimal | None) -> Spending:
        """The spending once the running calls are answered; ``usd`` is their expected cost."""
        known = None if self.usd is None or usd is None else self.usd + usd
        return Spending(self.calls + calls, self.usage + usage, known)


def refuse_beyond(budget: Budget, spending: Spending) -> None:
    """Refuse the next call if a limit is reached.

    Raises:
        BudgetExhausted: with the limit and what was spent.
    """
    if budget.calls is not None and spending.calls >= budget.calls:
        raise BudgetExhausted(f"The budget of {budget.calls:,} model calls is used up.")
    if budget.tokens is not None and spending.usage.total >= budget.tokens:
        raise BudgetExhausted(
            f"The budget of {budget.tokens:,} tokens is used up ({spending.usage.total:,} were used)."
        )
    if budget.usd is not None and spending.usd is None:
        raise BudgetExhausted(
            "The price of this model is not known, so a budget in money cannot be kept. "
            "Add the price, or set a budget in calls or tokens."
        )
    if budget.usd is not None and spending.usd is not None and spending.usd >= budget.usd:
        raise BudgetExhausted(f"The budget of ${budget.usd} is used up.")
