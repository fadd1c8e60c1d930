"""Measure the effect of a family of rules: a set with and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

from detection.core.local_models.remembering import RememberingModels
from detection.core.ports import Ports
from detection.core.rules import Family
from detection.core.rules.left_out import without
from detection.core.types import Engine

from .base import Baseline, Evaluation, EvaluationSet, Group, Origin, Progress, evaluate
from .rows import Row


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
    ports = replace(ports, models=RememberingModels(ports.models, most_scores=inf, most_stretches=inf))
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
