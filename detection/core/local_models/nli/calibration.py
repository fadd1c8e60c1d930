"""The temperature of an NLI model: what its logits are divided by, so that of answers given with 0.8 four in five hold.

It is the one number of temperature scaling (Guo et al. 2017, section 4.2), and belongs to one model.
"""

from __future__ import annotations

import json
from pathlib import Path

from ...errors import ModelUnavailable

FILE = "calibration.json"
_DECIMALS = 3


def load_temperature(folder: Path) -> float:
    """The temperature that comes with the model in the folder; 1, which changes nothing, where none does.

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
