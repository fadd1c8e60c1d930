"""The entities of a sentence with their categories (METHODS B.3).

The language pipeline finds names but often with a wrong category; it finds no dates, amounts or offices. So its names
are combined with the values of the rules, and words in or next to a name override its category: "Lake Vessen" is a
place, "President Marwen" a person with an office.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from detection.core.entities.categories import (
    category_of_name,
    is_form_of_address,
    office_before_name,
    with_leading_words,
)
from detection.core.language.vocabulary import alternation, words
from detection.core.rules.base import Family, Value
from detection.core.rules.cover import Cover
from detection.core.rules.names import Name
from detection.core.types import Entity, EntityCategory, ParsedSentence, Span

#: The categories of METHODS B.3 for the families of values.
CATEGORIES_OF_VALUES: Final = {
    Family.DATE: EntityCategory.DATE,
    Family.TIME: EntityCategory.DATE,
    Family.MONEY: EntityCategory.QUANTITY,
    Family.SHARE: EntityCategory.QUANTITY,
    Family.QUANTITY: EntityCategory.QUANTITY,
    Family.DURATION: EntityCategory.QUANTITY,
    Family.FREQUENCY: EntityCategory.QUANTITY,
    Family.ORDINAL: EntityCategory.QUANTITY,
    Family.NUMBER: EntityCategory.QUANTITY,
}

#: Offices that may be written in lower case, without words that usually mean something else ("general").
_OFFICE_NOUNS: Final = alternation(
    [
        *words(
            "king queen emperor empress pope bishop archbishop president chancellor governor mayor senator minister"
        ),
        *words("ambassador director chairman chairwoman chairperson principal treasurer commissioner sultan"),
        *words("vice-president secretary-general editor-in-chief"),
        *("prime minister", "foreign minister", "finance minister", "chief executive", "chief executive officer"),
        *("chief financial officer", "managing director", "general secretary", "secretary of state", "head of state"),
        *("head of government", "chief of staff", "attorney general", "director general", "chief justice"),
        *("head coach", "head teacher"),
    ]
)
_OFFICES: Final = re.compile(
    rf"(?<![\w-])(?:(?:deputy|vice|assistant|acting)[ -])?(?:{_OFFICE_NOUNS})(?![\w-])", re.IGNORECASE
)
_LEADING_ARTICLE: Final = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_TRAILING_WORDS: Final = re.compile(r"(?:\s+[a-z]+|[’']s?)+$")
_LONGER_BEGINNING: Final = re.compile(r"(?:(?:[A-Z]\w+(?:st|nd|rd|th)|First|Second|Third)\s)+")
_WORK: Final = re.compile(
    r"\b(?:novel|book|film|movie|song|single|album|poem|play|opera|painting|series|story|essay|article|ballad|"
    r"symphony|musical|memoir|episode)s?,?\s+(?:called\s+|titled\s+|entitled\s+|named\s+)?[“\"]$"
)


def find_entities(sentence: ParsedSentence, values: Sequence[Value]) -> tuple[Entity, ...]:
    """The entities of a sentence, in order and without overlap; their spans count in the document.

    Args:
        sentence: the sentence with its parse.
        values: what :func:`detection.core.rules.extract` reads in it. Values win over names, and names that the rules
            have trimmed over those of the pipeline.
    """
    cover = Cover(len(sentence.text))
    found = [
        (span, category)
        for span, category in (
            *_from_values(sentence, values),
            *_from_pipeline(sentence),
            *_offices(sentence),
        )
        if cover.take(span)
    ]
    start = sentence.sentence.start
    return tuple(Entity(span.shifted(start), span.of(sentence.text), category) for span, category in sorted(found))


def _from_values(sentence: ParsedSentence, values: Sequence[Value]) -> Iterator[tuple[Span, EntityCategory]]:
    for value in values:
        if isinstance(value, Name):
            if value.category is not EntityCategory.WORK or not _is_quoted(sentence, value.span):
                yield from _named(sentence, _with_ordinal(sentence, value.span), value.category)
            elif _is_title(sentence.text, value.span):
                yield value.span, EntityCategory.WORK
        elif value.family in CATEGORIES_OF_VALUES:
            yield value.span, CATEGORIES_OF_VALUES[value.family]


def _from_pipeline(sentence: ParsedSentence) -> Iterator[tuple[Span, EntityCategory]]:
    """Names that the rules do not return: those in a quotation, and those that overlap a value."""
    for entity in sentence.entities:
        yield from _named(sentence, entity.span.shifted(-sentence.sentence.start), entity.category)


def _named(
    sentence: ParsedSentence, span: Span, category: EntityCategory | None
) -> Iterator[tuple[Span, EntityCategory]]:
    """The entities of a name; for "Queen Maud" the office and the person."""
    trimmed = _trimmed(sentence.text, span)
    if trimmed is None or _is_no_name(sentence, trimmed, category):
        return
    span = with_leading_words(sentence.text, trimmed)
    actual = category_of_name(sentence, span, category)
    office = office_before_name(span.of(sentence.text)) if actual is EntityCategory.PERSON else None
    if office is None:
        yield span, actual
        return
    yield Span(span.start, span.start + len(office)), EntityCategory.TITLE
    rest = sentence.text[span.start + len(office) : span.end]
    yield Span(span.end - len(rest.lstrip()), span.end), EntityCategory.PERSON


def _is_no_name(sentence: ParsedSentence, span: Span, category: EntityCategory | None) -> bool:
    """True for a form of address or an office alone, and for a plural at the beginning of a sentence: "Sales rose"."""
    name = span.of(sentence.text)
    if is_form_of_address(name) or _OFFICES.fullmatch(name):
        return True
    if span.start > 0 or category is not EntityCategory.PERSON:
        return False
    place = span.shifted(sentence.sentence.start)
    return any(
        token.span == place and token.tag == "NNS" and token.lemma.lower() != token.text.lower()
        for token in sentence.tokens
    )


def _offices(sentence: ParsedSentence) -> Iterator[tuple[Span, EntityCategory]]:
    """Offices by their words, if these are nouns."""
    ends = {token.span.end - sentence.sentence.start for token in sentence.tokens if token.pos in ("NOUN", "PROPN")}
    for match in _OFFICES.finditer(sentence.text):
        if match.end() in ends:
            yield Span(*match.span()), EntityCategory.TITLE


def _is_quoted(sentence: ParsedSentence, span: Span) -> bool:
    return sentence.text[max(0, span.start - 1) : span.start] in ("“", '"')


def _is_title(text: str, span: Span) -> bool:
    """Whether quoted words are the title of a work and not speech."""
    long_words = [word for word in re.findall(r"[^\W\d_]+", span.of(text)) if len(word) > 3]
    return bool(_WORK.search(text[: span.start])) or all(word[0].isupper() for word in long_words)


def _with_ordinal(sentence: ParsedSentence, span: Span) -> Span:
    """ "First World War", of which the rules return only "World War"."""
    for entity in sentence.entities:
        whole = entity.span.shifted(-sentence.sentence.start)
        if whole.end == span.end and whole.start < span.start:
            beginning = _LEADING_ARTICLE.sub("", sentence.text[whole.start : span.start])
            if _LONGER_BEGINNING.fullmatch(beginning):
                return Span(span.start - len(beginning), span.end)
    return span


def _trimmed(text: str, span: Span) -> Span | None:
    """The span without an article before and small words or a possessive ending after the name."""
    article = _LEADING_ARTICLE.match(text, span.start, span.end)
    start = article.end() if article else span.start
    end = start + len(_TRAILING_WORDS.sub("", text[start : span.end]))
    return Span(start, end) if start < end else None
