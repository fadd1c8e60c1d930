"""Forms of English words: articles, plurals, verb and adjective forms, written-out numbers.

Only what the rules need to replace one value by another.
"""

from __future__ import annotations

import re

from detection.core.language.vocabulary import words
from detection.core.rules.nouns import singular

_CARDINALS = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_IRREGULAR_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def spell_cardinal(number: int) -> str | None:
    """The number in words; None outside 0 to 100."""
    if not 0 <= number <= 100:
        return None
    if number < 20:
        return _CARDINALS[number]
    if number == 100:
        return "one hundred"
    tens, unit = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_CARDINALS[unit]}" if unit else "")


def spell_ordinal(rank: int) -> str | None:
    """The rank in words; None outside 1 to 99."""
    if not 1 <= rank <= 99:
        return None
    start, hyphen, last = (spell_cardinal(rank) or "").rpartition("-")
    if last in _IRREGULAR_ORDINALS:
        ending = _IRREGULAR_ORDINALS[last]
    elif last.endswith("y"):
        ending = last[:-1] + "ieth"
    else:
        ending = last + "th"
    return start + hyphen + ending


def ordinal_in_digits(rank: int) -> str:
    """ "21st", "112th"."""
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


_SOUNDS_LIKE_CONSONANT = re.compile(r"(?:one|once|uni(?!n|m)|use|usu|util|eu|ewe|ubi)", re.IGNORECASE)
_SOUNDS_LIKE_VOWEL = re.compile(r"(?:[aeiou]|hour|heir|honest|honou?r)", re.IGNORECASE)
_EIGHT_OR_ELEVEN = re.compile(r"8|1[18](?:(?:,\d{3})*(?!\d|,\d)|\d\d(?![\d,]))")
_INITIALISM = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9]|\b)(?![a-z])")


def article_for(phrase: str) -> str:
    """ "a" or "an", by the sound that the phrase begins with: an 8-year-old, a one-year term, an FBI agent."""
    phrase = phrase.lstrip("“\"'‘($£€¥")
    if phrase[:1].isdigit():
        return "an" if _EIGHT_OR_ELEVEN.match(phrase) else "a"
    if re.match(r"[A-Z][A-Z0-9]", phrase):
        return "an" if _INITIALISM.match(phrase) else "a"
    is_vowel = _SOUNDS_LIKE_VOWEL.match(phrase) and not _SOUNDS_LIKE_CONSONANT.match(phrase)
    return "an" if is_vowel else "a"


_PLURALS = {
    "child": "children",
    "foot": "feet",
    "goose": "geese",
    "life": "lives",
    "wife": "wives",
    "mouse": "mice",
    "person": "people",
    "tooth": "teeth",
    "half": "halves",
    "century": "centuries",
    "millennium": "millennia",
    "runner-up": "runners-up",
}
_UNCHANGED = frozenset(words("series species hertz horsepower stone percent aircraft sheep fish deer"))


def plural(noun: str) -> str:
    """The plural of an English noun in the singular, by its ending and a short list."""
    lower = noun.lower()
    if lower in _UNCHANGED:
        return noun
    if lower in _PLURALS:
        return _PLURALS[lower]
    if lower.endswith("man") and lower not in ("human", "german", "roman", "shaman", "talisman"):
        return noun[:-2] + "en"
    if re.search(r"[^aeiou]y$", lower):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", lower) else "s")


def certain_singular(noun: str) -> str | None:
    """The singular of a plural; None if the word is not a plural with a regular ending."""
    for candidate in (singular(noun), noun.lower().removesuffix("s"), noun.lower().removesuffix("es")):
        if candidate != noun.lower() and plural(candidate) == noun.lower():
            return candidate
    return re.sub("men$", "man", noun) if noun.lower().endswith("men") else None


_PAST_AND_PARTICIPLE = {
    "rise": ("rose", "risen"),
    "grow": ("grew", "grown"),
    "fall": ("fell", "fallen"),
    "shrink": ("shrank", "shrunk"),
    "win": ("won", "won"),
    "lose": ("lost", "lost"),
    "shut": ("shut", "shut"),
    "begin": ("began", "begun"),
    "forbid": ("forbade", "forbidden"),
    "leave": ("left", "left"),
    "quit": ("quit", "quit"),
    "buy": ("bought", "bought"),
    "sell": ("sold", "sold"),
    "send": ("sent", "sent"),
    "lend": ("lent", "lent"),
    "forget": ("forgot", "forgotten"),
}
_THIRD_PERSON = {"have": "has", "go": "goes", "do": "does"}
_DOUBLING = frozenset(words("drop ban permit repel acquit quit shut win begin forbid forget stop"))


def inflected_verb(lemma: str, tag: str) -> str | None:
    """The form of a verb that a Penn Treebank tag names; None for other tags."""
    stem = lemma + lemma[-1] if lemma in _DOUBLING else lemma
    past, participle = _PAST_AND_PARTICIPLE.get(lemma, (_regular_past(lemma, stem),) * 2)
    match tag:
        case "VB" | "VBP":
            return lemma
        case "VBZ":
            return _THIRD_PERSON.get(lemma) or plural(lemma)
        case "VBG":
            return (stem[:-2] + "y" if stem.endswith("ie") else stem.removesuffix("e")) + "ing"
        case "VBD":
            return past
        case "VBN":
            return participle
        case _:
            return None


def _regular_past(lemma: str, stem: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    return lemma[:-1] + "ied" if re.search(r"[^aeiou]y$", lemma) else stem + "ed"


_COMPARATIVE_OF_LONG_WORD = frozenset(words("shallow wealthy strong"))
_COMPARATIVE_ALREADY = frozenset(words("elder upper lower inner outer former latter"))
_DOUBLING_ADJECTIVES = frozenset(words("big hot wet"))


def inflected_adjective(lemma: str, tag: str) -> str | None:
    """The form of an adjective for the tags JJ, JJR and JJS; None if it takes "more" and "most"."""
    if tag not in ("JJR", "JJS") or (tag == "JJR" and lemma in _COMPARATIVE_ALREADY):
        return lemma
    if len(lemma) > 5 and lemma not in _COMPARATIVE_OF_LONG_WORD:
        return None
    stem = lemma + lemma[-1] if lemma in _DOUBLING_ADJECTIVES else re.sub(r"(?<=[^aeiou])y$", "i", lemma)
    return stem.removesuffix("e") + ("er" if tag == "JJR" else "est")


def inflected(lemma: str, tag: str) -> str | None:
    """The form of a word that a Penn Treebank tag names; None if it has none."""
    if tag.startswith("V"):
        return inflected_verb(lemma, tag)
    if tag.startswith("J"):
        return inflected_adjective(lemma, tag)
    return plural(lemma) if tag in ("NNS", "NNPS") else lemma
