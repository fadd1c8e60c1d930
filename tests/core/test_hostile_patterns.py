"""Regular expressions and text readers on texts that cause backtracking.

The tests compare the processor time of a text and of one four times as long, if it is measurable: four times as much
is linear, sixteen times is quadratic, and more would not end on a long text.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import inf

import pytest

import detection.core
from detection.core.language.english import is_english, is_foreign, is_latin
from detection.core.language.segment import cut
from detection.core.llm.structured import NoJson, find_array, find_objects
from detection.core.llm.votes import says_yes
from detection.core.plain_text import find_unprintable, remove_unprintable
from detection.core.retrieval.retriever import Query
from detection.core.retrieval.web_results import search_words

PUMPS = (
    *("a", "A", "1", " ", "\n", "\t", "\u00a0", "-", "–", "_", ".", ",", "!", "?", ":", ";", "'", "’", '"', "“", "("),
    *("[", "{", "<", ">", "|", "#", "*", "`", "~", "/", "\\", "$", "€", "%", "&", "=", "+", "é", "字"),
    *("\u0301", "\u200d", "👩", "A-A ", "the "),
    *("a ", "A ", "A. ", "a. ", "1 ", "1,", "1.", "1, ", "1.1", "1,000 ", "-1", "1/", "1:", "1-", " \n", "\n\n"),
    *("\n- ", "\n> "),
    *("\n1. ", "\n# ", "\n|a", "\n    a", "```", "```\n", "Mr. ", "U.S. ", "e.g. ", "a-", "a'", "a’s ", "Aa ", "aA"),
    *("of ", "and "),
    *("not ", "no ", "twenty ", "twenty-", "hundred and ", "million ", "March ", "1 March ", "the 1st ", "in 19"),
    *("$1 ", "1 km "),
    *("half a ", "a quarter ", "about ", "between 1 and ", "from 1 to ", "o'clock ", "p.m. ", "per cent ", ",a"),
    *("born in ", "who "),
    *("Dr. A. ", "(a", "a)", '"a', "<a ", "</a>", "&lt;", "http://a.", "{\"a\":", "[1,", "a\"b", "yes ", "no. "),
)  # fmt: skip
#: No pattern matches it, so every match ends here.
ENDING = "\0"
SHORT = 125
#: Between quadratic and cubic growth.
WORSE_THAN_QUADRATIC = 40

#: Shorter times are measurement noise.
SOME_TIME_S = 0.02
#: A cubic pattern that takes this long for a text takes ``SOME_TIME_S`` for one of twice its length.
SOME_TIME_OF_PATTERN_S = SOME_TIME_S / 2**3
#: A growth that is too high in all of these rounds is one.
ROUNDS = 20


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every regular expression in a module of the engine, with its location."""
    for info in pkgutil.walk_packages(detection.core.__path__, "detection.core."):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            for pattern in _patterns_in(value):
                if isinstance(pattern.pattern, str):
                    yield f"{info.name}.{name}", pattern


def _patterns_in(value: object) -> Iterable[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, frozenset, set)):
        for item in value:
            yield from _patterns_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _patterns_in(item)


#: Without duplicates of several modules.
PATTERNS = {f"{name} {pattern.pattern[:40]!r}": pattern for pattern, name in {p: n for n, p in patterns()}.items()}


def seconds(call: Callable[[], object]) -> float:
    begun = time.thread_time()
    call()
    return time.thread_time() - begun


def growth(
    call: Callable[[str], object], pump: str, ending: str, short: int, limit: float, some_time_s: float
) -> float:
    """The growth of the processor time for a text four times as long; 1 if the time is below measurement noise.

    A growth above ``limit`` is measured again, because other processes may have caused it: of each text the shortest
    time counts, which other processes disturbed least.
    """
    short_text, long_text = (pump * (length // len(pump)) + ending for length in (short, 4 * short))
    of_short, of_long = inf, inf
    for _ in range(ROUNDS):
        of_short = max(min(of_short, *(seconds(lambda: call(short_text)) for _ in range(3))), 1e-6)
        of_long = min(of_long, seconds(lambda: call(long_text)))
        if of_long < some_time_s:
            return 1.0
        if of_long <= limit * of_short:
            break
    return of_long / of_short


def grown_of(pattern: re.Pattern[str], pump: str, short: int) -> float:
    return growth(pattern.search, pump, ENDING, short, WORSE_THAN_QUADRATIC, SOME_TIME_OF_PATTERN_S)


def test_the_regular_expressions_are_found() -> None:
    assert len(PATTERNS) > 150


@pytest.mark.parametrize(
    ("pattern", "short"),
    [pytest.param("(?:aa|a)+b", 7, id="exponential"), pytest.param("a*a*b", 2 * SHORT, id="cubic")],
)
def test_a_slow_pattern_would_be_found(pattern: str, short: int) -> None:
    """One of three tries must show it: other processes may slow down the short text alone."""
    slow = re.compile(pattern)
    assert any(grown_of(slow, "a", short) > WORSE_THAN_QUADRATIC for _ in range(3))


def test_no_regular_expression_is_worse_than_quadratic() -> None:
    slow = {
        (name, pump): times
        for name, pattern in PATTERNS.items()
        for pump in PUMPS
        if (times := grown_of(pattern, pump, SHORT)) > WORSE_THAN_QUADRATIC
    }
    assert slow == {}


def _array(text: str) -> None:
    with suppress(NoJson):
        find_array(text)


#: Functions that read a whole text or a whole answer.
READERS: dict[str, Callable[[str], object]] = {
    "cut": lambda text: list(cut(text)),
    "find_objects": find_objects,
    "find_array": _array,
    "says_yes": says_yes,
    "find_unprintable": find_unprintable,
    "remove_unprintable": remove_unprintable,
    "search_words": lambda text: search_words(Query(text)),
    "is_latin": is_latin,
    "is_english": is_english,
    "is_foreign": is_foreign,
}


@pytest.mark.parametrize("name", READERS)
def test_what_reads_a_whole_text_takes_as_long_as_the_text_is(name: str) -> None:
    limit = 11
    slow = {
        pump: times
        for pump in PUMPS
        if (times := growth(READERS[name], pump, ENDING, 3_000, limit, SOME_TIME_S)) > limit
    }
    assert slow == {}
