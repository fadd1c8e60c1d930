"""What a hub says of a model, and how much may be taken from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HubLimits:
    """How much is read of a hub, and for how long."""

    answer_bytes: int = 5_000_000
    """Of a list of files or a configuration."""
    model_bytes: int = 3_000_000_000
    """Of all files of a model together."""
    silence_seconds: float = 30.0
    """Without a byte."""
    seconds: float = 3600.0
    """For one file."""
    trial_seconds: float = 120.0
    """Until a downloaded model has judged a pair."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a model. What the hub does not say of it is None."""

    path: str
    size: int | None = None
    sha256: str | None = None
    git_sha1: str | None = None
    """The name of a small file in Git: the SHA-1 of a header and its bytes."""


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model at one revision."""

    name: str
    revision: str
    """The commit, where the hub names it."""
    licence: str
    """As its owner wrote it; empty where none is stated."""
    files: Mapping[str, HubFile]
    """By path."""
