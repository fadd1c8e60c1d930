"""Which pairs the NLI model reads at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...types import NliPair

#: A batch takes less than a tenth of a second. A check waits behind one batch of each other check for each of its own,
#: so that all of them are equally fast; and what the network computes for a batch stays in the caches of a processor.
MAX_PAIRS = 8
MAX_CHARS = 3_000


def batches(pairs: Sequence[NliPair]) -> Iterator[list[int]]:
    """Positions in ``pairs``, shortest pairs first: those of similar length together, so that little is padded.

    A pair that is longer than ``MAX_CHARS`` is alone in its batch.
    """
    lengths = [len(pair.premise) + len(pair.hypothesis) for pair in pairs]
    batch: list[int] = []
    for position in sorted(range(len(pairs)), key=lengths.__getitem__):
        # The longest pair, which is the last, sets the size of the whole batch.
        if batch and (len(batch) == MAX_PAIRS or (len(batch) + 1) * lengths[position] > MAX_CHARS):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
