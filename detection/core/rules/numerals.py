"""Numerals: written numbers with their value and precision, without counted nouns.

Reads digits in English and continental style ("1,200", "1 200", "1.200,5", "1,5"), words ("two hundred and five",
"a dozen", "half a million"), mixtures ("2.5 billion") and fractions ("two thirds", "3½").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from detection.core.language.vocabulary import with_common_letters, words
from detection.core.types import Span


class NumeralForm(StrEnum):
    DIGITS = "digits"
    WORDS = "words"
    FRACTION = "fraction"
    """A proper fraction: "half", "two thirds", "3/4"."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A written number.

    ``resolution`` is the value of one step of its last written digit: 1 for "1,200", 0.1 for "12.5" and 1e8 for
    "2.5 billion". ``scale`` is the value of its last scale word, or 1.
    """

    span: Span
    value: float
    resolution: float
    form: NumeralForm
    scale: float = 1.0


_UNITS = {word: value for value, word in enumerate(words("one two three four five six seven eight nine"), 1)}
_TEENS = {
    word: value
    for value, word in enumerate(
        words("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"), 10
    )
}
_TENS = {
    word: 10 * value for value, word in enumerate(words("twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
_SCALES = {
    "thousand": 1e3,
    "lakh": 1e5,
    "lakhs": 1e5,
    "million": 1e6,
    "mn": 1e6,
    "crore": 1e7,
    "crores": 1e7,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}
_FRACTIONS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_FRACTIONS |= {
    word + ending: value
    for value, word in enumerate(words("third fourth fifth sixth seventh eighth ninth tenth"), 3)
    for ending in ("", "s")
}
_VULGAR_FRACTIONS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"


class _Kind(Enum):
    DIGITS = auto()
    UNIT = auto()
    TEEN = auto()
    TENS = auto()
    HUNDRED = auto()
    DOZEN = auto()
    SCALE = auto()
    FRACTION = auto()
    VULGAR = auto()
    ARTICLE = auto()
    AND = auto()


_WORD_KINDS: dict[str, tuple[_Kind, float]] = {
    **{word: (_Kind.UNIT, float(value)) for word, value in _UNITS.items()},
    **{word: (_Kind.TEEN, float(value)) for word, value in _TEENS.items()},
    **{word: (_Kind.TENS, float(value)) for word, value in _TENS.items()},
    **{word: (_Kind.SCALE, value) for word, value in _SCALES.items()},
    **{word: (_Kind.FRACTION, float(value)) for word, value in _FRACTIONS.items()},
    "zero": (_Kind.TEEN, 0.0),
    "hundred": (_Kind.HUNDRED, 100.0),
    "dozen": (_Kind.DOZEN, 12.0),
    "a": (_Kind.ARTICLE, 1.0),
    "an": (_Kind.ARTICLE, 1.0),
    "and": (_Kind.AND, 0.0),
}

_DIGITS = r"""
    \d{1,3}(?:,\ \d{3}){1,6}(?![\d,.]\d|,\ \d)                     # 53, 193, 914 as some tokenised texts have it
  | \d{1,3}\.\ \d{1,2}(?=\ ?(?:[mbt]r?illion|per\ ?cent|%))         # 1. 1 million, likewise
  | \d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,12})?(?![\d,]\d)               # 1,200  1,200,000.5
  | \d{1,3}(?:\.\d{3}){1,6},\d{1,12}                               # 1.200,5
  | \d{1,3}(?:\.\d{3}){2,6}(?!\.?\d)                               # 1.200.000
  | \d{1,3}(?:[\ \u00a0\u2009\u202f]\d{3}){1,6}(?:[.,]\d{1,12})?(?!\d)  # 1 200  1 200,5
  | \d{1,12},\d{1,2}(?![\d,])                                      # 1,5
  | \d{1,15}(?:\.\d{1,12})?(?!\.?\d)                               # 1200  12.5, but no part of 1.2.3
"""
_LEXEME = re.compile(
    rf"""
    (?<![^\W_])(?<!\d[.,:/])(?P<digits>(?:(?<![^\s(])[-−])?(?:{_DIGITS}))
  | (?P<vulgar>[{_VULGAR_FRACTIONS}])
  | (?<![^\W_])(?P<word>{"|".join(sorted(_WORD_KINDS, key=len, reverse=True))})(?![^\W_])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SLASH_FRACTION = re.compile(r"/(?P<denominator>[2-9]|1\d|[2-9]0|100)(?![\w/])")
_GAP = re.compile(r"[ \u00a0\u2009\u202f]{0,2}|-| - ")
_AFTER_HALF = re.compile(r"\s{1,2}(?:of|the|an?|its|their|his|her|our|that|these|those|all)\b", re.IGNORECASE)
_OF = re.compile(r"\s{1,2}(?:of|as)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Lexeme:
    kind: _Kind
    start: int
    end: int
    text: str
    value: float = 0.0
    resolution: float = 1.0


def find_numerals(text: str) -> tuple[Numeral, ...]:
    """Find the numerals of a text in order of appearance; their spans do not overlap."""
    text = with_common_letters(text)
    return tuple(_read_numerals(text, _lexemes(text)))


def _lexemes(text: str) -> list[_Lexeme]:
    return [_lexeme(match) for match in _LEXEME.finditer(text)]


def _lexeme(match: re.Match[str]) -> _Lexeme:
    start, end = match.span()
    surface = match.group()
    if match.group("word"):
        kind, value = _WORD_KINDS.get(surface.lower(), (_Kind.AND, 0.0))
        return _Lexeme(kind, start, end, surface, value)
    if match.group("vulgar"):
        return _Lexeme(_Kind.VULGAR, start, end, surface, unicodedata.numeric(surface))
    value, resolution = _read_digits(surface)
    return _Lexeme(_Kind.DIGITS, start, end, surface, value, resolution)


def _read_digits(surface: str) -> tuple[float, float]:
    """Value and resolution of a digit string of one of the accepted shapes."""
    negative = surface[0] in "-−"
    compact = re.sub(r"\s", "", surface.lstrip("-−"))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", compact):
        compact = compact.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)|\d{1,3}(?:\.\d{3}){2,}", compact):
        compact = compact.replace(".", "").replace(",", ".")
    else:
        compact = compact.replace(",", ".")
    decimals = len(compact.partition(".")[2])
    return -float(compact) if negative else float(compact), 10.0**-decimals


def _read_numerals(text: str, lexemes: list[_Lexeme]) -> Iterator[Numeral]:
    position = 0
    while position < len(lexemes):
        found = _read_fraction(text, lexemes, position) or _read_cardinal(text, lexemes, position)
        if found is None:
            position += 1
            continue
        numeral, position = found
        yield numeral


def _adjoins(text: str, left: _Lexeme, right: _Lexeme) -> bool:
    return _GAP.fullmatch(text, left.end, right.start) is not None


def _next(text: str, lexemes: list[_Lexeme], position: int) -> _Lexeme | None:
    """The lexeme after the one at ``position``, if only a space or a hyphen is between them."""
    if position + 1 < len(lexemes) and _adjoins(text, lexemes[position], lexemes[position + 1]):
        return lexemes[position + 1]
    return None


def _read_fraction(text: str, lexemes: list[_Lexeme], position: int) -> tuple[Numeral, int] | None:
    """Read a proper fraction that starts at ``position``: "½", "3/4", "half", "a third of", "two thirds"."""
    first = lexemes[position]
    following = _next(text, lexemes, position)
    if first.kind is _Kind.VULGAR:
        return _fraction(first, first, first.value), position + 1
    if first.kind is _Kind.DIGITS:
        return _read_slash_fraction(text, first, position)
    if first.kind is _Kind.FRACTION:
        # A bare "half" is a value only before a whole ("half of"); "third" alone is an ordinal.
        if first.text.lower() == "half" and _AFTER_HALF.match(text, first.end):
            return _read_half(text, lexemes, position)
        return None
    if following is None or following.kind is not _Kind.FRACTION:
        return None
    plural = following.text.lower().endswith("s")
    if first.kind is _Kind.ARTICLE or (first.kind is _Kind.UNIT and first.value == 1):
        singular_fits = following.text.lower() == "half" or "-" in text[first.end : following.start]
        if plural or not (singular_fits or _OF.match(text, following.end)):
            return None
    elif first.kind is not _Kind.UNIT or not plural:
        return None
    return _fraction(first, following, first.value / following.value), position + 2


def _read_slash_fraction(text: str, first: _Lexeme, position: int) -> tuple[Numeral, int] | None:
    slash = _SLASH_FRACTION.match(text, first.end)
    if slash is None or not first.text.isdigit() or first.value < 1:
        return None
    denominator = float(slash["denominator"])
    if first.value >= denominator:
        return None
    span = Span(first.start, slash.end())
    # The denominator is not a separate lexeme: digits after a digit and a slash are not read.
    return Numeral(span, first.value / denominator, 0.01, NumeralForm.FRACTION), position + 1


def _read_half(text: str, lexemes: list[_Lexeme], position: int) -> tuple[Numeral, int]:
    """Read "half", and "half a million" or "half a dozen" as one numeral."""
    half = lexemes[position]
    article = _next(text, lexemes, position)
    if article is not None and article.kind is _Kind.ARTICLE:
        scale = _next(text, lexemes, position + 1)
        if scale is not None and scale.kind in (_Kind.SCALE, _Kind.DOZEN):
            value = scale.value / 2
            return Numeral(Span(half.start, scale.end), value, value, NumeralForm.WORDS, scale.value), position + 3
    return _fraction(half, half, 0.5), position + 1


def _fraction(first: _Lexeme, last: _Lexeme, value: float) -> Numeral:
    return Numeral(Span(first.start, last.end), value, 0.01, NumeralForm.FRACTION)


@dataclass(slots=True)
class _Cardinal:
    """The state of reading one cardinal from left to right.

    ``group`` is the part below the next scale word ("two hundred and five" before "thousand"), ``total`` the sum of the
    parts with a scale word so far. ``resolution`` is that of the last part.
    """

    total: float = 0.0
    group: float | None = None
    resolution: float = 1.0
    scale: float = 1.0
    in_words: bool = True

    @property
    def value(self) -> float:
        return self.total + (self.group or 0.0)

    def take(self, lexeme: _Lexeme) -> bool:
        """Add one lexeme; False if it cannot continue the number."""
        match lexeme.kind:
            case _Kind.DIGITS:
                return self._take_digits(lexeme)
            case _Kind.UNIT:
                return self._add(lexeme.value, self._ends_in(100) or self._ends_in_tens())
            case _Kind.TEEN | _Kind.TENS:
                return self._add(lexeme.value, self._ends_in(100))
            case _Kind.HUNDRED | _Kind.DOZEN:
                return self._multiply_group(lexeme.value)
            case _Kind.SCALE:
                return self._close_group(lexeme.value)
            case _:
                return False

    def _take_digits(self, lexeme: _Lexeme) -> bool:
        if self.group is not None:
            return False
        self.group, self.resolution = lexeme.value, lexeme.resolution
        self.in_words = False
        return True

    def _ends_in(self, power: int) -> bool:
        return self.in_words and self.group is not None and self.group >= power and self.group % power == 0

    def _ends_in_tens(self) -> bool:
        return self.in_words and self.group is not None and self.group % 100 >= 20 and self.group % 10 == 0

    def _add(self, value: float, allowed: bool) -> bool:
        if not self.in_words:
            return False
        if self.group is None:
            self.group, self.resolution = value, 1.0
            return True
        if allowed:
            self.group += value
        return allowed

    def _multiply_group(self, factor: float) -> bool:
        group = 1.0 if self.group is None else self.group
        if group >= 100:
            return False
        self.group = group * factor
        self.resolution *= factor if not self.in_words else 1.0
        return True

    def _close_group(self, scale: float) -> bool:
        if self.total and (scale >= self.scale or self.group is None):
            return False
        self.total += (1.0 if self.group is None else self.group) * scale
        self.group = None
        self.scale = scale
        self.resolution *= scale
        return True


_BEGINS_CARDINAL = {_Kind.DIGITS, _Kind.UNIT, _Kind.TEEN, _Kind.TENS}
_FOLLOWS_ARTICLE = {_Kind.HUNDRED, _Kind.DOZEN, _Kind.SCALE}


def _read_cardinal(text: str, lexemes: list[_Lexeme], position: int) -> tuple[Numeral, int] | None:
    """Read a cardinal that starts at ``position``: "1,200", "twenty-one", "a hundred", "2.5 billion", "3½"."""
    first = lexemes[position]
    cardinal = _Cardinal()
    following = _next(text, lexemes, position)
    starts = first.kind in _BEGINS_CARDINAL or (
        first.kind is _Kind.ARTICLE and following is not None and following.kind in _FOLLOWS_ARTICLE
    )
    if not starts:
        return None
    if first.kind is not _Kind.ARTICLE:
        cardinal.take(first)
    last = position
    while (step := _step(text, lexemes, last, cardinal)) is not None:
        last = step
    end = lexemes[last]
    form = NumeralForm.WORDS if cardinal.in_words else NumeralForm.DIGITS
    span = Span(first.start, end.end)
    return Numeral(span, cardinal.value, cardinal.resolution, form, cardinal.scale), last + 1


def _step(text: str, lexemes: list[_Lexeme], last: int, cardinal: _Cardinal) -> int | None:
    """Extend the cardinal after ``last``, and return the position of the new last lexeme; None if it ends there."""
    following = _next(text, lexemes, last)
    if following is None:
        return None
    if following.kind is _Kind.AND:
        return _step_over_and(text, lexemes, last + 1, cardinal)
    if following.kind is _Kind.VULGAR and cardinal.group is not None and following.start - lexemes[last].end <= 1:
        return last + 1 if _add_fraction(cardinal, following.value) else None
    return last + 1 if cardinal.take(following) else None


def _step_over_and(text: str, lexemes: list[_Lexeme], conjunction: int, cardinal: _Cardinal) -> int | None:
    """Continue after "and": "hundred and five", "two and a half", "two and three quarters"."""
    following = _next(text, lexemes, conjunction)
    if following is None:
        return None
    after = _next(text, lexemes, conjunction + 1)
    if after is not None and after.kind is _Kind.FRACTION and following.kind in (_Kind.ARTICLE, _Kind.UNIT):
        return conjunction + 2 if _add_fraction(cardinal, following.value / after.value) else None
    below_hundred = following.kind in (_Kind.UNIT, _Kind.TEEN, _Kind.TENS)
    if not below_hundred or not cardinal.in_words:
        return None
    if cardinal.group is None:
        # "a thousand and one"
        return conjunction + 1 if cardinal.take(following) else None
    if cardinal.group >= 100 and cardinal.group % 100 == 0 and cardinal.take(following):
        return conjunction + 1
    return None


def _add_fraction(cardinal: _Cardinal, fraction: float) -> bool:
    if cardinal.group is None or cardinal.group % 1:
        return False
    cardinal.group += fraction
    cardinal.resolution = min(cardinal.resolution, 0.1)
    return True
