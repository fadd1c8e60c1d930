"""Slots: the role of a value in the statement of a sentence.

Two values can clash only in the same slot: "was founded in 1932" against "was established in 1936". A slot consists of
the event or attribute that governs the value, the role of the value, and the owner of the event or attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from detection.core.language.tree import Tree
from detection.core.language.vocabulary import words
from detection.core.rules import names
from detection.core.rules.base import Value
from detection.core.rules.dates import Date
from detection.core.rules.durations import Duration
from detection.core.rules.life_dates import LifeDate, find_life_dates
from detection.core.rules.names import Name
from detection.core.rules.nouns import EVENT_OF_KIND, canonical, description_behind
from detection.core.rules.numbers import Number
from detection.core.rules.ordinals import Ordinal
from detection.core.rules.reading import Reading
from detection.core.rules.times import TimeOfDay
from detection.core.types import Span

# Verbs and nouns of the same kind of event. The first word names the event.
_EVENT_WORDS = (
    "birth bear born",
    "death die decease demise perish",
    "founding found establish create form institute incorporate organize organise foundation establishment formation"
    " creation inception",
    "construction build construct erect",
    "opening open inaugurate inauguration",
    "closure close shut",
    "release publish issue publication",
    "broadcast air premiere premier",
    "debut",
    "dissolution dissolve disband abolish",
    "win victory",
    "marriage marry wed wedding",
    "cost price",
    "location locate situate lie",
    "base headquarter",
    "beginning begin start commence",
    "end conclude finish cease ending conclusion",
    "appointment appoint",
    "naming name",
    "election elect",
    "resignation resign",
    "retirement retire",
    "graduation graduate",
    "purchase acquire buy acquisition",
    "sale sell",
    "direction direct",
    "writing write author pen",
    "composition compose",
    "design",
    "production produce",
    "development develop",
    "command lead head",
    "gross earn",
    "cancellation cancel",
    "discovery discover",
    "invention invent",
    "immigration immigrate emigrate",
    "move relocate",
    "renovation renovate restore restoration",
    "destruction destroy demolish demolition",
    "succession succeed",
    "capture",
    "attendance attend",
    "studies study",
    "training train",
)
_EVENTS = {word: group.split()[0] for group in _EVENT_WORDS for word in words(group)}
EVENTS = frozenset(_EVENTS.values())
"""The names of events with several words."""
DIMENSIONS = frozenset(words("long wide broad high tall deep thick old heavy"))
"""Attributes of a measure right before them: "120 metres tall", "40 years old"."""
_LIGHT = frozenset(words("be have do make take get become include involve feature use see say know go come"))
"""Verbs too general to identify an event."""


_ALL_BEFORE = re.compile(r"(?:^|\W)(?:the|its|their|our|all)\s$", re.IGNORECASE)


class Gender(StrEnum):
    MALE = "male"
    FEMALE = "female"
    NEUTER = "neuter"


_PRONOUNS = {
    "he": Gender.MALE,
    "him": Gender.MALE,
    "his": Gender.MALE,
    "she": Gender.FEMALE,
    "her": Gender.FEMALE,
    "hers": Gender.FEMALE,
    "it": Gender.NEUTER,
    "its": Gender.NEUTER,
}
_NEUTRAL_PRONOUNS = frozenset(words("they them their who which that this these those we i you one there"))


class Agreement(StrEnum):
    """Whether two phrases refer to the same thing, judged by their words."""

    AGREE = "agree"
    OPEN = "open"
    DIFFER = "differ"


@dataclass(frozen=True, slots=True)
class Phrase:
    """The features of a noun phrase or clause that show whether two refer to the same thing."""

    lemma: str
    is_pronoun: bool
    gender: Gender | None
    names: tuple[Name, ...]
    """Its name: "Ada Lind", or "Harbour Lights" in "her album Harbour Lights"; without its owner."""
    modifiers: frozenset[str]
    """Adjectives and nouns before it, by their first letters, so that "music" equals "musical"."""
    ranks: frozenset[int]
    """Its ordinals: 1 for "his first album"."""
    is_possessed: bool
    """It has an owner: "his father", "the company's founder"."""
    is_plural: bool
    """It is a common noun in the plural."""
    names_of_owner: tuple[Name, ...]
    """Its complement with "of": "Captain" in "the rank of Captain"."""

    def agreement(self, other: Phrase) -> Agreement:
        if self.gender and other.gender and self.gender is not other.gender:
            return Agreement.DIFFER
        if self.is_pronoun or other.is_pronoun:
            return self._agreement_with_pronoun(other)
        if self.ranks and other.ranks and self.ranks.isdisjoint(other.ranks):
            return Agreement.DIFFER
        if self.is_plural is not other.is_plural:
            return Agreement.DIFFER
        if self.names and other.names:
            return Agreement.AGREE if _any_agree(self.names, other.names) else Agreement.DIFFER
        if self.lemma == other.lemma:
            owners = self.names_of_owner, other.names_of_owner
            return Agreement.DIFFER if all(owners) and not _any_agree(*owners) else Agreement.AGREE
        # "Prince Albert" and "he" are hardly "his father".
        related = (self.is_possessed and not self.names) or (other.is_possessed and not other.names)
        return Agreement.DIFFER if related else Agreement.OPEN

    def is_another(self, other: Phrase) -> bool:
        """True if the words do not show that both are one thing, and no pronoun leaves it open."""
        return self.agreement(other) is not Agreement.AGREE and not (self.is_pronoun or other.is_pronoun)

    def is_other_kind(self, other: Phrase) -> bool:
        """True for "the mill" and "the school": different nouns, without a name or pronoun that could refer to both."""
        nameless = not (self.is_pronoun or other.is_pronoun or self.names or other.names)
        return nameless and self.lemma != other.lemma

    def _agreement_with_pronoun(self, other: Phrase) -> Agreement:
        if self.is_pronoun and other.is_pronoun:
            return Agreement.AGREE if self.gender and self.gender is other.gender else Agreement.OPEN
        noun = other if self.is_pronoun else self
        return Agreement.DIFFER if noun.is_possessed and not noun.names else Agreement.OPEN


def _any_agree(first: Iterable[Name], second: Iterable[Name]) -> bool:
    return any(one.relation_to(other).agrees for one in first for other in second)


def agreement(first: Phrase | None, second: Phrase | None) -> Agreement:
    """Compare two phrases of which one may be missing: a missing one leaves it open."""
    return first.agreement(second) if first and second else Agreement.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The slot of one value in its sentence."""

    value: Value
    event: str | None
    """The canonical name of the event; None for a verb that is too general."""
    attribute: str | None
    """The noun that the value belongs to: "population", "area", "degree"."""
    is_noun_event: bool = False
    """The event is named by a noun: "since his death in 1979"."""
    role: str
    """The preposition, "agent", "patient", "nationality", "listed", or the dependency label."""
    subject: Phrase | None = None
    patient: Phrase | None = None
    is_partial: bool
    """The number counts a part: "four more albums", "the next five seasons"."""
    owner: Phrase | None = None
    """The owner of the value itself: "the Soviet Union" for "fall" in "the fall of the Soviet Union"."""
    is_predicated: bool = False
    """The value or its noun is the complement of the subject: "is the largest lake"."""
    is_state: bool = False
    """The clause describes a temporary state: "was a member of the club"."""
    is_denied: bool = False
    """The clause is negated: "was not built in 1936"."""
    complements: Mapping[str, Phrase] = field(default_factory=dict)
    """Other arguments of the event, by preposition or "what": the rank of major by "to"."""

    @property
    def is_passive(self) -> bool:
        """Whether the subject suffers the event: "the town was founded"."""
        return self.subject is not None and self.subject == self.patient


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a sentence (a verb or a noun), with its patient."""

    event: str
    patient: Phrase | None


@dataclass(frozen=True)
class Clause:
    """A sentence with its tree and its values, ready for comparison."""

    reading: Reading
    tree: Tree
    values: tuple[Value, ...]
    _slots: dict[Span, Slot] = field(default_factory=dict, compare=False, repr=False)

    def slot(self, value: Value) -> Slot:
        """The slot of a value."""
        if value.span not in self._slots:
            life_date = next((found for found in self.life_dates if found.date == value), None)
            slot = self._find_slot(value)
            self._slots[value.span] = slot if life_date is None else self._of_life(slot, life_date)
        return self._slots[value.span]

    @cached_property
    def life_dates(self) -> tuple[LifeDate, ...]:
        return tuple(find_life_dates(self.values, self.reading.text))

    @cached_property
    def happenings(self) -> tuple[Happening, ...]:
        """All events of the sentence, with or without a date."""
        found = []
        for position, token in enumerate(self.tree.tokens):
            event = self._event_of(position) or (self.tree.lemma(position) if token.pos == "VERB" else None)
            if event is not None:
                found.append(Happening(event, self._phrase(self.tree.patient(position))))
        return tuple(found)

    def _of_life(self, slot: Slot, life_date: LifeDate) -> Slot:
        """Life dates in brackets belong to the name before them, wherever the parser attaches them."""
        subject = self._phrase(self._head(life_date.of), slot.value)
        return replace(
            slot, event=life_date.event, attribute=None, role="in", subject=subject, patient=None, complements={}
        )

    def _find_slot(self, value: Value) -> Slot:
        if isinstance(value, Number) and value.counted and self.description(value) is not None:
            return self._of_description(value, value.counted)
        head = self._head(value)
        predicate = self._predicate(head)
        event, source = self._event(value, head, predicate)
        subject, patient = self._participants(source, predicate)
        return Slot(
            value=value,
            event=event,
            attribute=self._attribute(head, predicate),
            is_noun_event=source is not None and source != predicate,
            role=self._role(value, head, predicate),
            subject=self._phrase(subject, value),
            patient=self._phrase(patient, value),
            is_partial=self._is_partial(value),
            owner=self._phrase(self.tree.owner(head), value),
            is_predicated=self._is_predicated(head),
            is_state=predicate is not None and predicate != head and self._is_state(predicate),
            is_denied=predicate is not None and self.tree.is_denied(predicate),
            complements=dict(self._complements(predicate, value)) if source == predicate else {},
        )

    def subject_of(self, value: Value) -> int | None:
        """The token that is the subject of the event of a value, unless it is a pronoun such as "who"."""
        head = self._head(value)
        predicate = self._predicate(head)
        subject, _ = self._participants(self._event(value, head, predicate)[1], predicate)
        return None if subject is None or self.tree.tokens[subject].tag in _RELATIVE else subject

    def whole(self, value: Value) -> str | None:
        """The lemma of the noun that has the counted noun as its complement: "zest" in "the zest of three lemons"."""
        head = self._head(value)
        counted = self.tree.tokens[head].head if self.tree.tokens[head].dependency == "nummod" else head
        noun = self.tree.tokens[counted]
        is_part = noun.dependency.startswith("nmod") and self.tree.preposition(counted) == "of"
        return self.tree.lemma(noun.head) if is_part else None

    def description(self, value: Value) -> int | None:
        """The token that describes all that are counted: "employed" in "the 23 people employed in Bergen".

        None if possibly only some are counted: "23 people employed in Bergen were ill".
        """
        is_all = _ALL_BEFORE.search(self.reading.text[: value.span.start])
        return description_behind(self.reading, value.span) if is_all else None

    def _of_description(self, value: Value, kind: str) -> Slot:
        """A sentence about "the 23 people employed in Bergen" also says that 23 are employed there."""
        return Slot(
            value=value, event=EVENT_OF_KIND[kind], attribute=kind, role="described", is_partial=self._is_partial(value)
        )

    def _participants(self, source: int | None, predicate: int | None) -> tuple[int | None, int | None]:
        """Subject and patient of the event: of the verb, or the owner of a noun ("the death of his brother")."""
        if source is not None and source != predicate:
            return self.tree.owner(source), None
        if predicate is None:
            return None, None
        return self.tree.subject(predicate), self.tree.patient(predicate)

    def _is_predicated(self, head: int) -> bool:
        noun = self.tree.tokens[head].head if self.tree.tokens[head].dependency in _BEFORE_NOUN else head
        token = self.tree.tokens[noun]
        becomes = token.dependency in ("xcomp", "obj") and self.tree.lemma(token.head) in ("become", "remain", "be")
        return becomes or self.tree.child(noun, "cop") is not None

    def _is_state(self, predicate: int) -> bool:
        """True for "a member", "one of the members" after "is": False for "the winner", who is unique."""
        if self.tree.child(predicate, "cop") is None:
            return False
        articles = (self.tree.tokens[child].text.lower() for child in self.tree.children[predicate])
        return self.tree.tokens[predicate].text.lower() in ("one", "part") or not {"a", "an"}.isdisjoint(articles)

    def _is_partial(self, value: Value) -> bool:
        text, span = self.reading.text, value.span
        return bool(
            _PART_BEFORE.search(text[max(0, span.start - 12) : span.start]) or _PART_AFTER.match(text, span.end)
        )

    def _head(self, value: Value) -> int:
        """The token of the value whose head is outside the value."""
        covered = self.reading.positions(value.span)
        outside = [position for position in covered if self.tree.tokens[position].head not in covered]
        return (outside or list(covered) or [0])[0]

    def _predicate(self, head: int) -> int | None:
        return head if self.tree.is_predicate(head) else self.tree.predicate_above(head)

    def _event(self, value: Value, head: int, predicate: int | None) -> tuple[str | None, int | None]:
        """The nearest event above the value, and the token that names it.

        It is a noun between the value and the predicate ("since his death in"), or else the predicate.
        """
        if self._in_parentheses(value):
            # "(1996)" after a title is the date of the title, not of the event.
            return None, None
        beside = self._event_noun_beside(head)
        if beside is not None:
            return self._event_of(beside), beside
        for ancestor in self.tree.ancestors(head):
            event = self._event_of(ancestor)
            if event is not None:
                return event, ancestor
            if ancestor == predicate:
                break
        if predicate is None or self.tree.lemma(predicate) in _LIGHT or predicate == head:
            return None, predicate
        return (self.tree.lemma(predicate) if self.tree.tokens[predicate].pos == "VERB" else None), predicate

    def _event_noun_beside(self, head: int) -> int | None:
        """The event noun right before the preposition, however the parser attaches them: "his death in 1979"."""
        preposition = self.tree.child(head, "case")
        if preposition is None or preposition == 0 or self.tree.tokens[preposition - 1].pos != "NOUN":
            return None
        return preposition - 1 if self._event_of(preposition - 1) else None

    def _event_of(self, position: int) -> str | None:
        lemma = self.tree.lemma(position)
        if lemma == "pass" and any(self.tree.lemma(child) == "away" for child in self.tree.children[position]):
            return "death"
        return _EVENTS.get(lemma)

    def _in_parentheses(self, value: Value) -> bool:
        text, span = self.reading.text, value.span
        return text[: span.start].rstrip().endswith("(") and text[span.end :].lstrip().startswith(")")

    def _attribute(self, head: int, predicate: int | None) -> str | None:
        above = self.tree.tokens[head].head
        if self.tree.tokens[head].dependency in _MEASURES and self.tree.lemma(above) in DIMENSIONS:
            return self.tree.lemma(above)
        for ancestor in self.tree.ancestors(head):
            token = self.tree.tokens[ancestor]
            if token.pos == "NOUN":
                return canonical(token.lemma)
            if ancestor == predicate:
                return None
        return None

    def _role(self, value: Value, head: int, predicate: int | None) -> str:
        token = self.tree.tokens[head]
        # "Altenburg, Germany" is a list to some parsers, and to others a noun below a noun.
        if token.dependency in ("conj", "appos") or (isinstance(value, Name) and token.dependency == "nmod:unmarked"):
            return "listed"
        if isinstance(value, Name) and self._is_nationality(value, head):
            return "nationality"
        preposition = self.tree.preposition(head)
        if preposition is not None:
            return "agent" if preposition == "by" else preposition
        if predicate is not None and token.head == predicate and self.tree.tokens[predicate].pos == "VERB":
            if token.dependency == "nsubj":
                return "agent"
            if token.dependency in ("obj", "nsubj:pass"):
                return "patient"
        return token.dependency

    def _is_nationality(self, name: Name, head: int) -> bool:
        """True for "Norwegian" in "is a Norwegian painter" and in "is a Norwegian field marshal"."""
        noun = self.tree.tokens[head].head
        if self.tree.tokens[noun].dependency == "compound" and self.tree.tokens[noun].head > noun > head:
            noun = self.tree.tokens[noun].head
        modifies = self.tree.tokens[head].dependency in ("amod", "compound") and noun > head
        return modifies and names.is_people(name.text) and self.tree.child(noun, "cop") is not None

    def _complements(self, predicate: int | None, value: Value) -> Iterator[tuple[str, Phrase]]:
        if predicate is None:
            return
        patient = self.tree.patient(predicate)
        for child in self.tree.children[predicate]:
            label = self.tree.tokens[child].dependency
            if label not in _COMPLEMENTS or child == patient or self._is_time(child):
                continue
            phrase = self._phrase(child, value)
            if phrase is not None:
                yield self.tree.preposition(child) or "what", phrase

    def _is_time(self, position: int) -> bool:
        return any(
            isinstance(value, (Date, Duration, TimeOfDay)) and position in self.reading.positions(value.span)
            for value in self.values
        )

    def _phrase(self, position: int | None, value: Value | None = None) -> Phrase | None:
        """The phrase headed by a token, unless it is the value itself."""
        if position is None or (value is not None and position in self.reading.positions(value.span)):
            return None
        tokens = self.tree.tokens
        word = tokens[position].text.lower()
        beside = set(self._beside(position))
        near = [
            other
            for other in self.values
            if other is not value and not beside.isdisjoint(self.reading.positions(other.span))
        ]
        children = self.tree.children[position]
        return Phrase(
            lemma=canonical(tokens[position].lemma),
            is_pronoun=word in _PRONOUNS or word in _NEUTRAL_PRONOUNS,
            gender=_PRONOUNS.get(word),
            names=tuple(other for other in near if isinstance(other, Name) and not names.is_people(other.text)),
            ranks=frozenset(other.rank for other in near if isinstance(other, Ordinal)),
            modifiers=frozenset(
                self.tree.lemma(child)[:4]
                for child in children
                if tokens[child].dependency in ("amod", "compound") and not tokens[child].text[0].isupper()
            ),
            is_possessed=any(tokens[child].dependency == "nmod:poss" for child in children),
            is_plural=tokens[position].tag == "NNS",
            names_of_owner=self._names_of_owner(position),
        )

    def _names_of_owner(self, position: int) -> tuple[Name, ...]:
        owner = self.tree.owner(position)
        if owner is None:
            return ()
        below = set(self.tree.subtree(owner))
        return tuple(
            other
            for other in self.values
            if isinstance(other, Name) and not below.isdisjoint(self.reading.positions(other.span))
        )

    def _beside(self, position: int) -> Iterator[int]:
        """The tokens of the noun itself: its name and modifiers, without its owner or complement."""
        yield position
        # Parsers attach titles after a noun anywhere; their position shows that they belong to it.
        for following in range(position + 1, min(position + _REACH_OF_TITLE, len(self.tree.tokens))):
            token = self.tree.tokens[following]
            if token.pos not in ("PUNCT", "PROPN", "DET"):
                break
            yield following
        for child in self.tree.children[position]:
            if self.tree.tokens[child].dependency in _OF_THE_NOUN_ITSELF:
                yield from self.tree.subtree(child)


_RELATIVE = frozenset({"WDT", "WP", "WP$"})
_PART_BEFORE = re.compile(
    r"\b(?:next|first|last|past|previous|other|another|final|remaining|these|those|of\sthe)\s$", re.I
)
_PART_AFTER = re.compile(r"\s(?:more|other|further|additional|new|later|remaining|of)\b", re.I)
_MEASURES = frozenset({"obl:unmarked", "nmod:unmarked", "obl:npmod", "nummod", "advmod"})
_BEFORE_NOUN = frozenset({"amod", "nummod", "compound", "det"})
_COMPLEMENTS = frozenset({"obl", "obl:agent", "obj", "iobj", "xcomp", "ccomp", "nmod"})
_OF_THE_NOUN_ITSELF = frozenset({"amod", "appos", "compound", "flat", "nmod:desc", "nummod"})
_REACH_OF_TITLE = 5
