"""The steps of METHODS A with a language model: write an alternative sentence, compare the two, revise one."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from ..errors import DetectionError, ModelCallFailed
from ..llm.asking import ask_twice
from ..llm.client import ModelClient
from ..llm.schemas import TEXT, list_of, schema_of
from ..llm.structured import NoJson, find_list
from ..llm.types import ModelRequest, Purpose
from ..llm.votes import vote
from ..prompts import load
from .answers import CUT, EXCUSE, NO_SENTENCE, NOT_THE_FACT, read_alternative, read_sentence
from .pairs import CONCLUDE, PAIRS_PER_PROMPT, Comparison, PairQuestions, StatementPair
from .sequential import DEFAULT_COSTS, VoteCosts

__all__ = [
    "EXCUSE",
    "Comparison",
    "Contradictions",
    "Place",
    "is_same_wording",
    "place_for_prompt",
    "place_for_topic",
    "read_sentence",
]

TRIGGER, EXPLAIN, REVISE, MERGE, TRIPLES, TRIPLES_AGAIN, GENERATE = map(
    load,
    (
        "trigger.v3",
        "explain.v1",
        "revise.v1",
        "merge.v1",
        "triples.v1",
        "triples_again.v1",
        "generate.v1",
    ),
)
_TRIPLES_SCHEMA = schema_of(facts=list_of(list_of(TEXT)))
#: Words before the sentence that the prompt for a comparison contains.
_NEAR_WORDS = 40
_NOTHING_BEFORE = "(nothing yet)"
#: The answer of a model when nothing of a sentence would remain.
REMOVAL = re.compile(r"\W*remove\W*", re.IGNORECASE)
_NO_MERGE = re.compile(r"\W*none\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """The text and the position of a sentence."""

    topic: str
    description: str
    """What the text is: "a description of Lake Thun", "an answer to the prompt ..."."""
    prefix: str

    @property
    def prefix_in_words(self) -> str:
        return self.prefix.strip() or _NOTHING_BEFORE

    @property
    def in_words(self) -> str:
        """What the text is and the words before the sentence, so that a comparison can resolve pronouns."""
        words = self.prefix_in_words.split()
        near = " ".join(["…", *words[-_NEAR_WORDS:]] if len(words) > _NEAR_WORDS else words)
        return f"Text: {self.description}\nSo far: {near}"

    def variables_for(self, first: str, second: str) -> dict[str, str]:
        """The variables of the prompts that compare two sentences at this place."""
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
class Thrift:
    """The ways to save calls and tokens. Each can be switched off to follow the paper.

    ``joins_facts``: all facts of a sentence are asked for in one prompt. ``joins_pairs``: the answers are compared with
    the sentence in one prompt. ``first_vote``: votes after the first are cast only if that one is undecided.
    ``alternatives``: number of alternatives in the first prompt of a sentence, if facts are joined; more follow only if
    these leave it undecided. ``shares_prefix``: the text before a sentence is cut so that neighbouring prompts have the
    same prefix.
    """

    joins_facts: bool = True
    joins_pairs: bool = True
    first_vote: bool = True
    alternatives: int = 1
    shares_prefix: bool = True


#: As in the paper, but without votes that cannot change the outcome.
NO_THRIFT = Thrift(joins_facts=False, joins_pairs=False, first_vote=False, shares_prefix=False)


class Contradictions:
    """The generator and the analyzer behind one client. ``stops_early`` saves votes that cannot change the outcome."""

    def __init__(
        self,
        client: ModelClient,
        *,
        generator: str,
        analyzer: str,
        stops_early: bool = True,
        thrift: Thrift = Thrift(),
        costs: VoteCosts = DEFAULT_COSTS,
    ) -> None:
        self._client = client
        self._generator = generator
        self._analyzer = analyzer
        self._stops_early = stops_early
        self.thrift = thrift
        self._pairs = PairQuestions(
            client,
            analyzer,
            per_prompt=PAIRS_PER_PROMPT if thrift.joins_pairs else 1,
            first_vote=thrift.first_vote,
            stops_early=stops_early,
            costs=costs,
        )

    @property
    def generator(self) -> str:
        """The model that writes."""
        return self._generator

    @property
    def analyzer(self) -> str:
        """The model that judges."""
        return self._analyzer

    def with_votes(self, *, stops_early: bool, thrift: Thrift = NO_THRIFT) -> Contradictions:
        """A copy with other voting rules."""
        return Contradictions(
            self._client, generator=self._generator, analyzer=self._analyzer, stops_early=stops_early, thrift=thrift
        )

    async def write(self, prompt: str) -> AsyncIterator[str]:
        """Stream the text that the generator writes for a prompt.

        Raises:
            ModelCallFailed: the call failed or was cut off.
        """
        messages = GENERATE.render(prompt=prompt)
        request = ModelRequest(Purpose.GENERATE, GENERATE.id, self._generator, messages, 1.0, max_tokens=2_000)
        async for piece in self._client.stream(request):
            yield piece.text

    async def triples(self, sentence: str) -> list[tuple[str, str, str]]:
        """Facts of the sentence from the analyzer (METHODS A.1), for sentences whose parse has none.

        Raises:
            ModelCallFailed: also if the second answer cannot be parsed either.
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
        """An alternative sentence of the generator about the same subject and relation (METHODS A.2).

        Raises:
            ModelCallFailed: also if the answer is not a sentence about them.
        """
        answer = await self._client.complete(self._cloze(place, [(subject, relation)]))
        return read_alternative(answer.text, subject, relation, is_cut=answer.is_cut)

    async def alternatives(self, place: Place, gaps: Sequence[tuple[str, str]], samples: int) -> list[str]:
        """``samples`` alternatives that fill all of ``gaps`` (subject, relation), without invalid answers.

        A single one is generated at temperature 0, several at temperature 1 (METHODS A, appendix B).

        Raises:
            ModelCallFailed: the call failed, or no answer is valid.
        """
        request = replace(self._cloze(place, gaps), temperature=1.0 if samples > 1 else 0.0, samples=samples)
        answer = await self._client.complete(request)
        sentences = []
        failure = None
        for text in answer.texts:
            try:
                sentences.append(_read_filling(text, gaps, is_cut=answer.is_cut))
            except ModelCallFailed as error:
                failure = error
        if failure is not None and not sentences:
            raise failure
        return sentences

    def _cloze(self, place: Place, gaps: Sequence[tuple[str, str]]) -> ModelRequest:
        messages = TRIGGER.render(
            description=place.description,
            prefix=place.prefix_in_words,
            gaps=" ".join(f"({subject}; {relation}; _)" for subject, relation in gaps),
        )
        return ModelRequest(Purpose.TRIGGER, TRIGGER.id, self._generator, messages, max_tokens=120)

    async def judge(self, place: str, pairs: Sequence[StatementPair]) -> list[Comparison | DetectionError]:
        """The analyzer's comparison of each of several pairs, in as few prompts as the settings allow."""
        return await self._pairs.judge(place, pairs)

    async def compare(self, place: Place, first: str, second: str) -> Comparison:
        """Ask the analyzer for an explanation and then for a conclusion by several votes (METHODS A.3).

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        messages = EXPLAIN.render(**place.variables_for(first, second))
        explained = await self._client.complete(
            ModelRequest(Purpose.EXPLAIN, EXPLAIN.id, self._analyzer, messages, max_tokens=500)
        )
        if explained.is_cut:
            raise ModelCallFailed(CUT)
        if EXCUSE.match(explained.text.strip()):
            raise ModelCallFailed(NOT_THE_FACT)
        dialogue = (*messages, *CONCLUDE.render(explanation=explained.text))

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

        votes = await vote(sample, stops_early=self._stops_early)
        return Comparison(explained.text.strip(), votes, EXPLAIN.id)

    async def revision(self, place: Place, sentence: str, alternative: str) -> str:
        """The sentence without what the two disagree on (METHODS A.4); "" when nothing would remain.

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
        """One sentence that merges two contradicting ones and keeps the value of the first; "" for none.

        Raises:
            ModelCallFailed: or the answer is no sentence.
        """
        messages = MERGE.render(description=place.description, prefix=place.prefix_in_words, first=first, second=second)
        request = ModelRequest(Purpose.MERGE, MERGE.id, self._analyzer, messages, max_tokens=300)
        answer = (await self._client.complete(request)).text
        return "" if _NO_MERGE.fullmatch(answer.strip()) else read_sentence(answer)


def is_same_wording(first: str, second: str) -> bool:
    """True if two sentences differ only in case, space and punctuation, so that no comparison is needed."""
    return re.findall(r"\w+", first.casefold()) == re.findall(r"\w+", second.casefold())


def _read_filling(answer: str, gaps: Sequence[tuple[str, str]], *, is_cut: bool) -> str:
    """The sentence of an answer that fills at least one of the gaps.

    Raises:
        ModelCallFailed: it fills no gap.
    """
    failure = ModelCallFailed(NO_SENTENCE)
    for subject, relation in gaps:
        try:
            return read_alternative(answer, subject, relation, is_cut=is_cut)
        except ModelCallFailed as error:
            failure = error
    raise failure


def _read_triples(answer: str) -> list[tuple[str, str, str]] | None:
    try:
        items = find_list(answer, "facts")
    except NoJson:
        return None
    triples = [(item[0], item[1], item[2]) for item in items if _is_triple(item)]
    return triples if triples or not items else None


def _is_triple(item: object) -> bool:
    return isinstance(item, list) and len(item) == 3 and all(isinstance(part, str) and part.strip() for part in item)
