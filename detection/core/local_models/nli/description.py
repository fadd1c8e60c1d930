"""The content of ``model.json``: the meaning and order of an NLI model's logits, and its maximum input length.

``manage.py model install`` writes the file. A model without one is one of ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ...errors import ModelUnavailable

FILE = "model.json"

#: Maximum input length of the encoder. A passage and a sentence within the pipeline's limits fit.
MAX_TOKENS = 512


class Label(StrEnum):
    """The meaning of a logit."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    REST = "rest"
    """Not entailed, contradicted or not: the second class of a model with two classes."""


#: The labels that a model may have, in any order.
KNOWN_HEADS = (
    frozenset({Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION}),
    frozenset({Label.ENTAILMENT, Label.REST}),
    frozenset({Label.ENTAILMENT, Label.CONTRADICTION}),
)


def is_known_head(labels: tuple[Label, ...]) -> bool:
    """Whether logits with these meanings can be converted to a score."""
    return len(set(labels)) == len(labels) and frozenset(labels) in KNOWN_HEADS


@dataclass(frozen=True, kw_only=True)
class ModelDescription:
    """What the scorer needs to know about a model, and its origin for people."""

    labels: tuple[Label, ...] = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
    """The meaning of each logit, in order."""
    max_tokens: int = MAX_TOKENS
    pad_id: int = 0
    name: str = ""
    licence: str = ""
    hub: str = ""
    """Download address; empty for the shipped model."""
    revision: str = ""
    file: str = ""
    """Path of the model file at the hub."""
    inputs: tuple[str, ...] = ()
    """Inputs of the session, for people: the scorer asks the session itself."""
    sha256: Mapping[str, str] = field(default_factory=dict)
    """The hash of each downloaded file."""


def load_description(folder: Path) -> ModelDescription:
    """Load the description of the model in the folder; the shipped model's if it has none.

    Raises:
        ModelUnavailable: the file cannot be used.
    """
    path = folder / FILE
    if not path.exists():
        return ModelDescription()
    try:
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelUnavailable(f"{path} cannot be read ({error}). Install the model again.") from error


def save_description(description: ModelDescription, folder: Path) -> None:
    """Write the file that :func:`load_description` reads."""
    (folder / FILE).write_text(json.dumps(asdict(description), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(content: Mapping[str, Any]) -> ModelDescription:
    labels = tuple(Label(label) for label in content["labels"])
    if not is_known_head(labels):
        raise ValueError(f"labels {', '.join(labels)}")
    max_tokens, pad_id = int(content["max_tokens"]), int(content["pad_id"])
    if not (1 < max_tokens <= MAX_TOKENS and pad_id >= 0):
        raise ValueError(f"max_tokens {max_tokens}, pad_id {pad_id}")
    return ModelDescription(
        labels=labels,
        max_tokens=max_tokens,
        pad_id=pad_id,
        inputs=tuple(str(name) for name in content.get("inputs", ())),
        sha256={str(name): str(checksum) for name, checksum in content.get("sha256", {}).items()},
        **{name: str(content.get(name, "")) for name in ("name", "licence", "hub", "revision", "file")},
    )
