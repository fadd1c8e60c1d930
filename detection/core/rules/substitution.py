"""Replace the value of one sentence by the value of another, so that the result is grammatical.

In doubt every rule returns None: an ungrammatical rewrite is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch

from detection.core.language.vocabulary import words
from detection.core.rules import gazetteer
from detection.core.rules.amounts import Amount, Qualifier, find_figures
from detection.core.rules.base import Relation, Value
from detection.core.rules.date_wording import date_edit
from detection.core.rules.dates import Date
from detection.core.rules.durations import Duration, DurationKind
from detection.core.rules.inflection import (
    article_for,
    certain_singular,
    inflected,
    ordinal_in_digits,
    plural,
    spell_cardinal,
    spell_ordinal,
)
from detection.core.rules.money import Money
from detection.core.rules.names import Name
from detection.core.rules.nouns import canonical
from detection.core.rules.numbers import Number, Score
from detection.core.rules.opposites import Opposite
from detection.core.rules.ordinals import Ordinal
from detection.core.rules.percentages import Share
from detection.core.rules.quantities import Quantity
from detection.core.rules.times import TimeKind, TimeOfDay
from detection.core.types import Span


@dataclass(frozen=True, slots=True)
class Replacement:
    """A value of a sentence to replace by ``premise``, a value of the sentence ``premise_text``."""

    premise: Value
    premise_text: str
    hypothesis: Value


@dataclass(frozen=True, slots=True)
class Edit:
    """The replaced characters of the hypothesis, and the new words."""

    span: Span
    words: str


@dataclass(frozen=True, slots=True)
class _Place:
    """The two values with their texts."""

    premise_text: str
    hypothesis: Value
    text: str

    @property
    def before(self) -> str:
        return self.text[: self.hypothesis.span.start]

    @property
    def after(self) -> str:
        return self.text[self.hypothesis.span.end :]


def substitute(premise: Value, premise_text: str, hypothesis: Value, hypothesis_text: str) -> str | None:
    """Replace the value of the hypothesis by that of the premise.

    The spans of the two values count in the text that follows each. Dependent words change with the value: the
    preposition of a date, "a" and "an", the number of a counted noun and its verb, the rest of a place ("Oslo,
    Norway"). Nothing else changes. None if the values agree or cannot replace each other, or if the result may be
    ungrammatical.
    """
    edit = _edit_for(Replacement(premise, premise_text, hypothesis), hypothesis_text)
    return apply_edit(edit, hypothesis_text, hypothesis.text) if edit is not None else None


def substitute_all(replacements: Iterable[Replacement], text: str) -> str | None:
    """The sentence ``text`` with several values replaced; None if one of them cannot be replaced.

    The edit of a place includes the places after it ("Oslo, Norway"), and with them other replacements there.
    """
    edits: list[tuple[Edit, Value]] = []
    for replacement in replacements:
        edit = _edit_for(replacement, text)
        if edit is None:
            return None
        edits.append((edit, replacement.hypothesis))
    outermost: list[tuple[Edit, Value]] = []
    for edit, hypothesis in sorted(edits, key=lambda item: (item[0].span.start, -item[0].span.end)):
        last = outermost[-1][0].span if outermost else None
        if last is None or not last.overlaps(edit.span):
            outermost.append((edit, hypothesis))
        elif not last.contains(edit.span):
            return None
    # From the end, so that earlier positions stay valid.
    for edit, hypothesis in reversed(outermost):
        changed = apply_edit(edit, text, hypothesis.text)
        if changed is None:
            return None
        text = changed
    return text


def _edit_for(replacement: Replacement, text: str) -> Edit | None:
    if replacement.premise.relation_to(replacement.hypothesis) is not Relation.CONFLICT:
        return None
    return _edit(replacement.premise, _Place(replacement.premise_text, replacement.hypothesis, text))


@singledispatch
def _edit(premise: Value, place: _Place) -> Edit | None:
    """The edit that words the premise in this place, by its family."""
    return None


# Application


def apply_edit(edit: Edit, text: str, old: str) -> str | None:
    """Put the words in place of ``old``, and adapt their neighbours: article, possessive ending, full stop, capital.

    None if the result would be ungrammatical ("a several").
    """
    start, end, new = edit.span.start, edit.span.end, edit.words
    before, after = text[:start], text[end:]
    article = re.search(r"\b(?P<article>[Aa]n?)\s(?:[“\"'‘])?$", before)
    if article is not None:
        if _BEGINS_WITH_DETERMINER.match(new):
            return None
        right = article_for(new)
        right = right.title() if article["article"][0] == "A" else right
        before = before[: article.start("article")] + right + before[article.end("article") :]
    elif _BEGINS_WITH_DETERMINER.match(new) and _ENDS_WITH_DETERMINER.search(before):
        return None
    if "," in text[start:end] and "," not in new and _GOES_ON.match(after):
        # The second of a pair of commas: "in Oslo, Norway, in 1950".
        after = after[1:]
    if _BARE_POSSESSIVE.match(after) and old.endswith("s") and not new.endswith("s"):
        after = after[0] + "s" + after[1:]
    elif new.startswith("the ") and new.endswith("s") and re.match(r"[’']s\b", after):
        after = after[0] + after[2:]
    if old.endswith(".") and not new.endswith(".") and not after.strip(' ”"’)'):
        new += "."
    elif new.endswith(".") and after.startswith("."):
        after = after[1:]
    if not before.strip(" “\"‘'(["):
        new = new[:1].upper() + new[1:]
    return before + new + after


_BEGINS_WITH_DETERMINER = re.compile(r"(?:an?|the|half\san?|several|many)\s", re.IGNORECASE)
_ENDS_WITH_DETERMINER = re.compile(
    r"(?:\b(?:the|his|her|its|their|our|my|your|this|that|these|those|an?|another|every|each|first|last)|[’']s)\s$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r",\s(?:in|on|at|by|as|to|from|with|for|and|under|after|before|during)\b")
_BARE_POSSESSIVE = re.compile(r"[’'](?!\w)")


_STARTS_SENTENCE = re.compile(r"(?:^|[:.!?–—])[\s“\"‘'(\[]*$")


def _in_sentence(value: Value, text: str) -> str:
    """The words of a value without the capital of a sentence start."""
    # Or of speech: "Vieira: About 84,000 samples".
    starts_sentence = _STARTS_SENTENCE.search(text[: value.span.start]) is not None
    word = re.match(r"[^\W\d_]+", value.text)
    if starts_sentence and word is not None and word.group()[1:].islower() and not isinstance(value, (Name, Date)):
        return value.text[0].lower() + value.text[1:]
    if isinstance(value, Date) and re.match(
        r"Since|Until|Before|After|By|From|Between|Early|Mid|Late|Around", value.text
    ):
        return value.text[0].lower() + value.text[1:]
    return value.text


# Dates and times


@_edit.register
def _(premise: Date, place: _Place) -> Edit | None:
    if not isinstance(place.hypothesis, Date):
        return None
    found = date_edit(premise, place.hypothesis, place.text)
    if found is None:
        return None
    span, new = found
    if place.text[span.start : span.start + 1].isupper() is False and new is premise.text:
        new = _in_sentence(premise, place.premise_text)
    return Edit(span, new)


@_edit.register
def _(premise: TimeOfDay, place: _Place) -> Edit | None:
    if not isinstance(place.hypothesis, TimeOfDay) or premise.kind is not place.hypothesis.kind:
        return None
    if premise.kind is not TimeKind.POINT:
        return Edit(place.hypothesis.span, _in_sentence(premise, place.premise_text))
    old = place.hypothesis.text
    half = re.search(r"(?P<gap>\s?)(?P<half>[ap]\.?\s?m\.?)$", old, re.IGNORECASE)
    new = premise.text
    if premise.half_known and half is not None:
        new = _on_twelve_hours(premise.minute) + half["gap"] + _with_letter(half["half"], premise.minute)
    elif premise.half_known and re.fullmatch(r"\d{1,2}:\d\d", old):
        width = 2 if old[0] == "0" or int(old.partition(":")[0]) > 12 else 1
        new = f"{premise.minute // 60:0{width}}:{premise.minute % 60:02}"
    return Edit(place.hypothesis.span, new)


def _on_twelve_hours(minute: int) -> str:
    hour, rest = divmod(minute, 60)
    return f"{(hour - 1) % 12 + 1}" + (f":{rest:02}" if rest else "")


def _with_letter(half: str, minute: int) -> str:
    letter = "p" if minute >= 720 else "a"
    return (letter.upper() if half[0].isupper() else letter) + half[1:]


# Amounts with a unit


@_edit.register(Quantity)
@_edit.register(Duration)
def _(premise: Quantity | Duration, place: _Place) -> Edit | None:
    if isinstance(premise, Duration) and premise.kind is DurationKind.AGE:
        return _edit_of_age(premise, place)
    new = _without_from(_in_sentence(premise, place.premise_text), premise.measure.amount, place)
    if new is None:
        return None
    is_word = re.search(r"[^\W\d_]{4,}$", new) is not None
    if _is_hyphenated(place.hypothesis.text) or (_is_attributive(place) and is_word):
        new = _hyphenated(new, premise.measure.amount)
    elif _is_hyphenated(new):
        new = _spaced(new, premise.measure.amount)
    return Edit(place.hypothesis.span, new) if new is not None else None


def _edit_of_age(premise: Duration, place: _Place) -> Edit | None:
    """Replace only the number of an age: "aged 94", "a 25-year-old", "12 years of age" keep their wording."""
    old = place.hypothesis
    if not isinstance(old, Duration) or premise.measure.unit != old.measure.unit:
        return None
    new_number, old_number = find_figures(premise.text), find_figures(old.text)
    if len(new_number) != 1 or len(old_number) != 1 or 1 in (premise.measure.amount.value, old.measure.amount.value):
        return None
    span = old_number[0].span.shifted(old.span.start)
    return Edit(span, _in_form_of(new_number[0].span.of(premise.text), premise.measure.amount, span.of(place.text)))


def _without_from(new: str, amount: Amount, place: _Place) -> str | None:
    """Fit a range to a place with or without "from"; "grew from 5 to 7 km" cannot take a single number."""
    begins_with_from = place.hypothesis.text.lower().startswith("from ")
    if begins_with_from and amount.qualifier is not Qualifier.BETWEEN:
        return None
    return re.sub(r"^from\s", "", new) if not begins_with_from else "from " + re.sub(r"^from\s", "", new)


def _is_hyphenated(text: str) -> bool:
    return re.search(r"\w[-‐‑][^\W\d_]+$", text) is not None and re.search(r"\d[-‐‑]|\b\w+[-‐‑]", text) is not None


def _is_attributive(place: _Place) -> bool:
    """True for "12 km" in "a 12 km road"."""
    return (
        re.search(r"\ban?\s$", place.before, re.IGNORECASE) is not None and _NOUN_FOLLOWS.match(place.after) is not None
    )


_NOUN_FOLLOWS = re.compile(
    r"\s(?!(?:of|in|on|at|by|for|from|to|and|or|as|than|per|with|away)\b)[^\W\d_]+", re.IGNORECASE
)


def _hyphenated(new: str, amount: Amount) -> str | None:
    """ "7.5 miles" as "7.5-mile"; symbols keep the space: "7.5 km"."""
    if amount.qualifier is not Qualifier.EXACTLY:
        return None
    parts = re.fullmatch(r"(?P<number>\S+)[\s-](?P<unit>[^\W\d_]+)", new)
    if parts is None or parts["number"].lower() in ("a", "an"):
        return None
    if len(parts["unit"]) < 3:
        return new
    unit = parts["unit"] if amount.value == 1 else certain_singular(parts["unit"]) or parts["unit"]
    return f"{parts['number']}-{unit}"


def _spaced(new: str, amount: Amount) -> str | None:
    """ "7.5-mile" as "7.5 miles"."""
    parts = re.fullmatch(r"(?P<number>.+)[-‐‑](?P<unit>[^\W\d_]+)", new)
    if parts is None:
        return None
    unit = parts["unit"]
    if len(unit) > 2 and not _is_single(amount) and certain_singular(unit) is None:
        unit = plural(unit)
    return f"{parts['number']} {unit}"


@_edit.register
def _(premise: Money, place: _Place) -> Edit | None:
    new = _without_from(_in_sentence(premise, place.premise_text), premise.amount, place)
    if new is None or (_is_attributive(place) and (new[-1].islower() and not re.search(r"illion$", new))):
        return None
    if _is_attributive(place) and not re.match(r"[^\w\s]|[A-Z]", new):
        return None
    return Edit(place.hypothesis.span, new)


@_edit.register
def _(premise: Share, place: _Place) -> Edit | None:
    old = place.hypothesis
    new = _without_from(_in_sentence(premise, place.premise_text), premise.amount, place)
    if new is None or not isinstance(old, Share):
        return None
    is_attributive = _is_attributive(place) or "-" in old.text
    if is_attributive and (premise.is_fraction or premise.amount.qualifier is not Qualifier.EXACTLY):
        return None
    if _is_attributive(place) and old.is_fraction:
        return None
    takes_of = old.is_fraction or premise.is_fraction
    if takes_of and not is_attributive and re.match(r"\s(?!of\b)", place.after) and _WHOLE_FOLLOWS.match(place.after):
        new += " of"
    elif premise.is_fraction and not re.match(r"\s(?:of|in)\b|[.,;:)]|$", place.after):
        return None
    return Edit(old.span, new)


_WHOLE_FOLLOWS = re.compile(r"\s(?:the|its|their|his|her|our|all|these|those|people|adults|children|women|men)\b")


# Numbers


@_edit.register
def _(premise: Score, place: _Place) -> Edit | None:
    return Edit(place.hypothesis.span, premise.text)


@_edit.register
def _(premise: Number, place: _Place) -> Edit | None:
    old = place.hypothesis
    if not isinstance(old, Number):
        return None
    new = _without_from(_in_sentence(premise, place.premise_text), premise.amount, place)
    if new is None:
        return None
    if re.match(r"[^.;:]{0,40}:", place.after):
        # The counted items follow as a list.
        return None
    figures = find_figures(new)
    if len(figures) == 1 and figures[0].amount.qualifier is Qualifier.EXACTLY:
        span = figures[0].span
        old_number = re.sub(r"^.*?(?=\S+$)", "", old.text)
        new = new[: span.start] + _in_form_of(span.of(new), figures[0].amount, old_number) + new[span.end :]
    end = old.span.end
    if bool(figures) is not bool(find_figures(old.text)):
        # "dozens of people", but "24 people".
        if figures:
            end += 3 if place.after.startswith(" of ") else 0
        elif re.match(r"\s[a-z]", place.after) and not new.endswith("several"):
            new += "" if place.after.startswith(" of ") else " of"
    if _is_single(premise.amount) is _is_single(old.amount) or re.match(r"[-‐‑]|\sof\b", place.after):
        return Edit(Span(old.span.start, end), new)
    return _edit_with_noun(new, premise, old, place)


def _is_single(amount: Amount) -> bool:
    return amount.value == 1 and amount.qualifier is Qualifier.EXACTLY


def _in_form_of(new: str, amount: Amount, old: str) -> str:
    """A whole number in words or in figures, like the old one."""
    if amount.value % 1 or amount.upper is not None:
        return new
    number = int(amount.value)
    if old[:1].isdigit() and not new[:1].isdigit():
        return f"{number:,}"
    if old[:1].isalpha() and new.isdigit():
        return spell_cardinal(number) or new
    return new


_VERBS_OF_ONE = {"were": "was", "are": "is", "have": "has", "do": "does"}
_VERBS_OF_MANY = {one: many for many, one in _VERBS_OF_ONE.items()}
_ENDS_NOUN_PHRASE = re.compile(
    r"\s?(?:[.,;:!?)]|$)|\s(?:and|by|with|in|on|at|for|from|to|during|between|after|before)\b"
)
_SAME_FOR_ALL = re.compile(r"\s(?:[a-z]+ed|had|did|could|would|will|won|made|became|took|began|died|fell|rose)\b")


def _edit_with_noun(new: str, premise: Number, old: Number, place: _Place) -> Edit | None:
    """Switch the counted noun between singular and plural, and the verb with it; None if the verb is not found."""
    if old.counted is None or _ENDS_WITH_DETERMINER.search(place.before):
        return None
    single = _is_single(premise.amount)
    for word in re.finditer(r"[^\W\d_]+", place.after[:60]):
        if canonical(word.group().lower()) != old.counted:
            continue
        noun = certain_singular(word.group()) if single else plural(word.group())
        if noun is None or re.search(r"[^\w\s]", place.after[: word.start()]):
            return None
        return _with_verb(
            Edit(Span(old.span.start, old.span.end + word.end()), new + place.after[: word.start()] + noun),
            single,
            place.text,
        )
    return None


def _with_verb(edit: Edit, single: bool, text: str) -> Edit | None:
    verbs = _VERBS_OF_ONE if single else _VERBS_OF_MANY
    start, end, new = edit.span.start, edit.span.end, edit.words
    there = re.search(r"\b[Tt]here\s(?P<verb>were|was|are|is)\s$", text[:start])
    if there is not None and there["verb"] in verbs:
        start, new = there.start("verb"), f"{verbs[there['verb']]} {new}"
        return Edit(Span(start, end), new)
    verb = re.match(r"\s(?P<verb>[a-z]+)\b", text[end:])
    if verb is not None and verb["verb"] in verbs:
        return Edit(Span(start, end + verb.end()), f"{new} {verbs[verb['verb']]}")
    is_subject = not re.search(r"[a-z]{2,}", text[:start]) or re.search(
        r"[,;]\s$|\b(?:and|but|while|where)\s$", text[:start]
    )
    fits = _SAME_FOR_ALL.match(text, end) or (not is_subject and _ENDS_NOUN_PHRASE.match(text, end))
    return edit if fits else None


@_edit.register
def _(premise: Ordinal, place: _Place) -> Edit | None:
    old = place.hypothesis
    if not isinstance(old, Ordinal):
        return None
    numbered = re.match(r"(?P<sign>no\.\s?|#\s?|number\s)\w+$", old.text, re.IGNORECASE)
    if numbered is not None:
        return Edit(old.span, f"{numbered['sign']}{premise.rank}") if premise.rank > 0 and not premise.order else None
    if premise.among or old.among:
        return None
    if premise.order or old.order or premise.rank < 0:
        return Edit(old.span, _in_sentence(premise, place.premise_text))
    spelt = None if old.text[0].isdigit() else spell_ordinal(premise.rank)
    return Edit(old.span, spelt or ordinal_in_digits(premise.rank))


# Words


@_edit.register
def _(premise: Opposite, place: _Place) -> Edit | None:
    old = place.hypothesis
    if not isinstance(old, Opposite) or _has_other_complements(old, place):
        return None
    lemma = premise.lemma if premise.tag[:2] == old.tag[:2] else premise.pole
    new = _direction(premise, old) if old.axis == "direction" else inflected(lemma, old.tag)
    if new is None or re.search(r"\b(?:\d[\d,.]*\s\w+|more|less|most|least)\s$", place.before):
        return None
    return Edit(old.span, new.capitalize() if old.text[0].isupper() else new)


#: Verbs that take no object in their usual sense, or whose opposite takes none.
INTRANSITIVE = frozenset(words("survive die perish succeed fail arrive depart cease"))


def _has_other_complements(old: Opposite, place: _Place) -> bool:
    """True if the opposite needs another construction: "survived the crash", "began to write"."""
    if not old.tag.startswith("V"):
        return False
    if old.axis == "rise fall":
        return False
    return old.lemma in INTRANSITIVE or re.match(r"\sto\b|\s\w+ing\b|\sin\s\w+ing\b", place.after) is not None


def _direction(premise: Opposite, old: Opposite) -> str:
    return premise.pole + old.text.lower().removeprefix(old.pole)


@_edit.register
def _(premise: Name, place: _Place) -> Edit | None:
    old = place.hypothesis
    people = gazetteer.find_people(old.text), gazetteer.find_people(premise.text)
    if any(people):
        return _edit_of_people(people[0], people[1], place)
    span, new_span = _chain(old, place.text), _chain(premise, place.premise_text)
    new = new_span.of(place.premise_text)
    if _DESCRIPTION.match(place.text, span.end) or re.search(r"[’']s\s$", place.text[: span.start]):
        return None
    if _is_behind_the(new_span, place.premise_text):
        new = "the " + new
    if _is_behind_the(span, place.text):
        span = Span(span.start - len("the "), span.end)
    elif new.startswith("the ") and _ENDS_WITH_DETERMINER.search(place.text[: span.start]):
        new = new.removeprefix("the ")
    return Edit(span, new)


def _edit_of_people(old: gazetteer.Place | None, new: gazetteer.Place | None, place: _Place) -> Edit | None:
    """Replace an adjective by an adjective; the words for people (a Dane, the Finns) have too many forms."""
    if old is None or new is None or place.hypothesis.text != gazetteer.adjective_of(old):
        return None
    adjective = gazetteer.adjective_of(new)
    return Edit(place.hypothesis.span, adjective) if adjective else None


_WHOLE = re.compile(r",\s(?P<name>[^\W\d_a-z][\w-]*(?:\s[A-Z][\w-]*){0,2})(?![’'\w])")
_PART = re.compile(r"[^\W\d_a-z][\w’'-]*(?:\s[^\W\d_a-z][\w’'-]*){0,2},\s$")
# A further description of the old name: "Jon Berg, a poet", "Malmö, Skåne", "Jon Berg (1911–1980)".
# "Born in Malmö, the youngest of four" describes the person instead.
_DESCRIPTION = re.compile(
    r",\s(?:[A-Z]|(?:an?|the|his|her|its|their)\s"
    r"(?!(?:youngest|eldest|oldest|only|first|second|third|fourth|fifth|last|son|daughter|child)\b))|\s\("
)


def _chain(value: Value, text: str) -> Span:
    """A place with its whole and its part: all of "Oslo, Norway" for either name."""
    start, end = value.span.start, value.span.end
    if not _is_large_country(value.text):
        reached = end
        while (whole := _WHOLE.match(text, reached)) is not None:
            reached = whole.end()
            end = reached if _is_large(whole["name"]) else end
    part = _PART.search(text, max(0, start - 50), start) if _is_large(value.text) else None
    # "In Norway, Sweden and Denmark" lists countries, not a part of one.
    if part is not None and not _is_large_country(part.group().rstrip(", ")):
        start = part.start()
    return Span(start, end)


# States that the gazetteer omits because their names are ambiguous; after a comma they are clear.
_NAMED_TWICE = frozenset(words("Georgia Washington"))


def _is_large(name: str) -> bool:
    place = gazetteer.find_place(name)
    is_known = place is not None and place.level in (gazetteer.PlaceLevel.COUNTRY, gazetteer.PlaceLevel.PART)
    return is_known or name in _NAMED_TWICE or name.endswith((" Province", " County", " State"))


def _is_large_country(name: str) -> bool:
    place = gazetteer.find_place(name)
    return place is not None and place.level is gazetteer.PlaceLevel.COUNTRY


def _is_behind_the(span: Span, text: str) -> bool:
    """True if "the" belongs to the name, unlike in "the Oslo office"."""
    return text[: span.start].lower().endswith("the ") and _NOUN_BEHIND_NAME.match(text, span.end) is None


_NOUN_BEHIND_NAME = re.compile(
    r"(?:[’']s)?\s(?!(?:and|or|in|on|at|by|is|was|of|from|for|to|as|with|during|after|before|has|had|who|which|where"
    r"|when|since|until)\b)[a-z]"
)
