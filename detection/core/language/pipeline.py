"""The language pipeline: sentences with tokens and entities. The only module that imports spaCy."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Final

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.tokens import Span as SpacySpan

from detection.core.errors import ModelUnavailable
from detection.core.language.factual import gives_instruction, states_fact
from detection.core.language.lemmas import repaired_lemma
from detection.core.language.parse_repairs import TIME_PREPOSITIONS, YEAR, repaired
from detection.core.language.segment import cut, split
from detection.core.language.universal import is_clearnlp, universal
from detection.core.types import (
    BlockKind,
    Entity,
    EntityCategory,
    ParsedSentence,
    ParsedText,
    Sentence,
    Span,
    Stretch,
    Token,
)

#: A longer "sentence" is a list, a table or noise, and not worth parsing.
MAX_PARSED_CHARS: Final = 1_500

_BATCH_SIZE = 64

_CATEGORIES: Final = {
    "PERSON": EntityCategory.PERSON,
    "PER": EntityCategory.PERSON,
    "ORG": EntityCategory.ORGANISATION,
    "GPE": EntityCategory.PLACE,
    "LOC": EntityCategory.PLACE,
    "FAC": EntityCategory.PLACE,
    "NORP": EntityCategory.GROUP,
    "EVENT": EntityCategory.EVENT,
    "PRODUCT": EntityCategory.PRODUCT,
    "WORK_OF_ART": EntityCategory.WORK,
    "LAW": EntityCategory.WORK,
    "DATE": EntityCategory.DATE,
    "TIME": EntityCategory.DATE,
    "CARDINAL": EntityCategory.QUANTITY,
    "ORDINAL": EntityCategory.QUANTITY,
    "QUANTITY": EntityCategory.QUANTITY,
    "MONEY": EntityCategory.QUANTITY,
    "PERCENT": EntityCategory.QUANTITY,
}


class LanguagePipeline:
    """A spaCy pipeline, loaded once per process. Safe to call from several threads: one text is parsed at a time.

    Args:
        model: the folder of a pipeline, or the name of an installed one.

    Raises:
        ModelUnavailable: the pipeline does not exist or cannot be loaded.
    """

    def __init__(self, model: str | Path) -> None:
        try:
            self._nlp: Language = spacy.load(model)
        except Exception as error:  # spaCy passes on all errors of its components
            raise ModelUnavailable(
                f"The language pipeline {model} cannot be loaded ({error}). "
                "Unset CHATPROTECT_SPACY_MODEL to use the one that comes with the program."
            ) from error
        parser = self._nlp.get_pipe("parser") if self._nlp.has_pipe("parser") else None
        self._is_clearnlp = is_clearnlp(getattr(parser, "labels", ()))
        self._lock = threading.Lock()

    def parse(self, text: str) -> ParsedText:
        """Split ``text`` into sentences, and parse each. Works on any text; one without words has no sentences."""
        return ParsedText(text, tuple(chain.from_iterable(self.parse_stretches(cut(text)))))

    def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        """The parsed sentences of each stretch, numbered consecutively over all stretches of the call."""
        with self._lock:
            sentences = list(_number(stretches, self._spans(stretches)))
            readable = [sentence for sentence in chain.from_iterable(sentences) if _is_readable(sentence)]
            docs = self._nlp.pipe([sentence.text for sentence in readable], batch_size=_BATCH_SIZE)
            parsed = dict(zip((sentence.index for sentence in readable), docs, strict=True))
            return [
                tuple(self._parsed_sentence(sentence, parsed.get(sentence.index)) for sentence in of_stretch)
                for of_stretch in sentences
            ]

    def _spans(self, stretches: Sequence[Stretch]) -> Iterator[Iterator[Span]]:
        """The spans of the sentences of each stretch; the parser decides doubtful boundaries."""
        doubtful = [stretch for stretch in stretches if stretch.places]
        docs = self._nlp.pipe([stretch.text[:MAX_PARSED_CHARS] for stretch in doubtful], batch_size=_BATCH_SIZE)
        for stretch in stretches:
            doc = next(docs) if stretch.places else None
            yield split(stretch, frozenset(sentence.start_char for sentence in doc.sents) if doc else frozenset())

    def _parsed_sentence(self, sentence: Sentence, doc: Doc | None) -> ParsedSentence:
        if doc is None:
            return ParsedSentence(sentence, (), (), states_fact=sentence.block_kind is not BlockKind.CODE)
        drawn = _tokens(doc, sentence.start)
        tokens = repaired(universal(drawn) if self._is_clearnlp else drawn)
        is_fact = states_fact(sentence, tokens)
        return ParsedSentence(
            sentence,
            tokens,
            tuple(_entities(doc, sentence.start)),
            is_fact,
            is_instruction=not is_fact and gives_instruction(sentence, tokens),
        )


def _number(stretches: Sequence[Stretch], spans: Iterator[Iterator[Span]]) -> Iterator[tuple[Sentence, ...]]:
    numbers = count()
    for stretch, own in zip(stretches, spans, strict=True):
        offset = stretch.span.start
        yield tuple(
            Sentence(
                next(numbers),
                span.start,
                span.end,
                stretch.text[span.start - offset : span.end - offset],
                stretch.block,
                stretch.block_kind,
            )
            for span in own
        )


def _is_readable(sentence: Sentence) -> bool:
    return sentence.block_kind is not BlockKind.CODE and len(sentence.text) <= MAX_PARSED_CHARS


def _tokens(doc: Doc, offset: int) -> tuple[Token, ...]:
    """The tokens without white space. Heads are positions among these tokens."""
    kept = [token for token in doc if not token.is_space]
    position = {token.i: number for number, token in enumerate(kept)}
    return tuple(
        Token(
            span=Span(offset + token.idx, offset + token.idx + len(token.text)),
            text=token.text,
            lemma=repaired_lemma(token.text, token.tag_, token.lemma_),
            tag=token.tag_,
            pos=token.pos_,
            dependency=token.dep_,
            head=position.get(token.head.i, position[token.i]),
        )
        for token in kept
    )


def _entities(doc: Doc, offset: int) -> list[Entity]:
    names = ((_without_year(entity), entity.label_) for entity in doc.ents if entity.text.strip())
    return [
        Entity(
            Span(offset + name.start_char, offset + name.end_char),
            name.text,
            _CATEGORIES.get(label, EntityCategory.OTHER),
        )
        for name, label in names
    ]


def _without_year(entity: SpacySpan) -> SpacySpan:
    """ "Brandt" of "2010 Brandt" in "In 2010 Brandt joined it"; "the 1988 Games" stay whole."""
    before = entity.start - 1
    if len(entity) < 2 or before < 0 or not YEAR.fullmatch(entity[0].text):
        return entity
    return entity[1:] if entity.doc[before].text.lower() in TIME_PREPOSITIONS else entity
