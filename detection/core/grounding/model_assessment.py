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
    """A judgement, and what of its quotes the sources really say."""

    level: GroundingLevel
    span: Span | None
    """The entity, counted in the sentence; None for the sentence as a whole."""
    judgement: Judgement
    quotes: tuple[Quote, ...]
    made_up: tuple[str, ...]
    """Quotes that stand in no source."""

    @property
    def is_sound(self) -> bool:
        """Whether there is something to the judgement: that nothing was found needs no quote, the rest does."""
        return not self.made_up and (bool(self.quotes) or self.judgement.mark is Mark.NEUTRAL)

    @property
    def passes(self) -> bool:
        return self.judgement.mark is Mark.ENTAILMENT


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the levels say of a sentence, and how much of the sources was read for it."""

    sentence: ComparableSentence
    proofs: tuple[Proof, ...]
    read: ReadShare

    @property
    def verdict(self) -> Verdict:
        """A sentence passes only if every judgement does. What rests on made-up quotes alone leaves it unsure."""
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
        """The judgements that the verdict rests on, contradictions first. Never empty where it is a warning."""
        failed = [proof for proof in self.proofs if not proof.passes]
        chosen = [proof for proof in failed if proof.is_sound] or failed
        chosen = chosen or [proof for proof in self.proofs if not proof.is_sound] or list(self.proofs)
        return tuple(sorted(chosen, key=lambda proof: proof.judgement.mark is not Mark.CONTRADICTION))


@dataclass(frozen=True, slots=True)
class _Claim:
    """What is judged at one level: a sentence, or an entity in it."""

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
class _Look:
    """A claim, what was said of it, and after how much reading."""

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
        """One result for each sentence, in order. ``contexts`` are what :class:`Hypothesis` says, one each."""
        premise = self._reader.premise_for([_in_context(*pair) for pair in zip(contexts, sentences, strict=True)])
        claims = [_Claim(sentence, context) for sentence, context in zip(sentences, contexts, strict=True)]
        looks: list[list[_Look]] = [[] for _ in claims]
        if GroundingLevel.SENTENCE in self._levels:
            looks = [[look] for look in await self._look(premise, claims)]
        if GroundingLevel.ENTITY in self._levels:
            passed = [i for i, own in enumerate(looks) if all(_passes(look) for look in own)]
            entities = [
                (i, replace(claims[i], span=span))
                for i in passed
                for span in entities_of(sentences[i], self._model.categories)
            ]
            judged = await self._look(premise, [entity for _, entity in entities])
            for (i, _), look in zip(entities, judged, strict=True):
                looks[i].append(look)
        return [self._merge(sentence, own, premise) for sentence, own in zip(sentences, looks, strict=True)]

    async def _look(self, premise: Premise, claims: Sequence[_Claim]) -> list[_Look]:
        """What is said of claims of one level. What is not in the part that was read is looked for in another part."""
        looks = await self._ask(premise, claims)
        if premise.is_whole:
            return looks
        open_claims = [look.claim for look in looks if _is_neutral(look)]
        alone = [[claim for claim in open_claims if claim.sentence is own] for own in _once(open_claims)]
        again = await asyncio.gather(*(self._look_further(premise, group) for group in alone))
        second = {look.claim: look for group in again for look in group}
        return [_later(look, second.get(look.claim)) for look in looks]

    async def _look_further(self, premise: Premise, claims: Sequence[_Claim]) -> list[_Look]:
        """A second look for the claims of one sentence, in the passages that come next."""
        further = self._reader.further_premise(_in_context(claims[0].context, claims[0].sentence), premise)
        if further is None:
            return []
        read = ReadShare(premise.read.read + further.read.read, premise.read.total)
        return [replace(look, read=read) for look in await self._ask(further, claims)]

    async def _ask(self, premise: Premise, claims: Sequence[_Claim]) -> list[_Look]:
        if not claims:
            return []
        outcomes = await self._model.judge(claims[0].level, premise, [claim.hypothesis for claim in claims])
        return [_Look(claim, outcome, premise.read) for claim, outcome in zip(claims, outcomes, strict=True)]

    def _merge(self, sentence: ComparableSentence, looks: Sequence[_Look], premise: Premise) -> Assessment | Unjudged:
        """METHODS B.4. What was not judged fails the sentence, unless something else speaks against it anyway."""
        proofs = tuple(self._proof(look.claim, look.outcome) for look in looks if isinstance(look.outcome, Judgement))
        read = max((look.read for look in looks), key=lambda share: share.read, default=premise.read)
        assessment = Assessment(sentence, proofs, read)
        unjudged = next((look.outcome for look in looks if isinstance(look.outcome, Unjudged)), None)
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
    """The text with the words at ``span`` in ``[ ... ]``, the only square brackets in it."""
    plain = text.translate(_OWN_BRACKETS)
    return f"{plain[: span.start]}[ {span.of(plain)} ]{plain[span.end :]}"


def _in_context(context: str, sentence: ComparableSentence) -> str:
    return f"{context} {sentence.text}".strip()


def _passes(look: _Look) -> bool:
    return isinstance(look.outcome, Judgement) and look.outcome.mark is Mark.ENTAILMENT


def _is_neutral(look: _Look) -> bool:
    return isinstance(look.outcome, Judgement) and look.outcome.mark is Mark.NEUTRAL


def _once(claims: Iterable[_Claim]) -> list[ComparableSentence]:
    """The sentences of the claims, each once."""
    return list(dict.fromkeys(claim.sentence for claim in claims))


def _later(first: _Look, second: _Look | None) -> _Look:
    """What the second look says; where it finds nothing either, the first one was in the nearer passages."""
    if second is None:
        return first
    return replace(first, read=second.read) if _is_neutral(second) else second
