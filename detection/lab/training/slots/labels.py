"""Labels of candidates: whether a value of the source fills the same slot as that of the claim.

The data only says of a whole claim whether its source supports or contradicts it. So a label is given where it follows
from that, and withheld elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from detection.core.rules.base import Family

from .rows import Candidate, Kind, SlotRow

Labels = tuple[bool | None, ...]
"""For each candidate: the same slot, another one, or unknown."""


def labelled(rows: Sequence[SlotRow]) -> Iterator[tuple[SlotRow, Labels]]:
    """The rows that have at least one label, with their labels."""
    absent = Counter(
        row.claim for row in rows if row.kind is Kind.POOLED and row.letter == "c" and not _has_agreement(row)
    )
    for row in rows:
        labels = labels_of(row, has_one_absent=absent[row.claim] == 1)
        if any(label is not None for label in labels):
            yield row, labels


def labels_of(row: SlotRow, *, has_one_absent: bool = False) -> Labels:
    """The label of each candidate.

    Args:
        has_one_absent: exactly one value of the claim agrees with no candidate, so it is what the premise contradicts.
            Only pooled pairs need it.
    """
    is_supported = row.letter == "s" or (row.letter == "c" and row.is_reference and row.kind is not Kind.GROUPS)
    if is_supported:
        return _of_supported(row)
    if row.letter == "u":
        return _unknown(row) if row.kind is Kind.POOLED else _others(row)
    if row.kind is Kind.POOLED:
        return _of_contradicted_pair(row) if has_one_absent else _unknown(row)
    if row.kind is Kind.GROUPS:
        return _unknown(row) if row.family is Family.NAME or _has_agreement(row) else _only(row)
    return _of_contradicted(row)


def _of_supported(row: SlotRow) -> Labels:
    """The source gives the value: an agreeing one in the most similar sentence. Every other value has another slot."""
    agreeing = [candidate for candidate in row.candidates if candidate.agrees]
    if not agreeing:
        return _unknown(row)
    best = _best_overlap(agreeing)
    return tuple((candidate.overlap == best or None) if candidate.agrees else False for candidate in row.candidates)


def _of_contradicted(row: SlotRow) -> Labels:
    """The value clashes with one of the reference, in the most similar sentence."""
    refuting = [candidate for candidate in row.candidates if _refutes(candidate)]
    if not refuting:
        return _unknown(row)
    best = _best_overlap(refuting)
    return tuple(_label_beside_refuting(candidate, best) for candidate in row.candidates)


def _label_beside_refuting(candidate: Candidate, best: float) -> bool | None:
    if _refutes(candidate):
        return candidate.overlap == best or None
    return False if candidate.agrees or not candidate.is_reference else None


def _of_contradicted_pair(row: SlotRow) -> Labels:
    """The value that the premise lacks clashes with its only candidate; the claim's other values are right."""
    return tuple(candidate.agrees for candidate in row.candidates) if _has_agreement(row) else _only(row)


def _others(row: SlotRow) -> Labels:
    """The source does not answer the question, so a differing value answers another one."""
    return tuple(None if candidate.agrees else False for candidate in row.candidates)


def _only(row: SlotRow) -> Labels:
    return (True,) if len(row.candidates) == 1 else _unknown(row)


def _unknown(row: SlotRow) -> Labels:
    return (None,) * len(row.candidates)


def _refutes(candidate: Candidate) -> bool:
    return candidate.is_reference and not candidate.agrees and not candidate.is_elsewhere


def _has_agreement(row: SlotRow) -> bool:
    return any(candidate.agrees for candidate in row.candidates)


def _best_overlap(candidates: Sequence[Candidate]) -> float:
    return max(candidate.overlap for candidate in candidates)
