"""Sentences that the model contradicts when it is asked again (METHODS A).

For each fact of a sentence the generator writes the sentence anew, without having seen it; the analyzer compares the
two. With the original text before the sentence in every prompt, all sentences run at the same time: three calls in a
row, however long the text is, and two more for each rewrite.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..comparison import ComparableSentence, stem
from ..contradiction import (
    EXPLAIN,
    Comparison,
    Contradictions,
    Place,
    is_same_wording,
    place_for_prompt,
    place_for_topic,
)
from ..control import run_together
from ..errors import Cancelled, DetectionError, ModelCallFailed
from ..events import UnitDone, UnitFailed, UnitResult, UnitStarted
from ..language.triples import find_triples
from ..pair_scorer import HARMLESS, PairScorer
from ..rewrites import removal_of, suggestion_of
from ..types import Evidence, Finding, FindingKind, Span, Suggestion, SuggestionMethod, Verdict
from .base import DetectionRequest, Emit, Material, Ports, Requirement
from .findings import make_finding

#: METHODS A.5: a rewrite that still contradicts is rewritten so often in all.
ROUNDS = 3
#: So many facts of a sentence are asked for again, those first that could most easily be wrong.
MAX_FACTS = 4
#: The end of the text before a sentence that is put into a prompt.
MAX_PREFIX_WORDS = 120

#: So much of a rewrite must stand in the sentence or in the other answer.
LEAST_KEPT = 0.7
_WORD = re.compile(r"\w+")

#: Of the sentences that the analyzer calls contradictory about four in five are (METHODS A, figures).
_PRECISION = 0.8
_MESSAGE = "Asked again, the model says something that contradicts this."
_UNKNOWN_TOPIC = "the subject of the text"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a sentence without its last part. ``span`` are the words left out, in the document."""

    subject: str
    relation: str
    span: Span


@dataclass(frozen=True, slots=True)
class Challenge:
    """A fact, what the generator wrote for it, and what the analyzer says."""

    fact: Fact
    alternative: str
    comparison: Comparison | None
    """None when it was not needed: the two have the same words, or the local models see no contradiction."""

    @property
    def score(self) -> float:
        return self.comparison.votes.score if self.comparison else 0.0

    @property
    def is_contradictory(self) -> bool:
        return self.comparison is not None and self.comparison.votes.is_yes


class SelfContradiction:
    """Asks the generator again, and the analyzer about the difference."""

    id: ClassVar[str] = "self_contradiction.v1"
    requires: ClassVar[frozenset[Requirement]] = frozenset({Requirement.LLM})

    async def detect(self, request: DetectionRequest, ports: Ports, emit: Emit) -> None:
        if ports.contradictions is None:
            raise ModelCallFailed("No language model is set up.")
        contradictions = ports.contradictions
        # The local models settle what they are sure of, where they can read the language.
        screen = PairScorer(ports.models) if ports.is_screened and request.material.is_english else None
        await run_together(
            self._settle(request.material, contradictions, screen, index, emit) for index in request.pending
        )

    async def problems(
        self, material: Material, ports: Ports, index: int, wording: ComparableSentence
    ) -> frozenset[FindingKind]:
        """Nothing: the rewrites of other detectors are not worth three more calls each."""
        return frozenset()

    async def _settle(
        self, material: Material, contradictions: Contradictions, screen: PairScorer | None, index: int, emit: Emit
    ) -> None:
        await emit(UnitStarted(self.id, index))
        result: UnitResult
        try:
            result = await self._judge(material, contradictions, screen, index)
        except Cancelled:
            raise
        except DetectionError as error:
            result = UnitFailed(self.id, index, str(error))
        await emit(result)

    async def _judge(
        self, material: Material, contradictions: Contradictions, screen: PairScorer | None, index: int
    ) -> UnitResult:
        sentence = material.sentences[index]
        place = _place(material, sentence)
        facts = await _facts(contradictions, sentence)
        outcomes = await asyncio.gather(
            *(_challenge(contradictions, screen, place, sentence, fact) for fact in facts), return_exceptions=True
        )
        challenges = [outcome for outcome in outcomes if isinstance(outcome, Challenge)]
        worst = max(challenges, key=lambda challenge: challenge.score, default=None)
        if worst is not None and worst.is_contradictory and worst.comparison is not None:
            finding = await self._finding(contradictions, place, sentence, worst, worst.comparison)
            return UnitDone(self.id, index, Verdict.CONTRADICTED, (finding,))
        for outcome in outcomes:
            # What was not looked at to the end is not called fine.
            if isinstance(outcome, BaseException):
                raise outcome
        return UnitDone(self.id, index, Verdict.NO_PROBLEM_FOUND)

    async def _finding(
        self,
        contradictions: Contradictions,
        place: Place,
        sentence: ComparableSentence,
        challenge: Challenge,
        comparison: Comparison,
    ) -> Finding:
        votes = comparison.votes
        return make_finding(
            sentence,
            span=challenge.fact.span,
            kind=FindingKind.SELF_CONTRADICTION,
            verdict=Verdict.CONTRADICTED,
            score=_PRECISION * votes.score,
            message=_MESSAGE,
            explanation=f"{comparison.explanation} ({votes.yes} of {votes.cast} votes: contradictory.)",
            evidence=(Evidence(challenge.alternative, Span(0, len(challenge.alternative)), score=votes.score),),
            detector=self.id,
            prompt=EXPLAIN.id,
            suggestions=await _suggestions(contradictions, place, sentence, challenge.alternative),
        )


async def _facts(contradictions: Contradictions, sentence: ComparableSentence) -> list[Fact]:
    """The facts of a sentence by its parse; by the analyzer where the parse finds none."""
    parsed = [Fact(triple.subject, triple.relation, triple.object_span) for triple in find_triples(sentence.parsed)]
    if parsed:
        return _without_twins(parsed)
    whole = sentence.parsed.sentence.span
    asked = []
    for subject, relation, words in await contradictions.triples(sentence.text):
        start = sentence.text.find(words)
        span = Span(start, start + len(words)).shifted(whole.start) if start >= 0 else whole
        asked.append(Fact(subject, relation, span))
    return _without_twins(asked)


def _without_twins(facts: Sequence[Fact]) -> list[Fact]:
    """Each question once: two objects of one relation leave the same gap."""
    once: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        once.setdefault((fact.subject.casefold(), fact.relation.casefold()), fact)
    return list(once.values())[:MAX_FACTS]


async def _challenge(
    contradictions: Contradictions, screen: PairScorer | None, place: Place, sentence: ComparableSentence, fact: Fact
) -> Challenge:
    alternative = await contradictions.alternative(place, fact.subject, fact.relation)
    if is_same_wording(sentence.text, alternative):
        return Challenge(fact, alternative, None)
    if screen is not None:
        (score,) = await screen.score([(place.topic, sentence.text, alternative)])
        if score < HARMLESS:
            return Challenge(fact, alternative, None)
    return Challenge(fact, alternative, await contradictions.compare(place, sentence.text, alternative))


async def _suggestions(
    contradictions: Contradictions, place: Place, sentence: ComparableSentence, alternative: str
) -> list[Suggestion]:
    """A rewrite that no longer contradicts, and the removal. A rewrite that fails is no reason to lose the finding."""
    suggestions = []
    try:
        rewrite = await _rewrite(contradictions, place, sentence.text, alternative)
    except DetectionError:
        rewrite = None
    if rewrite:
        suggestions.append(suggestion_of(sentence, rewrite, SuggestionMethod.LLM, "Use the rewrite"))
    return [*suggestions, removal_of(sentence)]


async def _rewrite(contradictions: Contradictions, place: Place, sentence: str, alternative: str) -> str | None:
    wording = sentence
    for _ in range(ROUNDS):
        revised = await contradictions.revision(place, wording, alternative)
        if not revised or is_same_wording(revised, wording) or not _keeps_to(revised, sentence, alternative):
            return None
        if not (await contradictions.compare(place, revised, alternative)).votes.is_yes:
            return revised
        wording = revised
    return None


def _keeps_to(revised: str, sentence: str, alternative: str) -> bool:
    """Whether a rewrite adds next to nothing: models write in another language, or tell more than they were asked."""
    known = {stem(word) for word in _WORD.findall(f"{sentence} {alternative}".casefold())}
    words = [stem(word) for word in _WORD.findall(revised.casefold())]
    return sum(word in known for word in words) >= LEAST_KEPT * len(words)


def _place(material: Material, sentence: ComparableSentence) -> Place:
    words = material.text[: sentence.parsed.sentence.start].split()
    prefix = " ".join(["…", *words[-MAX_PREFIX_WORDS:]] if len(words) > MAX_PREFIX_WORDS else words)
    if material.prompt:
        return place_for_prompt(material.prompt, prefix)
    return place_for_topic(material.topic or _UNKNOWN_TOPIC, prefix)
