"""The cost of model calls: in total, and for one warning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from .. import wording
from ..core.llm.budget import Spending
from ..core.llm.types import CallOutcome, TokenUsage
from ..models import Check, ModelCall


@dataclass(frozen=True, slots=True)
class UnitCost:
    """The calls of one detector for one sentence. A call about several sentences is divided among them."""

    calls: int
    shared: int
    """How many of the calls were about other sentences too."""
    tokens: int
    usd: Decimal | None
    """None if a price is unknown."""
    prompts: tuple[str, ...]
    """The ids of the prompts, in the order of their first use."""


#: By detector and index of the sentence.
UnitCosts = Mapping[tuple[str, int], UnitCost]


def unit_costs(check: Check) -> UnitCosts:
    """The cost of every unit of a check that asked a language model. Answers that were reused cost nothing."""
    calls: dict[tuple[str, int], list[ModelCall]] = defaultdict(list)
    made = ModelCall.objects.filter(parent_check=check).exclude(detector="").exclude(outcome=CallOutcome.REUSED)
    for call in made.defer("answers"):
        for sentence in call.sentences:
            calls[call.detector, sentence].append(call)
    return {unit: _cost(of_unit) for unit, of_unit in calls.items()}


def _cost(calls: list[ModelCall]) -> UnitCost:
    tokens, usd = Decimal(0), Decimal(0)
    is_known = True
    for call in calls:
        share = Decimal(1) / len(call.sentences)
        tokens += share * ((call.prompt_tokens or 0) + (call.completion_tokens or 0))
        usd += share * (call.cost_usd or 0)
        is_known &= call.cost_usd is not None or call.outcome != CallOutcome.ANSWERED
    return UnitCost(
        calls=len(calls),
        shared=sum(len(call.sentences) > 1 for call in calls),
        tokens=round(tokens),
        usd=usd if is_known else None,
        prompts=tuple(dict.fromkeys(call.prompt for call in calls)),
    )


def spending_of(check: Check) -> Spending:
    """The calls, tokens and cost of all runs of a check."""
    made = check.model_calls.exclude(outcome=CallOutcome.REUSED)
    totals = made.aggregate(
        calls=Count("id"),
        prompt=Coalesce(Sum("prompt_tokens"), 0),
        completion=Coalesce(Sum("completion_tokens"), 0),
        cached=Coalesce(Sum("cached_tokens"), 0),
        thinking=Coalesce(Sum("thinking_tokens"), 0),
        usd=Coalesce(Sum("cost_usd"), Decimal(0)),
        unknown=Count("id", filter=Q(outcome=CallOutcome.ANSWERED, cost_usd=None)),
    )
    usage = TokenUsage(totals["prompt"], totals["completion"], totals["cached"], totals["thinking"])
    return Spending(totals["calls"], usage, None if totals["unknown"] else totals["usd"])


def unit_cost_in_words(cost: UnitCost | None) -> str:
    """The cost of a warning."""
    if cost is None:
        return gettext("no model call")
    money = gettext("cost unknown") if cost.usd is None else f"${cost.usd:.4f}"
    told = f"{wording.count_of(cost.calls, 'model call')} · {wording.count_of(cost.tokens, 'token')} · {money}"
    if not cost.shared:
        return told
    return gettext("%(told)s. Of these, %(shared)s asked about other sentences too, and count by their share.") % {
        "told": told,
        "shared": f"{cost.shared:,}",
    }
