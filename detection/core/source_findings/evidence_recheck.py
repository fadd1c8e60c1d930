"""Recheck a rewrite against the retrieved documents: they must support its claims, unless these passed before."""

from __future__ import annotations

from ..comparing.sentence import ComparableSentence
from ..decomposition.subclaims import SubClaim, sub_claims
from ..evidence.refutation import refute
from ..evidence.search import SentenceSearch
from ..evidence.windows import supports
from ..local_models.process import LocalModels
from ..ports import Material
from ..rewriting.recheck import Recheck
from ..thresholds import THRESHOLDS
from ..types import FindingKind, NliPair
from .support import LEAST_ENTAILMENT


class EvidenceRecheck:
    """Judges other wordings of a sentence by the documents of its search; it fetches nothing.

    Every problem of a wording counts as ``kind``, the problem that the rewrite should fix: a wording with another
    error does not fix it.
    """

    def __init__(self, material: Material, models: LocalModels, search: SentenceSearch, kind: FindingKind) -> None:
        self._material = material
        self._models = models
        self._kind = kind
        self._threshold = THRESHOLDS[material.strictness].conflict
        self._documents = search.documents
        self._false = {claim.claim.text for claim in search.false_claims}
        self._passed = {claim.claim.text for claim in search.claims if claim.documents} - self._false

    def on_top_of(self, recheck: Recheck) -> Recheck:
        """``recheck`` with the problems that the documents show in a wording."""
        return recheck.with_problems(self._problems)

    async def _problems(
        self, index: int, wording: ComparableSentence, left_out: frozenset[int]
    ) -> frozenset[FindingKind]:
        return frozenset() if await self._holds(index, wording.text) else frozenset({self._kind})

    async def _holds(self, index: int, wording: str) -> bool:
        claims = await self._claims(index, wording)
        new = [claim.text for claim in claims if claim.text not in self._passed]
        if not claims or self._false.intersection(new) or not await self._all_are_stated(new):
            return False
        # The NLI model alone often misses a wrong name or value.
        for claim in new:
            if await refute(claim, self._documents, self._models, self._threshold):
                return False
        return True

    async def _claims(self, index: int, wording: str) -> tuple[SubClaim, ...]:
        """The claims of the wording in place of the sentence, with its pronouns resolved."""
        text, own = self._material.text, self._material.sentences[index].parsed.sentence
        parsed = await self._models.parse(text[: own.start] + wording + text[own.end :])
        if len(parsed.sentences) != len(self._material.sentences):
            return ()
        return sub_claims(parsed.sentences, self._material.topic)[index]

    async def _all_are_stated(self, claims: list[str]) -> bool:
        pairs = [NliPair(document.text, claim) for claim in claims for document in self._documents]
        scores = iter(await supports(pairs, self._models))
        return all(max(next(scores).entailment for _ in self._documents) >= LEAST_ENTAILMENT for _ in claims)
