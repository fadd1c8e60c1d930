"""Sources with one edited place, which changes the label of a claim.

The claim is the same for both versions of its source, so that only the edited place determines the label.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .authored import CLAIM_LABELS
from .data import Example, Row
from .labels import InferenceClass, Label
from .units import Rank, Unit

_EDITS_PER_UNIT = 3
_LOCAL_SHARE = 0.5
_WORDS_AROUND = range(25, 70)
_CLASS_OF = {"s": InferenceClass.ENTAILMENT, "c": InferenceClass.CONTRADICTION}


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """A claim with its labels for the original source and for the source with ``start`` to ``end`` replaced."""

    claim: str
    label: str
    start: int
    end: int
    new: str
    becomes: str


def edits_by_group(rows: Iterable[Row]) -> Mapping[str, Row]:
    """The rows of the edits by their source. They have positions instead of the source's text."""
    return {row["g"]: row for row in rows}


def edits_of(source: Row, row: Row) -> list[SourceEdit]:
    """The edits of a source with their claims."""
    found = []
    for edit in row["edits"]:
        claim = source["claims"][edit["claim"]]
        found.append(
            SourceEdit(claim["t"], claim["l"], edit["start"], edit["end"], new=edit["new"], becomes=edit["becomes"])
        )
    return found


def source_edit_units(text: str, edits: Sequence[SourceEdit], chooser: random.Random) -> Iterator[Unit]:
    """Pair each claim with both versions of its source, whole or cut to the words around the edited place."""
    mixed = chooser.sample(edits, len(edits))
    for first in range(0, len(mixed), _EDITS_PER_UNIT):
        yield _unit(text, mixed[first : first + _EDITS_PER_UNIT], chooser)


def _unit(text: str, edits: Sequence[SourceEdit], chooser: random.Random) -> Unit:
    examples: list[Example] = []
    ranks: list[Rank] = []
    for edit in edits:
        is_local = chooser.random() < _LOCAL_SHARE
        before, after = (edit.label, edit.becomes)
        premises = _around(text, edit, chooser.choice(_WORDS_AROUND)) if is_local else _whole(text, edit)
        labels = [_local_label(letter) if is_local else CLAIM_LABELS[letter] for letter in (before, after)]
        first = len(examples)
        examples += [Example(premise, edit.claim, label) for premise, label in zip(premises, labels, strict=True)]
        for better, worse, letter in ((first, first + 1, before), (first + 1, first, after)):
            if letter in _CLASS_OF and not (is_local and letter == "s"):
                ranks.append(Rank(_CLASS_OF[letter], better=better, worse=worse))
    return Unit(tuple(examples), tuple(ranks))


def _local_label(letter: str) -> Label:
    """The label for a part of a source: it may lack support for the claim, but it has the clashing words."""
    return Label.CONTRADICTION if letter == "c" else Label.NOT_CONTRADICTION


def _whole(text: str, edit: SourceEdit) -> tuple[str, str]:
    return text, text[: edit.start] + edit.new + text[edit.end :]


def _around(text: str, edit: SourceEdit, words: int) -> tuple[str, str]:
    """Both versions of the place with the same whole words before and after it."""
    before, after = text[: edit.start].split(" ")[-words:], text[edit.end :].split(" ")[:words]
    head, tail = " ".join(before), " ".join(after)
    return head + text[edit.start : edit.end] + tail, head + edit.new + tail
