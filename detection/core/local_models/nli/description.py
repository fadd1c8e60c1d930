"""What ``model.json`` says of an NLI model: what its logits mean, in which order, and how much it reads at once.

``manage.py model install`` writes the file. A model without one is taken for one of ours.
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

#: What the encoder has positions for. A pair of a passage and a sentence within the pipeline's limits fits.
MAX_TOKENS = 512


class Label(StrEnum):
    """What one logit of a model stands for."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    REST = "rest"
    """Not entailed, whether contradicted or not: what a model with two classes knows."""


#: The labels that a model may have, in any order.
KNOWN_HEADS = (
    frozenset({Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION}),
    frozenset({Label.ENTAILMENT, Label.REST}),
    frozenset({Label.ENTAILMENT, Label.CONTRADICTION}),
)


def is_known_head(labels: tuple[Label, ...]) -> bool:
    """Whether a score can be made of logits with these meanings."""
    return len(set(labels)) == len(labels) and frozenset(labels) in KNOWN_HEADS


@dataclass(frozen=True, kw_only=True)
class ModelDescription:
    """What the scorer has to know of a model, and what people want to know of where it came from."""

    labels: tuple[Label, ...] = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
    """What each logit stands for, in the order of the logits."""
    max_tokens: int = MAX_TOKENS
    pad_id: int = 0
    name: str = ""
    licence: str = ""
    hub: str = ""
    """The address that it was downloaded from; empty for the model that ships."""
    revision: str = ""
    file: str = ""
    """Where the model stands at the hub."""
    inputs: tuple[str, ...] = ()
    """Those of the session, for people: the scorer asks the session itself."""
    sha256: Mapping[str, str] = field(default_factory=dict)
    """Of each file of the folder that was downloaded."""


def load_description(folder: Path) -> ModelDescription:
    """The description of the model in the folder; that of the model that ships where none lies there.

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
