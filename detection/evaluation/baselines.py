"""What the papers print, on all of their rows. What is on record for single rows is in the data and computed anew."""

from __future__ import annotations

from collections.abc import Mapping

from .base import Baseline, Origin
from .metrics import PairMetrics

#: ChatProtect (Mündler et al. 2024), tables 3, 4 and 9: by the model that wrote the text, then by the judge.
_PUBLISHED_PAIRS: Mapping[str, Mapping[str, PairMetrics]] = {
    "gpt4": {"chatgpt": PairMetrics(80.1, 79.7, 79.9)},
    "chatgpt": {
        "chatgpt": PairMetrics(84.2, 83.2, 83.7),
        "gpt4": PairMetrics(91.3, 82.1, 86.5),
        "llama-2-70b-chat": PairMetrics(95.3, 45.8, 61.9),
        "vicuna-13b-1.1": PairMetrics(90.0, 25.1, 39.3),
        "chatgpt, asked directly": PairMetrics(83.0, 65.4, 73.1),
        "chatgpt, step by step": PairMetrics(89.0, 54.2, 67.4),
        "chatgpt, multi-path": PairMetrics(86.9, 77.7, 82.0),
    },
    "llama-2-70b-chat": {"chatgpt": PairMetrics(72.9, 89.0, 80.2)},
    "vicuna-13b-1.1": {"chatgpt": PairMetrics(74.4, 83.2, 78.6)},
}


def published_pairs(generator: str) -> list[Baseline]:
    """The paper's figures for the texts of one model; none for all models together, which it does not print."""
    published = _PUBLISHED_PAIRS.get(generator, {})
    return [Baseline(judge, Origin.PUBLISHED, metrics) for judge, metrics in published.items()]
