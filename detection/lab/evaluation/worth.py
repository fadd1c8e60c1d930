"""What a family of rules is worth: a set is measured with and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from detection.core.local_models.process import LocalModels
from detection.core.ports import Ports
from detection.core.rules import Family
from detection.core.rules.left_out import without
from detection.core.types import Engine, NliPair, NliScore, ParsedSentence, ParsedText, Stretch

from .base import Baseline, Evaluation, EvaluationSet, Group, Origin, Progress, evaluate
from .rows import Row


class RememberingModels:
    """Local models that are asked everything once only: a second run of the same rows costs little."""

    def __init__(self, models: LocalModels) -> None:
        self._models = models
        self._parsed: dict[str, ParsedText] = {}
        self._stretches: dict[Stretch, tuple[ParsedSentence, ...]] = {}
        self._scores: dict[NliPair, NliScore] = {}

    async def parse(self, text: str) -> ParsedText:
        if text not in self._parsed:
            self._parsed[text] = await self._models.parse(text)
        return self._parsed[text]

    async def cut(self, text: str) -> tuple[Stretch, ...]:
        return await self._models.cut(text)

    async def parse_stretches(self, stretches: Sequence[Stretch]) -> list[tuple[ParsedSentence, ...]]:
        new = [stretch for stretch in dict.fromkeys(stretches) if stretch not in self._stretches]
        self._stretches |= zip(new, await self._models.parse_stretches(new), strict=True)
        return [self._stretches[stretch] for stretch in stretches]

    async def score(self, pairs: Sequence[NliPair]) -> list[NliScore]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._scores]
        self._scores |= zip(new, await self._models.score(new), strict=True)
        return [self._scores[pair] for pair in pairs]


async def evaluate_without(
    families: frozenset[Family],
    evaluation_set: EvaluationSet[Any, Any, Any],
    rows: Sequence[Row[Any, Any]],
    engine: Engine,
    method: str,
    ports: Ports,
    progress: Progress,
) -> Evaluation:
    """The figures without some families of rules; those with all of them stand beside."""
    ports = replace(ports, models=RememberingModels(ports.models))
    whole = await evaluate(evaluation_set, rows, engine, method, ports, progress)
    with without(families):
        reduced = await evaluate(evaluation_set, rows, engine, method, ports, progress)
    groups = {group.name: group for group in whole.measured.groups}
    measured = replace(
        reduced.measured,
        overall=_beside(reduced.measured.overall, whole.measured.overall),
        groups=tuple(_beside(group, groups.get(group.name)) for group in reduced.measured.groups),
    )
    return replace(reduced, measured=measured, without=families)


def _beside(group: Group, whole: Group | None) -> Group:
    if whole is None:
        return group
    return replace(group, baselines=(Baseline("all rules", Origin.MEASURED, whole.metrics), *group.baselines))
