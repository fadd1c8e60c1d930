"""The description of a model by a hub, and the limits of downloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HubLimits:
    """Limits of size and time for requests to a hub."""

    answer_bytes: int = 5_000_000
    """For a list of files or a configuration."""
    model_bytes: int = 3_000_000_000
    """For all files of a model together."""
    silence_seconds: float = 30.0
    """For a wait without any data."""
    seconds: float = 3600.0
    """For one file."""
    trial_seconds: float = 120.0
    """For the trial of a downloaded model."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a model. Unknown fields are None."""

    path: str
    size: int | None = None
    sha256: str | None = None
    git_sha1: str | None = None
    """The Git object name of a small file: the SHA-1 of a header and its bytes."""


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model at one revision."""

    name: str
    revision: str
    """The commit, if the hub names it."""
    licence: str
    """In the words of its owner; empty if missing."""
    files: Mapping[str, HubFile]
    """By path."""
