"""Command line: ``python -m detection.lab.training.decisions --data DATA``: fits the decision, and prints its figures.

The NLI model is that of the settings (``CHATPROTECT_NLI_MODEL``).
"""

import argparse
import asyncio
import os
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from detection.core.local_models.decision import CLASSES, save_decision
from detection.lab.evaluation.metrics import expected_calibration_error, reliability

from .fit import cross_fitted, fit, for_texts, probabilities
from .sources import Features, features_of, held_out_sources, summaries

_FLAGGED = 0.1  # of the supported sentences


def main() -> None:
    """Fits on authored sources that the NLI model never saw, and measures on these and on authored summaries."""
    parser = argparse.ArgumentParser(prog="python -m detection.lab.training.decisions", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="directory that holds train/ and eval/")
    parser.add_argument(
        "--output", type=Path, help="folder of the model, to keep the decision there; default: none is written"
    )
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")
    import django

    django.setup()
    asyncio.run(_run(arguments.data, arguments.output))


async def _run(data: Path, output: Path | None) -> None:
    from detection import wiring

    models = wiring.models_in_this_process()
    fitted_on = await features_of(held_out_sources(data), models)
    measured_on = await features_of(summaries(data), models)
    decision = fit(fitted_on)
    sys.stdout.write(_line("held-out sources, cross-fitted", fitted_on, cross_fitted(fitted_on)))
    sys.stdout.write(_line("authored-summaries", measured_on, probabilities(decision, measured_on)))
    if output is not None:
        save_decision(for_texts(decision, fitted_on), output)


def _line(name: str, features: Features, found: NDArray[np.float64]) -> str:
    """What is found where one supported sentence in ten is flagged, and the error of the probability of support."""
    supported, conflict, unstated = (features.classes == CLASSES.index(letter) for letter in "scu")
    wrong = 1 - found[:, CLASSES.index("s")]
    flagged = wrong > np.quantile(wrong[supported], 1 - _FLAGGED)
    error = expected_calibration_error(reliability(supported.tolist(), (1 - wrong).tolist()))
    return (
        f"{name}: {len(wrong)} sentences; at {100 * _FLAGGED:.0f} % of the supported ones flagged: conflicts found "
        f"{100 * flagged[conflict].mean():.0f} %, unsupported {100 * flagged[unstated].mean():.0f} %; "
        f"calibration error {error:.1f} points\n"
    )


if __name__ == "__main__":
    main()
