"""Find sources of one check that contradict each other about a sentence, and quote both without taking sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..comparing.pair_scorer import PairScorer, settled
from ..comparing.sentence import ComparableSentence
from ..errors import DetectionError
from ..findings import make_finding
from ..local_models.process import LocalModels
from ..messages import MessageCode
from ..ports import Material
from ..rewriting.rewrites import removal_of
from ..self_contradiction.model import Contradictions
from ..self_contradiction.pairs import COMPARE_PAIRS, Comparison, StatementPair
from ..sources.library import SourceLibrary, SourceSentence
from ..types import Evidence, Finding, FindingKind, Verdict

#: Number of passages of another source to search, those nearest to the sentence.
_PASSAGES = 2
_PLACE = "Statements of different sources about {topic}."
# Not calibrated: either source may be right.
_SCORE = 0.5


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The quote of one source, the contradicting quote of another, and the model's comparison of the two."""

    quote: Evidence
    opposite: Evidence
    explanation: str


class SourceDisagreements:
    """Searches the other sources for passages that contradict the quoted one.

    Pairs that the local models are sure agree are left out; the language model judges the others, in both orders.
    """

    def __init__(self, material: Material, contradictions: Contradictions, models: LocalModels) -> None:
        self._library: SourceLibrary = material.library
        self._topic = material.topic or "one subject"
        self._contradictions = contradictions
        self._scorer = PairScorer(models)

    async def find(
        self, sentence: ComparableSentence, verdict: Verdict, quotes: Sequence[Evidence]
    ) -> Disagreement | None:
        """The passage of another source that contradicts the quote behind a verdict; None if they agree.

        Raises:
            ModelCallFailed, EndpointRefused, BudgetExhausted: the call failed.
        """
        quote = next((quote for quote in quotes if quote.source is not None), None)
        if quote is None or len(self._library.sources) < 2:
            return None
        # A supported sentence is compared itself: the quote may be only a part of its support.
        statement = sentence.text if verdict is Verdict.SUPPORTED else quote.quote
        others = [await self._nearest(sentence, source) for source in self._library.sources if source != quote.source]
        for other in await self._doubtful(statement, [other for other in others if other is not None]):
            comparison = await self._contradiction(StatementPair(statement, other.text))
            if comparison is not None:
                return Disagreement(
                    quote, Evidence(other.text, other.span, source=other.source.id), comparison.explanation
                )
        return None

    async def _nearest(self, sentence: ComparableSentence, source: str) -> SourceSentence | None:
        """The sentence of a source that shares most of the topic."""
        passages = [one for one in self._library.ranked_passages(sentence.text) if one.source.id == source]
        found = await self._library.sentences_of(passages[:_PASSAGES])
        best = max(found, key=lambda one: one.sentence.overlap(sentence), default=None)
        return best if best is not None and best.sentence.overlap(sentence) else None

    async def _doubtful(self, statement: str, others: Sequence[SourceSentence]) -> list[SourceSentence]:
        if not others:
            return []
        scores = await self._scorer.score([(self._topic, statement, other.text) for other in others])
        return [other for other, score in zip(others, scores, strict=True) if settled(score) is not False]

    async def _contradiction(self, pair: StatementPair) -> Comparison | None:
        """The model's comparison of a pair that it calls contradictory in both orders; otherwise None."""
        first: Comparison | None = None
        for way in (pair, pair.turned):
            (result,) = await self._contradictions.judge(_PLACE.format(topic=self._topic), [way])
            if isinstance(result, DetectionError):
                raise result
            if not result.votes.is_yes:
                return None
            first = first or result
        return first


def finding_of(found: Disagreement, sentence: ComparableSentence, material: Material, detector: str) -> Finding:
    """A finding with both quotes. The reader decides which one is right, so no rewrite is offered."""
    first, second = (
        material.library.sources[evidence.source or ""].source.name for evidence in (found.quote, found.opposite)
    )
    return make_finding(
        sentence,
        span=sentence.parsed.sentence.span,
        kind=FindingKind.CONFLICTS_WITH_SOURCE,
        verdict=Verdict.UNSURE,
        score=_SCORE,
        message=MessageCode.SOURCES_DISAGREE.of(
            first=first, one=found.quote.quote, second=second, other=found.opposite.quote
        ),
        explanation=found.explanation,
        evidence=(found.quote, found.opposite),
        detector=detector,
        suggestions=[removal_of(sentence)],
        prompt=COMPARE_PAIRS.id,
    )
