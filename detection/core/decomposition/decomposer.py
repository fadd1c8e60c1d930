"""The claims of a text, computed once for all detectors."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ..types import ParsedSentence
from .model import ClaimModel
from .subclaims import SubClaim, sub_claims, whole_claims


class Decomposer:
    """Splits the sentences of a text into claims: with a language model if there is one, otherwise by their parse."""

    def __init__(self, sentences: Sequence[ParsedSentence], topic: str | None, model: ClaimModel | None = None) -> None:
        self._sentences = sentences
        self._topic = topic
        self._model = model
        self._known: dict[int, tuple[SubClaim, ...]] = {}
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def claims(self, index: int) -> tuple[SubClaim, ...]:
        """The claims of the sentence at ``index``, each once; none for a sentence that states no fact.

        If the answer of the model is malformed, the sentence is one claim, with names for its pronouns.

        Raises:
            ModelCallFailed: a call of the model failed.
        """
        async with self._turns[index]:
            if index not in self._known:
                self._known[index] = await self._find(index)
            return self._known[index]

    def basis(self, index: int) -> tuple[str, ...]:
        """Everything that the claims of a sentence depend on. Claims from the parse are free and their own basis."""
        if self._model is None:
            return tuple(claim.text for claim in self._by_parse[index])
        return self._model.basis([sentence.text for sentence in self._sentences[:index]])

    async def _find(self, index: int) -> tuple[SubClaim, ...]:
        if self._model is None:
            return self._by_parse[index]
        whole = self._whole[index]
        if whole is None:
            return ()
        before = [sentence.text for sentence in self._sentences[:index]]
        return await self._model.claims(self._sentences[index], before, self._topic) or (whole,)

    @cached_property
    def _by_parse(self) -> tuple[tuple[SubClaim, ...], ...]:
        return tuple(map(_each_once, sub_claims(self._sentences, self._topic)))

    @cached_property
    def _whole(self) -> tuple[SubClaim | None, ...]:
        return whole_claims(self._sentences, self._topic)


def _each_once(claims: Sequence[SubClaim]) -> tuple[SubClaim, ...]:
    """Two facts may have the same words; the position of the first is kept."""
    return tuple({claim.text: claim for claim in reversed(claims)}.values())[::-1]
