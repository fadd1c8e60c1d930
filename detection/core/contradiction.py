"""The steps of METHODS A with a language model: write a sentence anew, compare the two, correct one."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace

from .errors import ModelCallFailed
from .llm.asking import ask_twice
from .llm.client import ModelClient
from .llm.schemas import TEXT, list_of, schema_of
from .llm.structured import NoJson, find_array
from .llm.types import ModelRequest, Purpose
from .llm.votes import Count, vote
from .prompts import load

TRIGGER, EXPLAIN, CONCLUDE, REVISE, MERGE, TRIPLES, TRIPLES_AGAIN, GENERATE = map(
    load,
    (
        "trigger.v1",
        "explain.v1",
        "conclude.v1",
        "revise.v1",
        "merge.v1",
        "triples.v1",
        "triples_again.v1",
        "generate.v1",
    ),
)
_TRIPLES_SCHEMA = schema_of(facts=list_of(list_of(TEXT)))
_NOTHING_BEFORE = "(nothing yet)"
#: What a model answers when nothing of a sentence would be left.
REMOVAL = re.compile(r"\W*remove\W*", re.IGNORECASE)
_NO_MERGE = re.compile(r"\W*none\W*", re.IGNORECASE)
_LONGEST_SENTENCE = 1_500
_QUOTES = "\"“”„'‘’"
#: What a model says when it does not do what it was asked to.
EXCUSE = re.compile(
    r"^(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry\b|i (?:cannot|can['’]t|don['’]t|do not|apologi[sz]e)\b"
    r"|as an ai\b|unfortunately, i\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which text a sentence stands."""

    topic: str
    description: str
    """What the text is: "a description of Lake Thun", "an answer to the prompt ..."."""
    prefix: str

    @property
    def prefix_in_words(self) -> str:
        return self.prefix.strip() or _NOTHING_BEFORE

    def variables_for(self, first: str, second: str) -> dict[str, str]:
        """What the prompts are given that compare two sentences for this place."""
        return {
            "description": self.description,
            "topic": self.topic,
            "prefix": self.prefix_in_words,
            "first": first,
            "second": second,
        }


def place_for_topic(topic: str, prefix: str) -> Place:
    return Place(topic, f"a description of {topic}", prefix)


def place_for_prompt(prompt: str, prefix: str) -> Place:
    return Place("this", f"an answer to the prompt “{prompt}”", prefix)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the analyzer says of two sentences for one place."""

    explanation: str
    votes: Count


class Contradictions:
    """The generator and the analyzer behind one client. ``stops_early`` saves votes that cannot change the outcome."""

    def __init__(self, client: ModelClient, *, generator: str, analyzer: str, stops_early: bool = True) -> None:
        self._client = client
        self._generator = generator
        self._analyzer = analyzer
        self._stops_early = stops_early

    @property
    def generator(self) -> str:
        """The model that writes."""
        return self._generator

    @property
    def analyzer(self) -> str:
        """The model that judges."""
        return self._analyzer

    def with_votes(self, *, stops_early: bool) -> Contradictions:
        """The same models with another way of voting."""
        return Contradictions(self._client, generator=self._generator, analyzer=self._analyzer, stops_early=stops_early)

    async def write(self, prompt: str) -> AsyncIterator[str]:
        """The text that the generator writes for a prompt, piece by piece.

        Raises:
            ModelCallFailed: it came to nothing, or broke off.
        """
        messages = GENERATE.render(prompt=prompt)
        request = ModelRequest(Purpose.GENERATE, GENERATE.id, self._generator, messages, 1.0, max_tokens=2_000)
        async for piece in self._client.stream(request):
            yield piece.text

    async def triples(self, sentence: str) -> list[tuple[str, str, str]]:
        """Facts that the sentence states, from the analyzer (METHODS A.1, where the parse finds none).

        Raises:
            ModelCallFailed: or the answer cannot be read, even when asked for a second time.
        """
        messages = TRIPLES.render(sentence=sentence)
        request = ModelRequest(
            Purpose.TRIPLES, TRIPLES.id, self._analyzer, messages, max_tokens=400, schema=_TRIPLES_SCHEMA
        )
        triples = await ask_twice(self._client, request, TRIPLES_AGAIN, _read_triples)
        if triples is None:
            raise ModelCallFailed("The model did not answer in the form that was asked for.")
        return triples

    async def alternative(self, place: Place, subject: str, relation: str) -> str:
        """The sentence that the generator writes at this place about the same subject and relation (METHODS A.2).

        Raises:
            ModelCallFailed: or the answer is no sentence.
        """
        return read_sentence((await self._client.complete(self._cloze(place, subject, relation))).text)

    async def alternatives(self, place: Place, subject: str, relation: str, samples: int) -> list[str]:
        """So many such sentences, drawn at temperature 1; what is no sentence is left out (METHODS A, appendix B).

        Raises:
            ModelCallFailed: the call came to nothing.
        """
        request = replace(self._cloze(place, subject, relation), temperature=1.0, samples=samples)
        sentences = []
        for text in (await self._client.complete(request)).texts:
            with suppress(ModelCallFailed):
                sentences.append(read_sentence(text))
        return sentences

    def _cloze(self, place: Place, subject: str, relation: str) -> ModelRequest:
        messages = TRIGGER.render(
            description=place.description, prefix=place.prefix_in_words, subject=subject, relation=relation
        )
        return ModelRequest(Purpose.TRIGGER, TRIGGER.id, self._generator, messages, max_tokens=120)

    async def compare(self, place: Place, first: str, second: str) -> Comparison:
        """Ask the analyzer for an explanation, and then for a conclusion in several votes (METHODS A.3).

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        messages = EXPLAIN.render(**place.variables_for(first, second))
        explained = await self._client.complete(
            ModelRequest(Purpose.EXPLAIN, EXPLAIN.id, self._analyzer, messages, max_tokens=300)
        )
        dialogue = CONCLUDE.render(topic=place.topic, first=first, second=second, explanation=explained.text)

        async def sample(count: int) -> tuple[str, ...]:
            answer = await self._client.complete(
                ModelRequest(
                    Purpose.CONCLUDE,
                    CONCLUDE.id,
                    self._analyzer,
                    dialogue,
                    temperature=1.0,
                    samples=count,
                    max_tokens=16,
                )
            )
            return answer.texts

        return Comparison(explained.text.strip(), await vote(sample, stops_early=self._stops_early))

    async def revision(self, place: Place, sentence: str, alternative: str) -> str:
        """The sentence without what the two disagree on (METHODS A.4); "" when nothing would be left.

        Raises:
            ModelCallFailed: or the answer is no sentence.
        """
        messages = REVISE.render(
            description=place.description, prefix=place.prefix_in_words, sentence=sentence, alternative=alternative
        )
        request = ModelRequest(Purpose.REVISE, REVISE.id, self._analyzer, messages, max_tokens=300)
        answer = (await self._client.complete(request)).text
        return "" if REMOVAL.fullmatch(answer.strip()) else read_sentence(answer)

    async def merge(self, place: Place, first: str, second: str) -> str:
        """One sentence in the place of two that contradict each other, with what the first says; "" for none.

        Raises:
            ModelCallFailed: or the answer is no sentence.
        """
        messages = MERGE.render(description=place.description, prefix=place.prefix_in_words, first=first, second=second)
        request = ModelRequest(Purpose.MERGE, MERGE.id, self._analyzer, messages, max_tokens=300)
        answer = (await self._client.complete(request)).text
        return "" if _NO_MERGE.fullmatch(answer.strip()) else read_sentence(answer)


def is_same_wording(first: str, second: str) -> bool:
    """True when two sentences differ in nothing but case, space and punctuation: then there is nothing to compare."""
    return re.findall(r"\w+", first.casefold()) == re.findall(r"\w+", second.casefold())


def read_sentence(answer: str) -> str:
    """The one sentence in an answer.

    Raises:
        ModelCallFailed: it is an excuse, or no sentence at all.
    """
    lines = [line.strip() for line in answer.strip().splitlines() if line.strip()]
    line = lines[0] if lines else ""
    if len(lines) > 1 and line.endswith(":"):
        line = lines[1]  # "Here is the sentence:"
    line = re.sub(
        r"^(?:next sentence|original sentence|revised sentence|merged sentence|new sentence|sentence)\s*:\s*",
        "",
        line,
        flags=re.IGNORECASE,
    )
    if len(line) > 1 and line[0] in _QUOTES and line[-1] in _QUOTES:
        line = line[1:-1].strip()
    if not re.search(r"\w", line) or len(line) > _LONGEST_SENTENCE or EXCUSE.match(line):
        raise ModelCallFailed("The model did not write the sentence that was asked for.")
    return line


def _read_triples(answer: str) -> list[tuple[str, str, str]] | None:
    try:
        items = find_array(answer)
    except NoJson:
        return None
    triples = [(item[0], item[1], item[2]) for item in items if _is_triple(item)]
    return triples if triples or not items else None


def _is_triple(item: object) -> bool:
    return isinstance(item, list) and len(item) == 3 and all(isinstance(part, str) and part.strip() for part in item)
