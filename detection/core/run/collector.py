"""Collect the reports of the pipeline, for callers that need only the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..reports import PipelineEvent, TextSegmented, UnitDone, UnitFailed, UnitResult, UnitSkipped
from ..rewriting import revise
from ..types import Finding, Sentence, Verdict
from .verdicts import sentence_verdict


class Collector:
    """Pass :meth:`report` to :func:`pipeline.run`; afterwards this object has all results."""

    def __init__(self) -> None:
        self.sentences: tuple[Sentence, ...] = ()
        self.topic: str | None = None
        self.results: dict[int, dict[str, UnitResult]] = defaultdict(dict)
        """The result of every unit, by sentence and detector."""

    async def report(self, events: Sequence[PipelineEvent]) -> None:
        for event in events:
            if isinstance(event, TextSegmented):
                self.sentences, self.topic = event.sentences, event.topic
            elif isinstance(event, UnitResult):
                self.results[event.sentence][event.detector] = event

    @property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the text."""
        results = (result for units in self.results.values() for result in units.values())
        found = [finding for result in results if isinstance(result, UnitDone) for finding in result.findings]
        return sorted(found, key=lambda finding: (finding.sentence, finding.span))

    def verdict(self, index: int) -> Verdict:
        """The worst verdict on a sentence, of its own results or as the other side of a contradiction."""
        units = self.results[index].values()
        done = [unit.verdict for unit in units if isinstance(unit, UnitDone)]
        done += [
            finding.verdict
            for finding in self.findings
            if any(evidence.sentence == index for evidence in finding.evidence)
        ]
        return sentence_verdict(done, failed=any(isinstance(unit, UnitFailed) for unit in units))

    @property
    def checked(self) -> int:
        """How many sentences at least one detector judged and none failed on."""
        return sum(
            self.verdict(sentence.index) not in (Verdict.NOT_CHECKED, Verdict.FAILED) for sentence in self.sentences
        )

    @property
    def checkable(self) -> int:
        """How many sentences can be judged."""
        skipped = sum(
            all(isinstance(unit, UnitSkipped) for unit in self.results[sentence.index].values())
            for sentence in self.sentences
        )
        return len(self.sentences) - skipped

    def revised(self, text: str) -> str:
        """The text with every suggestion applied that "accept all" takes (``revise.accept_all``)."""
        return revise.apply(text, self.sentences, revise.accept_all(self.sentences, self.findings))
