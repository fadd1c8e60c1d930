"""Fit the temperature of the exported model."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .labels import Label
from .mixture import Sources, development_examples
from .scoring import OnnxScorer, softmax

_TEMPERATURES = np.geomspace(0.5, 4.0, 121)


def fit_temperature(logits: NDArray[np.float32], labels: Sequence[Label]) -> float:
    """The temperature with the highest likelihood of held-out labels."""
    allowed = np.array([label.allowed for label in labels])

    def mean_loss(temperature: float) -> float:
        likelihoods = (softmax(logits, temperature) * allowed).sum(axis=1)
        return float(-np.log(np.clip(likelihoods, 1e-12, None)).mean())

    return float(min(_TEMPERATURES, key=mean_loss))


def temperature_of(model: OnnxScorer, sources: Sources) -> float:
    """The temperature of an exported model, fitted on the development examples of all uses."""
    examples = [example for of_use in development_examples(sources).values() for example in of_use]
    logits = model.logits([(example.premise, example.hypothesis) for example in examples])
    return fit_temperature(logits, [example.label for example in examples])
