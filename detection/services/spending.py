"""Daily limits on calls with the operator's key: for one payer, and for all together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from ..core.llm.budget import Budget, Spending
from ..core.llm.types import CallOutcome, CallRecord
from ..models import DailySpending
from .quotas import TooMuch

_Amount = TypeVar("_Amount", int, Decimal)

EVERYBODY = "all"
_ACCOUNT = "account:"


class DailyBudgetSpent(TooMuch):
    """The daily budget is spent."""


@dataclass(frozen=True, slots=True)
class DailyLimit:
    """The daily limit of one payer, or of all; None is no limit."""

    payer: str
    tokens: int | None
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Left:
    """The rest of the daily budget; None is no limit. ``usd`` is set only if every price was known."""

    tokens: int | None
    usd: Decimal | None

    @property
    def is_nothing(self) -> bool:
        return (self.tokens is not None and self.tokens <= 0) or (self.usd is not None and self.usd <= 0)


def is_operators_key() -> bool:
    """Whether calls use the key of the settings, which takes precedence over keys of users."""
    return bool(settings.LLM_API_KEY)


def note_spending(record: CallRecord, *, payer: str) -> None:
    """Count a call. The count stays when the check and its calls are deleted."""
    if record.outcome is not CallOutcome.REUSED:
        note_tokens(record.usage.total if record.usage else 0, record.cost_usd, payer=payer)


def note_tokens(tokens: int, cost_usd: Decimal | None, *, payer: str) -> None:
    """Count the tokens of one call; ``cost_usd`` is None if the price is unknown."""
    if not is_operators_key():
        return
    for whose in dict.fromkeys((payer, EVERYBODY)):
        row, _is_new = DailySpending.objects.get_or_create(day=_today(), payer=whose)
        DailySpending.objects.filter(pk=row.pk).update(
            calls=F("calls") + 1,
            tokens=F("tokens") + tokens,
            usd=F("usd") + (cost_usd or Decimal(0)),
            unpriced_tokens=F("unpriced_tokens") + (0 if cost_usd is not None else tokens),
        )


def refuse_when_spent(*, payer: str) -> None:
    """Raises:
    DailyBudgetSpent: the payer, or all payers together, have spent the daily budget.
    """
    if is_operators_key() and left_today(payer).is_nothing:
        raise DailyBudgetSpent(
            _("Today's budget for the language model is used up. Use the local models, or try again tomorrow.")
        )


def within_day(budget: Budget, spent: Spending, *, payer: str) -> Budget:
    """Limit the budget of a run to the rest of the day; ``spent`` is the cost of earlier runs of its check."""
    if not is_operators_key():
        return budget
    left = left_today(payer)
    tokens = None if left.tokens is None else spent.usage.total + max(0, left.tokens)
    usd = None if left.usd is None or spent.usd is None else spent.usd + max(Decimal(0), left.usd)
    return Budget(budget.calls, _least(budget.tokens, tokens), _least(budget.usd, usd))


def left_today(payer: str) -> Left:
    """The smallest rest of all limits that apply."""
    left = [_left_of(limit) for limit in _limits(payer)]
    return Left(
        min((item.tokens for item in left if item.tokens is not None), default=None),
        min((item.usd for item in left if item.usd is not None), default=None),
    )


def _left_of(limit: DailyLimit) -> Left:
    row = DailySpending.objects.filter(day=_today(), payer=limit.payer).first() or DailySpending()
    # The limit in money applies to calls with a known price; the limit in tokens applies to the others.
    is_in_money = limit.usd is not None and not row.unpriced_tokens
    tokens = None if limit.tokens is None or is_in_money else limit.tokens - row.tokens
    usd = None if limit.usd is None or row.unpriced_tokens else limit.usd - row.usd
    return Left(tokens, usd)


def _limits(payer: str) -> list[DailyLimit]:
    everybody = DailyLimit(EVERYBODY, settings.DAILY_TOKENS_ALL or None, settings.DAILY_USD_ALL)
    if payer.startswith(_ACCOUNT):
        return [DailyLimit(payer, settings.DAILY_TOKENS_ACCOUNT or None, settings.DAILY_USD_ACCOUNT), everybody]
    return [DailyLimit(payer, settings.DAILY_TOKENS_ADDRESS or None, settings.DAILY_USD_ADDRESS), everybody]


def _today() -> date:
    return timezone.now().date()


def _least(first: _Amount | None, second: _Amount | None) -> _Amount | None:
    known = [value for value in (first, second) if value is not None]
    return min(known) if known else None
