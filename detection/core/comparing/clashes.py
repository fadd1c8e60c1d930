"""The values of two sentences of one text that exclude each other."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.alignment import ValueConflict, conflicts_between
from ..rules.base import Family
from ..rules.denial import conflicts_of_denial
from ..rules.kinship import conflicts_of_kinship
from ..rules.slots import Slot
from ..rules.strength import may_happen_again
from .frames import conflicts_in_frame
from .reference import date_two_events
from .sentence import ComparableSentence

_MIN_FRAME_OVERLAP = 0.5


def clashes(earlier: ComparableSentence, later: ComparableSentence) -> list[ValueConflict]:
    """All clashes of values; the premise of each is in ``earlier``."""
    by_slot = [
        clash
        for clash in conflicts_between(earlier.clause, later.clause)
        if not (clash.family is Family.DATE and all(slot.is_state for slot in _slots(earlier, later, clash)))
    ]
    # Two sentences may give different values and both be true, so they must share most of their other words.
    by_frame = [
        clash
        for clash in conflicts_in_frame(earlier, later)
        if earlier.overlap(later) >= _MIN_FRAME_OVERLAP and not _may_both_happen(earlier, later, clash)
    ]
    return [
        *by_slot,
        *by_frame,
        *conflicts_of_kinship(earlier.clause, later.clause),
        *conflicts_of_denial(earlier.clause, later.clause),
    ]


def strongest(conflicts: Sequence[ValueConflict]) -> ValueConflict | None:
    """The values that exclude each other most clearly; None where no two do."""
    return max(conflicts, key=lambda conflict: conflict.strength, default=None)


def _may_both_happen(earlier: ComparableSentence, later: ComparableSentence, clash: ValueConflict) -> bool:
    """Whether both dates may be true: of two things, or of a repeated event, such as a race won in 1960 and in 1964."""
    if clash.family is not Family.DATE:
        return False
    is_of_two = date_two_events(earlier.clause, clash.premise, later.clause, clash.hypothesis)
    return is_of_two or all(map(may_happen_again, _slots(earlier, later, clash)))


def _slots(earlier: ComparableSentence, later: ComparableSentence, clash: ValueConflict) -> tuple[Slot, Slot]:
    return earlier.clause.slot(clash.premise), later.clause.slot(clash.hypothesis)
