"""Average the weights of models with a common initialisation; often better on unseen data than each of them.

Wortsman et al. 2022, "Model soups".
"""

from collections.abc import Mapping
from pathlib import Path

import torch


def average(shares: Mapping[Path, float], output: Path) -> None:
    """Write the weighted mean of the weight files in ``shares`` to ``output``; shares are normalised to sum to 1.

    Raises:
        ValueError: the files are of different architectures.
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
