"""Choose the concepts of a sentence to validate, and get a question about each (METHODS D.1 to D.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..entities.concepts import by_worth, key_concepts
from ..grounding.premise import boundary_of
from ..grounding.quotes import find_words
from ..llm.schemas import TEXT, list_of, object_of, schema_of
from ..llm.structured import NoJson, find_list
from ..llm.types import Purpose
from ..prompts import load
from ..rules import extract
from ..self_contradiction.model import Place
from ..types import ParsedSentence, Span
from .asking import Analyzer
from .types import Question, WritingOptions

CONCEPTS, DOUBTFUL_CONCEPTS = load("concepts.v1"), load("doubtful_concepts.v1")
QUESTIONS = load("concept_questions.v1")

_SCHEMA = schema_of(questions=list_of(object_of(words=TEXT, question=TEXT)))
_WORD = re.compile(r"\w+(?:[.,:'’-]\w+)*")
_LONGEST_QUESTION = 400
#: Maximum concepts of a sentence. A model that names more treats every word as one.
_MAX_CONCEPTS = 8


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence as the generator wrote it.

    ``probabilities`` has one value for each character; it is None if the endpoint returns none.
    """

    parsed: ParsedSentence
    probabilities: tuple[float, ...] | None

    @property
    def text(self) -> str:
        return self.parsed.text

    def probability(self, span: Span) -> float | None:
        """The probability of the least probable token at ``span``, counted in the sentence (METHODS D.2)."""
        return min(self.probabilities[span.start : span.end], default=None) if self.probabilities else None

    def doubtful(self, threshold: float) -> tuple[Span, ...]:
        """The words with tokens below the threshold, adjacent words as one span; empty without probabilities."""
        if self.probabilities is None:
            return ()
        spans: list[Span] = []
        for word in _WORD.finditer(self.text):
            span = Span(word.start(), word.end())
            if min(self.probabilities[span.start : span.end]) >= threshold:
                continue
            if spans and not self.text[spans[-1].end : span.start].strip():
                span = Span(spans.pop().start, span.end)
            spans.append(span)
        return tuple(spans)

    def covers(self, other: Draft, threshold: float) -> bool:
        """Whether the doubtful words include those of ``other``, which has the same text."""
        if self.probabilities is None or other.probabilities is None:
            return self.probabilities is None
        doubted = [index for index, probability in enumerate(other.probabilities) if probability < threshold]
        return all(self.probabilities[index] < threshold for index in doubted)

    def is_certain(self, threshold: float) -> bool:
        """Whether every token reaches the threshold."""
        least = self.probability(Span(0, len(self.text)))
        return least is not None and least >= threshold


class Concepts(Protocol):
    """Finds the concepts of a sentence and asks about them."""

    async def questions(self, draft: Draft, place: Place, options: WritingOptions) -> tuple[Question, ...]:
        """A question for each concept to validate, the most important first.

        Raises:
            ModelCallFailed: the analyzer was asked and gave no questions.
        """
        ...


class ModelConcepts:
    """The analyzer names the concepts, each with its question, in one call.

    If the endpoint returns probabilities, the prompt has the doubtful words, and the analyzer names no other concepts.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    async def questions(self, draft: Draft, place: Place, options: WritingOptions) -> tuple[Question, ...]:
        prompt, variables = CONCEPTS, _variables(place, draft.text)
        doubtful = [" ".join(span.of(draft.text).split()) for span in draft.doubtful(options.threshold)]
        if doubtful:
            prompt, variables = DOUBTFUL_CONCEPTS, _variables(place, draft.text, words="\n".join(doubtful))
        found = await self._analyzer.ask(
            Purpose.CONCEPTS,
            prompt,
            prompt.render(**variables),
            _SCHEMA,
            lambda answer: _read(answer, draft),
        )
        return choose(found[:_MAX_CONCEPTS], options)


class LocalConcepts:
    """The language pipeline names the concepts; the analyzer writes the questions about the chosen ones."""

    def __init__(self, analyzer: Analyzer, topic: str | None) -> None:
        self._analyzer = analyzer
        self._topic = topic

    async def questions(self, draft: Draft, place: Place, options: WritingOptions) -> tuple[Question, ...]:
        start = draft.parsed.sentence.start
        concepts = by_worth(key_concepts(draft.parsed, extract(draft.parsed), self._topic))
        spans = [concept.span.shifted(-start) for concept in concepts]
        unasked = [Question(span.of(draft.text), span, "", draft.probability(span)) for span in spans]
        chosen = choose(unasked, options)
        return await questions_for([question.span for question in chosen], draft, place, self._analyzer)


async def questions_for(spans: Sequence[Span], draft: Draft, place: Place, analyzer: Analyzer) -> tuple[Question, ...]:
    """A question about the words at each span, in the same order.

    Raises:
        ModelCallFailed: the analyzer left out a question, or gave no answer.
    """
    if not spans:
        return ()
    lines = [" ".join(span.of(draft.text).split()) for span in spans]

    def read(answer: str) -> list[Question] | None:
        known = {_folded(item["words"]): item["question"] for item in _items(answer) or ()}
        if not all(_folded(line) in known for line in lines):
            return None
        return [
            Question(span.of(draft.text), span, known[_folded(line)], draft.probability(span))
            for span, line in zip(spans, lines, strict=True)
        ]

    messages = QUESTIONS.render(**_variables(place, draft.text, words="\n".join(lines)))
    return tuple(await analyzer.ask(Purpose.CONCEPTS, QUESTIONS, messages, _SCHEMA, read))


def choose(questions: Iterable[Question], options: WritingOptions) -> tuple[Question, ...]:
    """The questions below the threshold, least probable first, then those without a probability, up to the limit."""
    questions = list(questions)
    unknown = [question for question in questions if question.probability is None]
    doubtful = [
        (question.probability, question)
        for question in questions
        if question.probability is not None and question.probability < options.threshold
    ]
    least_first = [question for _, question in sorted(doubtful, key=lambda pair: pair[0])]
    return (*least_first, *unknown[: options.most_concepts])


def _variables(place: Place, sentence: str, **others: str) -> dict[str, str]:
    given = {"description": place.description, "prefix": place.prefix_in_words, "sentence": sentence, **others}
    return {"boundary": boundary_of(*given.values()), **given}


def _read(answer: str, draft: Draft) -> list[Question] | None:
    """The questions in an answer, without those about words that the sentence does not have.

    None if no question is left: only an empty list means that the sentence has no concept.
    """
    items = _items(answer)
    if items is None:
        return None
    found: dict[Span, Question] = {}
    for item in items:
        span = find_words(item["words"], draft.text)
        if span is not None:
            question = Question(span.of(draft.text), span, item["question"], draft.probability(span))
            found.setdefault(span, question)
    return list(found.values()) if found or not items else None


def _items(answer: str) -> list[dict[str, str]] | None:
    """The valid items; None if there are items but none is valid."""
    try:
        items = find_list(answer, "questions")
    except NoJson:
        return None
    usable = [
        {"words": item["words"], "question": " ".join(item["question"].split())}
        for item in items
        if isinstance(item, dict)
        and isinstance(item.get("words"), str)
        and isinstance(item.get("question"), str)
        and 0 < len(item["question"].strip()) <= _LONGEST_QUESTION
    ]
    return usable if usable or not items else None


def _folded(words: str) -> str:
    return " ".join(words.split()).casefold()
