"""The slot model in PyTorch: an encoder, and a head that compares the two masked positions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel
from transformers.modeling_outputs import SequenceClassifierOutput

from ..nli.model import ENCODER_DIRECTORY

_HEAD_WIDTH = 256
_COMPARED = 4  # the vectors that the head reads
_ENCODER = "bert."
_POOLER = "bert.pooler."
_HEAD = "head."


class SlotModel(nn.Module):
    """Gives the log odds [pair] that the masks of a premise and of a hypothesis hide values of the same slot.

    Args:
        bert: the encoder, without pooler.
        mask_id: id of the mask's token.
    """

    def __init__(self, bert: BertModel, mask_id: int) -> None:
        super().__init__()
        self.bert = bert
        self.mask_id = mask_id
        width = bert.config.hidden_size
        self.head = nn.Sequential(nn.Linear(_COMPARED * width, _HEAD_WIDTH), nn.GELU(), nn.Linear(_HEAD_WIDTH, 1))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Log odds [pair] of inputs [pair, token]."""
        states = self.bert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        masks = (input_ids == self.mask_id).to(states.dtype)
        types = token_type_ids.to(states.dtype)
        premise, hypothesis = _mean_at(states, masks * (1 - types)), _mean_at(states, masks * types)
        compared = (states[:, 0], (premise - hypothesis).abs(), premise * hypothesis, premise + hypothesis)
        odds: Tensor = self.head(torch.cat(compared, 1)).squeeze(-1)
        return odds


def _mean_at(states: Tensor, weights: Tensor) -> Tensor:
    """Mean [pair, width] of the states [pair, token, width] at the places with weight 1; 0 where there are none."""
    return (states * weights.unsqueeze(-1)).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)


class TwoLogits(nn.Module):
    """The model with logits [pair, 2] of the labels (entailment, rest): their softmax is the sigmoid of the odds."""

    def __init__(self, model: SlotModel) -> None:
        super().__init__()
        self._model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> SequenceClassifierOutput:
        odds = self._model(input_ids, attention_mask, token_type_ids)
        return SequenceClassifierOutput(logits=torch.stack((odds, torch.zeros_like(odds)), dim=1))


def new_model(initial: Path | None, mask_id: int) -> SlotModel:
    """A model to train: a trained slot model, or a new head on the encoder of an NLI model or the pretrained one."""
    options: dict[str, Any] = {
        "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "attn_implementation": "sdpa"
    }  # fmt: skip
    weights = {} if initial is None else torch.load(initial, map_location="cpu", weights_only=True)
    if initial is None:
        bert = BertModel.from_pretrained(ENCODER_DIRECTORY, add_pooling_layer=False, **options)
    else:
        bert = BertModel(BertConfig.from_pretrained(ENCODER_DIRECTORY, **options), add_pooling_layer=False)
        bert.load_state_dict(_part(weights, _ENCODER))
    bert.embeddings.word_embeddings.weight.requires_grad_(False)
    model = SlotModel(bert, mask_id)
    if head := _part(weights, _HEAD):
        model.head.load_state_dict(head)
    return model


def _part(weights: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): value.float()
        for name, value in weights.items()
        if name.startswith(prefix) and not name.startswith(_POOLER)
    }


def load_model(path: Path, mask_id: int) -> SlotModel:
    """Load a trained model for inference. Eager attention, as in the export of the NLI model."""
    config = BertConfig.from_pretrained(ENCODER_DIRECTORY, attn_implementation="eager")
    model = SlotModel(BertModel(config, add_pooling_layer=False), mask_id)
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    model.train(False)
    return model
