"""Ask the analyzer about several pairs of statements in one prompt (METHODS A.3).

The answer explains each pair and then says whether it is contradictory. This first vote is weighted by the probability
of its token, if the endpoint returns one. If the outcome is still open, the dialogue about that pair goes on with the
second question of the paper, which is answered by several votes.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..errors import Cancelled, DetectionError, ModelCallFailed
from ..llm.client import ModelClient
from ..llm.probabilities import TokenTrack
from ..llm.schemas import TEXT, list_of, object_of, schema_of
from ..llm.structured import find_objects
from ..llm.types import ModelAnswer, ModelRequest, Purpose
from ..llm.votes import FIRST_VOTES, Count, read_vote, says_yes, vote
from ..prompts import Message, load
from ..types import Span
from .answers import is_excuse
from .sequential import DEFAULT_COSTS, VoteCosts, is_settled

COMPARE_PAIRS, COMPARE_AGAIN, CONCLUDE = map(load, ("compare_pairs.v2", "compare_pairs_again.v1", "conclude.v2"))

#: Pairs in one prompt.
PAIRS_PER_PROMPT = 8
#: A probability predicts further votes: it has the weight of the first votes on the paper's question.
_WEIGHT_OF_PROBABILITY = FIRST_VOTES
#: Room for long explanations: a truncated answer has no verdict.
_TOKENS_PER_PAIR, _TOKENS_BESIDES = 300, 40
_VERDICT = re.compile(r'"contradictory"\s*:\s*"?\s*(\w+)', re.IGNORECASE)
_SCHEMA = schema_of(
    pairs=list_of(
        object_of(number={"type": "integer"}, explanation=TEXT, contradictory={"type": "string", "enum": ["yes", "no"]})
    )
)
_NO_EXPLANATION = "(no explanation)"
_NO_JUDGEMENT = "The model did not say whether the two statements contradict each other."
_CUT = "The answer of the model about two statements was cut off."


@dataclass(frozen=True, slots=True)
class StatementPair:
    """Two statements, and for each the preceding sentence if the statement refers to it; else ""."""

    first: str
    second: str
    before_first: str = ""
    before_second: str = ""

    @property
    def turned(self) -> StatementPair:
        """The pair in reverse order, because models prefer the statement that they read first."""
        return StatementPair(self.second, self.first, self.before_second, self.before_first)

    def render(self, number: int) -> str:
        lines = (_statement("A", self.first, self.before_first), _statement("B", self.second, self.before_second))
        return f"Pair {number}\n" + "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The analyzer's comparison of two statements."""

    explanation: str
    votes: Count
    prompt: str | None
    """The prompt of the analyzer; None if the local models were sure and the analyzer was not asked."""


@dataclass(frozen=True, slots=True)
class _Said:
    """The part of an answer about one pair. ``probability`` is that of Yes, 0 to 1; None if unknown."""

    explanation: str
    is_yes: bool
    probability: float | None = None


class PairQuestions:
    """The analyzer behind a client.

    ``first_vote`` lets the first vote decide if it is sure enough; without it, every pair gets the second question.
    """

    def __init__(
        self,
        client: ModelClient,
        analyzer: str,
        *,
        per_prompt: int = PAIRS_PER_PROMPT,
        first_vote: bool = True,
        stops_early: bool = True,
        costs: VoteCosts = DEFAULT_COSTS,
    ) -> None:
        self._client = client
        self._analyzer = analyzer
        self._per_prompt = per_prompt
        self._first_vote = first_vote
        self._stops_early = stops_early
        self._costs = costs

    async def judge(self, place: str, pairs: Sequence[StatementPair]) -> list[Comparison | DetectionError]:
        """One result for each pair, in order; a failed call fails only the pairs of its prompt.

        ``place`` describes the text of the statements and what precedes them.
        """
        size = self._per_prompt
        batches = [pairs[start : start + size] for start in range(0, len(pairs), size)]
        results = await asyncio.gather(*(self._judge_batch(place, batch) for batch in batches))
        return [result for batch in results for result in batch]

    async def _judge_batch(self, place: str, batch: Sequence[StatementPair]) -> list[Comparison | DetectionError]:
        try:
            said = await self._first_turn(place, batch)
        except Cancelled:
            raise
        except DetectionError as error:
            return [error] * len(batch)
        return list(await asyncio.gather(*(self._conclude(place, pair, said.get(i)) for i, pair in enumerate(batch))))

    async def _first_turn(self, place: str, batch: Sequence[StatementPair]) -> Mapping[int, _Said]:
        """The answer for each pair, by position. After a truncated answer the pairs are asked again in halves.

        A refusal is not asked again for the right format.

        Raises:
            ModelCallFailed: also if two answers cannot be parsed.
        """
        messages = _messages(place, batch)
        answer = await self._complete(messages, len(batch))
        said = {} if answer.is_cut else _read(answer, len(batch))
        if answer.is_cut and len(batch) > 1:
            half = len(batch) // 2
            first, second = await asyncio.gather(
                self._first_turn(place, batch[:half]), self._first_turn(place, batch[half:])
            )
            return {**first, **{half + i: one for i, one in second.items()}}
        if answer.is_cut:
            raise ModelCallFailed(_CUT)
        missing = [i for i in range(len(batch)) if i not in said]
        if missing and len(batch) > 1:
            alone = await asyncio.gather(*(self._first_turn(place, [batch[i]]) for i in missing))
            return {**said, **{i: one[0] for i, one in zip(missing, alone, strict=True) if 0 in one}}
        if missing and not is_excuse(answer.text):
            again = await self._complete((*messages, *COMPARE_AGAIN.render(answer=answer.text)), len(batch))
            said = {**({} if again.is_cut else _read(again, len(batch))), **said}
        return said

    async def _complete(self, messages: tuple[Message, ...], pairs: int) -> ModelAnswer:
        return await self._client.complete(
            ModelRequest(
                Purpose.EXPLAIN,
                COMPARE_PAIRS.id,
                self._analyzer,
                messages,
                max_tokens=_TOKENS_BESIDES + _TOKENS_PER_PAIR * pairs,
                schema=_SCHEMA,
                wants_probabilities=self._first_vote,
            )
        )

    async def _conclude(self, place: str, pair: StatementPair, said: _Said | None) -> Comparison | DetectionError:
        if said is None:
            return ModelCallFailed(_NO_JUDGEMENT)
        if self._first_vote and self._is_settled(said):
            return Comparison(said.explanation, Count(int(said.is_yes), 1), COMPARE_PAIRS.id)
        try:
            return Comparison(said.explanation, await self._second_turn(place, pair, said), COMPARE_PAIRS.id)
        except Cancelled:
            raise
        except DetectionError as error:
            return error

    def _is_settled(self, said: _Said) -> bool:
        if said.probability is None:
            return is_settled(said.is_yes, 1, self._costs)
        # A model that answers with the less probable word is undecided.
        if (said.probability > 0.5) != said.is_yes:
            return False
        weight = _WEIGHT_OF_PROBABILITY
        return is_settled(weight * said.probability, weight, self._costs)

    async def _second_turn(self, place: str, pair: StatementPair, said: _Said) -> Count:
        """Ask the second question, about this pair alone."""
        dialogue = (*_messages(place, [pair]), *CONCLUDE.render(explanation=said.explanation or _NO_EXPLANATION))

        async def sample(count: int) -> tuple[str, ...]:
            request = ModelRequest(
                Purpose.CONCLUDE, CONCLUDE.id, self._analyzer, dialogue, 1.0, samples=count, max_tokens=16
            )
            return (await self._client.complete(request)).texts

        return await vote(sample, stops_early=self._stops_early)


def _messages(place: str, batch: Sequence[StatementPair]) -> tuple[Message, ...]:
    pairs = "\n".join(pair.render(number) for number, pair in enumerate(batch, 1))
    return COMPARE_PAIRS.render(place=place, pairs=pairs)


def _statement(name: str, text: str, before: str) -> str:
    """Line breaks are removed, so that text of a user cannot pretend to be another statement."""
    line = f"{name}: {' '.join(text.split())}"
    return f"{line}\n(said after: {' '.join(before.split())})" if before else line


def _read(answer: ModelAnswer, count: int) -> dict[int, _Said]:
    """Parse an answer, by position of the pair, without pairs that have two different verdicts.

    Nothing if it names an unknown pair: all its numbers may then be wrong.
    """
    items = list(_items(answer.text))
    probabilities = _probabilities(answer, len(items))
    said: dict[int, _Said] = {}
    mixed: set[int] = set()
    for item, probability in zip(items, probabilities, strict=True):
        number, verdict = _number(item.get("number")), _verdict(item.get("contradictory"))
        if number is not None and not 1 <= number <= count:
            return {}
        if number is None or verdict is None:
            continue
        one = _Said(_text(item.get("explanation")), verdict, probability)
        if said.setdefault(number - 1, one).is_yes != verdict:
            mixed.add(number - 1)
    return {position: one for position, one in said.items() if position not in mixed}


def _items(answer: str) -> Iterator[Mapping[str, object]]:
    for found in find_objects(answer):
        if isinstance(found.get("pairs"), list):
            yield from (item for item in found["pairs"] if isinstance(item, dict))
        elif "contradictory" in found:
            yield found


def _probabilities(answer: ModelAnswer, count: int) -> list[float | None]:
    """For each item the probability that its verdict is Yes; None if the endpoint returns none."""
    verdicts = list(_VERDICT.finditer(answer.text))
    if not answer.tokens or len(verdicts) != count:
        return [None] * count
    track = TokenTrack()
    track.add(answer.tokens[0])
    found: list[float | None] = []
    for match in verdicts:
        of_word = track.probabilities(answer.text, Span(*match.span(1)))
        said = min(of_word) if of_word else None
        found.append(None if said is None else said if says_yes(match[1]) else 1 - said)
    return found


def _number(value: object) -> int | None:
    text = str(value).strip()
    return int(text) if re.fullmatch(r"\d{1,6}", text) else None


def _verdict(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return read_vote(str(value))


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
