"""The estimated cost of a check by a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from .. import wiring
from ..core.grounding.model import ENTITIES_PER_PROMPT, SENTENCES_PER_PROMPT
from ..core.llm.pricing import Price, load_prices, price_of
from ..core.llm.types import TokenUsage
from ..core.places import MAX_PREFIX_WORDS
from ..core.rewriting.changes import text_change
from ..core.types import Engine
from ..models import Check
from ..wiring import LanguageModel

#: Measured by ``manage.py benchmark self-contradiction`` on six texts of sixty sentences, and rounded up.
CALLS_PER_SENTENCE = 3
TOKENS_PER_SENTENCE = TokenUsage(prompt=590, completion=120)

#: Measured by ``manage.py benchmark active-generation``, five mistakes in twelve sentences, and rounded up:
#: if the model continues with the same sentences after a correction, and if it rewords each of them.
_WRITING_CALLS_PER_SENTENCE, _MOST_WRITING_CALLS_PER_SENTENCE = 3, 6
_WRITING_TOKENS_PER_SENTENCE = TokenUsage(prompt=1_760, completion=120)
_MOST_WRITING_TOKENS_PER_SENTENCE = TokenUsage(prompt=3_730, completion=240)

#: The comparison with sources: names and values that a sentence has, and the tokens of the prompts and of an answer.
_ENTITIES_PER_SENTENCE = 3
_GROUNDING_PROMPT_TOKENS = 1_200
_TOKENS_PER_HYPOTHESIS = TokenUsage(prompt=30, completion=110)

#: The reading of the whole text: a sentence of about 25 tokens is read 1.4 times, and every tenth sentence gives a pair
#: to compare. Rounding ``CALLS_PER_SENTENCE`` up covers its few calls for a text.
_READING_TOKENS_PER_SENTENCE = TokenUsage(prompt=35 + 17, completion=8)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate for one sentence. ``usd`` is None if the price of a model is unknown."""

    calls: int
    tokens: int
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Estimates:
    """The estimates for one sentence: for its facts and the reading of the whole text, and in addition for comparing
    it with sources that fill the prompts. ``reading`` is the part of the reading.

    ``writing`` covers writing and checking it, ``writing_at_most`` the same with many discarded drafts.
    """

    sentence: Estimate
    reading: Estimate
    sources: Estimate
    writing: Estimate
    writing_at_most: Estimate


@dataclass(frozen=True, slots=True)
class AgainEstimate:
    """The effort of checking another version of a text."""

    total: int
    """Approximate number of sentences of the new version; the other numbers are approximate too."""
    changed: int
    asked: int
    """Sentences that need new calls of the language model, because prompts contain the text before a sentence."""
    cost: Estimate | None
    """The estimate for all of them; None if only local models are used."""


def again_estimate(check: Check, text: str) -> AgainEstimate:
    """The estimate for checking ``text`` as a new version of the text of ``check``."""
    change = text_change(check.text, text, reach=MAX_PREFIX_WORDS)
    model = wiring.language_model(check.language_model) if check.engine == Engine.LLM else None
    if model is None:
        return AgainEstimate(change.total, change.changed, change.changed, None)
    asked = change.changed + change.in_reach
    each = estimates(model)
    # The whole text is read again.
    cost = _plus(_times(each.sentence, asked), _times(each.reading, max(0, change.total - asked)))
    if check.sources.exists():
        # A comparison with sources depends on the sentence and, if it refers to it, on the sentence before.
        cost = _plus(cost, _times(each.sources, change.changed))
    return AgainEstimate(change.total, change.changed, asked, cost)


def _times(each: Estimate, count: int) -> Estimate:
    return Estimate(count * each.calls, count * each.tokens, None if each.usd is None else count * each.usd)


def _plus(one: Estimate, other: Estimate) -> Estimate:
    usd = None if one.usd is None or other.usd is None else one.usd + other.usd
    return Estimate(one.calls + other.calls, one.tokens + other.tokens, usd)


def estimates(model: LanguageModel) -> Estimates:
    """The estimates for a sentence with a language model, without the rewrites by sources."""
    prices = load_prices(settings.PRICES)
    both, analyzer = model.names, (model.analyzer,)
    tokens = _tokens_with_sources()
    reading = _READING_TOKENS_PER_SENTENCE if settings.LLM_READ_TEXT else TokenUsage()
    own = TOKENS_PER_SENTENCE + reading
    return Estimates(
        Estimate(CALLS_PER_SENTENCE, own.total, _cost(own, both, prices)),
        Estimate(0, reading.total, _cost(reading, analyzer, prices)),
        Estimate(1, tokens.total, _cost(tokens, analyzer, prices)),
        _while_writing(_WRITING_CALLS_PER_SENTENCE, _WRITING_TOKENS_PER_SENTENCE, both, prices),
        _while_writing(_MOST_WRITING_CALLS_PER_SENTENCE, _MOST_WRITING_TOKENS_PER_SENTENCE, both, prices),
    )


def _while_writing(calls: int, tokens: TokenUsage, models: Sequence[str], prices: Mapping[str, Price]) -> Estimate:
    return Estimate(calls, tokens.total, _cost(tokens, models, prices))


def _tokens_with_sources() -> TokenUsage:
    prompts = 1 / SENTENCES_PER_PROMPT + _ENTITIES_PER_SENTENCE / ENTITIES_PER_PROMPT
    hypotheses = 1 + _ENTITIES_PER_SENTENCE
    prompt = prompts * (_GROUNDING_PROMPT_TOKENS + settings.LLM_SOURCE_TOKENS)
    return TokenUsage(
        prompt=round(prompt + hypotheses * _TOKENS_PER_HYPOTHESIS.prompt),
        completion=hypotheses * _TOKENS_PER_HYPOTHESIS.completion,
    )


def _cost(tokens: TokenUsage, models: Sequence[str], prices: Mapping[str, Price]) -> Decimal | None:
    """The cost with the most expensive of the models; None if a price is unknown."""
    known = [price_of(prices, model) for model in models]
    costs = [price.of(tokens) for price in known if price]
    return max(costs) if len(costs) == len(known) else None
