"""System checks: what is set up by half fails at the start, with a line that says what to do."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as CheckWarning

from detection.core.llm.pricing import load_prices
from detection.core.retrieval.targets import read_allowed_hosts

from . import env

_NLI_FILES = ("model.onnx", "tokenizer.json")


@register()
def check_models(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """The files of both local models are where the settings say."""
    return [*_missing_nli_files(Path(settings.NLI_MODEL)), *_missing_pipeline(settings.SPACY_MODEL)]


@register()
def check_data_folder(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Checks and keys can be stored."""
    folder = Path(settings.DATA_DIR)
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        return []
    return [
        Error(
            f"The data folder {folder} cannot be written to.",
            hint=f"Give this user the right to write there, or name another folder in {env.PREFIX}DATA_DIR.",
            id="chatprotect.E003",
        )
    ]


@register()
def check_language_model(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """An engine that is to ask a language model knows where it is and what it is called; prices can be read."""
    messages: list[CheckMessage] = []
    if settings.ENGINE == "llm" or settings.LLM_BASE_URL or settings.GENERATOR_MODEL:
        hint = f"A language model needs {env.PREFIX}LLM_BASE_URL and {env.PREFIX}GENERATOR_MODEL."
        messages += [
            Error(f"{env.PREFIX}{name} is not set.", hint=hint, id="chatprotect.E004")
            for name in ("LLM_BASE_URL", "GENERATOR_MODEL")
            if not getattr(settings, name)
        ]
    if settings.LLM_BASE_URL and not settings.LLM_BASE_URL.startswith(("http://", "https://")):
        hint = "As in http://127.0.0.1:11434/v1."
        messages.append(
            Error(f"{env.PREFIX}LLM_BASE_URL must begin with http:// or https://.", hint=hint, id="chatprotect.E005")
        )
    try:
        load_prices(settings.PRICES)
    except ValueError as error:
        messages.append(Error(str(error), hint=f"See {env.PREFIX}PRICES.", id="chatprotect.E006"))
    return messages


@register()
def check_fetching(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Hosts of the own network that may be fetched from are written as they must be."""
    try:
        read_allowed_hosts(settings.FETCH_ALLOW)
    except ValueError as error:
        return [Error(str(error), hint=f"See {env.PREFIX}FETCH_ALLOW.", id="chatprotect.E007")]
    return []


@register()
def check_exposure(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Error pages with settings and source code are for this machine only."""
    if settings.DEBUG and set(settings.ALLOWED_HOSTS) - {"localhost", "127.0.0.1", "[::1]"}:
        return [
            CheckWarning(
                "Debug pages show source code and settings, and other machines may reach this server.",
                hint=f"Unset {env.PREFIX}DEBUG, or {env.PREFIX}ALLOWED_HOSTS.",
                id="chatprotect.W001",
            )
        ]
    return []


def _missing_nli_files(folder: Path) -> Iterator[CheckMessage]:
    missing = [name for name in _NLI_FILES if not (folder / name).is_file()]
    if missing:
        yield Error(
            f"The NLI model in {folder} is not complete: {' and '.join(missing)} missing.",
            hint=f"Unset {env.PREFIX}NLI_MODEL to use the one that comes with the program.",
            id="chatprotect.E001",
        )


def _missing_pipeline(model: str) -> Iterator[CheckMessage]:
    if Path(model).is_dir() or (model.isidentifier() and importlib.util.find_spec(model)):
        return
    yield Error(
        f"There is no spaCy pipeline {model}.",
        hint=f"Unset {env.PREFIX}SPACY_MODEL to use the one that comes with the program, or install {model}.",
        id="chatprotect.E002",
    )
