"""Judges that search whole texts for contradictions and revise them: the product, and the ablations of METHODS A."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from detection.core.control import never
from detection.core.detectors.cross_contradiction import CrossContradiction
from detection.core.detectors.self_contradiction import SelfContradiction
from detection.core.errors import EndpointRefused, ModelCallFailed
from detection.core.llm.client import ModelClient
from detection.core.llm.types import ModelRequest, Purpose
from detection.core.ports import Ports
from detection.core.prompts import Prompt, load
from detection.core.reports import UnitFailed
from detection.core.rewriting import revise
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.self_contradiction.challenge import Challenger, Fact, facts_by_parse
from detection.core.self_contradiction.model import Contradictions, Place, is_same_wording, place_for_topic
from detection.core.types import ParsedText, Sentence, Span

from .triggers import Trigger

_WEIGH, _SCORE = load("weigh.v1"), load("score.v1")
#: Appendix B, setting b: the number of alternatives in one prompt.
_ALTERNATIVES = 20
#: A sentence that scores less, of 10, is called contradictory.
_CORRECT = 5
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A text about ``topic`` that answers ``prompt``, and its sentences as the data cuts them."""

    topic: str
    prompt: str
    text: str
    sentences: tuple[str, ...]

    @property
    def spans(self) -> list[Span | None]:
        """The span of each sentence; None for one that is not found."""
        spans: list[Span | None] = []
        position = 0
        for sentence in self.sentences:
            start = self.text.find(sentence, position)
            spans.append(Span(start, start + len(sentence)) if start >= 0 else None)
            position = start + len(sentence) if start >= 0 else position
        return spans


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """``flagged`` are the positions of sentences that are called contradictory, ``failed`` is how many had no answer.

    ``sentences`` are those of the revised text; None from a judge that does not revise.
    """

    flagged: frozenset[int]
    sentences: tuple[str, ...] | None = None
    failed: int = 0


class PipelineTextJudge:
    """The product with a language model: the first suggestion of each finding is taken."""

    _detector = SelfContradiction.id

    def __init__(self, ports: Ports, *, is_screened: bool = True) -> None:
        self._ports = replace(ports, is_screened=is_screened)

    async def judge(self, questions: Sequence[TextQuestion]) -> list[TextAnswer]:
        return list(await asyncio.gather(*map(self._judge, questions)))

    async def _judge(self, question: TextQuestion) -> TextAnswer:
        collector = Collector()
        request = pipeline.CheckRequest(question.text, topic=question.topic, detectors=(self._detector,))
        await pipeline.run(request, self._ports, collector.report, cancelled=never)
        own = {sentence.index: sentence for sentence in collector.sentences}
        results = [result for units in collector.results.values() for result in units.values()]
        return TextAnswer(
            flagged=_flagged(question, [own[finding.sentence] for finding in collector.findings]),
            sentences=tuple(
                _revised(question, own, revise.accept_for_measurement(collector.sentences, collector.findings))
            ),
            failed=sum(isinstance(result, UnitFailed) for result in results),
        )


class LocalTextJudge(PipelineTextJudge):
    """The product with local models alone: sentences of one text that contradict each other."""

    _detector = CrossContradiction.id


class AlternativesTextJudge(ABC):
    """The base of the ablations: each sentence of the data separately, without a revision."""

    def __init__(self, ports: Ports) -> None:
        if ports.client is None or ports.contradictions is None:
            raise EndpointRefused("No language model is set up.")
        self._client: ModelClient = ports.client
        self._models: Contradictions = ports.contradictions
        self._local = ports.models
        self._challenger = Challenger(ports.contradictions, ports.models, is_screened=False)

    async def judge(self, questions: Sequence[TextQuestion]) -> list[TextAnswer]:
        return list(await asyncio.gather(*map(self._judge, questions)))

    async def _judge(self, question: TextQuestion) -> TextAnswer:
        outcomes = await asyncio.gather(
            *(self._judge_sentence(question, position) for position in range(len(question.sentences)))
        )
        flagged = frozenset(position for position, outcome in enumerate(outcomes) if outcome)
        return TextAnswer(flagged, failed=outcomes.count(None))

    async def _judge_sentence(self, question: TextQuestion, position: int) -> bool | None:
        """Whether a sentence is contradicted; None if unknown."""
        sentence = question.sentences[position]
        place = place_for_topic(question.topic, " ".join(question.sentences[:position]))
        facts = _facts(await self._local.parse(sentence))
        try:
            return bool(facts) and await self._is_contradicted(place, sentence, facts)
        except ModelCallFailed:
            return None

    @abstractmethod
    async def _is_contradicted(self, place: Place, sentence: str, facts: Sequence[Fact]) -> bool: ...


class TriggeringTextJudge(AlternativesTextJudge):
    """Another trigger, and the analyzer's judgement of each sentence that it gives."""

    def __init__(self, ports: Ports, *, trigger: Trigger) -> None:
        super().__init__(ports)
        self._trigger = trigger

    async def _is_contradicted(self, place: Place, sentence: str, facts: Sequence[Fact]) -> bool:
        alternatives = await self._trigger(self._client, self._models, place, sentence, facts)
        comparisons = await asyncio.gather(
            *(self._challenger.compare(place, sentence, other) for other in dict.fromkeys(alternatives))
        )
        return any(comparison is not None and comparison.votes.is_yes for comparison in comparisons)


class ScoringTextJudge(AlternativesTextJudge):
    """Appendix B, setting b: a score from 0 to 10, by many alternatives at once."""

    async def _is_contradicted(self, place: Place, sentence: str, facts: Sequence[Fact]) -> bool:
        samples = -(-_ALTERNATIVES // len(facts))
        sampled = await asyncio.gather(
            *(self._models.alternatives(place, [(fact.subject, fact.relation)], samples) for fact in facts)
        )
        others = [text for texts in sampled for text in texts if not is_same_wording(sentence, text)]
        if not others:
            return False
        numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(others, start=1))
        explanation = await self._ask(
            _WEIGH,
            description=place.description,
            prefix=place.prefix_in_words,
            sentence=sentence,
            alternatives=numbered,
        )
        return _read_score(await self._ask(_SCORE, sentence=sentence, explanation=explanation)) < _CORRECT

    async def _ask(self, prompt: Prompt, **variables: str) -> str:
        messages = prompt.render(**variables)
        request = ModelRequest(Purpose.EXPLAIN, prompt.id, self._models.analyzer, messages, max_tokens=300)
        return (await self._client.complete(request)).text


def _read_score(answer: str) -> float:
    """The score in an answer.

    Raises:
        ModelCallFailed: there is no number from 0 to 10 in it.
    """
    numbers = [float(number) for number in _NUMBER.findall(answer)]
    if not numbers or not 0 <= numbers[0] <= 10:
        raise ModelCallFailed("The model gave no score from 0 to 10.")
    return numbers[0]


def _facts(parsed: ParsedText) -> list[Fact]:
    return [fact for sentence in parsed.sentences for fact in facts_by_parse(sentence)]


def _flagged(question: TextQuestion, sentences: Sequence[Sentence]) -> frozenset[int]:
    """The sentences of the data that sentences of the pipeline stand in: the two may cut a text differently."""
    return frozenset(
        position
        for position, span in enumerate(question.spans)
        if span is not None and any(span.overlaps(sentence.span) for sentence in sentences)
    )


def _revised(question: TextQuestion, own: Mapping[int, Sentence], wordings: Mapping[int, str]) -> Iterator[str]:
    """The sentences of the revised text: those of the data where nothing changed, the new wordings elsewhere."""
    changed = [own[index] for index in wordings]
    touched = _flagged(question, changed)
    written: set[int] = set()
    for position, (sentence, span) in enumerate(zip(question.sentences, question.spans, strict=True)):
        if position not in touched or span is None:
            yield sentence
            continue
        for other in own.values():
            if other.span.overlaps(span) and other.index not in written:
                written.add(other.index)
                wording = wordings.get(other.index, other.text)
                if wording:
                    yield wording
