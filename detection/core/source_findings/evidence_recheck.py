"""Recheck a rewrite against the documents read: its claims must occur there, or have been looked up before."""

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
from .local import SAYS_SO


class EvidenceRecheck:
    """Judges other wordings of a sentence by the documents that its search has read; nothing more is fetched.

    Whatever is wrong with a wording counts as ``kind``, the problem that a rewrite is to mend: a wording that is wrong
    in another way than the original does not mend it.
    """

    def __init__(self, material: Material, models: LocalModels, search: SentenceSearch, kind: FindingKind) -> None:
        self._material = material
        self._models = models
        self._kind = kind
        self._threshold = THRESHOLDS[material.strictness].conflict
        self._documents = search.documents
        self._false = {claim.claim.text for claim in search.false_claims}
        # Looked up, and not found to be wrong.
        self._stands = {claim.claim.text for claim in search.claims if claim.documents} - self._false

    def on_top_of(self, recheck: Recheck) -> Recheck:
        """What the other detectors say of a wording, and what the documents say."""
        return recheck.with_problems(self._problems)

    async def _problems(
        self, index: int, wording: ComparableSentence, left_out: frozenset[int]
    ) -> frozenset[FindingKind]:
        return frozenset() if await self._holds(index, wording.text) else frozenset({self._kind})

    async def _holds(self, index: int, wording: str) -> bool:
        claims = await self._claims(index, wording)
        new = [claim.text for claim in claims if claim.text not in self._stands]
        if not claims or self._false.intersection(new) or not await self._all_are_said(new):
            return False
        # The NLI model alone passes another name or value too easily.
        for claim in new:
            if await refute(claim, self._documents, self._models, self._threshold):
                return False
        return True

    async def _claims(self, index: int, wording: str) -> tuple[SubClaim, ...]:
        """The claims of the wording in the place of the sentence, where its pronouns have their names."""
        text, own = self._material.text, self._material.sentences[index].parsed.sentence
        parsed = await self._models.parse(text[: own.start] + wording + text[own.end :])
        if len(parsed.sentences) != len(self._material.sentences):
            return ()
        return sub_claims(parsed.sentences, self._material.topic)[index]

    async def _all_are_said(self, claims: list[str]) -> bool:
        pairs = [NliPair(document.text, claim) for claim in claims for document in self._documents]
        scores = iter(await supports(pairs, self._models))
        return all(max(next(scores).entailment for _ in self._documents) >= SAYS_SO for _ in claims)
