"""One stage of training, resumable at any step."""

import logging
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from .config import Schedule, Stage
from .model import (
    class_logits,
    computing_device,
    freeze,
    initial_model,
    multiplies_bfloat16,
    parameter_groups,
    partial_label_losses,
    rank_loss,
    to_device,
    tokenizer_of,
)
from .moving_average import MovingAverage
from .packing import PackedUnits
from .training_set import Batch, TrainingSet

logger = logging.getLogger(__name__)

_CHECKPOINT_SECONDS = 300
_LOG_STEPS = 50
_LARGEST_GRADIENT = 1.0


class StageRun:
    """Trains one stage into a directory: ``checkpoint.pt`` while it runs, ``model.pt`` at the end, ``tokenizer.json``.

    ``model.pt`` is the moving average of the weights. A CPU that cannot multiply in bfloat16 computes in float32.
    """

    def __init__(
        self, *, schedule: Schedule, stage: Stage, units: PackedUnits, directory: Path, initial: Path | None
    ) -> None:
        self._schedule = schedule
        self._stage = stage
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(stage.seed)
        self._device = computing_device()
        tokenizer_file = directory / "tokenizer.json"
        if not tokenizer_file.exists():
            shutil.copyfile(tokenizer_of(initial), tokenizer_file)
        self._training = TrainingSet(units, stage.tokens_per_batch or schedule.tokens_per_batch, schedule.lengths)
        self._plan = self._training.plan(str(stage.seed))
        self._last_step = min(stage.stop_after_steps or len(self._plan), len(self._plan))
        self._is_mixed = multiplies_bfloat16(self._device)
        self._model = initial_model(initial, stage.dropout)
        freeze(self._model, stage.frozen_layers)
        nn.Module.to(self._model, self._device)  # transformers wraps ``to`` in a way that type checkers misread
        self._average = MovingAverage(self._model, stage.average_decay or schedule.average_decay)
        groups = parameter_groups(self._model, stage.learning_rate, schedule.layer_decay, schedule.weight_decay)
        self._optimiser = torch.optim.AdamW(groups, fused=True)
        self._pace = torch.optim.lr_scheduler.LambdaLR(self._optimiser, self._pace_at)
        self._step = 0

    def run(self) -> Path:
        """Train to the end, from the last checkpoint if there is one."""
        final = self._directory / "model.pt"
        if final.exists():
            logger.info("%s is trained already", self._stage.name)
            return final
        self._resume()
        saved = started = time.monotonic()
        first_step = self._step
        recent = torch.zeros((), device=self._device)
        while self._step < self._last_step:
            recent += self._train_step(self._training.batch(self._plan[self._step]))
            self._step += 1
            if self._step % _LOG_STEPS == 0:
                self._log(float(recent) / _LOG_STEPS, (time.monotonic() - started) / (self._step - first_step))
                recent.zero_()
            if time.monotonic() - saved > _CHECKPOINT_SECONDS:
                self._save_checkpoint()
                saved = time.monotonic()
        torch.save(self._average.weights(self._model), final)
        (self._directory / "checkpoint.pt").unlink(missing_ok=True)
        return final

    def _log(self, loss: float, pace: float) -> None:
        logger.info(
            "%s step %d of %d, loss %.4f, %.2f s a step, %.0f min to go",
            self._stage.name, self._step, self._last_step, loss, pace, pace * (self._last_step - self._step) / 60,
        )  # fmt: skip

    def _train_step(self, batch: Batch) -> torch.Tensor:
        self._model.train()
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._is_mixed):
            logits = class_logits(self._model, batch, self._device)
        loss = self._loss(logits, batch)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), _LARGEST_GRADIENT)
        self._optimiser.step()
        self._pace.step()
        self._optimiser.zero_grad()
        self._average.update(self._model)
        return loss.detach()

    def _loss(self, logits: torch.Tensor, batch: Batch) -> torch.Tensor:
        """The weighted mean of the label losses, plus a share of the rank loss."""
        allowed, weights, ranks = (
            to_device(array, self._device) for array in (batch.allowed, batch.weights, batch.ranks)
        )
        losses = partial_label_losses(logits, allowed, self._stage.label_smoothing)
        return (losses * weights).sum() / weights.sum() + self._schedule.rank_weight * rank_loss(logits, ranks)

    def _pace_at(self, step: int) -> float:
        """Factor of the learning rate at a step."""
        rise = min((step + 1) / max(self._stage.warmup_steps, 1), 1.0)
        if self._stage.decay == "constant":
            return rise
        return min(rise, max(len(self._plan) - step, 0) / len(self._plan))

    def _save_checkpoint(self) -> None:
        """Write to a new file and rename it, so that an interruption keeps the last checkpoint intact."""
        state = {
            "model": self._model.state_dict(),
            "average": self._average.state(),
            "optimiser": self._optimiser.state_dict(),
            "pace": self._pace.state_dict(),
            "step": self._step,
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
        self._average.load_state(state["average"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._pace.load_state_dict(state["pace"])
        self._step = state["step"]
        logger.info("resumed %s at step %d", self._stage.name, self._step)
