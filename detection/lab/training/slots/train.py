"""Training of the slot model."""

import logging
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from detection.core.grounding.slot_reading import MASK

from ..nli.batches import padded
from ..nli.model import TOKENIZER_FILE
from ..nli.moving_average import MovingAverage
from .groups import Group, draw_groups, encode_pair, endless_batches, token_id
from .model import SlotModel, new_model
from .rows import SlotRow

logger = logging.getLogger(__name__)

_LOG_STEPS = 50
_SAVE_STEPS = 400
_LARGEST_GRADIENT = 1.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """The settings of a run. The defaults are those of the model that ships."""

    steps: int = 1400
    tokens_per_batch: int = 3000
    seed: int = 1
    learning_rate: float = 1.5e-4
    head_factor: float = 6.0
    """The head learns so much faster than the encoder."""
    warmup_steps: int = 60
    least_pace: float = 0.03
    weight_decay: float = 0.01
    average_decay: float = 0.997
    list_weight: float = 0.5

    def pace_at(self, step: int) -> float:
        """Factor of the learning rates at a step."""
        return min(1.0, (step + 1) / self.warmup_steps) * max(self.least_pace, 1 - step / self.steps)


def open_tokenizer() -> Tokenizer:
    """The encoder's tokenizer, which neither pads nor truncates."""
    tokenizer = Tokenizer.from_file(str(TOKENIZER_FILE))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def train(rows: Sequence[SlotRow], initial: Path | None, output: Path, schedule: Schedule) -> None:
    """Train a model and write the moving average of its weights."""
    chooser = random.Random(schedule.seed)  # noqa: S311 - sampling, not secrecy
    torch.manual_seed(schedule.seed)
    groups = draw_groups(rows, chooser)
    logger.info("%d groups, %d pairs", len(groups), sum(len(group.pairs) for group in groups))
    tokenizer = open_tokenizer()
    encoded = [[encode_pair(tokenizer, *pair) for pair in group.pairs] for group in groups]
    model = new_model(initial, token_id(tokenizer, MASK))
    model.train()
    average = MovingAverage(model, schedule.average_decay)
    optimiser = _optimiser(model, schedule)
    pace = torch.optim.lr_scheduler.LambdaLR(optimiser, schedule.pace_at)
    started, recent = time.monotonic(), 0.0
    batches = endless_batches(encoded, schedule.tokens_per_batch, chooser)
    for step, batch in zip(range(1, schedule.steps + 1), batches, strict=False):
        arrays = padded([pair for index in batch for pair in encoded[index]])
        odds = model(*map(torch.from_numpy, arrays))
        loss = batch_loss(odds, [groups[index] for index in batch], schedule.list_weight)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(model.parameters(), _LARGEST_GRADIENT)
        optimiser.step()
        pace.step()
        average.update(model)
        recent += float(loss.detach())
        if step % _LOG_STEPS == 0:
            seconds = (time.monotonic() - started) / step
            logger.info("step %d, loss %.4f, %.2f s a step", step, recent / _LOG_STEPS, seconds)
            recent = 0.0
        if step % _SAVE_STEPS == 0 or step == schedule.steps:
            torch.save(average.weights(model), output)


def _optimiser(model: SlotModel, schedule: Schedule) -> torch.optim.AdamW:
    encoder = [parameter for parameter in model.bert.parameters() if parameter.requires_grad]
    groups = [
        {"params": encoder, "lr": schedule.learning_rate},
        {"params": list(model.head.parameters()), "lr": schedule.learning_rate * schedule.head_factor},
    ]
    return torch.optim.AdamW(groups, weight_decay=schedule.weight_decay)


def batch_loss(odds: Tensor, groups: Sequence[Group], list_weight: float) -> Tensor:
    """Loss of the log odds [pair] of a batch: the weighted mean over the pairs, plus a share of the list losses."""
    truths = torch.tensor([float(label) for group in groups for label in group.labels])
    weights = torch.tensor([group.weight for group in groups for _ in group.labels])
    losses = nn.functional.binary_cross_entropy_with_logits(odds, truths, reduction="none")
    loss: Tensor = (losses * weights).sum() / weights.sum()
    of_groups = zip(groups, odds.split([len(group.labels) for group in groups]), strict=True)
    lists = [
        group.weight * _list_loss(part, torch.tensor(group.labels))
        for group, part in of_groups
        if any(group.labels) and not all(group.labels)
    ]
    return loss + list_weight * torch.stack(lists).mean() if lists else loss


def _list_loss(odds: Tensor, is_same: Tensor) -> Tensor:
    """-log of the share of a group's softmax that its pairs of the same slot have."""
    return odds.logsumexp(0) - odds[is_same].logsumexp(0)
