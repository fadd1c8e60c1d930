"""Load and save the histograms of an NLI model, in a file beside it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from ..local_models.nli.fitted import read_fitted
from .sequential import Histograms

FILE = "histograms.json"
_DECIMALS = 6


def load_histograms(folder: Path) -> Histograms:
    """The histograms of the NLI model in ``folder``.

    Raises:
        ModelUnavailable: they are missing or invalid.
    """
    return read_fitted(
        folder / FILE,
        lambda content: Histograms(factual=tuple(content["factual"]), hallucinated=tuple(content["hallucinated"])),
        "without it the probability of a claim cannot be told from documents. Make it with "
        "python -m detection.lab.training.nli histograms.",
    )


def save_histograms(histograms: Histograms, folder: Path) -> None:
    """Write the file that :func:`load_histograms` reads."""
    rounded = {name: [round(share, _DECIMALS) for share in shares] for name, shares in asdict(histograms).items()}
    (folder / FILE).write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")
