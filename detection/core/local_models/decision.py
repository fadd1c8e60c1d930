"""The trained decisions: about a sentence and its sources, and about two sentences of one text.

A decision is a multinomial logistic regression over named features (``grounding/features.py``,
``comparing/partners.py``, ``comparing/pair_features.py``). It is fitted to one NLI model, by ``manage.py model
calibrate`` or ``detection.lab.training.decisions``, and stored as JSON in its folder.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..errors import ModelUnavailable
from .nli.fitted import read_fitted

#: The classes supported, contradicted and unstated, by the letters of their labels in the data, in the order of the
#: rows of ``weights``.
CLASSES = "scu"
_DECIMALS = 4


class Decision(StrEnum):
    """The trained decisions, by the file that has the weights."""

    OF_SOURCES = "decision_sources.json"
    """Classes as in :data:`CLASSES`."""
    OF_PAIRS = "decision_pairs.json"
    """Two classes: the sentences agree, or contradict each other."""
    OF_PARTNERS = "decision_partners.json"
    """Two classes: two sentences of one text are not worth comparing, or they are."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The probabilities that the sources support, contradict and do not state a sentence; they add up to 1."""

    supported: float
    contradicted: float
    unstated: float


#: The assessment of a sentence that a source has word for word.
CERTAIN_SUPPORT = Assessment(supported=1.0, contradicted=0.0, unstated=0.0)


@dataclass(frozen=True, slots=True)
class LogisticDecision:
    """Turns features into the probability of each class.

    Args:
        features: the names of the features.
        means, deviations: mean and standard deviation of each feature in the training data.
        weights: the weight of each standardised feature for each class.
        bias: the bias of each class.
    """

    features: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def shares(self, values: Mapping[str, float]) -> tuple[float, ...]:
        """The probability of each class, given the values of the features. They add up to 1.

        Raises:
            ModelUnavailable: a feature of the decision is missing, because another release fitted it.
        """
        try:
            found = [values[name] for name in self.features]
        except KeyError as error:
            raise ModelUnavailable(
                f"The decision beside the NLI model wants {error}, which this release does not have. Fit it again: "
                f"manage.py model calibrate."
            ) from error
        scaled = [
            (value - mean) / spread for value, mean, spread in zip(found, self.means, self.deviations, strict=True)
        ]
        logits = [sum(map(operator.mul, row, scaled)) + bias for row, bias in zip(self.weights, self.bias, strict=True)]
        odds = [math.exp(logit - max(logits)) for logit in logits]
        return tuple(share / sum(odds) for share in odds)


def load_decision(folder: Path, about: Decision) -> LogisticDecision:
    """Load a decision that was fitted to the NLI model in ``folder``.

    Raises:
        ModelUnavailable: it is missing or invalid.
    """
    return read_fitted(
        folder / about,
        _decision_of,
        "without it nothing can be said about a text. Make it with manage.py model calibrate.",
    )


def _decision_of(content: Any) -> LogisticDecision:
    return LogisticDecision(
        tuple(content["features"]),
        means=tuple(content["means"]),
        deviations=tuple(content["deviations"]),
        weights=tuple(map(tuple, content["weights"])),
        bias=tuple(content["bias"]),
    )


def save_decision(decision: LogisticDecision, folder: Path, about: Decision) -> None:
    """Write the file that :func:`load_decision` reads."""
    content = {
        "features": decision.features,
        "means": _rounded(decision.means),
        "deviations": _rounded(decision.deviations),
        "weights": [_rounded(row) for row in decision.weights],
        "bias": _rounded(decision.bias),
    }
    (folder / about).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _rounded(numbers: tuple[float, ...]) -> list[float]:
    return [round(number, _DECIMALS) for number in numbers]
