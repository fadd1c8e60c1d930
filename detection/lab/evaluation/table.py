"""A finished evaluation for people to read, and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from detection.core.types import Engine

from .base import Evaluation, Group
from .metrics import Metrics

_NAME_WIDTH = 44
_FIGURE_WIDTH = 14
_DECIMALS = 2
_NOTE_WIDTH = 116
#: Figures with long names get a short heading.
_HEADINGS = {
    "recall_easy": "easy",
    "recall_medium": "medium",
    "recall_hard": "hard",
    "false_per_100": "false / 100",
    "flagged_per_100": "flagged / 100",
    "flagged_documents": "documents",
    "rewrites_right": "rewrites",
    "recall_c": "c found",
    "recall_c_as_conflict": "c as conflict",
    "c_as_supported": "c supported",
    "recall_u": "u found",
    "u_as_supported": "u supported",
    "s_as_supported": "s supported",
    "unsure_s": "s unsure",
    "unsure_c": "c unsure",
    "unsure_u": "u unsure",
    "f1_cross_validated": "f1 cross",
    "facts_kept": "facts kept",
    "macro_f1": "macro f1",
    "f1_hallucinated": "f1 halluc.",
    "f1_consistent": "f1 consist.",
    "balanced_accuracy": "bal. acc.",
    "auc_pr_nonfactual": "auc nonfact.",
    "auc_pr_factual": "auc factual",
    "mean_documents": "documents",
}


def as_table(evaluation: Evaluation) -> str:
    """One section for all rows and one for each group: the engine's figures, then the baselines'."""
    measured = evaluation.measured
    without = f" without {', '.join(sorted(evaluation.without))}" if evaluation.without else ""
    lines = [
        f"{evaluation.name}, engine {evaluation.engine}{without}: {evaluation.rows} rows in "
        f"{evaluation.seconds:.1f} s, {evaluation.pairs_per_second:.1f} a second. Percentages."
    ]
    columns: list[str] = []
    for group in (measured.overall, *measured.groups):
        if not set(columns_of(group.metrics)) <= set(columns):
            columns = columns_of(group.metrics)
            lines += ["", _line("", {name: _HEADINGS.get(name, name) for name in columns})]
        lines += _section(group, columns, evaluation.engine)
    for note in measured.notes:
        lines += ["", textwrap.fill(note, _NOTE_WIDTH)]
    return "\n".join(lines)


def _section(group: Group, columns: list[str], engine: Engine) -> Iterator[str]:
    title = f"{group.name} ({group.rows} {'row' if group.rows == 1 else 'rows'})"
    if not group.baselines:
        yield _line(title, _figures(group.metrics, columns))
        yield from _interval_line(group.metrics, columns)
        return
    yield title
    yield _line(f"  engine {engine}", _figures(group.metrics, columns))
    yield from _interval_line(group.metrics, columns)
    for baseline in group.baselines:
        yield _line(f"  {baseline.origin}: {baseline.name}", _figures(baseline.metrics, columns))


def columns_of(metrics: Metrics) -> list[str]:
    """The figures that have a column of their own. The ends of an interval stand below what they are of."""
    values = metrics.values()
    return [name for name in values if name.removesuffix("_low").removesuffix("_high") not in values.keys() - {name}]


def _interval_line(metrics: Metrics, columns: list[str]) -> Iterator[str]:
    figures = {name: interval_of(metrics, name) for name in columns}
    if any(figures.values()):
        yield _line("  95 % interval", figures)


def interval_of(metrics: Metrics, name: str) -> str:
    """The 95 % interval of a figure in short; "" for one that has none."""
    values = metrics.values()
    ends = [values[end] for end in (f"{name}_low", f"{name}_high") if end in values]
    return "-".join(f"{end:.1f}" for end in ends)


def _figures(metrics: Metrics, columns: list[str]) -> dict[str, str]:
    values = metrics.values()
    return {name: f"{values[name]:.1f}" if name in values else "" for name in columns}


def _line(name: str, figures: Mapping[str, str]) -> str:
    return f"{name:{_NAME_WIDTH}}{''.join(f'{figure:>{_FIGURE_WIDTH}}' for figure in figures.values())}".rstrip()


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """``metrics`` and ``groups`` are the engine's figures in percent; ``baselines`` say to which group they belong."""
    measured = evaluation.measured
    groups = (measured.overall, *measured.groups)
    return {
        "set": evaluation.name,
        "engine": evaluation.engine,
        "rows": evaluation.rows,
        "without": sorted(evaluation.without),
        "metrics": {
            **_rounded(measured.overall.metrics),
            "seconds": round(evaluation.seconds, _DECIMALS),
            "pairs_per_second": round(evaluation.pairs_per_second, _DECIMALS),
        },
        "groups": {group.name: {"rows": group.rows, **_rounded(group.metrics)} for group in measured.groups},
        "baselines": [
            {
                "group": group.name,
                "name": baseline.name,
                "origin": baseline.origin,
                "metrics": _rounded(baseline.metrics),
            }
            for group in groups
            for baseline in group.baselines
        ],
        "notes": list(measured.notes),
    }


def _rounded(metrics: Metrics) -> dict[str, float]:
    return {name: round(value, _DECIMALS) for name, value in metrics.values().items()}
