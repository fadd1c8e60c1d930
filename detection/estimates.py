"""What a check by a language model will cost, before it is begun."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from .core.llm.pricing import load_prices
from .core.llm.types import TokenUsage

#: Measured by ``manage.py benchmark self-contradiction`` on six texts of sixty sentences, and rounded up.
CALLS_PER_SENTENCE = 5
TOKENS_PER_SENTENCE = TokenUsage(prompt=1_410, completion=160)


@dataclass(frozen=True, slots=True)
class Estimate:
    """For one sentence. ``usd`` is None when the price of a model is not known."""

    calls: int
    tokens: int
    usd: Decimal | None


def estimate_for_a_sentence() -> Estimate:
    """What a sentence takes with the models of the settings, on average."""
    prices = load_prices(settings.PRICES)
    known = [prices.get(model) for model in (settings.GENERATOR_MODEL, settings.ANALYZER_MODEL)]
    costs = [price.of(TOKENS_PER_SENTENCE) for price in known if price]
    dearest = max(costs) if len(costs) == len(known) else None
    return Estimate(CALLS_PER_SENTENCE, TOKENS_PER_SENTENCE.total, dearest)
