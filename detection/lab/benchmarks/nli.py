"""Scenario ``nli``: how many sentence pairs a second the NLI model reads, beside the same network in PyTorch."""

from __future__ import annotations

import multiprocessing
import os
import re
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import Any

from ... import wiring
from ...core.local_models.nli.batches import MAX_PAIRS
from ...core.local_models.nli.scorer import NliScorer
from ...core.local_models.process import InProcessModels, ModelSettings
from ...core.types import NliPair
from .processes import peak_memory
from .texts import SOURCE, TEXT

THREADS = 2
ROUNDS = 5

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

Score = Callable[[Sequence[NliPair]], object]


def run() -> dict[str, Any]:
    """Score the same pairs with both, in alternating rounds, so that other load on the machine affects both."""
    pairs = _pairs()
    settings = wiring.model_settings()
    scorers: dict[str, Score] = {"int8": NliScorer(settings.nli, threads=THREADS).score}
    pytorch = _pytorch_scorer()
    if pytorch is not None:
        scorers["pytorch_fp32"] = pytorch
    speeds = _pairs_per_second(scorers, pairs)
    int8, fp32 = speeds["int8"], speeds.get("pytorch_fp32")
    return {
        "scenario": "nli",
        "pairs": len(pairs),
        "words_per_pair": round(statistics.mean(len(f"{p.premise} {p.hypothesis}".split()) for p in pairs), 1),
        "threads": THREADS,
        "int8_pairs_per_second": round(int8),
        "pytorch_fp32_pairs_per_second": round(fp32) if fp32 else "not measured: needs pip install '.[train]'",
        "times_faster": round(int8 / fp32, 1) if fp32 else None,
        "peak_memory_mib_with_both_models": _peak_memory_of_models(settings, pairs),
    }


def _pairs() -> list[NliPair]:
    """Each sentence of the benchmark's text beside each of its source."""
    hypotheses, premises = (_SENTENCE_END.split(text) for text in (TEXT, SOURCE))
    return [NliPair(premise.strip(), hypothesis.strip()) for hypothesis, premise in product(hypotheses, premises)]


def _pairs_per_second(scorers: dict[str, Score], pairs: Sequence[NliPair]) -> dict[str, float]:
    """The median of the rounds, by scorer. The first round warms up, and does not count."""
    speeds: dict[str, list[float]] = {name: [] for name in scorers}
    for round_number in range(ROUNDS + 1):
        for name, score in scorers.items():
            started = time.perf_counter()
            score(pairs)
            if round_number > 0:
                speeds[name].append(len(pairs) / (time.perf_counter() - started))
    return {name: statistics.median(of_rounds) for name, of_rounds in speeds.items()}


def _pytorch_scorer() -> Score | None:
    """The network that the NLI model was exported from, in full precision; None where PyTorch is not installed.

    Its weights are not those of the model, which takes as long whatever they are.
    """
    try:
        import torch

        from ..training.nli.batches import encode, load_tokenizer, padded
        from ..training.nli.model import TOKENIZER_FILE, new_model
    except ImportError:
        return None
    torch.set_num_threads(THREADS)
    model = new_model(dropout=0.0).eval()
    tokenizer = load_tokenizer(TOKENIZER_FILE, max_tokens=model.config.max_position_embeddings)

    def score(pairs: Sequence[NliPair]) -> None:
        encoded = sorted(
            encode(tokenizer, [(pair.premise, pair.hypothesis) for pair in pairs]), key=lambda e: len(e.ids)
        )
        with torch.inference_mode():
            for start in range(0, len(encoded), MAX_PAIRS):
                ids, mask, types = (torch.from_numpy(array) for array in padded(encoded[start : start + MAX_PAIRS]))
                model(input_ids=ids, attention_mask=mask, token_type_ids=types)

    return score


def _peak_memory_of_models(settings: ModelSettings, pairs: Sequence[NliPair]) -> int:
    """The memory of a process that only runs both models."""
    with ProcessPoolExecutor(max_workers=1, mp_context=multiprocessing.get_context("spawn")) as executor:
        return executor.submit(_run_both_models, settings, pairs).result()


def _run_both_models(settings: ModelSettings, pairs: Sequence[NliPair]) -> int:
    models = InProcessModels(settings)
    models.language.parse(SOURCE)
    models.scorer.score(pairs)
    return peak_memory(os.getpid())
