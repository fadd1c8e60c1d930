"""Command line: ``python -m detection.lab.training.decisions {sources,partners,pairs,warnings} --data DATA``.

The first three fit a decision and print its figures. ``warnings`` fits none: it says how many contradictions the
decision about pairs finds with how many false warnings, in texts to which nothing is fitted.

The NLI model is that of the settings (``CHATPROTECT_NLI_MODEL``). With ``--weights`` the PyTorch weights that it was
exported from score the pairs, which is faster on most machines; the vectors are still the exported model's.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from detection.core.comparing.partners import LEAST_WORTH
from detection.core.local_models.decision import CLASSES, Decision, load_decision, save_decision
from detection.core.local_models.process import LocalModels
from detection.core.local_models.remembering import RememberingModels
from detection.core.thresholds import THRESHOLDS
from detection.lab.evaluation.metrics import expected_calibration_error, reliability

from ..nli.config import load_config
from ..nli.metrics import found_with_false
from .features import Features, of_every_nth_group
from .fit import cross_fitted, fit, fit_partners, for_texts, probabilities
from .pairs import held_out_texts, pair_features_of, partner_features_of, texts_for_figures
from .sources import features_of, fitting_sources, summaries

_FLAGGED = 0.1  # of the supported sentences
_LINES = (0.4, 0.5, 0.6, 0.7, 0.8)
_FALSE_WARNINGS = (5, 10, 15, 20, 30)


@dataclass(frozen=True, slots=True)
class _Run:
    """Of the labelled sets in ``data`` every ``every``-th group is used; a fitted decision is written to ``output``.

    ``fitted`` is the folder of the decision to be measured, None for the one of the settings' model.
    """

    data: Path
    output: Path | None
    every: int
    fitted: Path | None


def main() -> None:
    """Fit a decision on held-out authored texts, and evaluate it on these and on others."""
    parser = argparse.ArgumentParser(prog="python -m detection.lab.training.decisions", description=__doc__)
    parser.add_argument("about", choices=tuple(_RUNS))
    parser.add_argument("--data", type=Path, required=True, help="directory that holds train/ and eval/")
    parser.add_argument(
        "--output", type=Path, help="folder of the model, to keep the decision there; default: none is written"
    )
    parser.add_argument("--weights", type=Path, help="PyTorch weights of the model")
    parser.add_argument(
        "--every", type=_positive, default=1, help="use every Nth group of texts or sources only; default: all"
    )
    parser.add_argument("--fitted", type=Path, help="of warnings: folder of the decision; default: the model's own")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")
    import django

    django.setup()
    run = _Run(arguments.data, arguments.output, arguments.every, arguments.fitted)
    asyncio.run(_RUNS[arguments.about](run, _models(arguments.weights)))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _models(weights: Path | None) -> LocalModels:
    from detection import wiring

    models = wiring.models_in_this_process()
    if weights is None:
        return models
    from ..nli.torch_scoring import TorchScorer
    from .trained_models import TrainedModels

    return TrainedModels(models, TorchScorer(weights, max_tokens=load_config().max_tokens))


async def _run_sources(run: _Run, models: LocalModels) -> None:
    fitted_on = await features_of(of_every_nth_group(fitting_sources(run.data), run.every), models)
    decision = fit(fitted_on)
    sys.stdout.write(_line("sources that it is fitted on, cross-fitted", fitted_on, cross_fitted(fitted_on)))
    measured_on = await features_of(summaries(run.data), models)
    sys.stdout.write(_line("authored-summaries", measured_on, probabilities(decision, measured_on)))
    if run.output is not None:
        save_decision(for_texts(decision, fitted_on), run.output, Decision.OF_SOURCES)


async def _run_partners(run: _Run, models: LocalModels) -> None:
    fitted_on = await partner_features_of(
        of_every_nth_group(held_out_texts(run.data), run.every), RememberingModels(models)
    )
    decision = fit_partners(fitted_on)
    worth = probabilities(decision, fitted_on)[:, 1] >= LEAST_WORTH
    of_contradictions = worth[fitted_on.classes == 1]
    sys.stdout.write(
        f"texts that it is fitted on: worth comparing are {100 * worth.mean():.0f} % of {len(worth)} pairs, and "
        f"{100 * of_contradictions.mean():.1f} % of {len(of_contradictions)} contradictions\n"
    )
    if run.output is not None:
        save_decision(decision, run.output, Decision.OF_PARTNERS)


async def _run_pairs(run: _Run, models: LocalModels) -> None:
    texts = of_every_nth_group(held_out_texts(run.data), run.every)
    fitted_on = await pair_features_of(texts, RememberingModels(models))
    sentences = sum(len(text.sentences) for text in texts)
    found = cross_fitted(fitted_on)[:, 1]
    sys.stdout.write(_pair_lines("texts that it is fitted on, cross-fitted", fitted_on, found, sentences))
    if run.output is not None:
        save_decision(fit(fitted_on), run.output, Decision.OF_PAIRS)


async def _run_warnings(run: _Run, models: LocalModels) -> None:
    texts = of_every_nth_group(texts_for_figures(run.data), run.every)
    features = await pair_features_of(texts, RememberingModels(models))
    decision = load_decision(run.fitted, Decision.OF_PAIRS) if run.fitted else models.decision(Decision.OF_PAIRS)
    sys.stdout.write(
        f"{len(texts)} texts with {sum(len(text.sentences) for text in texts)} sentences and "
        f"{sum(len(text.contradictions) for text in texts)} contradictions\n"
        + _warning_lines(probabilities(decision, features)[:, 1], features.classes == 1)
    )


_RUNS: Mapping[str, Callable[[_Run, LocalModels], Coroutine[None, None, None]]] = {
    "sources": _run_sources,
    "partners": _run_partners,
    "pairs": _run_pairs,
    "warnings": _run_warnings,
}


def _line(name: str, features: Features, found: NDArray[np.float64]) -> str:
    """Recall if one supported sentence in ten is flagged, and the error of the support probability."""
    supported, conflict, unstated = (features.classes == CLASSES.index(letter) for letter in "scu")
    wrong = 1 - found[:, CLASSES.index("s")]
    flagged = wrong > np.quantile(wrong[supported], 1 - _FLAGGED)
    error = expected_calibration_error(reliability(supported.tolist(), (1 - wrong).tolist()))
    return (
        f"{name}: {len(wrong)} sentences; at {100 * _FLAGGED:.0f} % of the supported ones flagged: conflicts found "
        f"{100 * flagged[conflict].mean():.0f} %, unsupported {100 * flagged[unstated].mean():.0f} %; "
        f"calibration error {error:.1f} points\n"
    )


def _pair_lines(name: str, features: Features, found: NDArray[np.float64], sentences: int) -> str:
    """Recall and precision at several thresholds."""
    truths = features.classes == 1
    error = expected_calibration_error(reliability(truths.tolist(), found.tolist()))
    lines = [f"{name}: {len(found)} pairs, {truths.sum()} contradictions; calibration error {error:.1f} points\n"]
    for line in _LINES:
        warned = found >= line
        false = 100 * (warned & ~truths).sum() / sentences
        lines.append(f"  from {line:.2f} on: found {(warned & truths).sum()}, false per 100 sentences {false:.2f}\n")
    return "".join(lines)


def _warning_lines(found: NDArray[np.float64], truths: NDArray[np.bool_]) -> str:
    """Contradictions found with so many false warnings, and at the lines of the program."""
    lines = [f"  {false} false: {found_with_false(found, truths, false)} found\n" for false in _FALSE_WARNINGS]
    for strictness, thresholds in THRESHOLDS.items():
        warned = found >= thresholds.pair
        counts = f"{(warned & truths).sum()} found, {(warned & ~truths).sum()} false"
        lines.append(f"  {strictness} checks ({thresholds.pair:.2f}): {counts}\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
