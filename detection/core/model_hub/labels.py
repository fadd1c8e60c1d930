"""Read the meaning of a model's logits from its configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ModelNotInstalled
from ..local_models.nli.description import Label, is_known_head

#: Names of the classes of models, in lower case with underscores.
_WORDS: Mapping[Label, frozenset[str]] = {
    Label.ENTAILMENT: frozenset(
        {"entailment", "entail", "entails", "entailed", "supported", "supports", "support", "consistent", "grounded"}
        | {"factual", "faithful", "not_hallucinated", "no_hallucination"}
    ),
    Label.NEUTRAL: frozenset({"neutral", "neither", "not_enough_info", "nei"}),
    Label.CONTRADICTION: frozenset(
        {"contradiction", "contradict", "contradicts", "contradicted", "contradictory", "refuted", "refutes", "refute"}
    ),
    Label.REST: frozenset(
        {"rest", "not_entailment", "non_entailment", "no_entailment", "not_entailed", "unsupported", "not_supported"}
        | {"hallucination", "hallucinated", "inconsistent", "ungrounded", "not_grounded", "unfaithful", "not_factual"}
    ),
}
_MAX_CLASSES = 3
_LONGEST_SHOWN = 60


def labels_of(config: Any) -> tuple[Label, ...]:
    """The meaning of each logit, by ``id2label`` of a ``config.json``.

    Raises:
        ModelNotInstalled: it has none, or others than those of inference and groundedness.
    """
    names = config.get("id2label") if isinstance(config, dict) else None
    if not isinstance(names, dict) or not 1 < len(names) <= _MAX_CLASSES:
        raise ModelNotInstalled(
            "config.json of the model names no two or three classes (id2label): it is no model that judges pairs."
        )
    ordered = [names.get(str(position)) for position in range(len(names))]
    if not all(isinstance(name, str) for name in ordered):
        raise ModelNotInstalled("config.json of the model does not number its classes from 0 on (id2label).")
    return read_labels([str(name) for name in ordered])


def read_labels(names: Sequence[str]) -> tuple[Label, ...]:
    """Parse labels in any case and spelling.

    Raises:
        ModelNotInstalled: a word is unknown, or they do not belong together.
    """
    labels = tuple(label for name in names if (label := _label(name)) is not None)
    if len(labels) < len(names) or not is_known_head(labels):
        shown = ", ".join(names)[:_LONGEST_SHOWN]
        raise ModelNotInstalled(
            f"The classes of the model are called {shown}. Where its description says what they stand for, name them "
            "in their order, as in --labels contradiction,entailment,neutral or --labels entailment,rest."
        )
    return labels


def _label(name: str) -> Label | None:
    word = re.sub(r"[^a-z]+", "_", name.lower()).strip("_")
    return next((label for label, words in _WORDS.items() if word in words), None)
