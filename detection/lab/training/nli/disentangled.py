"""The encoder of DeBERTa v3 (He et al. 2021, arXiv:2111.09543) with a classification head, written for speed.

Attention adds two terms to the product of contents: content to position and position to content (He et al. 2020,
arXiv:2006.03654, equation 4). A batch of length L has 2L - 1 distances between tokens, so both terms are computed once
for each distance, and moved to their places by reshaping (Huang et al. 2018, arXiv:1809.04281, figure 3). The usual
code gathers them by index, which takes most of the time of a short batch, in training and in onnxruntime.
"""

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from .dropout import Dropout

_EPSILON = 1e-7


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of DeBERTa-v3-xsmall, with a smaller vocabulary."""

    words: int
    classes: int = 3
    layers: int = 12
    width: int = 384
    heads: int = 6
    inner: int = 1536
    buckets: int = 256  # of distances, in either direction
    farthest: int = 512
    dropout: float = 0.0


def distance_buckets(shape: Shape) -> Tensor:
    """The row of the position embeddings for each distance, from ``-farthest`` to ``farthest``.

    Near distances have a row of their own; from half of ``buckets`` on, rows cover ranges that grow logarithmically.
    """
    middle = shape.buckets // 2
    rows = []
    for distance in range(-shape.farthest, shape.farthest + 1):
        far = abs(distance)
        if far > middle:
            share = math.log(far / middle) / math.log((shape.farthest - 1) / middle)
            far = math.ceil(share * (middle - 1)) + middle
        rows.append(min(max(shape.buckets + math.copysign(far, distance), 0), 2 * shape.buckets - 1))
    return torch.tensor(rows, dtype=torch.int64)


def by_place(of_distance: Tensor, length: int) -> Tensor:
    """Values [head, batch, row, column] from [head, batch x row, 2L], where entry c of row i belongs to column
    i + c - L + 1.

    The last entry of each row belongs nowhere: products with an even number of columns are faster.
    """
    heads, row = of_distance.shape[0], 2 * length - 1  # a row loses one entry, so that each starts one later
    moved = of_distance.reshape(heads, -1, length * (row + 1))[:, :, length - 1 : length - 1 + length * row]
    return moved.reshape(heads, -1, length, row)[..., :length]


class Places(Protocol):
    """Where the states that are computed belong in a batch."""

    def spread(self, states: Tensor) -> Tensor:
        """The states by their places [batch, token, width]."""
        ...

    def gather(self, states: Tensor) -> Tensor:
        """The computed states of [batch, token, width]."""
        ...


class AllPlaces:
    """States are computed for padding, too: in the exported model, whose batches have little of it."""

    def spread(self, states: Tensor) -> Tensor:
        return states

    def gather(self, states: Tensor) -> Tensor:
        return states


class FilledPlaces:
    """States are computed for tokens only, in one row [token, width]: two fifths of a training batch are padding.

    Args:
        mask: 1 for a token, 0 for padding [batch, token]; on the CPU, since a GPU would have to be waited for.
        device: of the states.
    """

    #: The number of computed states is a multiple of this, because oneDNN compiles a kernel for every new shape.
    _STEP = 64

    def __init__(self, mask: Tensor, device: torch.device) -> None:
        self._batch, self._length = mask.shape
        flat = mask.flatten()
        computed = min(math.ceil(int(flat.sum()) / self._STEP) * self._STEP, len(flat))
        self._kept = flat.argsort(descending=True, stable=True)[:computed].sort().values.to(device)

    def spread(self, states: Tensor) -> Tensor:
        padded = states.new_zeros(self._batch * self._length, states.shape[-1])
        return padded.index_copy(0, self._kept, states).reshape(self._batch, self._length, -1)

    def gather(self, states: Tensor) -> Tensor:
        return states.flatten(0, 1).index_select(0, self._kept)


class Inputs(NamedTuple):
    """What every layer needs to know of a batch of length L.

    ``length`` is L. The layers do not ask their states for it, because the exporter writes the computation of a shape
    for each use of ``Tensor.shape``; in a short batch that took a sixth of the time.
    ``distances`` are the position embeddings [1, row, width], so that the exporter stores a matrix once that multiplies
    contents and distances; ``ascending`` and ``descending`` the row of each distance from 1 - L, and from L - 1
    downwards [2L] (see :func:`by_place`); ``mask`` is added to the scores [1, batch, 1, key].
    """

    length: int
    distances: Tensor
    ascending: Tensor
    descending: Tensor
    mask: Tensor
    places: Places


class Attention(nn.Module):
    """Disentangled attention of one layer; content and position share their projections."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.size = shape.width // shape.heads
        self._scale = (3 * self.size) ** -0.5  # of a sum of three products
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.output = nn.Linear(shape.width, shape.width)

    def forward(self, hidden: Tensor, inputs: Inputs) -> Tensor:
        """Attended states, one for each of ``hidden``, the computed states."""
        query, key, value = (
            self._split(inputs.places.spread(project(hidden))) for project in (self.query, self.key, self.value)
        )
        query = query * self._scale
        # A distance is the place of the query minus that of the key: seen from a query it descends along the keys.
        to_position = query @ self._of_distances(self.key, inputs.distances, inputs.descending).transpose(-1, -2)
        of_distances = self._of_distances(self.query, inputs.distances, inputs.ascending) * self._scale
        from_position = key @ of_distances.transpose(-1, -2)
        scores = self._by_text(query, inputs) @ self._by_text(key, inputs).transpose(-1, -2)
        scores = (
            scores + by_place(to_position, inputs.length) + by_place(from_position, inputs.length).transpose(-1, -2)
        )
        return self._output(inputs.places.gather(self._attended(scores, value, inputs)))

    def of_first(self, first: Tensor, hidden: Tensor, inputs: Inputs) -> Tensor:
        """The attended states [batch, 1, width] of the first tokens: all that the last layer is asked for."""
        query = self._split(self.query(first)) * self._scale
        key, value = (self._split(inputs.places.spread(of(hidden))) for of in (self.key, self.value))
        behind = inputs.ascending[: inputs.length].flip(0)  # the first token is 0, -1, -2, ... away from the keys
        to_position = query @ self._of_distances(self.key, inputs.distances, behind).transpose(-1, -2)
        of_distances = self._of_distances(self.query, inputs.distances, behind) * self._scale
        keys = self._by_text(key, inputs)
        from_position = (keys * of_distances[:, None]).sum(-1)
        scores = (query[:, :, None] @ keys.transpose(-1, -2)) + (to_position + from_position)[:, :, None]
        return self._output(self._attended(scores, value, inputs))

    def _attended(self, scores: Tensor, value: Tensor, inputs: Inputs) -> Tensor:
        """The mixed values [batch, query, width]."""
        # In training autocast would compute the softmax in float32, which takes longer than the products.
        weights = (scores + inputs.mask).softmax(dim=-1, dtype=scores.dtype if self.training else None)
        mixed = weights @ self._by_text(value, inputs)
        queries = mixed.shape[2]
        return mixed.permute(1, 2, 0, 3).reshape(-1, queries, self.heads * self.size)

    def _output(self, mixed: Tensor) -> Tensor:
        attended: Tensor = self.output(mixed)
        return attended

    def _of_distances(self, project: nn.Linear, distances: Tensor, rows: Tensor) -> Tensor:
        """The projected embedding of each distance [head, distance, size].

        Outside training all are projected, which is then a constant.
        """
        if self.training:
            return self._split(project(distances[:, rows]))
        return self._split(project(distances))[:, rows]

    def _split(self, states: Tensor) -> Tensor:
        """States [batch, token, width] by head [head, batch x token, size]."""
        return states.reshape(-1, self.heads, self.size).permute(1, 0, 2)

    def _by_text(self, states: Tensor, inputs: Inputs) -> Tensor:
        """States [head, batch, token, size] of [head, batch x token, size]."""
        return states.reshape(self.heads, -1, inputs.length, self.size)


class Layer(nn.Module):
    """Attention and a feed-forward network, each with a residual and a normalisation after it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = Attention(shape)
        self.attention_norm = nn.LayerNorm(shape.width, _EPSILON)
        self.widen = nn.Linear(shape.width, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.width)
        self.norm = nn.LayerNorm(shape.width, _EPSILON)
        self.dropout = Dropout(shape.dropout)

    def forward(self, hidden: Tensor, inputs: Inputs) -> Tensor:
        return self._fed_forward(hidden + self.dropout(self.attention(hidden, inputs)))

    def of_first(self, hidden: Tensor, inputs: Inputs) -> Tensor:
        """The state of the first token alone [batch, 1, width]."""
        first = inputs.places.spread(hidden)[:, :1]
        return self._fed_forward(first + self.dropout(self.attention.of_first(first, hidden, inputs)))

    def _fed_forward(self, sums: Tensor) -> Tensor:
        attended = self.attention_norm(sums)
        fed = self.narrow(nn.functional.gelu(self.widen(attended)))
        normed: Tensor = self.norm(attended + self.dropout(fed))
        return normed


class DisentangledClassifier(nn.Module):
    """Pairs of texts to logits of classes, from the first token."""

    buckets: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.width)
        self.words_norm = nn.LayerNorm(shape.width, _EPSILON)
        self.distances = nn.Parameter(torch.zeros(2 * shape.buckets, shape.width))
        self.distances_norm = nn.LayerNorm(shape.width, _EPSILON)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.pooler = nn.Linear(shape.width, shape.width)
        self.classifier = nn.Linear(shape.width, shape.classes)
        self.register_buffer("buckets", distance_buckets(shape), persistent=False)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        token_type_ids: Tensor | None = None,
        *,
        places: Places | None = None,
    ) -> SimpleNamespace:
        """Logits [pair, class] of token ids [pair, token]; the encoder knows no token types."""
        inputs = self._inputs(attention_mask, places or AllPlaces())
        seen = attention_mask.to(self.distances.dtype)
        hidden = inputs.places.gather(self.words_norm(self.words(input_ids)) * seen[:, :, None])
        *lower, last = self.layers
        for layer in lower:
            hidden = layer(hidden, inputs)
        first = last.of_first(hidden, inputs)  # type: ignore[operator]  # a ModuleList has no item type
        pooled = nn.functional.gelu(self.pooler(first[:, 0]))
        return SimpleNamespace(logits=self.classifier(pooled))

    def _inputs(self, attention_mask: Tensor, places: Places) -> Inputs:
        length, middle = attention_mask.shape[1], self.shape.farthest
        return Inputs(
            length=length,
            distances=self.distances_norm(self.distances)[None],
            ascending=self.buckets[middle - length + 1 : middle + length + 1],
            descending=self.buckets[middle - length : middle + length].flip(0),
            mask=(1 - attention_mask.to(self.distances.dtype))[None, :, None, :] * -1e4,
            places=places,
        )
