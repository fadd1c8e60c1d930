"""The trained decisions: about a sentence and its sources, and about two sentences of one text.

A decision is a multinomial logistic regression over features that name themselves (``grounding/features.py``,
``comparing/pair_features.py``). It is fitted to one NLI model, by ``manage.py model calibrate`` or
``detection.lab.training.decisions``, and stored as JSON beside it.
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

#: Whether the sources bear out, contradict or do not state a sentence. The order of the rows of ``weights``, by the
#: letters of the labels in the data.
CLASSES = "scu"
_DECIMALS = 4


class Decision(StrEnum):
    """What is decided, by the file that has the weights."""

    OF_SOURCES = "decision_sources.json"
    """Classes as in :data:`CLASSES`."""
    OF_PAIRS = "decision_pairs.json"
    """Two classes: the sentences agree, or contradict each other."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """The probabilities that the sources bear out, contradict and do not state a sentence; they add up to 1."""

    supported: float
    contradicted: float
    unstated: float


#: Of a sentence that a source has word for word.
CERTAIN_SUPPORT = Assessment(supported=1.0, contradicted=0.0, unstated=0.0)


@dataclass(frozen=True, slots=True)
class LogisticDecision:
    """Turns features into the probability of each class.

    Args:
        features: the names of the features.
        means, deviations: of each feature in the data that it was fitted on.
        weights: of each class for each feature, once it is brought to mean 0 and deviation 1.
        bias: of each class.
    """

    features: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def shares(self, values: Mapping[str, float]) -> tuple[float, ...]:
        """The probability of each class, by the values of the features. They add up to 1.

        Raises:
            ModelUnavailable: the decision was fitted to another feature, in another release.
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
    """A decision that was fitted to the NLI model in ``folder``.

    Raises:
        ModelUnavailable: there is none, or it is broken.
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
