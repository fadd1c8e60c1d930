"""Word the cells of a table as claims: "Orla | 17 euros" under "Fare" as "The fare of Orla is 17 euros".

Beside a passage of a source the NLI model judges them better as entries, as in its training: "Fare of Orla: 17 euros".
"""

from __future__ import annotations

import re

from ..language.vocabulary import words as vocabulary
from ..rules.dates import MONTHS

_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")
_UNIT = re.compile(r"^(?P<name>.*\S)\s*[(\[](?P<unit>[^()\[\]]{1,12})[)\]]$")
_CURRENCY = frozenset("$£€¥")
#: In brackets behind a name, other words say in which case the value holds: "Range (winter)".
_UNITS = _CURRENCY | frozenset(
    vocabulary(
        "% m cm mm km ft feet in inches mi miles yd kg g mg lb lbs oz t tons tonnes l ml litres liters gal s sec"
        " seconds min mins minutes h hr hrs hours days weeks months years w kw mw gw v a hz khz mhz ghz mah wh kwh mwh"
        " kb mb gb tb km/h kph mph m/s °c °f c f k m² m2 km² km2 ha acres m³ m3 usd eur gbp thousands millions billions"
        " thousand million billion people persons"
    )
)
_NUMBER = re.compile(r"[\d.,\s]*\d$")
_PRICE = re.compile(r"\b(?:price|cost|costs)$", re.IGNORECASE)
#: With a full stop, only if it can be no price: "9.30 am".
_TIME = re.compile(r"\d{1,2}(?::[0-5]\d(?!\d)|(?:[:.][0-5]\d)?\s*[ap]\.?m\b)")
_VERBS_OF_TIME = frozenset(vocabulary("opens closes starts begins ends finishes leaves departs arrives"))
#: Cells that only say whether the heading holds for their thing.
_YES_WORD, _NO_WORD, _NONE = "yes", "no", "none"
_YES = frozenset((_YES_WORD, "✓", "✔", "✅"))
_NO = frozenset((_NO_WORD, _NONE, "✗", "✘", "❌"))
#: A column may be named after a period: "May", "This year".
_PERIOD = re.compile(
    rf"(?:in )?(?P<named>{'|'.join(MONTHS)}|Q[1-4])$|(?:this|last|next|current) (?:year|month|week)$", re.I
)
_PARTICIPLES = (
    r"(?!(?:speed|feed|seed|breed|need|deed|weed|shed|bed)\b)"
    r"(?:[a-z-]{2,}ed|built|born|begun|sold|won|made|found|fed|held|led|run|kept|put|written|set|grown|sent|bought|"
    r"taught|drawn|shown|paid|spoken)"
)
_PARTICIPLE = re.compile(rf"(?:{_PARTICIPLES}|set up)$")
#: A heading that goes on in the cell: "Found in", "Returns in", "Maintenance until".
_GOES_ON_IN_CELL = re.compile(
    r"(?P<words>(?:(?!now\s)[\w'-]+\s)*)"
    r"(?P<end>(?:now )?(?:by|in|at|from|to|against|as|for|on|with|until|since|of|under|near))$",
    re.IGNORECASE,
)
_BEGINS_LIKE_PREDICATE = re.compile(rf"(?:{_PARTICIPLES}|in|on|at|under)\b")
#: A heading that holds for a thing or not, by its first words: "Free of lactose", "Fades in the sun".
_ADJECTIVE = re.compile(
    rf"(?:[a-z-]+(?:able|ible|proof|less|ful)|{_PARTICIPLES}|open|free|fit|safe|full)"
    r"(?:$|\s(?:of|for|to|in|on|at|by|with|from|under|as|offline|online)\b)"
)
_VERB = re.compile(r"(?P<stem>[a-z]+[^s\W])s(?P<rest>\s(?:in|on|at|to|from|with|for|under|the|an?)\s.*)")
_SIBILANT = re.compile(r"(?:[sxz]|ch|sh)e$")
#: A first word in a cell, which is written with a capital there.
_FIRST_WORD = re.compile(r"[A-Z][a-z'’]+(?![\w])")
_PLURAL = re.compile(r"[a-z][a-z-]+[^su]s$|people$|children$|staff$")
#: Headings of names that do not say what is named.
_NO_KINDS = frozenset(vocabulary("name title item object thing entry subject category type case option topic"))


def is_year(words: str) -> bool:
    """Whether a row or a column is named after a year."""
    return _YEAR.match(words) is not None


def _unit_of(attribute: str) -> re.Match[str] | None:
    found = _UNIT.match(attribute)
    return found if found is not None and found["unit"].casefold() in _UNITS else None


def without_unit(attribute: str) -> str:
    """A heading without the unit in brackets behind it."""
    found = _unit_of(attribute)
    return attribute if found is None else found["name"]


def kind_of(corner: str) -> str:
    """What the names below a heading are names of; "" if the heading does not say it."""
    kind = corner if corner.isupper() else corner.casefold()
    is_known = corner.isalpha() and kind not in _NO_KINDS and not _PLURAL.match(kind)
    return kind if is_known else ""


def with_kind(thing: str, kind: str) -> str:
    """The thing with what it is: "the cheese Tarvo"."""
    return f"the {kind} {thing}" if kind and kind not in thing.casefold().split() and not is_year(thing) else thing


def counts_things(heading: str) -> bool:
    """Whether a heading names what is counted, without a unit: "Users", "Sleeping places"."""
    last = heading.casefold().split()[-1:]
    return _unit_of(heading) is None and any(_PLURAL.match(word) and word not in _UNITS for word in last)


def written_as_in(text: str, words: str) -> str:
    """The words with a small first letter, unless the text writes the first one with a capital inside a sentence."""
    first = _FIRST_WORD.match(words)
    if first is None or re.search(rf"(?<![.!?:]\s)(?<!^)\b{re.escape(first.group())}\b", text, re.MULTILINE):
        return words
    return words[0].lower() + words[1:]


def entry_of(thing: str, heading: str, words: str) -> str:
    """The claim of a cell as an entry; ``thing`` is "" if it is not named."""
    return f"{heading} of {thing}: {words}." if thing else f"{heading}: {words}."


def worded(thing: str, heading: str, words: str) -> tuple[str, str, str]:
    """The claim of a cell, cut before and behind the cell's words; ``thing`` is "" if it is not named."""
    if thing:
        before, value, after = _worded_of(thing, heading, words)
    else:
        said = _said(heading)
        before, value, after = _worded_plainly("it", f"the {said}", said, _value(heading, words))
    return before[:1].upper() + before[1:], value, after


def _worded_of(thing: str, heading: str, words: str) -> tuple[str, str, str]:
    said, value = _said(heading), _value(heading, words)
    if words.casefold() in _YES | _NO:
        return _worded_as_answer(thing, said, holds=words.casefold() in _YES)
    if is_year(thing):
        return f"in {thing} the {said} was ", value, "."
    if (period := _PERIOD.match(without_unit(heading))) is not None:
        when = f"in {period['named']}" if period["named"] else without_unit(heading)
        return f"{when}, {thing} had ", value, "."
    if (goes_on := _GOES_ON_IN_CELL.match(said)) is not None:
        return _worded_to_go_on(thing, goes_on["words"].rstrip(), goes_on["end"]), value, "."
    if _TIME.match(value) and said in _VERBS_OF_TIME:
        return f"{thing} {said} at ", value, "."
    return _worded_plainly(thing, f"the {said} of {thing}", said, value)


def _worded_plainly(thing: str, attribute: str, said: str, value: str) -> tuple[str, str, str]:
    """The claim that ``value`` is the ``attribute`` of the thing, under the heading ``said``."""
    if _PARTICIPLE.match(said):
        return f"{thing} was {said} in ", value, "."
    if _PRICE.search(said) and not _NUMBER.match(value):
        return f"{thing} costs ", value, "."
    if _TIME.match(value):
        return f"{attribute} is at ", value, "."
    if _NUMBER.match(value) and _PLURAL.match(said):
        return f"{thing} has ", value, f" {said}."
    return f"{attribute} is ", value, "."


def _worded_as_answer(thing: str, said: str, *, holds: bool) -> tuple[str, str, str]:
    """The claim of a cell that says whether the heading holds for the thing."""
    if _ADJECTIVE.match(said):
        return f"{thing} ", "is" if holds else "is not", f" {said}."
    if (verb := _VERB.match(said)) is not None:
        stem = verb["stem"][:-1] if _SIBILANT.search(verb["stem"]) else verb["stem"]
        return f"{thing} ", "does" if holds else "does not", f" {stem}{verb['rest']}."
    return f"{thing} ", "has" if holds else "has no", f" {said}."


def _worded_to_go_on(thing: str, words: str, end: str) -> str:
    """The claim of a cell up to its words, under a heading that ends in a preposition."""
    if not words or _BEGINS_LIKE_PREDICATE.match(words):
        return f"{thing} is {words} {end} ".replace("  ", " ")
    if _VERB.match(f"{words} in the") and words.count(" ") == 0:
        return f"{thing} {words} {end} "
    return f"the {words} of {thing} is {end} "


def _said(heading: str) -> str:
    """The heading as it stands in a sentence, without its unit."""
    attribute = without_unit(heading)
    return attribute if attribute.isupper() else attribute[:1].lower() + attribute[1:]


def _value(heading: str, words: str) -> str:
    """The words of a cell with the unit of its heading."""
    found = _unit_of(heading)
    unit = found["unit"] if found is not None and _NUMBER.match(words) else ""
    return f"{unit}{words}" if unit in _CURRENCY else f"{words}{unit}" if unit == "%" else f"{words} {unit}".rstrip()


def other_answer(words: str) -> str:
    """The opposite of a cell that only answers; "" for other words."""
    said = words.casefold()
    if said in _YES:
        return _NO_WORD
    return _YES_WORD if said in _NO and said != _NONE else ""
