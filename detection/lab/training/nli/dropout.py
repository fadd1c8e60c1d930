"""Dropout (Srivastava et al. 2014) with masks from random bytes.

PyTorch draws the masks of a processor number by number in one thread, which took two fifths of a training step.
"""

import numpy as np
import torch
from torch import Tensor, nn

_BYTES = 256


class Dropout(nn.Module):
    """Sets a share of the states to zero in training, in steps of 1/256, and scales the others to keep the mean.

    The masks follow from the seed of PyTorch at the time of its construction. On a GPU this is PyTorch's own dropout.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self._share = share
        self._limit = round(share * _BYTES)
        self._random = np.random.default_rng(int(torch.randint(2**62, ())))

    def forward(self, states: Tensor) -> Tensor:
        if not self.training or self._limit == 0:
            return states
        if states.device.type != "cpu":
            return nn.functional.dropout(states, self._share)
        drawn = torch.frombuffer(bytearray(self._random.bytes(states.numel())), dtype=torch.uint8)
        kept = (drawn >= self._limit).to(states.dtype) * (_BYTES / (_BYTES - self._limit))
        return states * kept.view(states.shape)
