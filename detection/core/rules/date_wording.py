"""Word a date like the date that it replaces, with the right preposition."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum

from detection.core.rules.dates import MONTHS, WEEKDAYS, CalendarDate, Date, DateKind
from detection.core.types import Span


class _Precision(IntEnum):
    PERIOD = 0  # a decade, a century, a season, a quarter: only its own words can name it
    YEAR = 1
    MONTH = 2
    DAY = 3
    WEEKDAY = 4


@dataclass(frozen=True, slots=True)
class _Wording:
    """A date in words, and its preposition as a point of time."""

    text: str
    preposition: str
    precision: _Precision


_LEAD = re.compile(
    r"(?:(?:(?P<preposition>\b(?:in|on|during))\s)?(?P<the>\bthe\s)?(?:\b(?:early|mid|late|year)[\s-]|\byear\s)?)$",
    re.IGNORECASE,
)
_NEUTRAL_LEAD = re.compile(r"\b(?:of|dated|for|and|than|is|was)\s$|[(]\s?$", re.IGNORECASE)


def date_edit(premise: Date, hypothesis: Date, text: str) -> tuple[Span, str] | None:
    """The edit of ``text`` that makes it state the date of the premise.

    The preposition changes with the precision: "in 1953" to "on 12 March 1957". The new date has only the parts that
    both the premise and the hypothesis give.
    """
    if _is_range(hypothesis) or _is_range(premise):
        return _edit_of_range(premise, hypothesis, text)
    if hypothesis.kind is DateKind.POINT:
        return _edit_of_point(premise, hypothesis, text)
    return _edit_of_bound(premise, hypothesis)


def _is_range(date: Date) -> bool:
    return date.begin is not None and date.end is not None and (date.kind is DateKind.EXTENT or date.begin != date.end)


def _edit_of_point(premise: Date, hypothesis: Date, text: str) -> tuple[Span, str] | None:
    """Replace a point of time by another one, or by "before", "after" and "by" one."""
    lead = _LEAD.search(text, max(0, hypothesis.span.start - 20), hypothesis.span.start)
    preposition = lead["preposition"] if lead else None
    whole = Span(lead.start() if lead else hypothesis.span.start, hypothesis.span.end)
    if premise.kind is DateKind.EXTENT:
        return None
    if premise.kind is not DateKind.POINT:
        return (whole, premise.text) if preposition else None
    if premise.begin is None or hypothesis.begin is None:
        return None
    if _is_vague(premise):
        return (whole, premise.text) if preposition else None
    wording = _wording(premise.begin, premise.text, hypothesis.begin, hypothesis.text)
    if wording is None:
        return None
    if preposition:
        return whole, f"{wording.preposition} {wording.text}"
    if wording.precision is _precision(hypothesis.begin) is not _Precision.PERIOD:
        return hypothesis.span, wording.text
    is_neutral = _NEUTRAL_LEAD.search(text, max(0, hypothesis.span.start - 10), hypothesis.span.start)
    if is_neutral and wording.precision is not _Precision.PERIOD:
        return hypothesis.span, wording.text
    return None


def _edit_of_bound(premise: Date, hypothesis: Date) -> tuple[Span, str] | None:
    """Replace the date in "since 1998" or "before 1900", and the word before it if the kind differs."""
    old, new = hypothesis.begin or hypothesis.end, premise.begin or premise.end
    if old is None or new is None or _is_vague(premise):
        return None
    words_of_new = premise.text if premise.kind is DateKind.POINT else _BOUND.sub("", premise.text)
    wording = _wording(new, words_of_new, old, hypothesis.text)
    if wording is None:
        return None
    is_point = premise.kind is DateKind.POINT
    if is_point and hypothesis.kind is not DateKind.EXTENT:
        return hypothesis.span, f"{wording.preposition} {wording.text}"
    opens_alike = (premise.begin is None) is (hypothesis.begin is None)
    if not is_point and not (premise.kind is hypothesis.kind and opens_alike):
        return None
    lead = _BOUND.match(hypothesis.text)
    the = "the " if wording.preposition.endswith(" the") else ""
    return (hypothesis.span, re.sub(r"the\s$", "", lead.group()) + the + wording.text) if lead else None


_BOUND = re.compile(r"[^\W\d]+(?:\s(?:in|on|from|to|than|later|the|end|of|about|around|at|least))*\s")


def _edit_of_range(premise: Date, hypothesis: Date, text: str) -> tuple[Span, str] | None:
    """Replace both ends, in the style of the hypothesis: "from ... to ...", "1914–1918", "between ... and ..."."""
    if not _is_range(premise):
        return None
    if not _is_range(hypothesis):
        # "was built between 1911 and 1913" can replace a point of time.
        lead = _LEAD.search(text, max(0, hypothesis.span.start - 20), hypothesis.span.start)
        fits = premise.kind is hypothesis.kind is DateKind.POINT and lead is not None and lead["preposition"]
        return (Span(lead.start(), hypothesis.span.end), premise.text) if fits and lead else None
    if premise.kind is not hypothesis.kind or not (premise.begin and premise.end and hypothesis.begin):
        return None
    first = _wording(premise.begin, "", hypothesis.begin, hypothesis.text)
    last = _wording(premise.end, "", hypothesis.end or hypothesis.begin, hypothesis.text)
    if first is None or last is None:
        return None
    for opening, link in (("from ", " to "), ("between ", " and ")):
        if hypothesis.text.lower().startswith(opening):
            return hypothesis.span, opening + first.text + link + last.text
    if re.search(r"\d\s?[–—‒−-]\s?\d", hypothesis.text) and first.precision is last.precision is _Precision.YEAR:
        return hypothesis.span, f"{first.text}–{last.text}"
    return (hypothesis.span, f"{first.text} to {last.text}") if " to " in hypothesis.text else None


def _is_vague(date: Date) -> bool:
    """True for "circa 1450" and "around 1900", which take no preposition."""
    return re.match(r"(?:circa|around|about|approximately|c\.|ca\.|~)", date.text, re.IGNORECASE) is not None


def _precision(date: CalendarDate) -> _Precision:
    if date.season or (date.years and date.years.first != date.years.last):
        return _Precision.PERIOD
    if date.months and date.months.first != date.months.last:
        return _Precision.PERIOD
    if date.day and date.months:
        return _Precision.DAY
    if date.months:
        return _Precision.MONTH
    return _Precision.YEAR if date.years else _Precision.WEEKDAY


def _wording(new: CalendarDate, new_text: str, old: CalendarDate, old_text: str) -> _Wording | None:
    """The new date, no more precise than the old one, in the style of the old one."""
    precision = _precision(new)
    if precision is _Precision.PERIOD:
        return _period(new, new_text)
    if precision is _Precision.WEEKDAY:
        is_plural = old_text.endswith("days")
        return _Wording(WEEKDAYS[(new.weekday or 1) - 1] + ("s" if is_plural else ""), "on", precision)
    if _precision(old) is _Precision.PERIOD:
        return _in_style(new, old_text, new_text)
    return _in_style(_cut(new, old), old_text, new_text)


def _cut(new: CalendarDate, old: CalendarDate) -> CalendarDate:
    """Drop the parts that the old date does not have, and keep its year if the new one has none."""
    kept = CalendarDate(new.years or old.years, new.months, new.day)
    if old.day is None and old.months is not None:
        kept = replace(kept, day=None)
    if old.months is None and kept.years is not None:
        kept = replace(kept, months=None, day=None)
    if old.years is None and kept.months is not None:
        kept = replace(kept, years=None)
    return kept


def _in_style(date: CalendarDate, style: str, fallback_style: str) -> _Wording | None:
    precision = _precision(date)
    year = _year(date.years.first, style) if date.years else None
    if precision is _Precision.YEAR:
        return _Wording(year or "", "in", precision)
    if date.months is None:
        return None
    month = MONTHS[date.months.first - 1]
    if precision is _Precision.MONTH:
        return _Wording(f"{month} {year}" if year else month, "in", precision)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", style) and date.years:
        return _Wording(f"{year}-{date.months.first:02}-{date.day:02}", "on", precision)
    sample = style if re.search(r"\d\D{0,4}[A-Z]|[a-z]\.?\s(?:the\s)?\d{1,2}(?!\d)", style) else fallback_style
    if re.search(r"[a-z]\.?\s(?:the\s)?\d{1,2}(?:st|nd|rd|th)?(?!\d)", sample):
        return _Wording(f"{month} {date.day}, {year}" if year else f"{month} {date.day}", "on", precision)
    return _Wording(f"{date.day} {month} {year}" if year else f"{date.day} {month}", "on", precision)


def _year(year: int, style: str) -> str:
    if year <= 0:
        return f"{1 - year} BCE" if re.search("BCE", style) else f"{1 - year} BC"
    return str(year) if year >= 1000 else f"AD {year}"


def _period(date: CalendarDate, text: str) -> _Wording | None:
    """A decade, century, season or quarter, or a date of which a part is not known for certain."""
    if not text or (date.day is not None or re.match(r"\d{1,2}[./-]\d", text)):
        return None
    has_article = re.search(r"\d[’']?s$|century|(?:spring|summer|autumn|fall|winter|quarter|half)\sof", text, re.I)
    return _Wording(text, "in the" if has_article else "in", _Precision.PERIOD)
