"""Sources with one place edited, so that a claim that was right is wrong, or the other way round.

The claim is the same beside both versions of its source: nothing but the edited place tells what to say of it.
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
    """A claim, and its label beside a source as it is and with the characters from ``start`` to ``end`` exchanged."""

    claim: str
    label: str
    start: int
    end: int
    new: str
    becomes: str


def edits_by_group(rows: Iterable[Row]) -> Mapping[str, Row]:
    """The rows of the edits by the source that they belong to; they hold no text of it, only places."""
    return {row["g"]: row for row in rows}


def edits_of(source: Row, row: Row) -> list[SourceEdit]:
    """The edits of a source with the claims that they are about."""
    found = []
    for edit in row["edits"]:
        claim = source["claims"][edit["claim"]]
        found.append(
            SourceEdit(claim["t"], claim["l"], edit["start"], edit["end"], new=edit["new"], becomes=edit["becomes"])
        )
    return found


def source_edit_units(text: str, edits: Sequence[SourceEdit], chooser: random.Random) -> Iterator[Unit]:
    """Each claim beside both versions of its source: the whole of them, or the words around the edited place."""
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
    """A part of a source need not have all that bears a claim out, but what clashes with the claim is at the place."""
    return Label.CONTRADICTION if letter == "c" else Label.NOT_CONTRADICTION


def _whole(text: str, edit: SourceEdit) -> tuple[str, str]:
    return text, text[: edit.start] + edit.new + text[edit.end :]


def _around(text: str, edit: SourceEdit, words: int) -> tuple[str, str]:
    """Whole words before and after the place, in both versions the same ones."""
    before, after = text[: edit.start].split(" ")[-words:], text[edit.end :].split(" ")[:words]
    head, tail = " ".join(before), " ".join(after)
    return head + text[edit.start : edit.end] + tail, head + edit.new + tail
