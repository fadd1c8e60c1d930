"""Retrieve the passages nearest to a text (BM25)."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

import bm25s
import numpy as np
from numpy.typing import NDArray

# The library enables its own log and reports every index that it builds.
logging.getLogger("bm25s").setLevel(logging.WARNING)

_WORD = re.compile(r"\w+")


class PassageIndex:
    """A BM25 index of passages. Passages and texts without words score 0."""

    def __init__(self, passages: Sequence[str]) -> None:
        self._length = len(passages)
        words = [_words(passage) for passage in passages]
        self._index = bm25s.BM25() if any(words) else None
        if self._index is not None:
            self._index.index(words, show_progress=False)

    def scores(self, text: str) -> NDArray[np.float32]:
        """The score of each passage for the text, ``[passages]``."""
        words = _words(text)
        if self._index is None or not words:
            return np.zeros(self._length, dtype=np.float32)
        scores: NDArray[np.float32] = self._index.get_scores(words)
        return scores


def _words(text: str) -> list[str]:
    """Words for retrieval, truncated to their first letters so that "opened" finds "opening"."""
    return [word[:6] for word in _WORD.findall(text.casefold())]
