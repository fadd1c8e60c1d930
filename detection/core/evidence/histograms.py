"""The histograms of an NLI model, in a file beside it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from ..errors import ModelUnavailable
from .sequential import Histograms

FILE = "histograms.json"
_DECIMALS = 6


def load_histograms(folder: Path) -> Histograms:
    """The histograms of the NLI model in ``folder``.

    Raises:
        ModelUnavailable: there are none, or they are broken.
    """
    path = folder / FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Histograms(factual=tuple(content["factual"]), hallucinated=tuple(content["hallucinated"]))
    except FileNotFoundError as error:
        raise ModelUnavailable(
            f"{path} is missing: without it the probability of a claim cannot be told from documents. Make it with "
            f"python -m detection.lab.training.nli histograms."
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"{path} cannot be read ({error}). Put the file of the model there.") from error


def save_histograms(histograms: Histograms, folder: Path) -> None:
    """Write the file that :func:`load_histograms` reads."""
    rounded = {name: [round(share, _DECIMALS) for share in shares] for name, shares in asdict(histograms).items()}
    (folder / FILE).write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")
