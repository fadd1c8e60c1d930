"""A multinomial logistic regression over named features, stored as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_DECIMALS = 4


@dataclass(frozen=True, slots=True, eq=False)
class LogisticDecision:
    """The classes are in the order of the rows of ``weights``.

    Args:
        features: the names of the features.
        means, deviations: of each feature in the data that it was fitted on; shape [feature].
        weights: shape [class, feature], for features that were brought to mean 0 and deviation 1.
        bias: shape [class].
    """

    features: tuple[str, ...]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]
    weights: NDArray[np.float64]
    bias: NDArray[np.float64]

    def probabilities(self, values: Mapping[str, float]) -> NDArray[np.float64]:
        """The probability of each class; they add up to 1.

        Raises:
            KeyError: a feature is missing.
        """
        row = np.array([values[name] for name in self.features], np.float64)
        logits = self.weights @ ((row - self.means) / self.deviations) + self.bias
        odds = np.exp(logits - logits.max())
        shares: NDArray[np.float64] = odds / odds.sum()
        return shares


def save_decision(decision: LogisticDecision, path: Path) -> None:
    """Write the numbers with four decimals, one list a line."""
    content = {
        "features": list(decision.features),
        **{
            name: np.round(getattr(decision, name), _DECIMALS).tolist()
            for name in ("means", "deviations", "weights", "bias")
        },
    }
    lines = ",\n".join(f'  "{name}": {json.dumps(value)}' for name, value in content.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
