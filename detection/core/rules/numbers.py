"""Numbers and counted nouns: "three children", "about 1,200 inhabitants", "a 12-seat bus", the score "3–2"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from detection.core.rules.amounts import Amount, Figure, Qualifier, qualify
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.nouns import noun_of
from detection.core.rules.numerals import NumeralForm
from detection.core.rules.reading import Reading
from detection.core.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Value):
    """A number; ``counted`` is the canonical noun of what it counts, None if there is none."""

    family: ClassVar[Family] = Family.NUMBER
    amount: Amount
    counted: str | None = None

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Number) or (self.counted and other.counted and self.counted != other.counted):
            return Relation.UNRELATED
        return self.amount.relation_to(other.amount)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Value):
    """The result of a game; the order of the two sides is ignored ("3–2" and "2–3" may be one result)."""

    family: ClassVar[Family] = Family.NUMBER
    points: tuple[int, int]

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Score):
            return Relation.UNRELATED
        return Relation.SAME if sorted(self.points) == sorted(other.points) else Relation.CONFLICT


_SCORE = re.compile(r"(?<![\w.,–-])(\d{1,3})\s?[–-]\s?(\d{1,3})(?![\w%–-]|[.,]\d)")
_SCORE_LEAD = re.compile(
    r"\b(?:w[io]n|winning|wins|lost|lose|loses|losing|beat|beats|beating|beaten|defeat|defeats|defeated|defeating|victory|"
    r"draw|drew|drawn|score|result|led|lead|leading|ended|finished|aggregate|loss|tied?)\b",
    re.IGNORECASE,
)
_SCORE_AFTER = re.compile(r"\s(?:win|victory|defeat|loss|draw|lead|score|aggregate|tie|on\saggregate)\b", re.IGNORECASE)
_REACH_OF_SCORE_LEAD = 40
# "one" counts only as a numeral: "one of the", "no one", "one another" and "the one who" do not count.
_NO_ONE = re.compile(r"\b(?:no|any|some|every|each|another|the|this|that|which|only|not|number)[\s-]$", re.IGNORECASE)
_ONE_AS_PRONOUN = re.compile(
    r"\s?(?:$|[.,;:!?)’'\"”–—-]|\s(?:of|another|day|time|that|who|which|can|could|may|might|must|should|would|will|is|was|"
    r"are|has|had|by|and|or|to|in|on|at|with|for|as|from|who|where|more|thing|such|side|hand|way|night|morning)\b)",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?<![\w-])(?P<word>several|dozens|(?:tens\sof\s|hundreds\sof\s)?thousands|hundreds|millions|billions)"
    r"(?=\sof\s|\s[a-z])",
    re.IGNORECASE,
)
_VAGUE_LEAST = {
    "several": 2.0,
    "dozens": 24.0,
    "hundreds": 200.0,
    "thousands": 2e3,
    "tens of thousands": 2e4,
    "hundreds of thousands": 2e5,
    "millions": 2e6,
    "billions": 2e9,
}


def is_vague(value: Value) -> bool:
    """True for "several" and "thousands": a number that other texts need not mention."""
    return isinstance(value, Number) and " ".join(value.text.lower().split()) in _VAGUE_LEAST


def find(reading: Reading) -> Iterator[Number | Score]:
    """Find the numbers and scores of a sentence."""
    text = reading.text
    scores = list(_scores(text))
    yield from scores
    for figure in reading.figures:
        if _is_number(text, figure) and not any(score.span.overlaps(figure.span) for score in scores):
            span, amount = qualify(text, figure.span, figure.amount)
            yield Number(span=span, text=span.of(text), amount=amount, counted=noun_of(reading, figure.span))
    for match in _VAGUE.finditer(text):
        span = Span(*match.span())
        amount = Amount(_VAGUE_LEAST[" ".join(match.group().lower().split())], qualifier=Qualifier.AT_LEAST)
        yield Number(span=span, text=match.group(), amount=amount, counted=noun_of(reading, span))


def _scores(text: str) -> Iterator[Score]:
    for match in _SCORE.finditer(text):
        lead = text[max(0, match.start() - _REACH_OF_SCORE_LEAD) : match.start()]
        if _SCORE_LEAD.search(lead) or _SCORE_AFTER.match(text, match.end()):
            points = (int(match[1]), int(match[2]))
            yield Score(span=Span(*match.span()), text=match.group(), points=points)


_GLUED = re.compile(r"[^\W_]|[.,:/-]\d|\s?°")
_LIST_MARK = re.compile(r"[.)]\s")
_AND_ANOTHER = re.compile(r"\b(?:another|the\sother)\b")
#: A name with a number, or the beginning of a number with several parts: "315-460-".
_NAME_BEFORE = re.compile(r"[^\W\d_]-$|[#$£€/:]$|\bNo\.\s?$|\d-\d+-$")


def _is_number(text: str, figure: Figure) -> bool:
    """False for parts of names and ratios ("COVID-19", "4K", "3:1"), for "one" as a pronoun, and for shares."""
    if figure.form is NumeralForm.FRACTION or _GLUED.match(text, figure.span.end):
        return False
    lead = text[max(0, figure.span.start - 10) : figure.span.start]
    if not lead.strip(" (") and _LIST_MARK.match(text, figure.span.end):
        return False
    if _NAME_BEFORE.search(lead):
        return False
    if figure.span.of(text).lower() == "one":
        return not (
            _NO_ONE.search(lead)
            or _AND_ANOTHER.search(text, figure.span.end)
            or _ONE_AS_PRONOUN.match(text, figure.span.end)
        )
    return True
