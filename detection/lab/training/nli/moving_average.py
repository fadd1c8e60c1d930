"""The moving average of the weights in training, which is evaluated and shipped."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from .model import cpu_state


class MovingAverage:
    """Average of the trained weights; frozen weights are the model's.

    The decay is smaller in the first steps, so that the initial weights do not dominate a short stage.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self._decay = decay
        self._updates = 0
        self._average = {name: weight.detach().clone() for name, weight in _trained(model).items()}

    def update(self, model: nn.Module) -> None:
        """Add the weights after a step."""
        decay = min(self._decay, (self._updates + 1) / (self._updates + 10))
        self._updates += 1
        current = _trained(model)
        with torch.no_grad():
            torch._foreach_lerp_(list(self._average.values()), [current[name] for name in self._average], 1 - decay)

    def weights(self, model: nn.Module) -> Mapping[str, Tensor]:
        """All weights of the model, the trained ones averaged."""
        return {**cpu_state(model), **{name: average.cpu() for name, average in self._average.items()}}

    def state(self) -> dict[str, Any]:
        """The state for :meth:`load_state`."""
        return {"updates": self._updates, "average": self._average}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        self._updates = state["updates"]
        self._average = dict(state["average"])


def _trained(model: nn.Module) -> dict[str, Tensor]:
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
