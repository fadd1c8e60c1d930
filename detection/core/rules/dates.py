"""Dates, full or partial: days, months, years, decades, centuries, seasons, quarters, spans of years, era BC and AD.

A date is a point ("in March 1921": some day of that month), an extent ("from 1914 to 1918", "since 1998") or a bound
("before 1900"). Two points agree when one may lie within the other; two extents when their ends agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import ClassVar

from detection.core.language.vocabulary import alternation, words
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.cover import Cover
from detection.core.rules.inflection import spell_ordinal
from detection.core.rules.reading import Reading
from detection.core.types import Span


class Season(StrEnum):
    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole numbers from ``first`` to ``last``, both included: years or months."""

    first: int
    last: int

    def disjoint(self, other: Stretch) -> bool:
        return self.last < other.first or other.last < self.first


_ANY_MONTH = Stretch(1, 12)
_LAST_OF_WINTER = 3


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """A date as it is written; parts that are not written are None.

    ``years`` counts astronomically (1 BC is 0, 2 BC is -1) and covers the whole decade or century when only that is
    known. ``months`` is set with a single year, or without any.
    """

    years: Stretch | None = None
    months: Stretch | None = None
    day: int | None = None
    weekday: int | None = None
    season: Season | None = None

    def relation_to(self, other: CalendarDate) -> Relation:
        """SAME if all parts are equal, CONFLICT if some part excludes the other date, else COMPATIBLE."""
        if self == other:
            return Relation.SAME
        return Relation.CONFLICT if self._excludes(other) else Relation.COMPATIBLE

    def _excludes(self, other: CalendarDate) -> bool:
        if self.years and other.years and self.years.disjoint(other.years):
            return not (self._ends_winter_of(other) or other._ends_winter_of(self))
        if self.months and other.months:
            if self.months.disjoint(other.months):
                return True
            if self.months == other.months and _differ(self.day, other.day):
                return True
        # Which months a season covers depends on the hemisphere: compare it with other seasons only.
        return _differ(self.season, other.season) or (
            self.day is None and other.day is None and _differ(self.weekday, other.weekday)
        )

    def _ends_winter_of(self, other: CalendarDate) -> bool:
        """True for February 2000 and the winter of 1999, which may have begun in December."""
        if other.season is not Season.WINTER or other.years is None or self.years is None:
            return False
        months = self.months or _ANY_MONTH
        return self.season is None and self.years.first == other.years.last + 1 and months.first <= _LAST_OF_WINTER

    def states(self, other: CalendarDate) -> bool:
        """True if this date has every part of the other one, equally or more precisely."""
        return (
            _lies_within(self.years, other.years)
            and _lies_within(self.months, other.months)
            and other.day in (None, self.day)
            and other.season in (None, self.season)
            and (other.weekday in (None, self.weekday))
        )

    def named_parts(self) -> set[str]:
        """The names of the parts that are given."""
        return {field.name for field in fields(self) if getattr(self, field.name) is not None}

    def earliest(self) -> tuple[int, int, int]:
        """Its first day as (year, month, day); a date without a year counts as in the year 0."""
        return (
            self.years.first if self.years else 0,
            self.months.first if self.months else 1,
            self.day or 1,
        )

    def latest(self) -> tuple[int, int, int]:
        """Its last day as (year, month, day)."""
        return (
            self.years.last if self.years else 0,
            self.months.last if self.months else 12,
            self.day or 31,
        )


def _lies_within(inner: Stretch | None, outer: Stretch | None) -> bool:
    return outer is None or (inner is not None and outer.first <= inner.first and inner.last <= outer.last)


def _differ(first: object, second: object) -> bool:
    return first is not None and second is not None and first != second


class DateKind(StrEnum):
    POINT = "point"
    """At some time from ``begin`` to ``end``; both are the same date unless it is written "between ... and ..."."""
    EXTENT = "extent"
    """All the time from ``begin`` to ``end``; one of them may be open ("since 1998", "until 1966")."""
    BEFORE = "before"
    """At some time before ``end``."""
    BY = "by"
    """At some time not after ``end``."""
    NOT_BEFORE = "not before"
    """At some time not before ``begin``."""
    AFTER = "after"
    """At some time after ``begin``."""


#: "By the end of May" implies "before June".
_BOUNDS = frozenset({DateKind.BEFORE, DateKind.BY, DateKind.NOT_BEFORE, DateKind.AFTER})

_Day = tuple[int, int, int]
_DISTANT_PAST: _Day = (-(10**9), 1, 1)
_DISTANT_FUTURE: _Day = (10**9, 12, 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class Date(Value):
    """A date, a span of time between two dates, or some time before or after one."""

    family: ClassVar[Family] = Family.DATE
    begin: CalendarDate | None
    end: CalendarDate | None
    kind: DateKind = DateKind.POINT

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Date):
            return Relation.UNRELATED
        if (self.kind, self.begin, self.end) == (other.kind, other.begin, other.end):
            return Relation.SAME
        if self._named_parts().isdisjoint(other._named_parts()):
            return Relation.UNRELATED
        if self._is_plain and other._is_plain and self.begin and other.begin:
            return self.begin.relation_to(other.begin)
        if self.kind is other.kind is DateKind.EXTENT and (ends := self._relations_of_ends(other)):
            return Relation.CONFLICT if Relation.CONFLICT in ends else Relation.COMPATIBLE
        return Relation.COMPATIBLE if self.may_meet(other) else Relation.CONFLICT

    @property
    def year(self) -> int | None:
        """The only year that a point may lie in; None for a longer time and for a point without a year."""
        years = self.begin.years if self._is_plain and self.begin else None
        return years.first if years and years.first == years.last else None

    @property
    def names_year(self) -> bool:
        return any(date is not None and date.years is not None for date in (self.begin, self.end))

    def states(self, other: Date) -> bool:
        """True if this one implies the other: "12 March 1957" states "1957" and "in March"."""
        if self.relation_to(other) is Relation.SAME:
            return True
        if self.kind in _BOUNDS and other.kind in _BOUNDS:
            return self._is_within(other)
        if other.kind is DateKind.EXTENT or self.kind is not DateKind.POINT:
            return other.kind is DateKind.POINT and any(
                replace(self, begin=end, end=end, kind=DateKind.POINT).states(other)
                for end in (self.begin, self.end)
                if end is not None
            )
        if self.begin and other.begin and self._is_plain and other._is_plain:
            return self.begin.states(other.begin)
        return self._is_within(other)

    def _is_within(self, other: Date) -> bool:
        """Whether every day that may belong to this one may belong to the other."""
        first, last = self._hull()
        other_first, other_last = other._hull()
        return self.names_year is other.names_year and other_first <= first and last <= other_last

    def _named_parts(self) -> set[str]:
        """The named parts of a date: "since 1990" and "from April to October" share none."""
        dates = [date for date in (self.begin, self.end) if date is not None]
        return {part for date in dates for part in date.named_parts()}

    @property
    def _is_plain(self) -> bool:
        return self.kind is DateKind.POINT and self.begin == self.end

    def _relations_of_ends(self, other: Date) -> list[Relation]:
        """The relations of the ends that both extents have."""
        pairs = ((self.begin, other.begin), (self.end, other.end))
        return [first.relation_to(second) for first, second in pairs if first is not None and second is not None]

    @property
    def is_closed(self) -> bool:
        """False for "until 1966" and "since 1998"."""
        return self.begin is not None and self.end is not None

    def may_meet(self, other: Date) -> bool:
        """Whether a day may exist that belongs to both."""
        if self.names_year is not other.names_year:
            return True
        first, last = self._hull()
        other_first, other_last = other._hull()
        return first <= other_last and other_first <= last

    def _hull(self) -> tuple[_Day, _Day]:
        """The first and the last possible day."""
        first = self.begin.earliest() if self.begin else _DISTANT_PAST
        last = self.end.latest() if self.end else _DISTANT_FUTURE
        if self.kind is DateKind.BEFORE and self.end:
            year, month, day = self.end.earliest()
            last = (year, month, day - 1)
        if self.kind is DateKind.AFTER and self.begin:
            year, month, day = self.begin.latest()
            first = (year, month, day + 1)
        return first, last


MONTHS = words("January February March April May June July August September October November December")
WEEKDAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_MONTH_WORD = tuple(name[:3].lower() for name in MONTHS)
_MONTH_NUMBERS = {word: number for number, name in enumerate(MONTHS, 1) for word in (name.lower(), name[:3].lower())}
_MONTH_NUMBERS["sept"] = 9
_WEEKDAY_NUMBERS = {name.lower(): number for number, name in enumerate(WEEKDAYS, 1)}
_SEASONS = {
    "spring": Season.SPRING,
    "summer": Season.SUMMER,
    "autumn": Season.AUTUMN,
    "fall": Season.AUTUMN,
    "winter": Season.WINTER,
}
_ORDINALS = {str(spell_ordinal(number)): number for number in range(1, 22)}

# A full stop belongs to an abbreviation; after "3 May." it ends the sentence.
_MONTH = (
    rf"(?P<month>{alternation(_MONTH_NUMBERS)})\b"
    r"(?:(?:(?<=jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)|(?<=sept))\.)?"
)
_WEEKDAY = rf"(?P<weekday>{alternation(_WEEKDAY_NUMBERS)})"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_LAST_DAY = r"(?P<last_day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[12]\d{3})(?!\w|-\d\d-)"
_ERA = r"(?P<era>BCE?|B\.C\.(?:E\.)?|AD|A\.D\.|CE|C\.E\.)(?!\w)"
_PART = r"(?:(?P<part>early|mid|middle|late)(?:\s?-\s?|\s)(?:to[\s-](?:mid|late)[\s-])?(?:of\s)?(?:the\s)?)"
_DASH = r"\s?[–—‒−-]\s?"
_TO = rf"(?:{_DASH}|\s(?:to|until|till|through)\s)"
_COMMA = r"(?:\s?,\s?|\s)"


def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w.])(?<!\d[,/])" + expression, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Found:
    """Dates found by a pattern, before their context is examined."""

    span: Span
    begin: CalendarDate
    end: CalendarDate
    kind: DateKind = DateKind.POINT


_Reader = Callable[[re.Match[str]], tuple[CalendarDate, CalendarDate] | None]


def _year(text: str) -> Stretch:
    return Stretch(int(text), int(text))


def _month(match: re.Match[str]) -> Stretch:
    number = _MONTH_NUMBERS[match["month"].lower()]
    return Stretch(number, number)


def _is_verb(match: re.Match[str]) -> bool:
    """True for "may" and "march" in small letters and without a year: "those aged 15 may enter"."""
    return match["month"] in ("may", "march") and match["year"] is None


def _read_day(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    if _is_verb(match):
        return None
    weekday = match["weekday"]
    date = CalendarDate(
        _year(match["year"]) if match["year"] else None,
        _month(match),
        int(match["day"]),
        _WEEKDAY_NUMBERS[weekday.lower()] if weekday else None,
    )
    return date, date


def _read_days(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    if _is_verb(match) or int(match["day"]) >= int(match["last_day"]):
        return None
    years = _year(match["year"]) if match["year"] else None
    first = CalendarDate(years, _month(match), int(match["day"]))
    return first, replace(first, day=int(match["last_day"]))


def _read_iso(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    month, day = int(match["month_number"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    date = CalendarDate(_year(match["year"]), Stretch(month, month), day)
    return date, date


def _read_numeric(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    first, second = int(match["first"]), int(match["second"])
    if not (1 <= first <= 31 and 1 <= second <= 31) or min(first, second) > 12:
        return None
    years = _year(match["year"])
    if first > 12:
        date = CalendarDate(years, Stretch(second, second), first)
    elif second > 12:
        date = CalendarDate(years, Stretch(first, first), second)
    else:
        # 3/5/1921 is the third of May or the fifth of March.
        date = CalendarDate(years, Stretch(min(first, second), max(first, second)))
    return date, date


def _read_month(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    date = CalendarDate(_year(match["year"]), _month(match))
    return date, date


def _read_season(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    date = CalendarDate(_year(match["year"]), season=_SEASONS[match["season"].lower()])
    return date, date


def _read_quarter(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    word = (match["number"] or match["digit"]).lower()
    number = int(word[0]) if word[0].isdigit() else _ORDINALS[word]
    size = 6 if (match["unit"] or "").lower() == "half" else 3
    if number * size > 12:
        return None
    date = CalendarDate(_year(match["year"]), Stretch((number - 1) * size + 1, number * size))
    return date, date


def _read_decade(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    first = int(match["decade"]) if match["decade"] else 1900 + int(match["short"])
    # "the 1900s" may be the decade or the century; the longer reading excludes less.
    length = 100 if first % 100 == 0 else 10
    offsets = {"early": (0, 0.4), "mid": (0.3, 0.7), "middle": (0.3, 0.7), "late": (0.5, 1)}
    low, high = offsets.get((match["part"] or "").lower(), (0, 1))
    date = CalendarDate(Stretch(first + int(low * length), first + int(high * length) - (high == 1)))
    return date, date


def _read_century(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    word = match["century"].lower().replace(" ", "-")
    number = int(re.sub(r"\D", "", word) or _ORDINALS.get(word, 0))
    if not 1 <= number <= 30:
        return None
    # The nineteenth century began in 1801; in everyday use 1800 belongs to it as well.
    first = 100 * (number - 1)
    halves = {"first half": (0, 50), "second half": (50, 100), "early": (0, 40), "late": (60, 100)}
    halves |= {"mid": (30, 70), "middle": (30, 70)}
    low, high = halves.get(" ".join((match["half"] or match["part"] or "").lower().split()), (0, 100))
    years = Stretch(first + low, first + high)
    if (match["era"] or "").upper().startswith("B"):
        years = Stretch(1 - years.last, 1 - years.first)
    date = CalendarDate(years)
    return date, date


def _read_era_year(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    number = int(match["year"])
    before = (match["era"] or "").upper().startswith("B")
    date = CalendarDate(_year(str(1 - number if before else number)))
    return date, date


def _read_short_range(match: re.Match[str]) -> tuple[CalendarDate, CalendarDate] | None:
    first = int(match["year"])
    last = first - first % 100 + int(match["last_year"])
    return (CalendarDate(_year(str(first))), CalendarDate(_year(str(last)))) if first < last else None


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One way to write a date.

    A sentence without any of the substrings ``needs`` (in lower case) is skipped: this check is many times faster, and
    most sentences have none.
    """

    needs: tuple[str, ...]
    expression: re.Pattern[str]
    read: _Reader
    kind: DateKind = DateKind.POINT


_DASH_OR_SLASH = ("-", "–", "/", ".")
_SEASON_WORD = tuple(_SEASONS)
_ERA_SIGN = words("bc b.c ad a.d ce c.e")
_ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{alternation(_ORDINALS)}|twenty\sfirst)"
_NO_AMOUNT = r"(?![\d%\w-]|[.,]\d|\s(?:million|billion))"
# The more specific patterns come first: later ones read only characters that no earlier one took.
_PATTERNS = (
    _Pattern(
        _MONTH_WORD,
        _pattern(rf"{_DAY}{_TO}(?:the\s)?{_LAST_DAY}\s(?:of\s)?{_MONTH}(?:{_COMMA}{_YEAR})?"),
        _read_days,
        DateKind.EXTENT,
    ),
    _Pattern(
        _MONTH_WORD,
        _pattern(rf"{_MONTH}\s{_DAY}{_TO}{_LAST_DAY}{_NO_AMOUNT}(?:{_COMMA}{_YEAR})?"),
        _read_days,
        DateKind.EXTENT,
    ),
    _Pattern(
        ("between",),
        _pattern(rf"between\s(?:the\s)?{_DAY}\sand\s(?:the\s)?{_LAST_DAY}\s(?:of\s)?{_MONTH}(?:{_COMMA}{_YEAR})?"),
        _read_days,
    ),
    _Pattern(
        ("between",),
        _pattern(rf"between\s{_MONTH}\s{_DAY}\sand\s{_LAST_DAY}{_NO_AMOUNT}(?:{_COMMA}{_YEAR})?"),
        _read_days,
    ),
    _Pattern(
        _MONTH_WORD,
        _pattern(rf"(?:{_WEEKDAY},?\s(?:the\s)?)?{_DAY}(?:\sof)?[\s-]{_MONTH}(?:(?:{_COMMA}|-)(?:of\s)?{_YEAR})?"),
        _read_day,
    ),
    _Pattern(
        _MONTH_WORD,
        _pattern(rf"(?:{_WEEKDAY},?\s)?{_MONTH}\s(?:the\s)?{_DAY}(?:{_COMMA}{_YEAR}|{_NO_AMOUNT})"),
        _read_day,
    ),
    _Pattern(
        _DASH_OR_SLASH,
        _pattern(r"(?P<year>\d{4})-(?P<month_number>\d{2})-(?P<day>\d{2})(?![\w-])"),
        _read_iso,
    ),
    _Pattern(
        _DASH_OR_SLASH,
        _pattern(r"(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\w-])"),
        _read_numeric,
    ),
    _Pattern(_MONTH_WORD, _pattern(rf"{_PART}?{_MONTH},?\s(?:of\s)?{_YEAR}"), _read_month),
    _Pattern(
        _SEASON_WORD,
        _pattern(rf"{_PART}?(?P<season>{alternation(_SEASONS)})(?:\sof)?,?\s{_YEAR}"),
        _read_season,
    ),
    _Pattern(
        ("quarter", "half", "q"),
        _pattern(
            r"(?:(?P<number>first|second|third|fourth|[1-4](?:st|nd|rd|th))\s(?P<unit>quarter|half)\sof\s(?:the\syear\s)?"
            rf"|Q(?P<digit>[1-4])(?:\s|\sof\s)){_YEAR}"
        ),
        _read_quarter,
    ),
    _Pattern(
        ("0s", "0's", "0’s"),
        _pattern(rf"{_PART}?(?:(?P<decade>[12]\d\d0)|[’'](?P<short>[2-9]0))[’']?s(?!\w)"),
        _read_decade,
    ),
    _Pattern(
        ("century",),
        _pattern(
            rf"(?:(?P<half>(?:first|second)\shalf)\sof\sthe\s|{_PART})?(?P<century>{_ORDINAL})[\s-]century(?:\s{_ERA})?"
        ),
        _read_century,
    ),
    _Pattern(_ERA_SIGN, _pattern(rf"(?P<year>[1-9]\d{{0,3}})\s?{_ERA}"), _read_era_year),
    _Pattern(_ERA_SIGN, _pattern(r"(?P<era>AD|A\.D\.)\s?(?P<year>[1-9]\d{0,3})(?!\w)"), _read_era_year),
    _Pattern(
        _DASH_OR_SLASH,
        _pattern(r"(?P<year>1[5-9]\d\d|20\d\d)[–/-](?P<last_year>\d\d)(?![\w-])"),
        _read_short_range,
        DateKind.EXTENT,
    ),
)

_BARE_YEAR = re.compile(
    r"(?<![\w.,$£€#])(?P<part>(?:early|mid|late)(?:\s?-\s?|\s))?(?P<year>[12]?\d{3})(?!\w|[.,:/%]\d|\s?%)"
)
_PARTS_OF_YEAR = {"early": Stretch(1, 6), "mid": Stretch(4, 9), "late": Stretch(7, 12)}
# After these words a bare number is a year, whatever follows.
_TIME_LEAD = re.compile(
    r"(?:\b(?:in|since|until|till|during|late|early|mid|year|circa|ca\.|c\.|b\.|d\.|born|died|spring|summer|autumn|fall"
    r"|winter)[\s(,-]{1,2}(?:the\syear\s)?)$",
    re.IGNORECASE,
)
# After these words a number counts or names something.
_NUMBER_LEAD = re.compile(
    r"\b(?:over|than|about|nearly|almost|least|most|to|some|total\sof|exceed(?:s|ed|ing)?|page|pages|number|no\.|nos\.|"
    r"flight|room|route|model|approximately|roughly|around|only|population\sof|all|these|those|another)\s$",
    re.IGNORECASE,
)
_YEAR_LEAD = re.compile(
    r"(?:\d\sto|\b(?:earlier|later)\sthan|\b(?:in|from|since|until|by)\s(?:about|around|approximately|roughly))\s$"
)
_COUNTS_NOUN = re.compile(
    r"\s(?:[a-z-]{2,20}\s)?(?:[a-z]{2,20}(?<![sui])s|people|men|women|children)\b|[\s-](?:seat|year|metre|meter)\b"
)
_NAMES_MODEL = re.compile(r"-(?!built|born|founded|era|[12]\d{3}\b)[a-z]")
_ENDS_PHRASE = re.compile(
    r"\s?(?:[,.;:)–—-]|$)|\s(?:by|with|and|at|under|when|after|he|she|it|they|the|an?|to|in|on|was)\b"
)
_LONGEST_LEAD = 20


def _bare_years(text: str) -> Iterator[_Found]:
    for match in _BARE_YEAR.finditer(text):
        if _is_year(text, match):
            part = (match["part"] or "").rstrip(" -").lower()
            date = CalendarDate(_year(match["year"]), _PARTS_OF_YEAR.get(part))
            yield _Found(Span(*match.span()), date, date)


def _is_year(text: str, match: re.Match[str]) -> bool:
    """Distinguish a year from a count ("1936" from "1936 seats") by its context."""
    number = int(match["year"])
    lead = text[max(0, match.start() - _LONGEST_LEAD) : match.start()]
    if _NAMES_MODEL.match(text, match.end()):
        return False
    if _TIME_LEAD.search(lead) or match["part"]:
        return number >= 1000 or _ENDS_PHRASE.match(text, match.end()) is not None
    if not 1100 <= number <= 2100 or _COUNTS_NOUN.match(text, match.end()):
        return False
    if _NUMBER_LEAD.search(lead):
        # "from 1914 to 1918", "in around 1840"
        return _YEAR_LEAD.search(lead) is not None
    return number >= 1400 or lead.rstrip()[-1:] in {"(", "–", "—", "-"}


# Short forms are left out: "Jan" and "Dec" without a day are usually names.
_BARE_NAME = re.compile(
    r"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Dd]uring|of|last|next|this|every|each|[Oo]n|[Ff]rom|to|[Bb]efore|[Aa]fter"
    rf"|(?:and|or)(?=\s(?:{alternation(WEEKDAYS)})))\s"
    rf"(?:(?:early|mid|late)[\s-])?(?:(?P<month>{alternation(MONTHS)})"
    rf"|(?P<weekday>(?:{alternation(WEEKDAYS)})s?)|the\s(?P<season>{alternation(_SEASONS)}))(?![\w’'-])"
)


def _bare_names(text: str) -> Iterator[_Found]:
    """Months, weekdays and seasons without a year; only if a preposition shows that they are a date."""
    for match in _BARE_NAME.finditer(text):
        group = "month" if match["month"] else "weekday" if match["weekday"] else "season"
        name = match[group].lower()
        if group == "month":
            date = CalendarDate(months=Stretch(_MONTH_NUMBERS[name], _MONTH_NUMBERS[name]))
        elif group == "weekday":
            date = CalendarDate(weekday=_WEEKDAY_NUMBERS[name.removesuffix("s")])
        else:
            date = CalendarDate(season=_SEASONS[name])
        yield _Found(Span(*match.span(group)), date, date)


def _points(text: str) -> list[_Found]:
    """All dates of a text in order, without overlaps."""
    found: list[_Found] = []
    cover = Cover(len(text))
    lower = text.lower()
    for pattern in _PATTERNS:
        if not any(needed in lower for needed in pattern.needs):
            continue
        for match in pattern.expression.finditer(text):
            dates = pattern.read(match)
            if dates is not None and cover.take(Span(*match.span())):
                found.append(_Found(Span(*match.span()), *dates, pattern.kind))
    found += [bare for bare in (*_bare_years(text), *_bare_names(text)) if cover.take(bare.span)]
    return sorted(found, key=lambda point: point.span)


_EXTENT_GAP = re.compile(r"\s?,?\s?(?:[–—‒−-]|\b(?:to|until|till|through|thru|up\sto)\b)\s?", re.IGNORECASE)
_BETWEEN_GAP = re.compile(r",?\s(?:and|or)\s", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s(?:the\s)?$", re.IGNORECASE)
_LEADS: tuple[tuple[re.Pattern[str], DateKind, bool], ...] = tuple(
    (re.compile(rf"\b(?:{phrases})\s(?:the\s|about\s|around\s|at\sleast\s)?$", re.IGNORECASE), kind, opens)
    for phrases, kind, opens in (
        ("since|(?:starting|beginning)\\s(?:in|on|from)|from", DateKind.EXTENT, True),
        ("until|till|through|up\\sto|ending\\s(?:in|on)", DateKind.EXTENT, False),
        ("not\\sbefore|(?:not|no)\\searlier\\sthan", DateKind.NOT_BEFORE, True),
        ("by|(?:not|no)\\slater\\sthan|by\\sthe\\send\\sof", DateKind.BY, False),
        ("before|prior\\sto|earlier\\sthan|preceding", DateKind.BEFORE, False),
        ("after|later\\sthan|following", DateKind.AFTER, True),
    )
)
_CIRCA = re.compile(r"(?:\b(?:circa|around|about|approximately|c\.|ca\.)|~)\s?$", re.IGNORECASE)
# "Dates from 1950" gives the year of origin.
_DATED_FROM = re.compile(r"\bdat(?:es|ed|ing|e)\sfrom\s(?:the\s|about\s|around\s)?$")
_LONGEST_DATE_LEAD = 24


def find(reading: Reading) -> Iterator[Date]:
    """Find the dates of a sentence; the two ends of a span of time make one date."""
    text = reading.text
    points = [_widened(text, point) for point in _points(text)]
    position = 0
    while position < len(points):
        joined = _join(text, points[position], points[position + 1]) if position + 1 < len(points) else None
        yield joined or _with_lead(text, points[position])
        position += 2 if joined else 1


def _lead(text: str, span: Span) -> str:
    return text[max(0, span.start - _LONGEST_DATE_LEAD) : span.start]


def _widened(text: str, found: _Found) -> _Found:
    """Widen a year after "circa" by some years on each side, more for earlier years."""
    circa = _CIRCA.search(_lead(text, found.span))
    years = found.begin.years
    if circa is None or years is None or found.begin.months or found.begin != found.end:
        return found
    slack = 5 if years.first >= 1800 else 20
    date = replace(found.begin, years=Stretch(years.first - slack, years.last + slack))
    return replace(found, span=Span(found.span.start - len(circa.group()), found.span.end), begin=date, end=date)


def _join(text: str, first: _Found, last: _Found) -> Date | None:
    """Join "from 1914 to 1918", "1914–1918" and "between 1914 and 1918" to one date."""
    if first.kind is not DateKind.POINT or last.kind is not DateKind.POINT:
        return None
    lead = _lead(text, first.span)
    between = _BETWEEN.search(lead)
    if between and _BETWEEN_GAP.fullmatch(text, first.span.end, last.span.start):
        kind, opening = DateKind.POINT, between.group()
    elif _EXTENT_GAP.fullmatch(text, first.span.end, last.span.start):
        origin = _FROM.search(lead)
        kind, opening = DateKind.EXTENT, origin.group() if origin else ""
    else:
        return None
    begin = first.begin if first.begin.years else replace(first.begin, years=last.end.years)
    if begin.earliest() > last.end.latest():
        return None
    span = Span(first.span.start - len(opening), last.span.end)
    return Date(span=span, text=span.of(text), begin=begin, end=last.end, kind=kind)


def _with_lead(text: str, found: _Found) -> Date:
    """Include the word that turns a date into a bound or an open extent: "since", "before", "until"."""
    lead = _lead(text, found.span)
    if _DATED_FROM.search(lead):
        return Date(span=found.span, text=found.span.of(text), begin=found.begin, end=found.end, kind=found.kind)
    if found.kind is DateKind.EXTENT:
        return _extent(text, found)
    for pattern, kind, opens in _LEADS:
        word = pattern.search(lead)
        if word is not None and found.begin == found.end:
            span = Span(found.span.start - len(word.group()), found.span.end)
            begin, end = (found.begin, None) if opens else (None, found.end)
            return Date(span=span, text=span.of(text), begin=begin, end=end, kind=kind)
    return Date(span=found.span, text=found.span.of(text), begin=found.begin, end=found.end, kind=found.kind)


def _extent(text: str, found: _Found) -> Date:
    """An extent found by one pattern, with the "from" before it."""
    origin = _FROM.search(_lead(text, found.span))
    span = Span(found.span.start - (len(origin.group()) if origin else 0), found.span.end)
    return Date(span=span, text=span.of(text), begin=found.begin, end=found.end, kind=DateKind.EXTENT)
