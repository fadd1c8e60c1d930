"""Sections of a text that tell of parallel things, as one heading for each product, town or day does.

"The battery lasts 10 hours" under "Aldora X1" does not contradict "The battery lasts 14 hours" under "Aldora X2".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..language.english import is_english_word
from ..language.vocabulary import words
from ..rules.base import Family
from ..types import BlockKind
from .sentence import ComparableSentence

_WORD = re.compile(r"[^\W_]+(?:[-’'.][^\W_]+)*")
#: The number of a heading: "2. Berrow", "3) Berrow".
_NUMBERING = re.compile(r"^\W*\d{1,2}[.)]\s+")
#: A capital, or a figure beside a letter.
_NAME_LIKE = re.compile(r"[^\W\d_a-z]|(?=.*\d)(?=.*[^\W\d_])")
_NUMBER_OR_LETTER = re.compile(r"\d+|[A-Z]|[IVX]+")
#: Numbered sections of these kinds tell of one thing: the steps of one recipe.
_OF_ONE_THING = frozenset(words("step part chapter section lesson act phase stage tip question rule"))
_PERSONAL = frozenset(words("he she him her his hers himself herself"))


def apart_from_parallel_sections(
    sentences: Sequence[ComparableSentence], index: int, others: Iterable[int]
) -> list[int]:
    """The indices among ``others`` that do not lie in a section about a parallel thing, in order."""
    headings = headings_above(sentences)
    own = headings[index]
    parallel = {heading for heading in set(headings) if are_parallel(own, heading)}
    return [
        other
        for other in others
        if headings[other] not in parallel
        or not _speak_of_their_sections(sentences[index], sentences[other], (own, headings[other]))
    ]


def headings_above(sentences: Sequence[ComparableSentence]) -> list[str]:
    """For each sentence the heading above it, for a heading the heading itself; "" if there is none."""
    headings, heading = [], ""
    for sentence in sentences:
        if sentence.parsed.sentence.block_kind is BlockKind.HEADING:
            heading = sentence.text
        headings.append(heading)
    return headings


def are_parallel(first: str, second: str) -> bool:
    """Whether two headings name two things of one kind: "Day 1", "Day 2"; "Basic plan", "Pro plan"; two towns."""
    one, other = _words_of(first), _words_of(second)
    if not one or not other or one == other:
        return False
    if _are_numbered(one, other):
        return True
    if len(one) > 1 and len(other) > 1 and one[-1].casefold() == other[-1].casefold():
        return one[:-1] != other[:-1]
    return bool(_names(one) - set(other)) and bool(_names(other) - set(one))


def _are_numbered(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether both begin with the same word and another number or letter."""
    has_same_kind = one[0] == other[0] and one[0].casefold() not in _OF_ONE_THING
    if not has_same_kind or len(one) < 2 or len(other) < 2 or one[1] == other[1]:
        return False
    return all(_NUMBER_OR_LETTER.fullmatch(found[1]) for found in (one, other))


def _words_of(heading: str) -> list[str]:
    return _WORD.findall(_NUMBERING.sub("", heading))


def _names(found: Sequence[str]) -> set[str]:
    """The words that look like a part of a name: no English words, or with a figure, as "X1"."""
    return {word for word in found if _NAME_LIKE.match(word) and not _is_common(word)}


def _is_common(word: str) -> bool:
    return word.isalpha() and is_english_word(word.casefold())


def _speak_of_their_sections(one: ComparableSentence, other: ComparableSentence, headings: tuple[str, str]) -> bool:
    """False where both can speak of one subject with a name, or of a person who is told of throughout the text."""
    if _subject_names(one) & _subject_names(other):
        return False
    return all(map(_is_name, headings)) or not (_is_personal(one) or _is_personal(other))


def _subject_names(sentence: ComparableSentence) -> set[str]:
    start, tokens = sentence.parsed.sentence.start, sentence.parsed.tokens
    subjects = [token.span for token in tokens if token.dependency.startswith("nsubj")]
    return {
        value.text
        for value in sentence.clause.values
        if value.family is Family.NAME and any(value.span.shifted(start).overlaps(subject) for subject in subjects)
    }


def _is_name(heading: str) -> bool:
    """Whether the heading is a name and nothing else: "Ada Byrne"."""
    found = _words_of(heading)
    return bool(_names(found)) and all(word[0].isupper() or not word.isalpha() for word in found)


def _is_personal(sentence: ComparableSentence) -> bool:
    return any(token.text.casefold() in _PERSONAL for token in sentence.parsed.tokens)
