"""The temperature of an NLI model, by which its logits are divided to calibrate its probabilities.

It is the parameter of temperature scaling (Guo et al. 2017, section 4.2), fitted to one model.
"""

from __future__ import annotations

import json
from pathlib import Path

from ...errors import ModelUnavailable

FILE = "calibration.json"
_DECIMALS = 3


def load_temperature(folder: Path) -> float:
    """Load the temperature of the model in the folder; 1 (no effect) if it has none.

    Raises:
        ModelUnavailable: the file cannot be used.
    """
    path = folder / FILE
    if not path.exists():
        return 1.0
    try:
        temperature = float(json.loads(path.read_text(encoding="utf-8"))["temperature"])
        if not temperature > 0:
            raise ValueError(f"a temperature of {temperature}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"{path} cannot be read ({error}). Put the file of the model there.") from error
    return temperature


def save_temperature(temperature: float, folder: Path) -> None:
    """Write the file that :func:`load_temperature` reads."""
    (folder / FILE).write_text(json.dumps({"temperature": round(temperature, _DECIMALS)}) + "\n", encoding="utf-8")
