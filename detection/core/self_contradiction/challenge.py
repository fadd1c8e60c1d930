"""Ask a language model again for the facts of a sentence, without showing it the sentence (METHODS A.1 to A.3)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..comparing.pair_scorer import PairScorer, settled
from ..comparing.sentence import stem
from ..errors import DetectionError, ModelCallFailed
from ..language.triples import find_triples
from ..llm.votes import Count
from ..local_models.process import LocalModels
from ..types import ParsedSentence, Span
from .answers import NOT_THE_FACT, fills_gap
from .model import Contradictions, Place, is_same_wording
from .pairs import Comparison, StatementPair

#: Maximum number of facts of a sentence to challenge; those most likely to be wrong come first.
MAX_FACTS = 4
#: Shares of Yes between these limits are undecided.
_SPLIT = (0.25, 0.75)
_WORD = re.compile(r"\w+")
_SURE = Comparison("The local models are sure that the two cannot both be true.", Count(1, 1), prompt=None)
#: A name, a number or a date: the most error-prone facts are challenged twice.
_VALUE = re.compile(r"\d|[A-Z]")


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a sentence without its object. ``span`` is the position of the omitted words in the document."""

    subject: str
    relation: str
    span: Span
    value: str = ""
    """The omitted words."""

    @property
    def question(self) -> tuple[str, str]:
        """The key of the question; two objects of one relation leave the same gap."""
        return self.subject.casefold(), self.relation.casefold()


@dataclass(frozen=True, slots=True)
class Challenge:
    """A fact, the alternative of the generator, and the comparison of the analyzer."""

    fact: Fact
    alternative: str
    comparison: Comparison | None
    """None if the two have the same words, or the local models are sure that there is no contradiction."""

    @property
    def score(self) -> float:
        return self.comparison.votes.score if self.comparison else 0.0

    @property
    def is_contradictory(self) -> bool:
        return self.comparison is not None and self.comparison.votes.is_yes


class Challenger:
    """Challenges the facts of sentences. ``screen`` decides the pairs that the local models are sure of."""

    def __init__(self, contradictions: Contradictions, models: LocalModels, *, is_screened: bool) -> None:
        self._contradictions = contradictions
        self._models = models
        self._screen = PairScorer(models) if is_screened else None

    async def facts(self, parsed: ParsedSentence) -> list[Fact]:
        """The facts of a sentence from its parse; from the analyzer if the parse has none.

        Raises:
            ModelCallFailed: the analyzer was needed and found none.
        """
        found = facts_by_parse(parsed)
        return found or _without_twins(await self._facts_by_analyzer(parsed))

    async def challenge(self, place: Place, sentence: str, fact: Fact) -> Challenge:
        """Have the generator write an alternative, and compare.

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        alternative = await self._contradictions.alternative(place, fact.subject, fact.relation)
        if not await self._states_fact(alternative):
            raise ModelCallFailed(NOT_THE_FACT)
        return Challenge(fact, alternative, await self.compare(place, sentence, alternative))

    async def challenge_all(
        self, place: Place, sentence: str, facts: Sequence[Fact]
    ) -> list[Challenge | BaseException]:
        """At least one result for each fact, in parallel; a failure does not affect the others."""
        if not self._contradictions.thrift.joins_facts:
            return await asyncio.gather(
                *(self.challenge(place, sentence, fact) for fact in facts), return_exceptions=True
            )
        return await self._challenge_together(place, sentence, facts)

    async def compare(self, place: Place, sentence: str, alternative: str) -> Comparison | None:
        """The analyzer's comparison; None if none is needed.

        Raises:
            ModelCallFailed: one of the calls came to nothing.
        """
        (result,) = await self.compare_all(place, sentence, [alternative])
        if isinstance(result, BaseException):
            raise result
        return result

    async def compare_all(
        self, place: Place, sentence: str, alternatives: Sequence[str]
    ) -> list[Comparison | DetectionError | None]:
        """The analyzer's comparison for each alternative; None if none is needed."""
        results, doubtful = await self._screened(place, sentence, alternatives)
        if self._contradictions.thrift.joins_pairs:
            pairs = [StatementPair(sentence, alternative) for alternative in doubtful]
            judged = await self._contradictions.judge(place.in_words, pairs)
            results |= zip(doubtful, judged, strict=True)
        else:
            for alternative in doubtful:
                try:
                    results[alternative] = await self._contradictions.compare(place, sentence, alternative)
                except ModelCallFailed as error:
                    results[alternative] = error
        return [results.get(alternative) for alternative in alternatives]

    async def _screened(
        self, place: Place, sentence: str, alternatives: Sequence[str]
    ) -> tuple[dict[str, Comparison | DetectionError], list[str]]:
        """The alternatives that surely contradict, and those that the analyzer must compare, each once."""
        others = [text for text in dict.fromkeys(alternatives) if not is_same_wording(sentence, text)]
        if self._screen is None or not others:
            return {}, others
        scores = await self._screen.score([(place.topic, sentence, other) for other in others])
        verdicts = dict(zip(others, map(settled, scores), strict=True))
        sure: dict[str, Comparison | DetectionError] = {other: _SURE for other in others if verdicts[other]}
        return sure, [other for other in others if verdicts[other] is None]

    async def _challenge_together(
        self, place: Place, sentence: str, facts: Sequence[Fact]
    ) -> list[Challenge | BaseException]:
        """Challenge all facts in one prompt, and in a second one the important facts that the answer left open.

        An alternative challenges the fact that it changes. The first contradiction is enough for a finding.
        """
        samples = min(self._contradictions.thrift.alternatives, len(facts))
        found = await self._written(place, sentence, facts, samples)
        left_open = [fact for fact in _left_open(facts, found) if _VALUE.search(fact.value)]
        if left_open and len(left_open) < len(facts) and not _is_contradicted(found):
            found += await self._written(place, sentence, left_open, 1)
        if _is_undecided(found):
            found += await self._written(place, sentence, facts, samples + 1)
        return found

    async def _written(
        self, place: Place, sentence: str, facts: Sequence[Fact], samples: int
    ) -> list[Challenge | BaseException]:
        gaps = [(fact.subject, fact.relation) for fact in facts]
        try:
            written = dict.fromkeys(await self._contradictions.alternatives(place, gaps, samples))
            alternatives = [text for text in written if await self._states_fact(text)]
        except DetectionError as error:
            return [error]
        if not alternatives:
            return [ModelCallFailed(NOT_THE_FACT)]
        judged = await self.compare_all(place, sentence, alternatives)
        return [
            result
            if isinstance(result, DetectionError)
            else Challenge(_fact_of(alternative, facts), alternative, result)
            for alternative, result in zip(alternatives, judged, strict=True)
        ]

    async def _states_fact(self, alternative: str) -> bool:
        parsed = await self._models.parse(alternative)
        return any(sentence.states_fact for sentence in parsed.sentences)

    async def _facts_by_analyzer(self, parsed: ParsedSentence) -> list[Fact]:
        whole = parsed.sentence.span
        facts = []
        for subject, relation, words in await self._contradictions.triples(parsed.text):
            start = parsed.text.find(words)
            span = Span(start, start + len(words)).shifted(whole.start) if start >= 0 else whole
            facts.append(Fact(subject, relation, span, words))
        return facts


def _is_undecided(found: Sequence[Challenge | BaseException]) -> bool:
    """Whether the votes on the alternatives split, so that another alternative may help."""
    challenges = [challenge for challenge in found if isinstance(challenge, Challenge)]
    if any(challenge.is_contradictory and challenge.score > _SPLIT[1] for challenge in challenges):
        return False
    return any(_SPLIT[0] < challenge.score <= _SPLIT[1] for challenge in challenges)


def _is_contradicted(found: Sequence[Challenge | BaseException]) -> bool:
    return any(isinstance(one, Challenge) and one.is_contradictory for one in found)


def _left_open(facts: Sequence[Fact], found: Sequence[Challenge | BaseException]) -> list[Fact]:
    """The facts that no alternative says anything about."""
    texts = [challenge.alternative for challenge in found if isinstance(challenge, Challenge)]
    return [fact for fact in facts if not any(fills_gap(text, fact.subject, fact.relation) for text in texts)]


def _fact_of(alternative: str, facts: Sequence[Fact]) -> Fact:
    """The fact that an alternative changes: it repeats most of the fact and least of its value."""
    words = _stems(alternative)

    def told_otherwise(fact: Fact) -> float:
        return _share(_stems(f"{fact.subject} {fact.relation}"), words) - _share(_stems(fact.value), words)

    return max(facts, key=told_otherwise)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.casefold())}


def _share(own: set[str], words: set[str]) -> float:
    return len(own & words) / max(1, len(own))


def facts_by_parse(parsed: ParsedSentence, known: Collection[tuple[str, str]] = ()) -> list[Fact]:
    """The facts from the parse, without those whose question is in ``known``."""
    facts = [
        Fact(triple.subject, triple.relation, triple.object_span, triple.object) for triple in find_triples(parsed)
    ]
    return _without_twins([fact for fact in facts if fact.question not in known])


def _without_twins(facts: Sequence[Fact]) -> list[Fact]:
    once: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        once.setdefault(fact.question, fact)
    return list(once.values())[:MAX_FACTS]
