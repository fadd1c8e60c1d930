"""The product's result for a whole text, for the sets of texts: the pipeline runs as for a user."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from detection.core.control import never
from detection.core.detectors.cross_contradiction import CrossContradiction
from detection.core.detectors.grounding import Grounding
from detection.core.ports import Ports
from detection.core.run import pipeline
from detection.core.run.collector import Collector
from detection.core.types import Engine, Finding, Sentence, SourceText, Span, Suggestion, Verdict

from .base import Conditions, Judges

#: Verdicts of sentences that do not agree with their source.
UNSUPPORTED = (Verdict.CONFLICTS_WITH_SOURCE, Verdict.NOT_IN_SOURCE)


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A text and its source; None for a text that is only compared with itself."""

    text: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """The sentences as the product splits them, with the verdict of each, and all findings."""

    sentences: tuple[Sentence, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]

    @property
    def is_unsupported(self) -> bool:
        """True if a warning says that the text does not agree with its source."""
        return any(verdict in UNSUPPORTED for verdict in self.verdicts)

    @property
    def checked(self) -> int:
        """The number of judged sentences."""
        return sum(verdict not in (Verdict.NOT_CHECKED, Verdict.FAILED) for verdict in self.verdicts)

    def at(self, span: Span) -> list[int]:
        """The sentences at ``span`` of the text."""
        return [sentence.index for sentence in self.sentences if sentence.span.overlaps(span)]

    def verdict_at(self, span: Span) -> Verdict:
        """The worst verdict at ``span`` of the text."""
        found = [self.verdicts[index] for index in self.at(span)]
        return min(found, key=lambda verdict: verdict.rank, default=Verdict.NOT_CHECKED)

    @property
    def suggestions(self) -> Iterator[tuple[Finding, Suggestion]]:
        """The verified rewrites, with the finding of each; no removals."""
        for finding in self.findings:
            for suggestion in finding.suggestions:
                if suggestion.replacement and suggestion.verified:
                    yield finding, suggestion


@dataclass(frozen=True, slots=True)
class CheckJudge:
    """The product with some of its detectors. The engine is that of the ports."""

    ports: Ports
    detector: str
    conditions: Conditions

    async def judge(self, questions: Sequence[CheckQuestion]) -> list[CheckAnswer]:
        return await asyncio.gather(*map(self._answer, questions))

    async def _answer(self, question: CheckQuestion) -> CheckAnswer:
        sources = () if question.source is None else (SourceText(id="source", name="source", text=question.source),)
        request = pipeline.CheckRequest(
            text=question.text,
            sources=sources,
            strictness=self.conditions.strictness,
            detectors=(self.detector,),
            levels=self.conditions.levels,
        )
        collector = Collector()
        await pipeline.run(request, self.ports, collector.report, cancelled=never)
        verdicts = tuple(collector.verdict(sentence.index) for sentence in collector.sentences)
        return CheckAnswer(collector.sentences, verdicts, tuple(collector.findings))


def in_text_judges(conditions: Conditions) -> Judges[CheckQuestion, CheckAnswer]:
    """The detectors that compare sentences of one text."""
    return {Engine.LOCAL: {"in-text": _judge(CrossContradiction.id, conditions)}}


def source_judges(conditions: Conditions) -> Judges[CheckQuestion, CheckAnswer]:
    """The detectors that compare a text with its source."""
    judge = _judge(Grounding.id, conditions)
    return {Engine.LOCAL: {"nli": judge}, Engine.LLM: {"chain": judge}}


def _judge(detector: str, conditions: Conditions) -> Callable[[Ports], CheckJudge]:
    return lambda ports: CheckJudge(ports, detector, conditions)


def joined(sentences: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Sentences joined to one text, and the span of each."""
    spans = []
    position = 0
    for sentence in sentences:
        spans.append(Span(position, position + len(sentence)))
        position += len(sentence) + 1
    return " ".join(sentences), tuple(spans)
