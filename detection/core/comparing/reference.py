"""Whether two sentences can be about the same thing, judged by their subjects and dates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeGuard

from ..language.vocabulary import words
from ..rules.base import Relation, Value
from ..rules.dates import MONTHS, WEEKDAYS, Date
from ..rules.names import Name
from ..rules.nouns import canonical
from ..rules.slots import Agreement, Clause, Slot, agreement

_SUBJECTS = frozenset({"nsubj", "nsubj:pass"})
_SIDES = ("for", "against")
_NO_SIDES = frozenset(words("year month week day hour minute second decade century time period example instance"))
_VOTE = re.compile(r"\bvot(?:e|es|ed|ing)\s(?:\w+\s)?(?P<side>for|against)\b", re.IGNORECASE)
_SEASON = re.compile(r"\b(?:in|during)\s(?:the\s)?(?P<season>spring|summer|autumn|winter)\b", re.IGNORECASE)
_EARLIER = re.compile(
    r"\b(?:at\sfirst|initially|originally|formerly|at\sthe\stime|in\sthe\sbeginning|once(?!\s(?:an?|every|per)\b))\b",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:now|today|currently|at\spresent|nowadays|later|afterwards|eventually)\b", re.IGNORECASE)
#: Words for another period ("last year"): its counts do not conflict with present ones.
_PERIODS = r"(?:year|month|week|day|quarter|season|decade|term|night|evening|summer|winter|edition)"
_OTHER_PERIOD = re.compile(
    rf"\b(?:the\s{_PERIODS}\s(?:before|earlier)|(?:the|its|their|his|her|our)\s(?:previous|preceding|prior)\s{_PERIODS}|"
    rf"(?<!the\s)last\s{_PERIODS}(?!\sof)|(?:a|an|one|two|three|four|five|six|ten|\d+)\s{_PERIODS}s?\s(?:earlier|before|ago)|previously)\b",
    re.IGNORECASE,
)
#: Words for expectations and plans: the outcome may differ without a contradiction.
_INTENDED = re.compile(
    r"\b(?:had\s(?:been\s)?|was\s|were\s|have\s|has\s)?"
    r"(?:expected|planned|hoped|aimed|intended|predicted|projected|forecast|foreseen|budgeted|targeted|anticipated)\b|"
    r"\b(?:targets?|goals?|forecasts?|predictions?|projections?)\b",
    re.IGNORECASE,
)
_TO_COME = frozenset(words("will would shall should may might can could must"))
#: Before the verb of a step: "Then add the flour".
_LEADS = frozenset(words("please then next first finally now always"))
#: Kinds of words that are part of a name if they have a capital.
_NAMING = frozenset({"NOUN", "ADJ"})
#: Dates distinguish occasions and not things.
CALENDAR = frozenset(name.casefold() for name in (*MONTHS, *WEEKDAYS))
#: Words that distinguish models of one product: "the Nomad", "the Nomad XL".
_MODELS = frozenset(words("pro max mini plus lite xl xs ultra air junior duo ii iii iv"))
_PRONOUNS = {"he": "male", "she": "female", "it": "neuter"}
_OTHER_PRONOUNS = frozenset(words("they this that these those who which we i you there one"))
#: Words for one kind of thing, besides those that ``canonical`` unites: "the enterprise" may be "the company".
_SYNONYMS = {
    word: group.split()[0]
    for group in (
        "company manufacturer enterprise",
        "film feature",
        "book work edition volume",
        "city village settlement community place",
        "school college academy institution",
        "band group ensemble",
        "team club side",
        "war conflict",
        "song single",
        "house structure",
        "device machine product instrument",
        "river stream",
        "treaty agreement",
        "report study survey",
    )
    for word in words(group)
}
#: Adjectives that distinguish one thing from others of its kind.
_DISTINGUISHING = frozenset(
    words(
        "second third fourth fifth last next old new former previous original other another eastern western "
        "northern southern east west north south upper lower left right young elder eldest older younger youngest "
        "oldest early late total average annual monthly daily"
    )
)


@dataclass(frozen=True, slots=True)
class MainSubject:
    """The subject of a sentence's main clause. ``lemma`` is the word itself for a pronoun or a name."""

    lemma: str
    gender: str
    is_pronoun: bool
    is_possessed: bool
    name: Name | None
    owner: Name | None
    """The name of its owner: Sorrel in "the harbour of Sorrel" and "Sorrel's harbour"."""
    apart: frozenset[str]
    """The words that distinguish it from others of its kind: "old" in "the old stadium"."""
    is_compared: bool
    """True for "the larger stadium", which implies another one."""


def main_subject(clause: Clause) -> MainSubject | None:
    """The subject of the main clause; None for a sentence without one."""
    tokens, tree = clause.tree.tokens, clause.tree
    position = tree.subject(tree.root) if tree.root is not None else None
    if position is None:
        position = next((i for i, token in enumerate(tokens) if token.dependency in _SUBJECTS), None)
    if position is None:
        return None
    word = tokens[position].text.casefold()
    place = clause.reading.token_span(position)
    children = tree.children[position]
    return MainSubject(
        lemma=canonical(tokens[position].lemma).casefold(),
        gender=_PRONOUNS.get(word, ""),
        is_pronoun=word in _PRONOUNS or word in _OTHER_PRONOUNS,
        is_possessed=any(tokens[child].dependency == "nmod:poss" for child in children),
        name=next((v for v in clause.values if _is_certain_name(v) and v.span.overlaps(place)), None),
        owner=_owner(clause, position),
        apart=frozenset(tokens[child].lemma.casefold() for child in children) & _DISTINGUISHING,
        is_compared=any(_is_comparative(clause, child) for child in _parts_of_name(clause, position)),
    )


def _parts_of_name(clause: Clause, position: int) -> list[int]:
    """The dependents of a noun and of the other words of its name: "larger" in "the larger Breeze Max"."""
    tree = clause.tree
    below = list(tree.children[position])
    names = [child for child in below if tree.tokens[child].dependency in ("compound", "flat")]
    return below + [part for name in names for part in tree.children[name]]


def _is_comparative(clause: Clause, position: int) -> bool:
    """True for the adjective in "the larger tent" and "the more powerful pump"."""
    tokens, tree = clause.tree.tokens, clause.tree
    if tokens[position].dependency not in ("amod", "compound"):
        return False
    grades = (tokens[child].tag for child in tree.children[position])
    return tokens[position].tag == "JJR" or (tokens[position].pos == "ADJ" and "RBR" in grades)


def _owner(clause: Clause, position: int) -> Name | None:
    owner = clause.tree.owner(position)
    if owner is None:
        return None
    place = clause.reading.token_span(owner)
    return next((v for v in clause.values if isinstance(v, Name) and v.span.overlaps(place)), None)


def _have_two_owners(one: MainSubject, other: MainSubject) -> bool:
    if one.owner is None or other.owner is None:
        return False
    return one.owner.relation_to(other.owner) is Relation.CONFLICT


def speak_of_two_things(first: Clause, second: Clause) -> bool:
    """True if the subjects of two sentences are probably different things; False in doubt."""
    one, other = main_subject(first), main_subject(second)
    if one is None or other is None:
        return False
    if begin_with_two_names(first, second):
        return True
    if one.is_pronoun or other.is_pronoun:
        return _differ_from_pronoun(one, other)
    if _have_two_owners(one, other) or one.is_compared is not other.is_compared:
        return True
    if one.name and other.name:
        return one.name.relation_to(other.name) is Relation.CONFLICT or _are_two_models(one.name, other.name)
    if one.name or other.name:
        # "Sorrel" may be "the village", but not "its mayor".
        return (one if other.name else other).is_possessed
    if _kind(one) != _kind(other):
        return not (_mentions(first, other.lemma) or _mentions(second, one.lemma))
    return one.apart != other.apart


def begin_with_two_names(first: Clause, second: Clause) -> bool:
    """True for the entries of a series: "the Basic plan" and "the Team plan", "in Alderby" and "in Dunmere".

    Both sentences have names before their main verbs, and none of these names is in the other sentence.
    """
    one, other = _names_before_verb(first), _names_before_verb(second)
    return bool(one and other) and one.isdisjoint(_words_of(second)) and other.isdisjoint(_words_of(first))


def _names_before_verb(clause: Clause) -> frozenset[str]:
    tokens, root = clause.tree.tokens, clause.tree.root
    return frozenset(
        token.text.casefold()
        for position, token in enumerate(tokens[:root])
        if token.text[0].isupper()
        and (token.pos == "PROPN" or (position > 0 and token.pos in _NAMING))
        and token.text.casefold() not in CALENDAR
    )


def _words_of(clause: Clause) -> frozenset[str]:
    return frozenset(token.text.casefold() for token in clause.tree.tokens)


def _are_two_models(one: Name, other: Name) -> bool:
    """True for "the Nomad" and "the Nomad XL"."""
    models = [_MODELS.intersection(name.text.casefold().split()) for name in (one, other)]
    return models[0] != models[1]


def tell_of_two_occasions(first: Clause, second: Clause) -> bool:
    """True if the dates of two sentences exclude each other, or if the sentences are about two sides or phases.

    "For the club he scored 98 goals" and "for the national team 12"; "at first it had three engines", "later four";
    a plan and its outcome; two steps of one instruction.
    """
    return (
        _have_two_dates(first, second)
        or any(_name_two_sides(first, second, word) for word in _SIDES)
        or _take_two_sides(first.reading.text, second.reading.text)
        or _tell_of_two_phases(first, second)
        or _compare_two_periods(first.reading.text, second.reading.text)
        or _plan_and_outcome(first, second)
        or _are_two_steps(first, second)
    )


def date_two_events(premise: Clause, date: Value, hypothesis: Clause, other: Value) -> bool:
    """True if two dates belong to different events: a birth and a retirement, or departures from two clubs.

    False if either sentence also mentions the event that the other one dates.
    """
    one, another = premise.slot(date), hypothesis.slot(other)
    if one.event != another.event and not _OF_A_LIFE.isdisjoint((one.event, another.event)):
        return True
    if one.event is None or another.event is None:
        return _label_two_names(premise, date, hypothesis, other)
    if agreement(one.subject, another.subject) is Agreement.DIFFER:
        return True
    return not (_mentions_event(premise, another) or _mentions_event(hypothesis, one))


#: A date of one of these dates no other event.
_OF_A_LIFE = frozenset({"birth", "death"})
_NAME_BEHIND = re.compile(r"\s(?P<name>[A-Z][\w'’.-]*(?:\s[A-Z][\w'’.-]*)*)")


def _label_two_names(premise: Clause, date: Value, hypothesis: Clause, other: Value) -> bool:
    """True for "the 2013–14 Premier League" and "the 2014–15 Champions Cup"."""
    names = [
        _NAME_BEHIND.match(clause.reading.text, value.span.end)
        for clause, value in ((premise, date), (hypothesis, other))
    ]
    return all(names) and len({name["name"] for name in names if name}) > 1


def _mentions_event(clause: Clause, slot: Slot) -> bool:
    """Whether the clause mentions the event of the slot, with a subject that may be the same."""
    same = (happening.patient for happening in clause.happenings if happening.event == slot.event)
    return any(patient is None or slot.patient is None or not patient.is_another(slot.patient) for patient in same)


def _take_two_sides(first: str, second: str) -> bool:
    """True for "six voted for it" and "four voted against it"."""
    one, other = _side(first), _side(second)
    return one is not None and other is not None and one != other


def _side(text: str) -> str | None:
    sides = {match["side"].lower() for match in _VOTE.finditer(text)}
    return sides.pop() if len(sides) == 1 else None


def _tell_of_two_phases(first: Clause, second: Clause) -> bool:
    one, other = first.reading.text, second.reading.text
    seasons = [_SEASON.search(text) for text in (one, other)]
    if all(seasons) and len({season["season"].lower() for season in seasons if season}) > 1:
        return True
    return (_is_of_past(first) and _LATER.search(other) is not None) or (
        _is_of_past(second) and _LATER.search(one) is not None
    )


def _compare_two_periods(first: str, second: str) -> bool:
    """True if only one of them is about an earlier period: "it sold 12,400", "last year it sold 9,800"."""
    return (_OTHER_PERIOD.search(first) is None) is not (_OTHER_PERIOD.search(second) is None)


def _plan_and_outcome(first: Clause, second: Clause) -> bool:
    """True for "analysts had expected 310 million" and "revenue came to 381 million"."""
    plans = [_INTENDED.search(clause.reading.text) is not None for clause in (first, second)]
    if plans[0] is plans[1]:
        return False
    outcome = second if plans[0] else first
    return not any(token.text.casefold() in _TO_COME for token in outcome.tree.tokens)


def _are_two_steps(first: Clause, second: Clause) -> bool:
    """True for two instructions with different verbs: "Simmer the sauce for 20 minutes", "Let it rest for 5"."""
    one, other = _step(first), _step(second)
    return one is not None and other is not None and not (_mentions(first, other) or _mentions(second, one))


def _step(clause: Clause) -> str | None:
    """The verb at the start of an instruction, even if tagged as a noun; None for other sentences."""
    tokens, tree = clause.tree.tokens, clause.tree
    start = next((i for i, token in enumerate(tokens) if token.text.casefold() not in _LEADS), None)
    if start is None or start != tree.root:
        return None
    if any(tokens[child].dependency in _SUBJECTS for child in tree.children[start]):
        return None
    is_verb = tokens[start].tag in ("VB", "VBP") or tokens[start].pos == "VERB"
    follows = tokens[start + 1].pos if start + 1 < len(tokens) else ""
    return canonical(tokens[start].lemma).casefold() if is_verb or follows in ("DET", "ADP") else None


def _is_of_past(clause: Clause) -> bool:
    is_dated = any(isinstance(value, Date) and value.names_year for value in clause.values)
    has_later = _LATER.search(clause.reading.text) is not None
    return not has_later and (is_dated or _EARLIER.search(clause.reading.text) is not None)


def _have_two_dates(first: Clause, second: Clause) -> bool:
    pairs = [(one, other) for one in _occasions(first) for other in _occasions(second)]
    return bool(pairs) and all(_exclude_each_other(one, other) for one, other in pairs)


def _occasions(clause: Clause) -> list[Date]:
    """The dates of a sentence; open-ended ones only if there are no others."""
    dates = [value for value in clause.values if isinstance(value, Date)]
    return [date for date in dates if date.is_closed] or dates


def _exclude_each_other(one: Date, other: Date) -> bool:
    # "from 1967 to 1968" and "from 1967 to 1971" are two versions of one period.
    is_one_time = one.is_closed and other.is_closed and one.may_meet(other)
    return not is_one_time and one.relation_to(other) is Relation.CONFLICT


def _name_two_sides(first: Clause, second: Clause, preposition: str) -> bool:
    """True if both have nouns after the preposition, and none in common."""
    one, other = _nouns_behind(first, preposition), _nouns_behind(second, preposition)
    return bool(one and other) and one.isdisjoint(other)


def _nouns_behind(clause: Clause, preposition: str) -> set[str]:
    tokens = clause.tree.tokens
    return {
        clause.tree.lemma(i)
        for i, token in enumerate(tokens)
        if token.pos in ("NOUN", "PROPN")
        and token.lemma.casefold() not in _NO_SIDES
        and clause.tree.preposition(i) == preposition
    }


def _is_certain_name(value: Value) -> TypeGuard[Name]:
    """False for a word that has its capital from the start of the sentence."""
    return isinstance(value, Name) and (value.category is not None or value.span.start > 0 or " " in value.text)


def _differ_from_pronoun(one: MainSubject, other: MainSubject) -> bool:
    if one.is_pronoun and other.is_pronoun:
        return bool(one.gender and other.gender and one.gender != other.gender)
    noun = other if one.is_pronoun else one
    return noun.is_possessed or noun.is_compared


def _kind(subject: MainSubject) -> str:
    return _SYNONYMS.get(subject.lemma, subject.lemma)


def _mentions(clause: Clause, lemma: str) -> bool:
    return any(canonical(token.lemma).casefold() == lemma for token in clause.tree.tokens)
