"""The mean of the weights of several models that began as one: often better than each of them on what none has seen.

Wortsman et al. 2022, "Model soups".
"""

from collections.abc import Mapping
from pathlib import Path

import torch


def average(shares: Mapping[Path, float], output: Path) -> None:
    """Write to ``output`` the weights in ``shares``, each counted with its share; shares are made to sum to 1.

    Raises:
        ValueError: the files are not weights of one architecture.
    """
    total = sum(shares.values())
    mean: dict[str, torch.Tensor] = {}
    for path, share in shares.items():
        weights = torch.load(path, map_location="cpu", weights_only=True)
        if mean and {name: value.shape for name, value in weights.items()} != {n: v.shape for n, v in mean.items()}:
            raise ValueError(f"{path} holds the weights of another architecture")
        for name, value in weights.items():
            counted = value * (share / total) if value.is_floating_point() else value
            mean[name] = mean[name] + counted if name in mean and value.is_floating_point() else counted
    output.parent.mkdir(parents=True, exist_ok=True)
    torch.save(mean, output)
