"""Find the noun that a number counts or an ordinal ranks."""

from __future__ import annotations

import re

from detection.core.language.vocabulary import words
from detection.core.rules.reading import Reading
from detection.core.types import Span, Token

_IRREGULAR = {
    "children": "child",
    "feet": "foot",
    "geese": "goose",
    "lives": "life",
    "men": "man",
    "mice": "mouse",
    "people": "person",
    "persons": "person",
    "teeth": "tooth",
    "wives": "wife",
    "women": "woman",
    "series": "series",
    "species": "species",
    "news": "news",
}
# Synonyms for counted things in everyday texts. The first word is the canonical one.
_SYNONYMS = {
    other: group[0]
    for group in (
        words("person people inhabitant resident citizen population"),
        words("child kid"),
        words("film movie"),
        words("game match"),
        words("photo photograph picture"),
        words("death fatality"),
        words("win victory"),
        words("loss defeat"),
        words("song track"),
        words("soldier troop"),
        words("nation country"),
        words("storey story floor"),
        words("employee worker staff"),
        words("copy unit"),
        words("house home residence building mansion"),
        words("show series program programme drama season"),
        words("company firm corporation business"),
        words("city town"),
        words("book novel"),
    )
    for other in group
}
_NOUN_TAGS = frozenset({"NOUN", "PROPN"})


def singular(noun: str) -> str:
    """The singular of an English noun, by its ending and a short list."""
    noun = noun.lower()
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes", "zes")):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return noun[:-1]
    return noun


def is_plural(noun: str) -> bool:
    return singular(noun) != noun.lower()


def canonical(lemma: str) -> str:
    """One word for all that count the same things: "person" for "inhabitant"."""
    lemma = singular(lemma)
    return _SYNONYMS.get(lemma, lemma)


_PEOPLE = "person"
_EMPLOYEE = "employee"
# The kind of people by the description right after them: "the 23 people employed in Bergen".
_KIND_OF_PEOPLE = {"employed": _EMPLOYEE, "working": _EMPLOYEE, "living": _PEOPLE, "residing": _PEOPLE}
#: The event of such a description.
EVENT_OF_KIND = {_EMPLOYEE: "employ", _PEOPLE: "live"}


def noun_of(reading: Reading, span: Span) -> str | None:
    """The canonical noun that the number or ordinal at ``span`` belongs to, if there is one.

    Uses the parse when the reading has one, and the following words otherwise.
    """
    lemma = _noun_in_parse(reading, span) if reading.parsed else _noun_in_text(reading.text, span)
    if lemma is None:
        return None
    noun = canonical(lemma)
    return _EMPLOYEE if noun == _PEOPLE and _are_employed(reading, span) else noun


def description_behind(reading: Reading, span: Span) -> int | None:
    """The token that describes the counted people at ``span``: "employed" in "23 people employed in Bergen".

    Found by word order, because the parser often mistakes the participle before a verb for the verb.
    """
    tokens = reading.tokens
    for position in reading.positions(span):
        noun = tokens[position].head
        described = noun + 1
        if noun <= position or described + 1 >= len(tokens) or canonical(tokens[noun].lemma) != _PEOPLE:
            continue
        is_told_of = tokens[described + 1].pos == "ADP" or tokens[described + 1].text.lower() in ("there", "here")
        if is_told_of and tokens[described].text.lower() in _KIND_OF_PEOPLE:
            return described
    return None


def _are_employed(reading: Reading, span: Span) -> bool:
    """Whether people are counted as employees: "employs 32 people", "the 23 people employed in Bergen"."""
    tokens = reading.tokens
    described = description_behind(reading, span)
    if described is not None:
        return _KIND_OF_PEOPLE[tokens[described].text.lower()] == _EMPLOYEE
    for position in reading.positions(span):
        noun = tokens[tokens[position].head]
        verb = tokens[noun.head]
        if noun.dependency in ("obj", "nsubj:pass") and verb.pos == "VERB" and verb.text.lower().startswith("employ"):
            return True
    return False


def _noun_in_parse(reading: Reading, span: Span) -> str | None:
    tokens = reading.tokens
    covered = reading.positions(span)
    for position in reversed(covered):
        token = tokens[position]
        head = tokens[token.head]
        if token.head in covered:
            continue
        if token.dependency in ("nummod", "amod", "det", "compound", "advmod") and _is_noun(head):
            # A head on the left is named, not counted: "Apollo 11", "chapter 3".
            return head.lemma if token.head > position else None
        whole = _noun_behind_of(tokens, position)
        if whole is not None:
            return whole
    return _noun_in_text(reading.text, span) if _hyphenated(reading.text, span) else None


def _noun_behind_of(tokens: tuple[Token, ...], position: int) -> str | None:
    """The noun of "three of the members", "thousands of people"."""
    if position + 1 >= len(tokens) or tokens[position + 1].text.lower() != "of":
        return None
    head = tokens[tokens[position + 1].head]
    return head.lemma if _is_noun(head) else None


def _is_noun(token: Token) -> bool:
    return token.pos in _NOUN_TAGS


def _hyphenated(text: str, span: Span) -> bool:
    return text[span.end : span.end + 1] in ("-", "‐", "‑")


_HYPHENATED = re.compile(r"\s?[-‐‑]\s?(?P<noun>[^\W\d_]{2,24})")
_FOLLOWING = re.compile(
    r"\s(?:of\s(?:the\s|its\s|his\s|her\s|their\s|these\s|all\s)?)?(?P<words>(?:[^\W\d_][\w'’-]{0,24}\s?){1,4})"
)
_STOPS = frozenset(
    words(
        "a an the and or but of in on at by for from to with as than that which who when where while is are "
        "was were be been has have had did does will would can could may might after before until since "
        "during he she it they we i his her its their per each every not"
    )
)


def _noun_in_text(text: str, span: Span) -> str | None:
    """Guess the noun: the word after a hyphen, or the first plural among the next words."""
    hyphenated = _HYPHENATED.match(text, span.end)
    if hyphenated is not None:
        return hyphenated["noun"]
    following = _FOLLOWING.match(text, span.end)
    if following is None:
        return None
    candidates = []
    for word in following["words"].split():
        if word.lower() in _STOPS:
            break
        candidates.append(word)
    plurals = [word for word in candidates if is_plural(word)]
    nouns = [word for word in candidates if not word.endswith(("ed", "ing", "ly"))]
    return plurals[0] if plurals else nouns[-1] if nouns else None
