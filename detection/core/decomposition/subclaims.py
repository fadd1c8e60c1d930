"""Split a sentence into claims with one subject, one relation and one value (METHODS C.1, local).

The facts come from the parse, with names in place of pronouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from detection.core.entities.antecedents import Antecedents
from detection.core.language.triples import Triple, find_triples
from detection.core.language.triples.predicate_facts import BARE
from detection.core.types import ParsedSentence, Span

_POSSESSIVES: Final = re.compile(r"\b(his|her|its|their)\b(?=\s+\w)", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"(?:he|she|it|they|who|which|that|this)", re.IGNORECASE)
_DEFINITE: Final = re.compile(r"the\s+(\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SubClaim:
    """A self-contained claim. ``span`` is the position of its value in the document."""

    text: str
    span: Span


def sub_claims(sentences: Sequence[ParsedSentence], topic: str | None) -> tuple[tuple[SubClaim, ...], ...]:
    """The claims of each sentence of a text; the sentence itself if the parse finds no fact in it.

    A sentence that states no fact has none.
    """
    return tuple(
        () if reader is None else reader.claims() or (reader.whole(),) for reader in _readers(sentences, topic)
    )


def whole_claims(sentences: Sequence[ParsedSentence], topic: str | None) -> tuple[SubClaim | None, ...]:
    """Each sentence of a text as one claim, with names for its pronouns; None for one that states no fact."""
    return tuple(None if reader is None else reader.whole() for reader in _readers(sentences, topic))


def _readers(sentences: Sequence[ParsedSentence], topic: str | None) -> Iterator[_Reader | None]:
    antecedents, topic_kinds = Antecedents(sentences, topic), frozenset(_kinds_of(sentences, topic))
    for sentence in sentences:
        yield _Reader(sentence, antecedents, topic, topic_kinds) if sentence.states_fact else None


@dataclass(frozen=True, slots=True)
class _Reader:
    """Formulates the facts of one sentence."""

    sentence: ParsedSentence
    antecedents: Antecedents
    topic: str | None
    topic_kinds: frozenset[str]
    """Nouns for the topic besides its name: "novel", "town"."""

    def claims(self) -> tuple[SubClaim, ...]:
        """The facts of the parse, each once."""
        triples = (triple for triple in find_triples(self.sentence) if triple.relation != BARE)
        return tuple(dict.fromkeys(map(self._claim, triples)))

    def _claim(self, triple: Triple) -> SubClaim:
        start = triple.object_span.start
        words = f"{self._subject(triple.subject)} {triple.relation} {self._with_names(triple.object, start)}"
        return SubClaim(_as_sentence(words), triple.object_span)

    def whole(self) -> SubClaim:
        """The sentence with names for the pronouns that it has as subjects and owners."""
        start = self.sentence.sentence.start
        text, rest = [], self.sentence.text
        for token in reversed(self.sentence.tokens):
            is_subject = token.dependency.startswith("nsubj") and _PRONOUN.fullmatch(token.text)
            name = self.antecedents.of(token.text, self.sentence, token.span.start) if is_subject else None
            if name is not None:
                text += [self._with_names(rest[token.span.end - start :], token.span.end), name]
                rest = rest[: token.span.start - start]
        text.append(self._with_names(rest, start))
        return SubClaim(_as_sentence("".join(reversed(text))), self.sentence.sentence.span)

    def _subject(self, words: str) -> str:
        start = self._start_of(words)
        name = self.antecedents.of(words, self.sentence, start)
        if name is not None:
            return name
        definite = _DEFINITE.fullmatch(words)
        if definite and self.topic and definite[1].casefold() in self.topic_kinds:
            return self.topic
        return self.antecedents.full_name(self._with_names(words, start))

    def _with_names(self, words: str, start: int) -> str:
        """The words with "Lindqvist's" for "her"."""

        def named(match: re.Match[str]) -> str:
            name = self.antecedents.of(match[1], self.sentence, start + match.start())
            return match[0] if name is None else f"{name}’s"

        return _POSSESSIVES.sub(named, words)

    def _start_of(self, words: str) -> int:
        """The position of words of a triple in the document; the start of the sentence if it does not contain them."""
        return self.sentence.sentence.start + max(0, self.sentence.text.find(words))


def _kinds_of(sentences: Sequence[ParsedSentence], topic: str | None) -> Iterator[str]:
    """Nouns that may refer to the topic: those of its name ("Harwick House"), and its kind according to the text."""
    if topic is None:
        return
    yield from re.findall(r"\w+", topic.casefold())
    for sentence in sentences:
        for position, token in enumerate(sentence.tokens):
            if token.pos != "NOUN":
                continue
            children = [sentence.tokens[child] for child in sentence.children(position)]
            names_topic = any(
                child.dependency.startswith("nsubj") and child.text.casefold() in topic.casefold() for child in children
            )
            if names_topic and any(child.dependency == "cop" for child in children):
                yield token.text.casefold()


def _as_sentence(words: str) -> str:
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!")) else ".")
