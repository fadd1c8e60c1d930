"""One stage of training: resumable at any step, stopped early on what the held-out topics and pages say."""

import json
import logging
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import BertForSequenceClassification

from .batches import Batch, TrainingSet, load_tokenizer
from .config import Config, Schedule, Stage
from .mixture import Sources, development_examples, training_examples
from .model import (
    TOKENIZER_FILE,
    class_logits,
    cpu_state,
    new_model,
    parameter_groups,
    partial_label_losses,
)

logger = logging.getLogger(__name__)

_CHECKPOINT_SECONDS = 300
_LOG_STEPS = 50
_LARGEST_GRADIENT = 1.0


@dataclass(slots=True)
class Progress:
    """How far a stage has come, and its best check so far."""

    step: int = 0
    best_loss: float = math.inf
    checks_without_gain: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


class StageRun:
    """Trains one stage into a directory: ``checkpoint.pt`` while it runs, ``model.pt`` when it is done.

    ``model.pt`` are the weights of the best check, ``last.pt`` those of the end: a model that is too sure of itself has
    a higher loss and may still be the better one, once it is calibrated.
    """

    def __init__(
        self, *, config: Config, stage: Stage, sources: Sources, directory: Path, initial: Path | None
    ) -> None:
        self._schedule = config.schedule
        self._stage = stage
        self._seed = config.seed
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(config.seed)
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        tokenizer = load_tokenizer(TOKENIZER_FILE, config.max_tokens)
        self._training = TrainingSet(training_examples(stage, sources), tokenizer, config.schedule.tokens_per_batch)
        self._development = {
            use: _fixed_batches(TrainingSet(examples, tokenizer, config.schedule.tokens_per_batch))
            for use, examples in development_examples(sources).items()
        }
        self._plan = [
            indices for epoch in range(stage.epochs) for indices in self._training.plan(f"{self._seed}:{epoch}")
        ]
        self._model = _initial_model(initial, config.schedule)
        nn.Module.to(self._model, self._device)  # transformers wraps ``to`` in a way that type checkers misread
        moving_average = get_ema_multi_avg_fn(config.schedule.average_decay)  # type: ignore[no-untyped-call]
        self._average = AveragedModel(self._model, multi_avg_fn=moving_average)
        self._optimiser = torch.optim.AdamW(
            parameter_groups(
                self._model, stage.learning_rate, config.schedule.layer_decay, config.schedule.weight_decay
            )
        )
        self._pace = torch.optim.lr_scheduler.LambdaLR(self._optimiser, self._pace_at)
        self._progress = Progress()

    def run(self) -> Path:
        """Trains to the end or to the early stop, from the last checkpoint if there is one."""
        final = self._directory / "model.pt"
        if final.exists():
            logger.info("%s is trained already", self._stage.name)
            return final
        self._resume()
        check_every = max(len(self._plan) // self._schedule.development_checks, 1)
        saved = started = time.monotonic()
        first_step = self._progress.step
        recent = 0.0
        while self._progress.step < len(self._plan):
            recent += self._train_step(self._training.batch(self._plan[self._progress.step]))
            self._progress.step += 1
            step = self._progress.step
            if step % _LOG_STEPS == 0:
                pace = (time.monotonic() - started) / (step - first_step)
                logger.info(
                    "%s step %d of %d, loss %.4f, %.2f s a step, %.0f min to go",
                    self._stage.name, step, len(self._plan), recent / _LOG_STEPS, pace,
                    pace * (len(self._plan) - step) / 60,
                )  # fmt: skip
                recent = 0.0
            if step % check_every == 0 or step == len(self._plan):
                self._check()
                if self._progress.checks_without_gain >= self._schedule.patience:
                    logger.info("no gain in %d checks: stopped", self._schedule.patience)
                    break
            if time.monotonic() - saved > _CHECKPOINT_SECONDS:
                self._save_checkpoint()
                saved = time.monotonic()
        (self._directory / "history.json").write_text(json.dumps(self._progress.history, indent=1))
        torch.save(cpu_state(self._average.module), self._directory / "last.pt")
        (self._directory / "best.pt").rename(final)
        (self._directory / "checkpoint.pt").unlink(missing_ok=True)
        return final

    def _train_step(self, batch: Batch) -> float:
        self._model.train()
        losses = partial_label_losses(
            class_logits(self._model, batch, self._device),
            torch.from_numpy(batch.allowed).to(self._device),
            self._schedule.label_smoothing,
        )
        weights = torch.from_numpy(batch.weights).to(self._device)
        loss = (losses * weights).mean()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), _LARGEST_GRADIENT)
        self._optimiser.step()
        self._pace.step()
        self._optimiser.zero_grad()
        self._average.update_parameters(self._model)
        return float(loss.detach())

    def _pace_at(self, step: int) -> float:
        """Share of the learning rate at a step: a short rise, then a straight fall to zero."""
        steps = len(self._plan)
        warmup = max(int(steps * self._schedule.warmup_share), 1)
        return min((step + 1) / warmup, max(steps - step, 0) / max(steps - warmup, 1))

    def _check(self) -> None:
        """Measures the averaged weights on the development data, and keeps them if they are the best so far."""
        losses = {use: self._mean_loss(batches) for use, batches in self._development.items()}
        overall = sum(losses.values()) / len(losses)
        self._progress.history.append({"step": self._progress.step, **losses, "overall": overall})
        logger.info("check at step %d: %s", self._progress.step, json.dumps(self._progress.history[-1]))
        if overall >= self._progress.best_loss:
            self._progress.checks_without_gain += 1
            return
        self._progress.best_loss = overall
        self._progress.checks_without_gain = 0
        torch.save(cpu_state(self._average.module), self._directory / "best.pt")

    @torch.inference_mode()
    def _mean_loss(self, batches: Sequence[Batch]) -> float:
        self._average.eval()
        total = weight = 0.0
        for batch in batches:
            losses = partial_label_losses(
                class_logits(self._average.module, batch, self._device),
                torch.from_numpy(batch.allowed).to(self._device),
            )
            total += float(losses.sum())
            weight += len(losses)
        return total / weight

    def _save_checkpoint(self) -> None:
        """Writes beside and renames, so that a stop in the middle of writing leaves the last checkpoint whole."""
        state = {
            "model": self._model.state_dict(),
            "average": self._average.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "pace": self._pace.state_dict(),
            "progress": asdict(self._progress),
        }
        partial = self._directory / "checkpoint.partial"
        torch.save(state, partial)
        partial.rename(self._directory / "checkpoint.pt")

    def _resume(self) -> None:
        path = self._directory / "checkpoint.pt"
        if not path.exists():
            return
        state: Mapping[str, Any] = torch.load(path, map_location=self._device, weights_only=True)
        self._model.load_state_dict(state["model"])
        self._average.load_state_dict(state["average"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._pace.load_state_dict(state["pace"])
        self._progress = Progress(**state["progress"])
        logger.info("resumed %s at step %d", self._stage.name, self._progress.step)


def _initial_model(initial: Path | None, schedule: Schedule) -> BertForSequenceClassification:
    model = new_model(schedule.dropout)
    if initial is not None:
        model.load_state_dict(torch.load(initial, map_location="cpu", weights_only=True))
    return model


def _fixed_batches(examples: TrainingSet) -> list[Batch]:
    return [examples.batch(indices) for indices in examples.plan("development")]
