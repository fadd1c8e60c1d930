"""Find the topic of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from detection.core.types import BlockKind, ParsedSentence, ParsedText, Span, Token

_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "nsubj:outer"})
_OF_THE_NAME: Final = frozenset(
    {"compound", "flat", "amod", "nmod", "nmod:desc", "nmod:poss", "case", "det", "punct", "nummod", "appos"}
)
_PRONOUNS: Final = frozenset({"he", "she", "it", "they", "his", "her", "its", "their"})
_MAX_TOPIC_WORDS: Final = 8
_LOOK_AHEAD: Final = 2
"""Number of first factual sentences in which the topic must be named."""


def find_topic(parsed: ParsedText) -> str | None:
    """The name that the text is about, as the text writes it; None when none is clear.

    It is a name in the title or the subject of one of the first sentences, to which the text refers again by name or
    pronoun.
    """
    for candidate in _candidates(parsed):
        if len(candidate.split()) <= _MAX_TOPIC_WORDS and _comes_back(candidate, parsed):
            return candidate
    return None


def _candidates(parsed: ParsedText) -> Iterator[str]:
    first = parsed.sentences[0] if parsed.sentences else None
    if first is not None and first.sentence.block_kind is BlockKind.HEADING and _is_name(first.text):
        yield first.text
    factual = [sentence for sentence in parsed.sentences if sentence.states_fact]
    for sentence in factual[:_LOOK_AHEAD]:
        name = _subject_name(sentence)
        if name is not None:
            yield name


def _is_name(title: str) -> bool:
    """Whether a title is a name and not a phrase: all its longer words have a capital."""
    words = [word for word in re.findall(r"[^\W\d_]+", title) if len(word) > 3]
    return bool(words) and all(word[0].isupper() for word in words)


def _subject_name(sentence: ParsedSentence) -> str | None:
    tokens = sentence.tokens
    subject = next((i for i, token in enumerate(tokens) if token.dependency in _SUBJECTS), None)
    if subject is None:
        return None
    if tokens[subject].pos != "PROPN" and not _named_by_entity(sentence, tokens[subject]):
        return None
    first, last = _extent(tokens, subject)
    while first <= last and tokens[first].pos in ("DET", "PUNCT"):
        first += 1
    if first > last:
        return None
    start = sentence.sentence.start
    return Span(tokens[first].span.start - start, tokens[last].span.end - start).of(sentence.text)


def _named_by_entity(sentence: ParsedSentence, token: Token) -> bool:
    return any(entity.span.overlaps(token.span) for entity in sentence.entities)


def _extent(tokens: tuple[Token, ...], head: int) -> tuple[int, int]:
    """The words around ``head`` that belong to the name: no brackets, commas, relative clauses."""
    first = last = head
    while first > 0 and _belongs(tokens, first - 1):
        first -= 1
    while last + 1 < len(tokens) and _belongs(tokens, last + 1, rightwards=True):
        last += 1
    while last > head and tokens[last].pos not in ("PROPN", "NUM"):
        last -= 1
    return first, last


def _belongs(tokens: tuple[Token, ...], position: int, *, rightwards: bool = False) -> bool:
    token = tokens[position]
    if token.text in ",;:()[]":
        return False
    if token.pos == "PROPN" or token.text in ("–", "-", "'s", "’s", "&"):
        return True
    if rightwards:
        return token.pos == "NUM" or token.text in ("of", "the", "de", "von", "van") or token.text[:1].isupper()
    return token.dependency in _OF_THE_NAME and token.pos != "DET" and token.text[:1].isupper()


def _comes_back(name: str, parsed: ParsedText) -> bool:
    words = [re.escape(word) for word in re.findall(r"\w+", name) if word[0].isupper() and len(word) > 2]
    if not words:
        return False
    any_word = re.compile(rf"\b(?:{'|'.join(words)})\b")
    sentences = [sentence for sentence in parsed.sentences if sentence.states_fact]
    mentions = sum(bool(any_word.search(sentence.text)) for sentence in sentences)
    pronouns = sum(any(token.text.lower() in _PRONOUNS for token in sentence.tokens) for sentence in sentences)
    return bool(mentions) and mentions + pronouns >= 2
