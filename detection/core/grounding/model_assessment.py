"""Both levels of METHODS B with a language model: sentences first, then the entities of those that passed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from ..comparing.sentence import ComparableSentence
from ..types import GroundingLevel, ReadShare, Span, Verdict
from .entities import entities_of
from .hypotheses import Hypothesis, Judgement, Mark, Outcome, Unjudged
from .model import GroundingModel
from .premise import Premise, PremiseReader
from .quotes import Quote, QuoteFinder

_OWN_BRACKETS = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True)
class Proof:
    """A judgement, and those of its quotes that occur in the sources."""

    level: GroundingLevel
    span: Span | None
    """The entity's span in the sentence; None for the whole sentence."""
    judgement: Judgement
    quotes: tuple[Quote, ...]
    made_up: tuple[str, ...]
    """Quotes that occur in no source."""

    @property
    def is_sound(self) -> bool:
        """Whether the judgement is usable: "neutral" needs no quote, the other marks need one."""
        return not self.made_up and (bool(self.quotes) or self.judgement.mark is Mark.NEUTRAL)

    @property
    def passes(self) -> bool:
        return self.judgement.mark is Mark.ENTAILMENT


@dataclass(frozen=True, slots=True)
class Assessment:
    """The judgements of both levels about a sentence, and the share of the sources that was read for it."""

    sentence: ComparableSentence
    proofs: tuple[Proof, ...]
    read: ReadShare

    @property
    def verdict(self) -> Verdict:
        """A sentence passes only if every judgement passes. Judgements with only made-up quotes make it unsure."""
        failed = [proof for proof in self.proofs if not proof.passes]
        sound = {proof.judgement.mark for proof in failed if proof.is_sound}
        if Mark.CONTRADICTION in sound:
            return Verdict.CONFLICTS_WITH_SOURCE
        if sound:
            return Verdict.NOT_IN_SOURCE
        if failed or not all(proof.is_sound for proof in self.proofs):
            return Verdict.UNSURE
        return Verdict.SUPPORTED if self.proofs else Verdict.NO_PROBLEM_FOUND

    @property
    def decisive(self) -> tuple[Proof, ...]:
        """The judgements behind the verdict, contradictions first. Never empty for a warning."""
        failed = [proof for proof in self.proofs if not proof.passes]
        chosen = [proof for proof in failed if proof.is_sound] or failed
        chosen = chosen or [proof for proof in self.proofs if not proof.is_sound] or list(self.proofs)
        return tuple(sorted(chosen, key=lambda proof: proof.judgement.mark is not Mark.CONTRADICTION))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A hypothesis of one level: a sentence, or an entity in it."""

    sentence: ComparableSentence
    context: str
    span: Span | None = None

    @property
    def level(self) -> GroundingLevel:
        return GroundingLevel.SENTENCE if self.span is None else GroundingLevel.ENTITY

    @property
    def hypothesis(self) -> Hypothesis:
        text = self.sentence.text
        return Hypothesis(text if self.span is None else tagged(text, self.span), self.context)


@dataclass(frozen=True, slots=True)
class _Result:
    """A claim, its outcome, and the share of the sources that was read."""

    claim: _Claim
    outcome: Outcome
    read: ReadShare


class Assessor:
    """Judges sentences at the given levels. Sentences given together share their prompts."""

    def __init__(self, model: GroundingModel, reader: PremiseReader, levels: AbstractSet[GroundingLevel]) -> None:
        self._model = model
        self._reader = reader
        self._levels = levels
        self._quotes = QuoteFinder(reader.sources)

    async def assess(
        self, sentences: Sequence[ComparableSentence], contexts: Sequence[str]
    ) -> list[Assessment | Unjudged]:
        """One result for each sentence, in order. ``contexts`` has one context (see :class:`Hypothesis`) for each."""
        premise = self._reader.premise_for([_in_context(*pair) for pair in zip(contexts, sentences, strict=True)])
        claims = [_Claim(sentence, context) for sentence, context in zip(sentences, contexts, strict=True)]
        results: list[list[_Result]] = [[] for _ in claims]
        if GroundingLevel.SENTENCE in self._levels:
            results = [[result] for result in await self._judge(premise, claims)]
        if GroundingLevel.ENTITY in self._levels:
            passed = [i for i, own in enumerate(results) if all(_passes(result) for result in own)]
            entities = [
                (i, replace(claims[i], span=span))
                for i in passed
                for span in entities_of(sentences[i], self._model.categories)
            ]
            judged = await self._judge(premise, [entity for _, entity in entities])
            for (i, _), result in zip(entities, judged, strict=True):
                results[i].append(result)
        return [self._merge(sentence, own, premise) for sentence, own in zip(sentences, results, strict=True)]

    async def _judge(self, premise: Premise, claims: Sequence[_Claim]) -> list[_Result]:
        """Judge the claims of one level. Claims that the first premise leaves neutral get further passages."""
        results = await self._ask(premise, claims)
        if premise.is_whole:
            return results
        open_claims = [result.claim for result in results if _is_neutral(result)]
        alone = [[claim for claim in open_claims if claim.sentence is own] for own in _distinct_sentences(open_claims)]
        again = await asyncio.gather(*(self._judge_further(premise, group) for group in alone))
        second = {result.claim: result for group in again for result in group}
        return [_later(result, second.get(result.claim)) for result in results]

    async def _judge_further(self, premise: Premise, claims: Sequence[_Claim]) -> list[_Result]:
        """Judge the claims of one sentence again, with the next passages."""
        further = self._reader.further_premise(_in_context(claims[0].context, claims[0].sentence), premise)
        if further is None:
            return []
        read = ReadShare(premise.read.read + further.read.read, premise.read.total)
        return [replace(result, read=read) for result in await self._ask(further, claims)]

    async def _ask(self, premise: Premise, claims: Sequence[_Claim]) -> list[_Result]:
        if not claims:
            return []
        outcomes = await self._model.judge(claims[0].level, premise, [claim.hypothesis for claim in claims])
        return [_Result(claim, outcome, premise.read) for claim, outcome in zip(claims, outcomes, strict=True)]

    def _merge(
        self, sentence: ComparableSentence, results: Sequence[_Result], premise: Premise
    ) -> Assessment | Unjudged:
        """METHODS B.4. An unjudged claim makes the sentence unjudged, unless another claim gives a finding."""
        proofs = tuple(
            self._proof(result.claim, result.outcome) for result in results if isinstance(result.outcome, Judgement)
        )
        read = max((result.read for result in results), key=lambda share: share.read, default=premise.read)
        assessment = Assessment(sentence, proofs, read)
        unjudged = next((result.outcome for result in results if isinstance(result.outcome, Unjudged)), None)
        has_finding = assessment.verdict in (Verdict.CONFLICTS_WITH_SOURCE, Verdict.NOT_IN_SOURCE)
        return assessment if has_finding or unjudged is None else unjudged

    def _proof(self, claim: _Claim, judgement: Judgement) -> Proof:
        found = {quote: self._quotes.find(quote) for quote in judgement.quotes}
        return Proof(
            level=claim.level,
            span=claim.span,
            judgement=judgement,
            quotes=tuple(place for places in found.values() for place in places or ()),
            made_up=tuple(quote for quote, places in found.items() if places is None),
        )


def tagged(text: str, span: Span) -> str:
    """Put the words at ``span`` in ``[ ... ]``, the only square brackets of the result."""
    plain = text.translate(_OWN_BRACKETS)
    return f"{plain[: span.start]}[ {span.of(plain)} ]{plain[span.end :]}"


def _in_context(context: str, sentence: ComparableSentence) -> str:
    return f"{context} {sentence.text}".strip()


def _passes(result: _Result) -> bool:
    return isinstance(result.outcome, Judgement) and result.outcome.mark is Mark.ENTAILMENT


def _is_neutral(result: _Result) -> bool:
    return isinstance(result.outcome, Judgement) and result.outcome.mark is Mark.NEUTRAL


def _distinct_sentences(claims: Iterable[_Claim]) -> list[ComparableSentence]:
    """The sentences of the claims, each once."""
    return list(dict.fromkeys(claim.sentence for claim in claims))


def _later(first: _Result, second: _Result | None) -> _Result:
    """The second result; the first one if both are neutral, because its passages are nearer."""
    if second is None:
        return first
    return replace(first, read=second.read) if _is_neutral(second) else second
