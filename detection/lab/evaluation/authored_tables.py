"""Set ``authored-tables``: tables beside a source in prose, cell by cell.

A cell is supported by the source, conflicts with it, or is not in it. It is found if a warning names a conflict of the
cell with the source; a warning for a cell that does not conflict is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from detection.core.types import FindingKind, Span, Verdict

from .authored_summaries import Label
from .base import Baseline, Conditions, EvaluationSet, Measured, Origin
from .checked import CheckAnswer, CheckQuestion, source_judges
from .rows import Fields, Row, read_rows
from .tallies import Formula, Tally, figures, measure, precision, share

FORMULAS: dict[str, Formula] = {
    "recall_c": share("found", "c"),
    "precision": precision("found", "false"),
    "flagged_per_100": share("s_flagged", "s"),
    "rows_supported": share("rows_supported", "rows_true"),
    "rows_as_supported": share("rows_as_supported", "rows_false"),
}
_NOTE = (
    "recall_c: of the cells in conflict with the source, those that are marked; flagged_per_100: of the cells that it "
    "bears out. rows_supported: of the rows with only cells that it bears out, those called supported; "
    "rows_as_supported: of all others."
)


@dataclass(frozen=True, slots=True)
class LabelledCell:
    """The span of a cell in the text, and its relation to the source."""

    span: Span
    label: Label


@dataclass(frozen=True, slots=True)
class TableTruth:
    name: str
    rows: tuple[tuple[LabelledCell, ...], ...]


def read_table(fields: Fields) -> Row[CheckQuestion, TableTruth]:
    """A text with one table; the first cell of each row is its name."""
    headings = fields.texts("head")
    text = f"{fields.text('before')}\n\n| {' | '.join(headings)} |\n|{'---|' * len(headings)}\n"
    rows: list[tuple[LabelledCell, ...]] = []
    for item in fields.items("rows"):
        text += f"| {item.text('name')} |"
        cells: list[LabelledCell] = []
        for cell in item.items("cells"):
            span = Span(len(text) + 1, len(text) + 1 + len(cell.text("t")))
            cells.append(LabelledCell(span, cell.choice("l", Label)))
            text += f" {cell.text('t')} |"
        rows.append(tuple(cells))
        text += "\n"
    return Row(CheckQuestion(text, fields.text("source")), TableTruth(fields.text("g"), tuple(rows)))


def measure_tables(truths: Sequence[TableTruth], answers: Sequence[CheckAnswer]) -> Measured:
    """Figures of all cells."""
    tallies = [tally for truth, answer in zip(truths, answers, strict=True) for tally in _tallies(truth, answer)]
    every_cell = [_tally(truth, row, row, is_supported=False) for truth in truths for row in truth.rows]
    no_cell = [_tally(truth, row, (), is_supported=True) for truth in truths for row in truth.rows]
    baselines = (
        Baseline("every cell in conflict", Origin.TRIVIAL, figures(every_cell, FORMULAS, intervals=False)),
        Baseline("every row supported", Origin.TRIVIAL, figures(no_cell, FORMULAS, intervals=False)),
    )
    return measure(tallies, FORMULAS, rows=len(truths), notes=(_NOTE,), baselines=baselines)


def _tallies(truth: TableTruth, answer: CheckAnswer) -> Iterator[Tally]:
    spans = [found.span for found in answer.findings if found.kind is FindingKind.CONFLICTS_WITH_SOURCE]
    for row in truth.rows:
        marked = [cell for cell in row if any(span.overlaps(cell.span) for span in spans)]
        yield _tally(truth, row, marked, is_supported=answer.verdict_at(row[0].span) is Verdict.SUPPORTED)


def _tally(
    truth: TableTruth, row: Sequence[LabelledCell], marked: Sequence[LabelledCell], *, is_supported: bool
) -> Tally:
    """The counts of one row."""
    wrong = [cell for cell in row if cell.label is Label.CONFLICT]
    borne_out = [cell for cell in row if cell.label is Label.SUPPORTED]
    found = sum(cell in marked for cell in wrong)
    is_true = len(borne_out) == len(row)
    counts = {
        "c": len(wrong),
        "found": found,
        "false": len(marked) - found,
        "s": len(borne_out),
        "s_flagged": sum(cell in marked for cell in borne_out),
        "rows_true": is_true,
        "rows_supported": is_true and is_supported,
        "rows_false": not is_true,
        "rows_as_supported": is_supported and not is_true,
    }
    return Tally(truth.name, counts)


AUTHORED_TABLES = EvaluationSet(
    name="authored-tables",
    load=partial(read_rows, name="authored_tables", read=read_table),
    judges=source_judges(Conditions()),
    judges_at=source_judges,
    measure=measure_tables,
    chunk=4,
    reads_file=True,
)
