"""What the runtime needs beside the weights: a temperature, and thresholds for every use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import metrics
from .evaluate import (
    CONLI_SETS,
    IN_TEXT_SAMPLE,
    PairScores,
    contradiction_scores,
    in_text_statements,
    joined,
    pair_scores,
    support_scores,
)
from .labels import Label
from .metrics import Scores, Truths
from .mixture import Sources, development_examples
from .scoring import OnnxScorer, Scorer, softmax

_TEMPERATURES = np.geomspace(0.5, 4.0, 121)
# F-beta that each strictness maximises: a strict reader would rather read a false alarm than miss a mistake.
_BETA_OF_STRICTNESS: Mapping[str, float] = {"strict": 2.0, "balanced": 1.0, "lenient": 0.5}
# Different sentences of one text are compared by the hundred: what counts there is the share of false alarms.
_ALARM_SHARE_OF_STRICTNESS: Mapping[str, float] = {"strict": 0.01, "balanced": 0.003, "lenient": 0.001}


@dataclass(frozen=True, slots=True)
class Calibration:
    """Content of ``calibration.json``; the model card says what each number means."""

    temperature: float
    max_tokens: int
    thresholds: Mapping[str, Mapping[str, float]]

    def as_json(self) -> dict[str, Any]:
        """The plain object that is written to disk, numbers rounded to what they are good for."""
        return {
            "temperature": round(self.temperature, 3),
            "max_tokens": self.max_tokens,
            "thresholds": {
                use: {name: round(value, 3) for name, value in of_use.items()}
                for use, of_use in self.thresholds.items()
            },
        }


def fit_temperature(logits: NDArray[np.float32], labels: Sequence[Label]) -> float:
    """The temperature under which held-out labels are likeliest."""
    allowed = np.array([label.allowed for label in labels])

    def mean_loss(temperature: float) -> float:
        likelihoods = (softmax(logits, temperature) * allowed).sum(axis=1)
        return float(-np.log(np.clip(likelihoods, 1e-12, None)).mean())

    return float(min(_TEMPERATURES, key=mean_loss))


def detection_thresholds(scores: Scores, truths: Truths) -> dict[str, float]:
    """Contradictory above the threshold; one for each strictness."""
    return {name: metrics.best_f_beta_threshold(scores, truths, beta) for name, beta in _BETA_OF_STRICTNESS.items()}


def alarm_thresholds(negative_scores: Scores) -> dict[str, float]:
    """Contradictory above the threshold, which only a fixed share of harmless pairs exceeds."""
    return {name: float(np.quantile(negative_scores, 1 - share)) for name, share in _ALARM_SHARE_OF_STRICTNESS.items()}


def support_thresholds(support: Scores, hallucinated: Truths) -> dict[str, float]:
    """Supported at or above the threshold; a strict reader asks for more support."""
    return {name: -threshold for name, threshold in detection_thresholds(-support, hallucinated).items()}


def calibrate(model: OnnxScorer, folds: Sequence[OnnxScorer], sources: Sources, max_tokens: int) -> Calibration:
    """Calibrates the model that ships; ``folds[k]`` is the model of the same recipe that never saw topic fold ``k``.

    The shipped model has seen every labelled topic, so thresholds on its own scores for them would come out too
    strict: those of the fold models stand in, each on the topics that it did not see.
    """
    examples = [e for of_use in development_examples(sources).values() for e in of_use]
    temperature = fit_temperature(
        model.logits([(e.premise, e.hypothesis) for e in examples]), [e.label for e in examples]
    )
    pairs, in_text = held_out_scores([fold.at(temperature) for fold in folds], sources)
    scorer = model.at(temperature)
    response_rows = [row for name in CONLI_SETS for row in sources.rows(f"eval/{name}")]
    return Calibration(
        temperature=temperature,
        max_tokens=max_tokens,
        thresholds={
            "same_place": detection_thresholds(pairs.scores, pairs.truths),
            "in_text": alarm_thresholds(in_text),
            "source_support": support_thresholds(
                support_scores(scorer, response_rows), np.array([row["hallucinated"] for row in response_rows])
            ),
        },
    )


def held_out_scores(folds: Sequence[Scorer], sources: Sources) -> tuple[PairScores, Scores]:
    """Scores of labelled pairs and of pairs of different sentences, every topic by the model that never saw it."""
    pairs: list[PairScores] = []
    in_text: list[Scores] = []
    for fold, scorer in enumerate(folds):
        without = replace(sources, held_out_fold=fold)
        pairs.append(pair_scores(scorer, without.held_out_topics("eval/chatprotect_pairs")))
        statements = in_text_statements(without.held_out_topics("eval/chatprotect_texts"), IN_TEXT_SAMPLE, sources.seed)
        in_text.append(contradiction_scores(scorer, statements))
    return joined(pairs), np.concatenate(in_text)
