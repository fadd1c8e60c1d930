"""Group pairs into batches for the NLI model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...types import NliPair

#: A batch takes two to four tenths of a second on one core, a third of that with an encoder of 6 layers. Checks take
#: turns batch by batch, so that all of them progress equally; and the activations of a batch fit into the caches of a
#: processor.
MAX_PAIRS = 8
MAX_CHARS = 3_000


def batches(pairs: Sequence[NliPair], *, cores: int = 1) -> list[list[int]]:
    """Batches of positions in ``pairs``, shortest pairs first, so that little is padded.

    A pair longer than ``MAX_CHARS`` has its own batch. A batch with more than the share of one of the ``cores`` is cut
    into halves, so that no core waits for another one.
    """
    lengths = [len(pair.premise) + len(pair.hypothesis) for pair in pairs]
    found = list(_filled(lengths))

    def padded(batch: list[int]) -> int:
        return len(batch) * lengths[batch[-1]]  # all pairs are padded to the longest one, which is the last

    while found:
        largest = max(found, key=padded)
        if len(largest) == 1 or padded(largest) * cores <= sum(map(padded, found)):
            break
        half, place = len(largest) // 2, found.index(largest)
        found[place : place + 1] = largest[:half], largest[half:]
    return found


def _filled(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Batches as large as they may be."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == MAX_PAIRS or (len(batch) + 1) * lengths[position] > MAX_CHARS):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
