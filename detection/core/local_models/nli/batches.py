"""Group pairs into batches for the NLI model, so that it reads little padding."""

from __future__ import annotations

from collections.abc import Sequence

#: A batch takes two to four tenths of a second on one core. Checks take turns batch by batch, so that all of them
#: progress equally; and the activations of a batch fit into the caches of a processor.
MAX_PAIRS = 8
MAX_TOKENS = 750
#: A batch takes as long as this number of tokens more than its tokens. A quarter of it or twice as much changes the
#: time by less than 3 %.
_TOKENS_OF_A_BATCH = 24
_CHARS_OF_A_TOKEN = 4


def estimated_tokens(text: str) -> int:
    """The number of tokens of an English text, by its length."""
    return len(text) // _CHARS_OF_A_TOKEN + 1


def batches(tokens: Sequence[int], *, cores: int = 1) -> list[list[int]]:
    """Batches of positions in ``tokens``, the number of tokens of each pair; the longest batch first.

    All pairs of a batch are padded to the longest one. A pair longer than ``MAX_TOKENS`` has its own batch. A batch
    with more than the share of one of the ``cores`` is cut into halves, so that no core waits for another one.
    """
    order = sorted(range(len(tokens)), key=tokens.__getitem__)
    found = [order[start:end] for start, end in _bounds([tokens[position] for position in order])]

    def padded(batch: list[int]) -> int:
        return len(batch) * tokens[batch[-1]]

    while found:
        largest = max(found, key=padded)
        if len(largest) == 1 or padded(largest) * cores <= sum(map(padded, found)):
            break
        half, place = len(largest) // 2, found.index(largest)
        found[place : place + 1] = largest[:half], largest[half:]
    return sorted(found, key=padded, reverse=True)


def _bounds(ascending: Sequence[int]) -> list[tuple[int, int]]:
    """The start and end of each batch, at the smallest sum of padded tokens and ``_TOKENS_OF_A_BATCH``."""
    costs, starts = [0], [0]  # of the first pairs, for each number of them; the start of their last batch
    for end, longest in enumerate(ascending, 1):
        sizes = range(1, min(MAX_PAIRS, end, max(MAX_TOKENS // max(longest, 1), 1)) + 1)
        cost, size = min((costs[end - size] + size * longest + _TOKENS_OF_A_BATCH, size) for size in sizes)
        costs.append(cost)
        starts.append(end - size)
    bounds = []
    end = len(ascending)
    while end:
        bounds.append((starts[end], end))
        end = starts[end]
    return bounds
