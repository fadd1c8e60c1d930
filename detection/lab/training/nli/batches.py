"""Token ids of pairs, and padded arrays of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Token ids and token types of ``[CLS] premise [SEP] hypothesis [SEP]``."""

    ids: Sequence[int]
    type_ids: Sequence[int]


def load_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    """The tokenizer with the runtime's settings: longest-first truncation, no padding."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def encode(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[EncodedPair]:
    """Token ids of (premise, hypothesis) pairs."""
    return [EncodedPair(tuple(e.ids), tuple(e.type_ids)) for e in tokenizer.encode_batch(list(pairs))]


def padded(
    pairs: Sequence[EncodedPair], *, rows: int = 0, length: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Input ids, attention mask and token types as arrays [pair, longest pair], or larger ones.

    An empty row has one unmasked token, because attention over nothing is NaN.
    """
    shape = (max(rows, len(pairs)), max(length, *(len(pair.ids) for pair in pairs)))
    ids, mask, types = (np.zeros(shape, np.int64) for _ in range(3))
    mask[:, 0] = 1
    for row, pair in enumerate(pairs):
        length = len(pair.ids)
        ids[row, :length] = pair.ids
        mask[row, :length] = 1
        types[row, :length] = pair.type_ids
    return ids, mask, types
