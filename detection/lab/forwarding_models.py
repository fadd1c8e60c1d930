"""Local models that pass every call on, for those that change one of them."""

from __future__ import annotations

from collections.abc import Sequence

from detection.core.local_models.decision import Decision, LogisticDecision
from detection.core.local_models.process import LocalModels
from detection.core.local_models.vectors import Vector
from detection.core.types import NliPair, NliScore, ParsedSentence, ParsedText, Stretch


class ForwardingModels:
    """Does what ``models`` do."""

    def __init__(self, models: LocalModels) -> None:
        self._models = models

    async def parse(self, text: str) -> ParsedText:
        return await self._models.parse(text)

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._models.cut(text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        return await self._models.parse_stretches(stretches)

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        return await self._models.score(pairs)

    async def vectors(self, texts: Sequence[str]) -> list[Vector]:
        return await self._models.vectors(texts)

    def decision(self, about: Decision) -> LogisticDecision:
        return self._models.decision(about)
