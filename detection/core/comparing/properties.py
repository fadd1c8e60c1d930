"""Whether a sentence gives the property of a row such as "| Weight | 172 g |" for the thing that the table is about.

The words of the row must be the sentence's own subject or verb: neither "the weight limit", nor "the weight of the
battery", nor "the shipping weight" is the weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..language.vocabulary import words as vocabulary
from ..types import Span, Token
from .reference import CALENDAR
from .sentence import ComparableSentence, stem
from .value_places import NEUTRAL, NOUNS, WORDS, clause_of, first_token, has_copula, next_word, stem_of

#: A full stop only in a number: "Tessel 4.2".
_BETWEEN = r"(?:[^\w.!?]+|(?<=\d)\.(?=\d))"
_PRONOUNS = frozenset(vocabulary("it its he his she her they their"))
_QUALIFYING = frozenset(
    vocabulary(
        "in for with without during at on under after before by including excluding when if from until since among"
        " while over as only"
    )
)
_END_OF_PART = re.compile(r"[,;:.()–—]|\b(?:and|but)\b")
#: Verbs that give a property, where their stems differ.
_VERBS = {"price": "cost"}
#: Adjectives behind a measure that give a property: "45 cm tall".
_ADJECTIVES = {
    "height": frozenset({"tall", "high"}),
    "length": frozenset({"long"}),
    "width": frozenset({"wide"}),
    "depth": frozenset({"deep"}),
    "thickness": frozenset({"thick"}),
    "age": frozenset({"old"}),
}
_MODIFIERS = frozenset({"compound", "amod", "nmod", "nmod:poss", "appos", "acl", "acl:relcl"})
#: How a value belongs to a noun: "a fee of $5", "ten desks".
_BELONGING = frozenset({"nmod", "nummod"})
_SUBJECTS = frozenset({"nsubj", "nsubj:pass"})
_HAVING = frozenset(vocabulary("have come offer include carry feature provide get"))


@dataclass(frozen=True, slots=True)
class About:
    """What a table is about, and how a sentence without its name may speak of it."""

    subject: str
    is_topic: bool
    """Whether the text around the sentence is about it: "The rent is $500" tells its rent."""
    leans_on_it: bool
    """Whether the sentence before names it: "Its area is 12 km²" tells its area."""


def gives_property(about: About, attribute: Sequence[str], statement: ComparableSentence) -> bool:
    """Whether the words of ``attribute`` are what the sentence tells of the thing."""
    return any(
        _is_own_noun(head, about, attribute, statement)
        if statement.parsed.tokens[head].pos in NOUNS
        else _is_own_verb(head, about.subject, statement)
        for head in _heads_of(attribute[-1], statement)
    )


def is_measured(attribute: Sequence[str], subject: str, statement: ComparableSentence, value: Span) -> bool:
    """Whether an adjective behind the value gives the property: "it is 45 cm tall", "its cord is 75 cm long"."""
    *part, dimension = attribute
    if next_word(statement.text, value) not in _ADJECTIVES.get(dimension, ()):
        return False
    head = first_token(statement, value.end)
    doers = _doers_of_adjective(head, statement) if head is not None else []
    if part:
        return bool(doers) and all(_is_part(doer, part, subject, statement) for doer in doers)
    return bool(doers) and all(_is_subject(doer, subject, statement) for doer in doers)


def _doers_of_adjective(head: int, statement: ComparableSentence) -> list[int]:
    """What an adjective is said of: "it is 45 cm tall"; nothing for "it has a 45 cm tall mast"."""
    if not has_copula(head, statement):
        return []
    return _doers_of_clause(head, statement)


def _doers_of_clause(verb: int, statement: ComparableSentence) -> list[int]:
    """The subjects of a verb or a predicate, which may be those of the verb before it."""
    while statement.parsed.tokens[verb].dependency == "conj" and not _doers(verb, statement):
        verb = statement.parsed.tokens[verb].head
    return _doers(verb, statement)


def _is_part(position: int, part: Sequence[str], subject: str, statement: ComparableSentence) -> bool:
    """Whether a noun is the part of the thing whose measure the attribute gives: "cord" for "Cord length"."""
    tokens = statement.parsed.tokens
    known = {stem_of(word) for word in (*part, *WORDS.findall(subject.casefold()))}
    modifiers = [i for i in statement.parsed.children(position) if tokens[i].dependency in _MODIFIERS]
    is_named = stem_of(tokens[position].text.casefold()) == stem_of(part[-1])
    return is_named and all(_is_known(i, known, tokens) for i in modifiers)


def _doers(head: int, statement: ComparableSentence) -> list[int]:
    return [i for i in statement.parsed.children(head) if statement.parsed.tokens[i].dependency in _SUBJECTS]


def speaks_of_it(subject: str, statement: ComparableSentence, previous: ComparableSentence | None) -> bool:
    """Whether a sentence names the thing, itself or by a pronoun, or names nothing at all."""
    if names_thing(subject, statement.text):
        return True
    if previous is not None:
        return names_thing(subject, previous.text) and not _names_anything(statement)
    return not _names_anything(statement)


def named_subject(statement: ComparableSentence) -> str | None:
    """The subject of a sentence with its name: "Norda heater" in "The Norda heater is small"; None without a name."""
    tokens = statement.parsed.tokens
    head = next((i for i, token in enumerate(tokens) if token.dependency in _SUBJECTS), None)
    if head is None:
        return None
    first = head
    while first > 0 and tokens[first - 1].dependency in _MODIFIERS and tokens[first - 1].pos in (*NOUNS, "ADJ", "X"):
        first -= 1
    name = [token.text for token in tokens[first : head + 1]]
    return " ".join(name) if name[0][:1].isupper() and tokens[first].pos != "PRON" and len(name) > 1 else None


def names_thing(name: str, text: str) -> bool:
    """Whether a text has the name, or its end: "Lind" for "Ada Lind". "Arlo 5 Max" does not name the Arlo 5."""
    return any(
        position == 0 or _may_be_short(text, found.start())
        for position, pattern in enumerate(_patterns(name))
        for found in pattern.finditer(text)
    )


@lru_cache(maxsize=256)
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    words = WORDS.findall(name)
    ends = [words[first:] for first, word in enumerate(words) if word[0].isupper() and len(word) > 1]
    return tuple(re.compile(rf"(?<![\w-]){_BETWEEN.join(map(re.escape, end))}(?![\w-])(?!\s+[A-Z0-9])") for end in ends)


def _may_be_short(text: str, start: int) -> bool:
    """Whether a short name at ``start`` is not the end of another name: "Erik Lind"."""
    before = text[:start].split()
    return not before or not before[-1][:1].isupper() or len(before) == 1


def is_qualified(statement: ComparableSentence, value: Span) -> bool:
    """Whether a value holds for a part, a time or a case alone: "in the first quarter", "10 mg for children"."""
    tokens = statement.parsed.tokens
    if tokens[0].text.casefold() in _QUALIFYING:
        return True
    behind = statement.text[value.end :]
    of_value = _END_OF_PART.split(behind, maxsplit=1)[0]
    return any(word in _QUALIFYING for word in WORDS.findall(of_value.casefold()))


def _names_anything(statement: ComparableSentence) -> bool:
    return any(token.pos == "PROPN" and token.text.casefold() not in CALENDAR for token in statement.parsed.tokens)


def _heads_of(word: str, statement: ComparableSentence) -> Iterator[int]:
    wanted = {stem_of(word), stem_of(_VERBS.get(word, word))}
    for position, token in enumerate(statement.parsed.tokens):
        stems = {stem_of(token.text.casefold()), stem(token.lemma.casefold())}
        if wanted & stems and token.pos in (*NOUNS, "VERB"):
            yield position


def _is_own_noun(head: int, about: About, attribute: Sequence[str], statement: ComparableSentence) -> bool:
    tokens = statement.parsed.tokens
    if tokens[head].dependency == "compound":
        return False  # "the weight limit"
    known = {stem_of(word) for word in (*attribute, *WORDS.findall(about.subject.casefold()))}
    modifiers = [i for i in statement.parsed.children(head) if tokens[i].dependency in _MODIFIERS]
    if not all(_is_known(i, known, tokens) or _is_figure(i, statement) for i in modifiers):
        return False
    is_counted = any(tokens[i].dependency == "nummod" for i in statement.parsed.children(head))
    if is_counted and tokens[head].dependency in _SUBJECTS:
        return False  # "twelve rooms face the lake": there may be more
    if names_thing(about.subject, statement.text):
        return not _is_said_of_another(head, about.subject, statement)
    if any(token.text.casefold() in _PRONOUNS for token in tokens):
        return about.leans_on_it
    return about.is_topic and (tokens[head].dependency in _SUBJECTS or _is_had_by(head, about.subject, statement))


def _is_said_of_another(head: int, subject: str, statement: ComparableSentence) -> bool:
    """Whether something else has the property: "the lake of Holm has an area of 4 km²" says nothing of Holm's area."""
    clause = clause_of(head, statement)
    doers = _doers_of_clause(clause, statement) if clause is not None else []
    if head in doers:
        return False
    is_direct = clause is None or _hangs_on(clause, head, statement)
    return not (is_direct and all(_is_subject(doer, subject, statement) for doer in doers))


def _hangs_on(verb: int, noun: int, statement: ComparableSentence) -> bool:
    """Whether a noun depends on the verb, directly or through a figure: "needs 8 GB of memory"."""
    tokens = statement.parsed.tokens
    while tokens[noun].head not in (verb, noun):
        above = tokens[noun].head
        is_figure = any(
            tokens[i].dependency == "nummod" for one in (noun, above) for i in statement.parsed.children(one)
        )
        if tokens[noun].dependency != "conj" and not is_figure:
            return False
        noun = above
    return True


def _is_had_by(head: int, subject: str, statement: ComparableSentence) -> bool:
    """Whether the thing has what a noun names: "the lamp comes with a warranty", of the Solar Lamp."""
    verb = statement.parsed.tokens[head].head
    has_it = statement.parsed.tokens[verb].lemma.casefold() in _HAVING
    return has_it and _is_own_verb(verb, subject, statement)


def is_of_narrower_noun(attribute: Sequence[str], subject: str, statement: ComparableSentence, value: Span) -> bool:
    """Whether a noun that the value belongs to is narrowed by other words: "a setup fee of $5" is not the fee."""
    tokens = statement.parsed.tokens
    head = first_token(statement, value.start)
    if head is None:
        return False
    end = statement.parsed.sentence.start + value.end
    while (
        tokens[head].head != head and tokens[tokens[head].head].span.start < end and tokens[head].dependency != "nmod"
    ):
        head = tokens[head].head
    noun = tokens[head].head
    if tokens[head].dependency not in _BELONGING or tokens[noun].pos not in NOUNS:
        return False
    known = {stem_of(word) for word in (*attribute, *WORDS.findall(subject.casefold()))}
    narrowing = [i for i in statement.parsed.children(noun) if tokens[i].dependency in ("compound", "amod")]
    return not all(_is_known(i, known, tokens) or _is_figure(i, statement) for i in narrowing)


def _is_known(position: int, known: set[str], tokens: Sequence[Token]) -> bool:
    word = tokens[position].text.casefold()
    return word in _PRONOUNS or word in NEUTRAL or stem_of(word) in known


def _is_figure(position: int, statement: ComparableSentence) -> bool:
    """Whether the modifier is the value: "a weight of 172 g"."""
    tokens = statement.parsed.tokens
    inside = [position, *statement.parsed.children(position)]
    return any(tokens[i].pos == "NUM" or any(map(str.isdigit, tokens[i].text)) for i in inside)


def _is_own_verb(head: int, subject: str, statement: ComparableSentence) -> bool:
    """Whether the subject of the verb is the thing, or a pronoun for it: "it weighs", and not "the battery weighs"."""
    doers = _doers(head, statement)
    return bool(doers) and all(_is_subject(doer, subject, statement) for doer in doers)


def _is_subject(position: int, subject: str, statement: ComparableSentence) -> bool:
    """Whether a noun is the thing, and not another one of its kind: "the old bridge" is not the Lysfjord Bridge."""
    tokens = statement.parsed.tokens
    if tokens[position].text.casefold() in _PRONOUNS:
        return True
    of_subject = {word.casefold() for word in WORDS.findall(subject)}
    modifiers = [i for i in statement.parsed.children(position) if tokens[i].dependency in _MODIFIERS]
    return all(tokens[i].text.casefold() in of_subject for i in (position, *modifiers))
