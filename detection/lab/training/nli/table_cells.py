"""Cells of tables as claims about a source: "Fare (euros) of the ferry Sill: 8."

In this form the model that ships tells right cells from wrong ones better than in sentences that rules make of them
(README.md). Every claim stands beside the same one with what would be right in the cell, or with what the table says of
another thing, so that nothing in its form gives the label away.
"""

import random
from collections.abc import Iterator, Sequence

from detection.core.comparing.cell_claims import entry_of, kind_of, with_kind

from .authored import CLAIM_LABELS
from .data import Example, Row
from .labels import InferenceClass, Label
from .units import Rank, Unit, ranked


def cells_units(table: Row, chooser: random.Random) -> Iterator[Unit]:
    """A unit for each row of a table: the claims of its cells about the source."""
    for row in table["rows"]:
        yield _RowUnit(table, row["name"], chooser).of(row["cells"])


class _RowUnit:
    """Forms the examples of one row, and which of two claims of a cell the source entails more."""

    def __init__(self, table: Row, name: str, chooser: random.Random) -> None:
        self._table = table
        self._chooser = chooser
        corner = table["head"][0]
        self._thing = with_kind(name, kind_of(corner)) if chooser.random() < 0.5 else name
        self._examples: list[Example] = []
        self._ranks: list[Rank] = []

    def of(self, cells: Sequence[Row]) -> Unit:
        by_label: dict[str, list[int]] = {letter: [] for letter in CLAIM_LABELS}
        for column, cell in enumerate(cells):
            number = self._add(column, cell["t"], CLAIM_LABELS[cell["l"]])
            by_label[cell["l"]].append(number)
            if "r" in cell:
                self._rank(self._add(column, cell["r"], Label.ENTAILMENT), number)
            elif cell["l"] == "s" and (others := self._said_of_others(column, cell["t"])):
                self._rank(number, self._add(column, self._chooser.choice(others), Label.NOT_ENTAILMENT))
        unsupported = [*by_label["c"], *by_label["u"]]
        self._ranks += ranked(InferenceClass.ENTAILMENT, by_label["s"], unsupported, self._chooser, most=1)
        self._ranks += ranked(InferenceClass.CONTRADICTION, by_label["c"], by_label["s"], self._chooser, most=1)
        return Unit(tuple(self._examples), tuple(self._ranks))

    def _add(self, column: int, words: str, label: Label) -> int:
        claim = entry_of(self._thing, self._table["head"][column + 1], words)
        self._examples.append(Example(self._table["source"], claim, label))
        return len(self._examples) - 1

    def _rank(self, better: int, worse: int) -> None:
        self._ranks.append(Rank(InferenceClass.ENTAILMENT, better=better, worse=worse))

    def _said_of_others(self, column: int, own: str) -> list[str]:
        said = dict.fromkeys(row["cells"][column]["t"] for row in self._table["rows"])
        return [words for words in said if words != own]
