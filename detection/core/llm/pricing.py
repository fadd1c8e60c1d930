"""Token prices. An unknown price is None, never 0."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from .types import TokenUsage

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. ``cached`` is for prompt tokens from the endpoint's cache."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal | None = None

    def of(self, usage: TokenUsage) -> Decimal:
        cached = min(usage.cached, usage.prompt) if self.cached is not None else 0
        prompt = self.prompt * (usage.prompt - cached) + (self.cached or Decimal(0)) * cached
        return (prompt + self.completion * usage.completion) / _MILLION


def _price(prompt: str, completion: str, cached: str | None = None) -> Price:
    return Price(Decimal(prompt), Decimal(completion), None if cached is None else Decimal(cached))


def price_of(prices: Mapping[str, Price], model: str) -> Price | None:
    """The price of a model: its own, or that of its longest known prefix; None if unknown.

    Vendors append dates to model names ("gpt-4o-2024-08-06"), and gateways prepend the vendor ("openai/gpt-4o").
    """
    for name in (model, model.rsplit("/", 1)[-1]):
        fitting = [known for known in prices if _fits(known, name)]
        if fitting:
            return prices[max(fitting, key=len)]
    return None


def _fits(known: str, name: str) -> bool:
    if known.endswith("*"):
        return name.startswith(known[:-1])
    return name == known or name.startswith((f"{known}-2", f"{known}@", f"{known}:"))


#: List prices that the vendors published in 2025. CHATPROTECT_PRICES names a file with others.
KNOWN_PRICES: Mapping[str, Price] = {
    "gpt-4o": _price("2.50", "10.00", "1.25"),
    "gpt-4o-mini": _price("0.15", "0.60", "0.075"),
    "gpt-4.1": _price("2.00", "8.00", "0.50"),
    "gpt-4.1-mini": _price("0.40", "1.60", "0.10"),
    "gpt-4.1-nano": _price("0.10", "0.40", "0.025"),
}


def load_prices(path: Path | None) -> Mapping[str, Price]:
    """The known prices, and those of a JSON file: ``{"model": {"prompt": "0.15", "completion": "0.60"}}``.

    ``cached`` is optional. A name that ends in ``*`` matches all models with that prefix.

    Raises:
        ValueError: the file is invalid; the message says why.
    """
    if path is None:
        return KNOWN_PRICES
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        own = {name: _price_of_entry(entry) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, InvalidOperation) as error:
        raise ValueError(
            f'{path} is no price list ({error}); it must read {{"model": {{"prompt": "0.15", "completion": "0.60"}}}}, '
            "in US dollars for a million tokens."
        ) from error
    return {**KNOWN_PRICES, **own}


def _price_of_entry(entry: Mapping[str, object]) -> Price:
    cached = entry.get("cached")
    return _price(str(entry["prompt"]), str(entry["completion"]), None if cached is None else str(cached))
