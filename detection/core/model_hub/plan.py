"""Plan the installation of a model by its small files, before anything large is downloaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ..errors import ModelNotInstalled
from ..local_models.nli.description import MAX_TOKENS, Label, ModelDescription
from ..local_models.nli.installed import is_name
from .client import HubClient
from .labels import labels_of, read_labels
from .types import HubFile, HubLimits, HubModel

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
_CONFIG, _TOKENIZER_CONFIG = "config.json", "tokenizer_config.json"
_USUAL_PLACES = ("onnx/model.onnx", "model.onnx")
#: Suffixes of separate files with the weights of a model.
_DATA_ENDINGS = ("_data", ".data")
_MAX_SHOWN = 12
#: Encoders of these families count positions from the padding position.
_COUNTS_FROM_PADDING = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet"})


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """A model that seems installable, judged without its weights."""

    model: HubModel
    files: Mapping[str, HubFile]
    """By their local names."""
    description: ModelDescription

    @property
    def size(self) -> int | None:
        """The total size in bytes; None if unknown."""
        sizes = [file.size for file in self.files.values()]
        return None if None in sizes else sum(size for size in sizes if size is not None)


def plan_install(
    client: HubClient,
    name: str,
    *,
    revision: str,
    file: str = "",
    labels: Sequence[str] = (),
    limits: HubLimits | None = None,
) -> InstallPlan:
    """Inspect a model of the hub. ``file`` is the ONNX file, if the model has several or an unusual path; ``labels``
    are the meanings of its logits, if its configuration does not have them.

    Raises:
        ModelNotInstalled: it does not exist, is unusable, or is too large.
    """
    if not is_name(name):
        raise ModelNotInstalled(f"{name!r} is no name of a model. It is written OWNER/NAME, as on its page at the hub.")
    model = client.model(name, revision)
    if TOKENIZER not in model.files:
        raise ModelNotInstalled(f"{name} has no {TOKENIZER}: its texts cannot be cut into tokens here.")
    if _CONFIG not in model.files:
        raise ModelNotInstalled(f"{name} has no {_CONFIG}: what its classes stand for is not known.")
    onnx = _onnx_file(model, file)
    files = {MODEL: model.files[onnx], **_external_data(model, onnx), TOKENIZER: model.files[TOKENIZER]}
    config = client.json(model, _CONFIG)
    tokenizer = client.json(model, _TOKENIZER_CONFIG) if _TOKENIZER_CONFIG in model.files else {}
    plan = InstallPlan(
        model=model,
        files=files,
        description=ModelDescription(
            labels=read_labels(labels) if labels else labels_of(config),
            max_tokens=_max_tokens(config, tokenizer),
            pad_id=_number(config, "pad_token_id", most=10_000_000) or 0,
            name=name,
            licence=model.licence,
            hub=client.address,
            revision=model.revision,
            file=onnx,
        ),
    )
    most = (limits or HubLimits()).model_bytes
    if (plan.size or 0) > most:
        raise ModelNotInstalled(
            f"{name} has {(plan.size or 0) / 1e6:,.0f} MB, more than the {most / 1e6:,.0f} MB that are taken. "
            "Look for a smaller one, or for a quantised file of it (--file)."
        )
    return plan


def label_names(labels: Sequence[Label]) -> str:
    """The labels in order, for people."""
    return ", ".join("not entailed" if label is Label.REST else label.value for label in labels)


def _onnx_file(model: HubModel, wanted: str) -> str:
    found = sorted(path for path in model.files if path.endswith(".onnx"))
    if wanted:
        if wanted in found:
            return wanted
        raise ModelNotInstalled(f"{model.name} has no {wanted}. {_shown(found)}")
    if not found:
        raise ModelNotInstalled(f"{model.name} has no .onnx file. Look for a model, or a revision, that was exported.")
    usual = [path for path in _USUAL_PLACES if path in found]
    if usual or len(found) == 1:
        return (usual or found)[0]
    raise ModelNotInstalled(f"{model.name} has several models. Name one with --file. {_shown(found)}")


def _shown(paths: Sequence[str]) -> str:
    return f"It has {', '.join(paths[:_MAX_SHOWN]) or 'none'}."


def _external_data(model: HubModel, onnx: str) -> dict[str, HubFile]:
    """Files with weights next to the ONNX file, by the names that the model uses."""
    beginnings = tuple(onnx + ending for ending in _DATA_ENDINGS)
    return {
        PurePosixPath(path).name: file
        for path, file in sorted(model.files.items())
        if path.startswith(beginnings) and PurePosixPath(path).parent == PurePosixPath(onnx).parent
    }


def _max_tokens(config: Any, tokenizer: Any) -> int:
    """The maximum number of tokens: that of the model, or our limit if that is lower."""
    stated = [_number(tokenizer, "model_max_length"), _number(config, "max_position_embeddings")]
    if stated[1] and isinstance(config, dict) and config.get("model_type") in _COUNTS_FROM_PADDING:
        stated[1] -= (_number(config, "pad_token_id") or 0) + 1
    return min([MAX_TOKENS, *(tokens for tokens in stated if tokens and tokens > 1)])


def _number(content: Any, name: str, *, most: int = 1_000_000) -> int | None:
    """A count from a configuration; None if it is missing or means "no limit"."""
    value = content.get(name) if isinstance(content, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most else None
