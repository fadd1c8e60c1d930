"""What a check by a language model will cost, before it is begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from .core.grounding.model import ENTITIES_PER_PROMPT, SENTENCES_PER_PROMPT
from .core.llm.pricing import Price, load_prices
from .core.llm.types import TokenUsage

#: Measured by ``manage.py benchmark self-contradiction`` on six texts of sixty sentences, and rounded up.
CALLS_PER_SENTENCE = 5
TOKENS_PER_SENTENCE = TokenUsage(prompt=1_410, completion=160)

#: The comparison with sources: names and values that a sentence has, and the tokens of the prompts and of an answer.
_ENTITIES_PER_SENTENCE = 3
_GROUNDING_PROMPT_TOKENS = 1_200
_TOKENS_PER_HYPOTHESIS = TokenUsage(prompt=30, completion=110)


@dataclass(frozen=True, slots=True)
class Estimate:
    """For one sentence. ``usd`` is None when the price of a model is not known."""

    calls: int
    tokens: int
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Estimates:
    """For one sentence: to ask again about its facts, and besides to compare it with sources that fill the prompts."""

    sentence: Estimate
    sources: Estimate


def estimates() -> Estimates:
    """What a sentence takes with the models of the settings; the rewrites by sources are left out."""
    prices = load_prices(settings.PRICES)
    both, analyzer = (settings.GENERATOR_MODEL, settings.ANALYZER_MODEL), (settings.ANALYZER_MODEL,)
    tokens = _tokens_with_sources()
    return Estimates(
        Estimate(CALLS_PER_SENTENCE, TOKENS_PER_SENTENCE.total, _cost(TOKENS_PER_SENTENCE, both, prices)),
        Estimate(1, tokens.total, _cost(tokens, analyzer, prices)),
    )


def _tokens_with_sources() -> TokenUsage:
    prompts = 1 / SENTENCES_PER_PROMPT + _ENTITIES_PER_SENTENCE / ENTITIES_PER_PROMPT
    hypotheses = 1 + _ENTITIES_PER_SENTENCE
    prompt = prompts * (_GROUNDING_PROMPT_TOKENS + settings.LLM_SOURCE_TOKENS)
    return TokenUsage(
        prompt=round(prompt + hypotheses * _TOKENS_PER_HYPOTHESIS.prompt),
        completion=hypotheses * _TOKENS_PER_HYPOTHESIS.completion,
    )


def _cost(tokens: TokenUsage, models: Sequence[str], prices: Mapping[str, Price]) -> Decimal | None:
    """What they cost with the dearest of the models; None when the price of one is not known."""
    known = [prices.get(model) for model in models]
    costs = [price.of(tokens) for price in known if price]
    return max(costs) if len(costs) == len(known) else None
