"""What tokens cost. A price that is not known is unknown, and never 0."""

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
    """US dollars for a million tokens."""

    prompt: Decimal
    completion: Decimal

    def of(self, usage: TokenUsage) -> Decimal:
        return (self.prompt * usage.prompt + self.completion * usage.completion) / _MILLION


def _price(prompt: str, completion: str) -> Price:
    return Price(Decimal(prompt), Decimal(completion))


#: List prices that the vendors published in 2025. CHATPROTECT_PRICES names a file with others.
KNOWN_PRICES: Mapping[str, Price] = {
    "gpt-4o": _price("2.50", "10.00"),
    "gpt-4o-mini": _price("0.15", "0.60"),
    "gpt-4.1": _price("2.00", "8.00"),
    "gpt-4.1-mini": _price("0.40", "1.60"),
    "gpt-4.1-nano": _price("0.10", "0.40"),
}


def load_prices(path: Path | None) -> Mapping[str, Price]:
    """The known prices, and those of a JSON file: ``{"model": {"prompt": "0.15", "completion": "0.60"}}``.

    Raises:
        ValueError: the file cannot be read as such; the message says what is wrong.
    """
    if path is None:
        return KNOWN_PRICES
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        own = {name: _price(str(entry["prompt"]), str(entry["completion"])) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, InvalidOperation) as error:
        raise ValueError(
            f'{path} is no price list ({error}); it must read {{"model": {{"prompt": "0.15", "completion": "0.60"}}}}, '
            "in US dollars for a million tokens."
        ) from error
    return {**KNOWN_PRICES, **own}
