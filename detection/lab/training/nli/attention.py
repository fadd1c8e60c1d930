"""Attention in bfloat16 for training on a CPU: a step takes half the time of the attention of transformers.

The mask of transformers is float32 and promotes the attention scores to float32, which doubles the memory and copies
them twice. Here the scores stay bfloat16, and the mask is added in place. PyTorch's fused attention is even slower.
"""

from typing import Any, cast

import torch
import transformers.models.bert.modeling_bert as bert
from torch import Tensor, nn


class _Attention(torch.autograd.Function):
    """softmax(query @ key.T + mask) @ value; all [batch, head, token, ...], with a scaled query."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        scores = torch.matmul(query, key.transpose(2, 3))
        if mask is not None:
            scores.add_(mask)
        shares = torch.softmax(scores, dim=-1)
        ctx.save_for_backward(query, key, value, shares)
        return torch.matmul(shares, value)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        query, key, value, shares = ctx.saved_tensors
        gradient = gradients[0].contiguous()
        of_shares = torch.matmul(gradient, value.transpose(2, 3))
        of_scores = torch._softmax_backward_data(of_shares, shares, -1, shares.dtype)
        return (
            torch.matmul(of_scores, key),
            torch.matmul(of_scores.transpose(2, 3), query),
            torch.matmul(shares.transpose(2, 3), gradient),
            None,
        )


def _attention(
    _module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    **_other: Any,
) -> tuple[Tensor, None]:
    """Attention with the interface of transformers, without dropout. All queries share the mask."""
    kind = torch.bfloat16
    scale = query.size(-1) ** -0.5 if scaling is None else scaling
    with torch.autocast("cpu", enabled=False):
        mask = None if attention_mask is None else attention_mask[:, :, :1, :].to(kind)
        scaled = (query.to(kind) * scale).contiguous()
        output = cast(Tensor, _Attention.apply(scaled, key.to(kind).contiguous(), value.to(kind).contiguous(), mask))
    return output.transpose(1, 2).contiguous(), None


def compute_attention_in_bfloat16() -> None:
    """Replace the "eager" attention of transformers in this process."""
    bert.eager_attention_forward = _attention
