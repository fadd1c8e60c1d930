"""Sums of money: a currency and an amount ("$2.5 billion", "12 euros", "£5–7m")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from detection.core.language.vocabulary import alternation
from detection.core.rules.amounts import Amount, Figure, join_range, qualify
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.reading import Reading
from detection.core.types import Span

_DOLLAR = "dollar"
"""A dollar of unknown country."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Money(Value):
    """A sum of money. Sums in two currencies are not compared: the exchange rate is unknown.

    A dollar of unknown country is mostly that of the United States. It may equal a sum in another dollar, but a
    difference is no conflict.
    """

    family: ClassVar[Family] = Family.MONEY
    amount: Amount
    currency: str
    """An ISO 4217 code, or "dollar" for a dollar of unknown country."""

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Money) or not _may_be_one_currency(self.currency, other.currency):
            return Relation.UNRELATED
        relation = self.amount.relation_to(other.amount)
        is_rate_unknown = self.currency != other.currency and {self.currency, other.currency} & _OTHER_DOLLARS
        return Relation.UNRELATED if relation is Relation.CONFLICT and is_rate_unknown else relation


_OTHER_DOLLARS = frozenset({"CAD", "AUD", "NZD", "HKD", "SGD", "TWD"})
_DOLLARS = _OTHER_DOLLARS | {_DOLLAR, "USD"}


def _may_be_one_currency(first: str, second: str) -> bool:
    return first == second or (_DOLLAR in (first, second) and {first, second} <= _DOLLARS)


_BEFORE = {
    "US$": "USD",
    "U.S.$": "USD",
    "US $": "USD",
    "USD": "USD",
    "C$": "CAD",
    "CA$": "CAD",
    "CAD": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "AUD": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "S$": "SGD",
    "NT$": "TWD",
    "$": _DOLLAR,
    "£": "GBP",
    "GBP": "GBP",
    "€": "EUR",
    "EUR": "EUR",
    "¥": "JPY",
    "JPY": "JPY",
    "₹": "INR",
    "Rs": "INR",
    "Rs.": "INR",
    "INR": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "CHF": "CHF",
    "CNY": "CNY",
    "RMB": "CNY",
    "SEK": "SEK",
    "NOK": "NOK",
    "DKK": "DKK",
}
_AFTER = {
    "US dollars": "USD",
    "U.S. dollars": "USD",
    "American dollars": "USD",
    "Canadian dollars": "CAD",
    "Australian dollars": "AUD",
    "Hong Kong dollars": "HKD",
    "dollars": _DOLLAR,
    "dollar": _DOLLAR,
    "pounds sterling": "GBP",
    "British pounds": "GBP",
    "euros": "EUR",
    "euro": "EUR",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "rupees": "INR",
    "rupee": "INR",
    "roubles": "RUB",
    "rubles": "RUB",
    "Swiss francs": "CHF",
    "francs": "franc",
    "Deutsche Marks": "DEM",
    "Deutschmarks": "DEM",
    "lire": "ITL",
    "pesos": "peso",
    "kronor": "SEK",
    "kroner": "krone",
    "zloty": "PLN",
    "lira": "TRY",
    "rand": "ZAR",
    "€": "EUR",
    "£": "GBP",
    "USD": "USD",
    "EUR": "EUR",
    "GBP": "GBP",
}
# "won" is mostly a verb and "pounds" mostly a weight: they are money only after a scale word.
_AFTER_SCALE = {"won": "KRW", "pounds": "GBP"}
_SYMBOL_BEFORE = re.compile(rf"(?<![^\W_])(?P<currency>{alternation(_BEFORE)})\s{{0,2}}$")
_WORD_AFTER = re.compile(rf"(?:\s{{0,2}}|-)(?P<currency>{alternation(_AFTER)})(?![^\W_])")
_WORD_AFTER_SCALE = re.compile(rf"\s{{1,2}}(?P<currency>{alternation(_AFTER_SCALE)})(?![^\W_])")
_SCALE_LETTER = re.compile(r"\s?(?P<letter>[kKmMbB]|[mbtMBT]n)(?![^\W_])")
_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}
_LONGEST_SYMBOL = 7


def find(reading: Reading) -> Iterator[Money]:
    """Find the sums of money of a sentence."""
    text = reading.text
    sums = [money for figure in reading.figures if (money := _money(text, figure)) is not None]
    for money in _joined(text, sums):
        span, amount = qualify(text, money.span, money.amount)
        yield replace(money, span=span, text=span.of(text), amount=amount)


def _money(text: str, figure: Figure) -> Money | None:
    return _behind_currency(text, figure) or _before_currency(text, figure)


def _behind_currency(text: str, figure: Figure) -> Money | None:
    """ "$5", "US$ 2.5 billion", "£5m"."""
    lead = text[max(0, figure.span.start - _LONGEST_SYMBOL) : figure.span.start]
    sign = _SYMBOL_BEFORE.search(lead)
    if sign is None:
        return None
    letter = _SCALE_LETTER.match(text, figure.span.end)
    factor, end = (_SCALES[letter["letter"].lower()], letter.end()) if letter else (1.0, figure.span.end)
    span = Span(figure.span.start - len(sign.group()), end)
    currency = _BEFORE[" ".join(sign["currency"].split())]
    return Money(span=span, text=span.of(text), amount=figure.amount.scaled(factor), currency=currency)


def _before_currency(text: str, figure: Figure) -> Money | None:
    """ "12 euros", "2.5 million pounds"."""
    name = _WORD_AFTER.match(text, figure.span.end)
    if name is None and figure.amount.resolution >= 1000:
        name = _WORD_AFTER_SCALE.match(text, figure.span.end)
    if name is None:
        return None
    span = Span(figure.span.start, name.end())
    currency = (_AFTER | _AFTER_SCALE)[" ".join(name["currency"].split())]
    return Money(span=span, text=span.of(text), amount=figure.amount, currency=currency)


def _joined(text: str, sums: list[Money]) -> list[Money]:
    """Join "$5 million to $7 million" to one sum."""
    joined: list[Money] = []
    for money in sums:
        whole = None
        if joined and joined[-1].currency == money.currency:
            whole = join_range(text, joined[-1].span, joined[-1].amount, money.span, money.amount)
        if whole is None:
            joined.append(money)
        else:
            span, amount = whole
            joined[-1] = replace(money, span=span, text=span.of(text), amount=amount)
    return joined
