"""Shares of a whole: per cent, percentage points and fractions ("half of the members" and "50 %")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import ClassVar

from detection.core.rules.amounts import Amount, Figure, join_range, qualify
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.numerals import NumeralForm
from detection.core.rules.reading import Reading
from detection.core.types import Span


class ShareScale(StrEnum):
    """Percentage points are a difference of two percentages, not a share."""

    PART = "part"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Value):
    """A part of a whole; ``amount`` is in per cent."""

    family: ClassVar[Family] = Family.SHARE
    amount: Amount
    scale: ShareScale = ShareScale.PART
    is_fraction: bool = False
    """Written as a fraction and not in per cent."""

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Share) or self.scale is not other.scale:
            return Relation.UNRELATED
        return self.amount.relation_to(other.amount, converted=self.is_fraction is not other.is_fraction)


_PER_CENT = re.compile(
    r"\s{0,2}(?:-\s?)?(?:(?P<points>percentage[\s-]points?|(?:%|per\s?cent)[\s-]points?|pp\b)"
    r"|%|‰|(?:percent|per\scent|pct)\b)",
    re.IGNORECASE,
)
# "one in five", "nine out of ten people"
_OUT_OF = re.compile(r"\s{1,2}(?:out\sof(?:\severy)?|in(?:\severy)?)\s{1,2}")
_OF_A_WHOLE = re.compile(
    r"\s{1,2}(?:of|the|its|their|his|her|our|all|these|those|that|as)\b|[\s-]majority\b", re.IGNORECASE
)

# "the first half of the year" is a period, not a share.
_NAMED_HALF = re.compile(
    r"\b(?:first|second|third|final|last|latter|next|other|better|upper|lower)[\s-]$", re.IGNORECASE
)


def find(reading: Reading) -> Iterator[Share]:
    """Find the shares of a sentence."""
    text = reading.text
    figures = reading.figures
    percentages = [share for figure in figures if (share := _percentage(text, figure)) is not None]
    for share in _joined(text, percentages):
        yield _qualified(text, share)
    for figure in figures:
        if figure.form is NumeralForm.FRACTION and _is_share(text, figure.span):
            yield _qualified(text, _fraction(text, figure.span, figure.amount.value))
    for part, whole in pairwise(figures):
        if 0 < part.amount.value < whole.amount.value and _OUT_OF.fullmatch(text, part.span.end, whole.span.start):
            proportion = _one_in(text, part, whole)
            if proportion is not None:
                yield _qualified(text, proportion)


def _is_share(text: str, span: Span) -> bool:
    named = _NAMED_HALF.search(text[max(0, span.start - 8) : span.start])
    return named is None and _OF_A_WHOLE.match(text, span.end) is not None


def _percentage(text: str, figure: Figure) -> Share | None:
    sign = _PER_CENT.match(text, figure.span.end)
    if sign is None:
        return None
    span = Span(figure.span.start, sign.end())
    amount = figure.amount.scaled(0.1) if "‰" in sign.group() else figure.amount
    scale = ShareScale.POINTS if sign["points"] else ShareScale.PART
    return Share(span=span, text=span.of(text), amount=amount, scale=scale)


def _joined(text: str, shares: list[Share]) -> list[Share]:
    """Join "5 % to 7 %" to one share."""
    joined: list[Share] = []
    for share in shares:
        whole = join_range(text, joined[-1].span, joined[-1].amount, share.span, share.amount) if joined else None
        if whole is None:
            joined.append(share)
        else:
            span, amount = whole
            joined[-1] = replace(share, span=span, text=span.of(text), amount=amount)
    return joined


def _one_in(text: str, part: Figure, whole: Figure) -> Share | None:
    """ "one in five" as a share; "three in 2010" and "five out of 1,000 seats" are counts."""
    if "out" not in text[part.span.end : whole.span.start] and whole.amount.value > 100:
        return None
    return _fraction(text, Span(part.span.start, whole.span.end), part.amount.value / whole.amount.value)


def _fraction(text: str, span: Span, value: float) -> Share:
    return Share(span=span, text=span.of(text), amount=Amount(100 * value, 1.0), is_fraction=True)


def _qualified(text: str, share: Share) -> Share:
    span, amount = qualify(text, share.span, share.amount)
    return replace(share, span=span, text=span.of(text), amount=amount)
