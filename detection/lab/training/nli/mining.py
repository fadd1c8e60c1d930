"""Mine compatible pairs that a model mistakes for contradictions, as hard negatives of the next stage."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from .data import shared_words
from .labels import InferenceClass
from .natural import COPY_OVERLAP, Document
from .scoring import Pair, Scorer

_CANDIDATES_PER_DOCUMENT = 40


def hardest_pairs(scorer: Scorer, documents: Iterable[Document], wanted: int, chooser: random.Random) -> list[Pair]:
    """The pairs of sentences of one text with shared words and the highest contradiction probability.

    Only from training texts. A few are unintended real contradictions, too few to matter.
    """
    pairs = [pair for document in documents if document.trains for pair in _candidates(document, chooser)]
    scores = scorer(pairs)[:, InferenceClass.CONTRADICTION]
    return [pairs[index] for index in np.argsort(-scores)[:wanted]]


def save_pairs(pairs: Sequence[Pair], path: Path) -> None:
    """Write JSON lines with ``premise`` and ``hypothesis``."""
    lines = (json.dumps({"premise": premise, "hypothesis": hypothesis}) for premise, hypothesis in pairs)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _candidates(document: Document, chooser: random.Random) -> Iterator[Pair]:
    pairs = [(shared_words(*pair), pair) for pair in combinations(dict.fromkeys(document.comparable), 2)]
    near = [(overlap + 0.3 * chooser.random(), pair) for overlap, pair in pairs if 0 < overlap < COPY_OVERLAP]
    for _, pair in sorted(near, reverse=True)[:_CANDIDATES_PER_DOCUMENT]:
        first, second = chooser.sample(pair, 2)
        yield first, second
