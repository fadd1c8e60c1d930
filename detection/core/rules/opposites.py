"""Words that exclude each other in the same slot: "north" and "south", "rose" and "fell".

Works on lemmas, and so only on parsed sentences. Conservative: a pair is listed only if both can hardly be true of one
thing at one time. Professions are not listed: one may be a writer and a doctor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from detection.core.language.vocabulary import words
from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.inflection import inflected_verb
from detection.core.rules.reading import Reading
from detection.core.types import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposite(Value):
    """A word of a set whose members exclude each other.

    ``axis`` names the set, ``pole`` the member, which synonyms share ("son" and "boy" are two). ``lemma`` and ``tag``
    (Penn Treebank) give the form of the word.
    """

    family: ClassVar[Family] = Family.OPPOSITE
    axis: str
    pole: str
    lemma: str
    tag: str

    def relation_to(self, other: Value) -> Relation:
        if not isinstance(other, Opposite) or self.axis != other.axis:
            return Relation.UNRELATED
        if self.pole == other.pole:
            return Relation.SAME
        if self.axis == _DIRECTIONS and not _points_away(self.pole, other.pole):
            # A place in the north and in the east is in the northeast.
            return Relation.COMPATIBLE
        return Relation.CONFLICT


_DIRECTIONS = "direction"
_OPPOSITE_DIRECTIONS = (("north", "south"), ("east", "west"))


def _points_away(first: str, second: str) -> bool:
    return any(
        (one in first and other in second) or (other in first and one in second) for one, other in _OPPOSITE_DIRECTIONS
    )


_VERB, _ADJECTIVE, _NOUN, _ADVERB = "VERB", "ADJ", "NOUN", "ADV"
# Parts of speech, then the poles; words of one pole are treated as synonyms.
_AXES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    ((_VERB, _NOUN), ("rise increase grow growth climb soar", "fall decrease decline drop shrink plummet")),
    ((_VERB,), ("win", "lose")),
    ((_NOUN,), ("victory win", "defeat loss")),
    ((_NOUN,), ("surplus profit", "deficit")),
    ((_VERB,), ("open inaugurate", "close shut")),
    ((_VERB,), ("begin start commence", "end finish conclude cease")),
    ((_NOUN,), ("beginning start", "end ending conclusion")),
    ((_VERB,), ("approve accept ratify pass adopt carry", "reject veto")),
    ((_VERB,), ("allow permit legalize legalise", "forbid ban prohibit outlaw")),
    ((_VERB,), ("support endorse", "oppose")),
    ((_VERB,), ("join", "leave quit")),
    ((_VERB,), ("survive", "die perish")),
    ((_VERB,), ("confirm", "deny")),
    ((_VERB,), ("succeed", "fail")),
    ((_VERB,), ("arrive", "depart")),
    ((_VERB,), ("include", "exclude")),
    ((_VERB,), ("love like", "hate dislike")),
    ((_VERB,), ("acquit", "convict")),
    ((_VERB,), ("praise", "criticize criticise")),
    ((_VERB,), ("strengthen", "weaken")),
    ((_VERB,), ("attract", "repel")),
    ((_VERB,), ("hire appoint", "fire dismiss")),
    ((_VERB,), ("heighten worsen aggravate", "lessen improve relieve")),
    ((_ADJECTIVE, _NOUN), ("male", "female")),
    ((_ADJECTIVE,), ("public", "private")),
    ((_ADJECTIVE, _ADVERB), ("publicly", "privately")),
    ((_ADJECTIVE,), ("alive", "dead deceased")),
    ((_ADJECTIVE,), ("big large huge", "small tiny little")),
    ((_ADJECTIVE,), ("rich wealthy", "poor")),
    ((_ADJECTIVE,), ("high tall", "low")),
    ((_ADJECTIVE,), ("hot warm", "cold cool")),
    ((_ADJECTIVE,), ("legal lawful", "illegal unlawful")),
    ((_ADJECTIVE,), ("positive favorable favourable", "negative unfavorable unfavourable")),
    ((_ADJECTIVE, _ADVERB), ("positively favorably favourably", "negatively unfavorably unfavourably")),
    ((_ADJECTIVE,), ("liberal", "conservative")),
    ((_ADJECTIVE,), ("left-wing leftist", "right-wing rightist")),
    ((_ADJECTIVE,), ("upper", "lower")),
    ((_ADJECTIVE,), ("inner", "outer")),
    ((_ADJECTIVE,), ("domestic", "foreign")),
    ((_ADJECTIVE,), ("professional", "amateur")),
    ((_ADJECTIVE,), ("permanent", "temporary")),
    ((_ADJECTIVE,), ("successful", "unsuccessful")),
    ((_ADJECTIVE,), ("active", "inactive defunct")),
    ((_ADJECTIVE,), ("urban", "rural")),
    ((_ADJECTIVE,), ("married", "unmarried single")),
    ((_ADJECTIVE,), ("old elder", "young")),
    ((_ADJECTIVE,), ("deep", "shallow")),
    ((_ADJECTIVE,), ("wet humid", "dry arid")),
    ((_ADJECTIVE,), ("left", "right")),
    ((_NOUN,), ("majority", "minority")),
    ((_NOUN,), ("success", "failure")),
    ((_NOUN,), ("king", "queen")),
    ((_NOUN,), ("man", "woman")),
    ((_NOUN,), ("boy", "girl")),
    (
        (_NOUN,),
        words(
            "son daughter grandson granddaughter father mother grandfather grandmother brother sister cousin nephew"
            " niece uncle aunt husband wife"
        ),
    ),
    ((_NOUN,), ("host", "guest")),
    ((_NOUN,), ("winner", "loser runner-up")),
    (
        (_ADJECTIVE, _NOUN),
        ("black", "white", "red", "green", "blue", "yellow", "orange", "purple violet", "pink", "brown", "grey gray"),
    ),
    (("ADP", "SCONJ"), ("before", "after")),
)
_DIRECTION_STEMS = words("northeast northwest southeast southwest north south east west")
_DIRECTION_ENDINGS = ("", "ern", "erly", "ward", "wards", "ernmost")


def two_poles() -> Iterator[tuple[str, str, str]]:
    """The parts of speech and the two poles of each axis that has just two, directions included.

    Not "before" and "after": what follows them seldom fits both.
    """
    for parts, poles in _AXES:
        if len(poles) == 2 and "ADP" not in parts:
            yield " ".join(parts), poles[0], poles[1]
    for one, other in _OPPOSITE_DIRECTIONS:
        for ending in _DIRECTION_ENDINGS:
            yield f"{_NOUN} {_ADJECTIVE} {_ADVERB}", one + ending, other + ending


def _lexicon() -> dict[tuple[str, str], tuple[str, str]]:
    """Axis and pole of a word, by its part of speech and its lemma."""
    entries: dict[tuple[str, str], tuple[str, str]] = {}
    for parts_of_speech, poles in _AXES:
        axis = " ".join(pole.split()[0] for pole in poles)
        for pole in poles:
            for lemma in words(pole):
                entries.update({(part, lemma): (axis, words(pole)[0]) for part in parts_of_speech})
    for stem in _DIRECTION_STEMS:
        for ending in _DIRECTION_ENDINGS:
            for part in (_NOUN, _ADJECTIVE, _ADVERB):
                entries[part, stem + ending] = (_DIRECTIONS, stem)
    return entries


_LEXICON = _lexicon()
# The parser's lemma of a rare form is sometimes the form itself: "risen".
_VERBS_BY_FORM = {
    form: lemma
    for part, lemma in _LEXICON
    if part == _VERB
    for tag in ("VBZ", "VBG", "VBD", "VBN")
    if (form := inflected_verb(lemma, tag)) and (_VERB, form) not in _LEXICON
}


def find(reading: Reading) -> Iterator[Opposite]:
    """Find the words of a parsed sentence that have an opposite; a plain text has none."""
    for position, token in enumerate(reading.tokens):
        entry = _LEXICON.get((token.pos, _lemma(token)))
        if entry is not None:
            axis, pole = entry
            span = reading.token_span(position)
            yield Opposite(
                span=span,
                text=span.of(reading.text),
                axis=axis,
                pole=pole,
                lemma=_lemma(token),
                tag=_tag(token),
            )


def _tag(token: Token) -> str:
    """The tag of a distinct verb form: the parser tags "rose" as a participle."""
    forms = {tag: inflected_verb(_lemma(token), tag) for tag in ("VBD", "VBN")}
    if token.pos != _VERB or forms["VBD"] == forms["VBN"]:
        return token.tag
    return next((tag for tag, form in forms.items() if form == token.text.lower()), token.tag)


def _lemma(token: Token) -> str:
    lemma = token.lemma.lower()
    return _VERBS_BY_FORM.get(lemma, lemma) if token.pos == _VERB else lemma
