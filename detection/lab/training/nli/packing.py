"""Training data as arrays of token ids: small in memory, and a file for a machine without the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from itertools import accumulate, chain
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from .units import Unit

Ints: TypeAlias = NDArray[np.int64]
_TEXTS_AT_ONCE = 10_000
_SPECIAL = 3  # tokens of a pair


@dataclass(frozen=True, eq=False, slots=True)
class PackedUnits:
    """Units with the token ids of their texts; each text is stored once.

    A row of ``starts`` arrays is the first element of a text, unit or pass, and the last row their end: text i has
    ``tokens[token_starts[i]:token_starts[i + 1]]``, unit i the pairs from ``pair_starts[i]`` on and the ranks from
    ``rank_starts[i]`` on, pass i the units from ``unit_starts[i]`` on.

    Attributes:
        special: ids of the first token and the separator.
        tokens: [token].
        pairs: the premise and hypothesis of each pair, as numbers of texts [pair, 2].
        allowed: whether the label of a pair allows each class [pair, 3].
        weights: of the pairs [pair].
        ranks: class, better pair, worse pair [rank, 3]; pairs are counted within their unit.
    """

    special: NDArray[np.uint16]
    tokens: NDArray[np.uint16]
    token_starts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    allowed: NDArray[np.bool_]
    weights: NDArray[np.float32]
    pair_starts: NDArray[np.int32]
    ranks: NDArray[np.uint8]
    rank_starts: NDArray[np.int32]
    unit_starts: NDArray[np.int32]

    def save(self, path: Path) -> None:
        """Write a file that :func:`load_packed` reads."""
        np.savez(path, **dict(zip((field.name for field in fields(self)), astuple(self), strict=True)))

    def lengths(self, most: int) -> Ints:
        """The number of tokens of every pair with its special tokens, at most ``most``."""
        lengths: Ints = np.minimum(self._text_lengths(slice(None)).sum(axis=1) + _SPECIAL, most)
        return lengths

    def padded(self, pairs: Ints, rows: int, length: int) -> tuple[Ints, Ints, Ints]:
        """Token ids, attention mask and token types of these pairs as ``[CLS] premise [SEP] hypothesis [SEP]``.

        The arrays [row, length] have an empty row for each pair that is lacking, with one token to attend to, because
        attention over nothing is NaN. The longer text of a pair is cut first, as the tokenizer does.
        """
        first, separator = self.special
        premise, hypothesis = (side[:, None] for side in _kept(self._text_lengths(pairs), length - _SPECIAL).T)
        starts = self.token_starts[self.pairs[pairs]].astype(np.int64)
        place = np.arange(length)[None]
        second = premise + 2  # the place of the hypothesis
        end = second + hypothesis
        is_premise, is_hypothesis = (place > 0) & (place <= premise), (place >= second) & (place < end)
        ids, mask, types = (np.zeros((max(rows, len(pairs)), length), np.int64) for _ in range(3))
        found = ids[: len(pairs)]
        found[:, 0] = first
        for here, start in ((is_premise, starts[:, :1] - 1), (is_hypothesis, starts[:, 1:] - second)):
            found[here] = self.tokens[(start + place)[here]]
        found[(place == second - 1) | (place == end)] = separator
        mask[:, 0] = 1
        mask[: len(pairs)] = place <= end
        types[: len(pairs)] = (place >= second) & (place <= end)
        return ids, mask, types

    def _text_lengths(self, pairs: Ints | slice) -> Ints:
        """The number of tokens of the texts of each pair [pair, 2]."""
        texts = self.pairs[pairs]
        return (self.token_starts[texts + 1] - self.token_starts[texts]).astype(np.int64)


def load_packed(path: Path) -> PackedUnits:
    """Read a file that :meth:`PackedUnits.save` wrote."""
    with np.load(path) as arrays:
        return PackedUnits(**arrays)


def pack(passes: Sequence[Sequence[Unit]], tokenizer: Tokenizer) -> PackedUnits:
    """The units of every pass over the data, encoded."""
    units = list(chain.from_iterable(passes))
    examples = [example for unit in units for example in unit.examples]
    numbers: dict[str, int] = {}
    pairs = [
        (numbers.setdefault(e.premise, len(numbers)), numbers.setdefault(e.hypothesis, len(numbers))) for e in examples
    ]
    encoded = _encoded(tokenizer, list(numbers))
    return PackedUnits(
        special=np.array([tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]")], np.uint16),
        tokens=np.array(list(chain.from_iterable(encoded)), np.uint16),
        token_starts=_starts(encoded),
        pairs=np.array(pairs, np.int32),
        allowed=np.array([example.label.allowed for example in examples]),
        weights=np.array([example.weight for example in examples], np.float32),
        pair_starts=_starts([unit.examples for unit in units]),
        ranks=np.array([(r.of, r.better, r.worse) for unit in units for r in unit.ranks], np.uint8).reshape(-1, 3),
        rank_starts=_starts([unit.ranks for unit in units]),
        unit_starts=_starts(passes),
    )


def _encoded(tokenizer: Tokenizer, texts: Sequence[str]) -> list[list[int]]:
    tokenizer.no_truncation()
    starts = range(0, len(texts), _TEXTS_AT_ONCE)
    batches = (
        tokenizer.encode_batch(texts[start : start + _TEXTS_AT_ONCE], add_special_tokens=False) for start in starts
    )
    return [encoding.ids for batch in batches for encoding in batch]


def _starts(parts: Sequence[Sequence[object]]) -> NDArray[np.int32]:
    return np.array(list(accumulate(map(len, parts), initial=0)), np.int32)


def _kept(lengths: Ints, most: int) -> Ints:
    """How many tokens of each text are kept [pair, 2], by the strategy "longest first" of the library tokenizers."""
    half = most // 2
    cut = np.flatnonzero(lengths.sum(axis=1) > most)
    longer = np.where(lengths[cut, 0] > lengths[cut, 1], 0, 1)
    least = np.minimum(lengths[cut].min(axis=1), half)
    kept = lengths.copy()
    kept[cut, 1 - longer], kept[cut, longer] = least, most - least
    return kept
