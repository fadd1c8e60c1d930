"""Many finished evaluations in one table, for a terminal and as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .base import Evaluation, Group, Origin
from .table import as_json, columns_of, interval_of

_NAME_WIDTH = 34
_FIGURE_WIDTH = 22
_MOST_BESIDE = 2

_INTRODUCTION = """\
# How good it is

Made by `manage.py evaluate all --data DIR{options} --write-docs`: every set of labelled data that is there, judged by
the engine `{engine}`. The data does not come with the program. Figures are percentages, or warnings for each hundred
sentences (`per_100`); intervals are of 95 %, by a bootstrap over texts, topics or sources. Beside them stands what
others reach: *published* figures are of the whole set as it was published, *recorded* and *trivial* ones of these rows.

| set | figure | this engine | 95 % | others |
| --- | --- | --- | --- | --- |
"""


def as_summary(evaluations: Sequence[Evaluation], missing: Mapping[str, str]) -> str:
    """One line for each figure of each set."""
    lines = []
    for evaluation in evaluations:
        group = evaluation.measured.overall
        values = group.metrics.values()
        lines.append(
            f"{evaluation.name}, engine {evaluation.engine}: {evaluation.rows} rows in {evaluation.seconds:.1f} s"
        )
        for name in columns_of(group.metrics):
            beside = "; ".join(_beside(group, name)[:_MOST_BESIDE])
            own = f"{values[name]:.1f}  {interval_of(group.metrics, name)}"
            lines.append(f"  {name:{_NAME_WIDTH}}{own:{_FIGURE_WIDTH}}{beside}".rstrip())
    return "\n".join([*lines, *(f"{name}: not measured. {reason}" for name, reason in missing.items())])


def as_page(evaluations: Sequence[Evaluation], missing: Mapping[str, str], options: str) -> str:
    """The page of the documentation, in Markdown. ``options`` are those that the command was given."""
    engine = evaluations[0].engine if evaluations else "local"
    page = _INTRODUCTION.format(options=f" {options}" if options else "", engine=engine)
    page += "".join(row for evaluation in evaluations for row in _rows(evaluation))
    notes = [f"- `{e.name}`: {' '.join(e.measured.notes)}\n" for e in evaluations if e.measured.notes]
    page += "".join(["\n## Notes\n\n", *notes]) if notes else ""
    if missing:
        page += "\n## Not measured\n\n" + "".join(f"- `{name}`\n" for name in missing)
    return page


def _rows(evaluation: Evaluation) -> Iterator[str]:
    group = evaluation.measured.overall
    values = group.metrics.values()
    title = f"`{evaluation.name}` ({evaluation.rows:,} rows)"
    for name in columns_of(group.metrics):
        cells = (
            title,
            f"`{name}`",
            f"{values[name]:.1f}",
            interval_of(group.metrics, name),
            "; ".join(_beside(group, name)),
        )
        yield f"| {' | '.join(cells)} |\n"
        title = ""


def _beside(group: Group, name: str) -> list[str]:
    """The baselines of a figure, published ones first."""
    order = list(Origin)
    order.sort(key=lambda origin: origin is not Origin.PUBLISHED)
    known = [baseline for baseline in group.baselines if name in baseline.metrics.values()]
    known.sort(key=lambda baseline: order.index(baseline.origin))
    return [f"{baseline.name} ({baseline.origin}) {baseline.metrics.values()[name]:.1f}" for baseline in known]


def summary_as_json(evaluations: Sequence[Evaluation], missing: Mapping[str, str]) -> dict[str, Any]:
    """``sets`` has of each set what its own evaluation gives; ``missing`` says why others were not measured."""
    return {"sets": {evaluation.name: as_json(evaluation) for evaluation in evaluations}, "missing": dict(missing)}
