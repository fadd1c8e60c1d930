"""Find sentences that the model contradicts when it is asked again (METHODS A).

For each fact of a sentence the generator writes an alternative sentence without seeing the original; the analyzer
compares the two. Every prompt has the original text before the sentence, so that all sentences run at the same time:
three sequential calls for a text of any length, and a few more for each rewrite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..comparing.sentence import ComparableSentence
from ..control import run_together
from ..errors import Cancelled, DetectionError, ModelCallFailed
from ..findings import make_finding
from ..labels import SuggestionLabel
from ..llm.attribution import asking_for
from ..messages import MessageCode
from ..places import place_of
from ..ports import DetectionRequest, Emit, Material, Ports, Requirement
from ..reasons import Reason
from ..reports import UnitDone, UnitFailed, UnitResult, UnitSkipped, UnitStarted
from ..rewriting.rewrites import removal_of, suggestion_of
from ..self_contradiction.challenge import Challenge, Challenger
from ..self_contradiction.correction import Corrector
from ..self_contradiction.model import Place
from ..types import Evidence, Finding, FindingKind, Span, Suggestion, SuggestionMethod, Verdict

#: METHODS A.5: a sentence with this many contradicted facts is removed and not rewritten.
FACTS_TO_DROP = 2

#: About four in five sentences that the analyzer calls contradictory are so (METHODS A, figures).
_PRECISION = 0.8
_NO_FACTS = Reason.NAMES_NO_FACT.of()
_NOTHING_STANDS = "Every fact of this sentence was contradicted, so that no rewrite was tried."


class SelfContradiction:
    """Asks the generator for alternatives, and the analyzer to compare them with the sentence."""

    id: ClassVar[str] = "self_contradiction.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset({Requirement.LLM})
    compares_sentences: ClassVar[bool] = False

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        if ports.contradictions is None:
            raise ModelCallFailed("No language model is set up.")
        material = request.material
        # The local models decide clear cases, if they can read the language.
        is_screened = ports.is_screened and material.is_english
        challenger = Challenger(ports.contradictions, ports.models, is_screened=is_screened)
        corrector = Corrector(ports.contradictions, challenger, ports.models)
        await run_together(
            _Examination(material.sentences[index], _place(material, ports, index), challenger, corrector).settle(emit)
            for index in request.pending
        )

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        """None: three more calls for each rewrite of another detector would cost too much."""
        return frozenset()

    async def basis(self, material: Material, ports: Ports, index: int) -> tuple[str, ...]:
        """The models, whether the local models screen first, and the text before the sentence (in every prompt)."""
        place = _place(material, ports, index)
        models = (ports.contradictions.generator, ports.contradictions.analyzer) if ports.contradictions else ()
        thrift = repr(ports.contradictions.thrift) if ports.contradictions else ""
        return (*models, str(ports.is_screened), thrift, place.topic, place.description, place.prefix)


def _place(material: Material, ports: Ports, index: int) -> Place:
    shares_prefix = ports.contradictions is not None and ports.contradictions.thrift.shares_prefix
    return place_of(material, index, shares_prefix=shares_prefix)


@dataclass(frozen=True, slots=True)
class _Examination:
    """One sentence, its position, and the models that are asked about it."""

    sentence: ComparableSentence
    place: Place
    challenger: Challenger
    corrector: Corrector

    async def settle(self, emit: Emit) -> None:
        index = self.sentence.parsed.sentence.index
        await emit(UnitStarted(SelfContradiction.id, index))
        result: UnitResult
        try:
            with asking_for(SelfContradiction.id, (index,)):
                result = await self._judge(index)
        except Cancelled:
            raise
        except DetectionError as error:
            result = UnitFailed(SelfContradiction.id, index, str(error))
        await emit(result)

    async def _judge(self, index: int) -> UnitResult:
        facts = await self.challenger.facts(self.sentence.parsed)
        if not facts:
            return UnitSkipped(SelfContradiction.id, index, _NO_FACTS)
        outcomes = await self.challenger.challenge_all(self.place, self.sentence.text, facts)
        challenges = [outcome for outcome in outcomes if isinstance(outcome, Challenge)]
        contradictory = [challenge for challenge in challenges if challenge.is_contradictory]
        if contradictory:
            answers = {challenge.alternative for challenge in contradictory}
            contradicted = {challenge.fact.question for challenge in contradictory}
            all_are = contradicted == {fact.question for fact in facts} and len(contradictory) == len(outcomes)
            nothing_stands = all_are and len(answers) >= FACTS_TO_DROP
            finding = await self._finding(challenges, nothing_stands=nothing_stands)
            return UnitDone(SelfContradiction.id, index, Verdict.CONTRADICTED, (finding,))
        failed = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        if failed:
            # A sentence that was not examined completely is not called fine.
            raise _of_several(failed, len(outcomes))
        return UnitDone(SelfContradiction.id, index, Verdict.NO_PROBLEM_FOUND)

    async def _finding(self, challenges: Sequence[Challenge], *, nothing_stands: bool) -> Finding:
        """A finding about the most surely contradicted fact, with the other answers as evidence."""
        contradictory = sorted(
            (challenge for challenge in challenges if challenge.is_contradictory),
            key=lambda challenge: challenge.score,
            reverse=True,
        )
        worst = contradictory[0]
        return make_finding(
            self.sentence,
            span=worst.fact.span,
            kind=FindingKind.SELF_CONTRADICTION,
            verdict=Verdict.CONTRADICTED,
            score=_PRECISION * worst.score,
            message=MessageCode.MODEL_SAYS_OTHERWISE.of(),
            explanation=_explanation(worst) + (f" {_NOTHING_STANDS}" if nothing_stands else ""),
            evidence=_evidence(contradictory),
            detector=SelfContradiction.id,
            prompt=worst.comparison.prompt if worst.comparison else None,
            suggestions=[*([] if nothing_stands else await self._rewrites(challenges)), removal_of(self.sentence)],
        )

    async def _rewrites(self, challenges: Sequence[Challenge]) -> list[Suggestion]:
        """A rewrite without contradictions. If the rewrite fails, the finding stays without one."""
        try:
            rewrite = await self.corrector.rewrite(self.place, self.sentence.text, challenges)
        except DetectionError:
            return []
        if not rewrite:
            return []
        # The model now agrees with itself, but any of its answers may be right.
        label = SuggestionLabel.USE_REWRITE
        return [suggestion_of(self.sentence, rewrite, SuggestionMethod.LLM, label, verified=False)]


def _of_several(failed: Sequence[BaseException], facts: int) -> BaseException:
    """The first failure; with the number of facts that were not checked, where others were."""
    first = failed[0]
    if len(failed) == facts or not isinstance(first, ModelCallFailed):
        return first
    return ModelCallFailed(f"{len(failed)} of {facts} facts could not be checked. {first}")


def _explanation(challenge: Challenge) -> str:
    if challenge.comparison is None:
        return ""
    votes = challenge.comparison.votes
    told = "" if challenge.comparison.prompt is None else f" ({votes.yes} of {votes.cast} votes: contradictory.)"
    return challenge.comparison.explanation + told


def _evidence(contradictory: Sequence[Challenge]) -> tuple[Evidence, ...]:
    """The alternatives of the generator, each once."""
    once = {challenge.alternative: challenge for challenge in reversed(contradictory)}
    return tuple(
        Evidence(alternative, Span(0, len(alternative)), score=challenge.score)
        for alternative, challenge in reversed(once.items())
    )
