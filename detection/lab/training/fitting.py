"""Fit the temperature, histograms and decisions of an NLI model: ``manage.py model calibrate``.

The model may be any that ``NliScorer`` can load.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from detection.core.evidence.histograms import save_histograms
from detection.core.local_models.decision import Decision, save_decision
from detection.core.local_models.nli.calibration import load_temperature, save_temperature
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.local_models.process import InProcessModels, ModelSettings
from detection.core.local_models.remembering import RememberingModels
from detection.core.types import NliPair

from .decisions.fit import fit, fit_partners, for_texts
from .decisions.pairs import held_out_texts, pair_features_of, partner_features_of
from .decisions.sources import features_of, fitting_sources
from .nli import histograms
from .nli.authored import OWN_DIRECTORY
from .nli.calibrate import fit_temperature
from .nli.config import load_config
from .nli.mixture import Sources, development_examples

_LEAST_PROBABILITY = 1e-9

Progress = Callable[[str], None]


async def calibrate(models: ModelSettings, data: Path, progress: Progress, own: Path = OWN_DIRECTORY) -> None:
    """Fit the temperature, the histograms and the decisions in this order, and write them to the model's folder.

    Args:
        models: the NLI model, and the language pipeline to parse with.
        data: the folder of the given labelled data, with ``train/`` and ``eval/``.
        progress: called after each step.
        own: the folder of the project's own authored texts.

    Raises:
        FileNotFoundError: a data set is missing in ``data``.
        ModelUnavailable: the model cannot be loaded.
    """
    config = load_config()
    sources = Sources(root=data, topic_folds=config.topic_folds, held_out_fold=0, seed=config.seed, own=own)
    examples = [example for of_use in development_examples(sources).values() for example in of_use]
    pairs = [NliPair(example.premise, example.hypothesis) for example in examples]
    logits = _logits(NliScorer(models.nli, threads=models.threads), pairs, load_temperature(models.nli))
    temperature = fit_temperature(logits, [example.label for example in examples])
    save_temperature(temperature, models.nli)
    progress(f"temperature {temperature:.2f}, by {len(examples)} pairs")
    rows = sources.rows("eval/bayes_nbc")
    save_histograms(histograms.count(NliScorer(models.nli, threads=models.threads), rows), models.nli)
    progress(f"histograms of the sequential test, by {len(rows)} pages")
    reader = InProcessModels(models)
    claims = await features_of(fitting_sources(data, own), reader)
    save_decision(for_texts(fit(claims), claims), models.nli, Decision.OF_SOURCES)
    progress(f"decision about a sentence and its sources, by {len(claims.classes)} claims")
    texts, remembering = held_out_texts(data, own), RememberingModels(reader)
    candidates = await partner_features_of(texts, remembering)
    save_decision(fit_partners(candidates), models.nli, Decision.OF_PARTNERS)
    progress(f"decision which sentences of a text are compared, by {len(candidates.classes)} pairs")
    statements = await pair_features_of(texts, remembering)
    save_decision(fit(statements), models.nli, Decision.OF_PAIRS)
    progress(f"decision about two sentences of one text, by {len(statements.classes)} pairs")


def _logits(scorer: NliScorer, pairs: list[NliPair], temperature: float) -> NDArray[np.float32]:
    """The logits [pair, class] before division by the temperature, up to a constant for each pair."""
    probabilities = np.array(scorer.score(pairs), np.float64)
    logits = temperature * np.log(np.maximum(probabilities, _LEAST_PROBABILITY))
    return logits.astype(np.float32)
