"""System checks: an incomplete setup fails at the start, with a line that says what to do."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as CheckWarning

from detection.core.llm.pricing import load_prices
from detection.core.local_models.decision import Decision
from detection.core.retrieval.targets import read_allowed_hosts

from . import env

_LANGUAGE = re.compile(r"[a-z]{2,12}(?:-[a-z]{2,12})*")
_NLI_FILES = ("model.onnx", "tokenizer.json")


@register()
def check_models(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Both local models exist where the settings say."""
    return missing_models(Path(settings.NLI_MODEL), settings.SPACY_MODEL)


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
    """The llm engine has an endpoint and a model name; the price file can be read."""
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
    """The entries of FETCH_ALLOW are well-formed."""
    try:
        read_allowed_hosts(settings.FETCH_ALLOW)
    except ValueError as error:
        return [Error(str(error), hint=f"See {env.PREFIX}FETCH_ALLOW.", id="chatprotect.E007")]
    return []


@register()
def check_search(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Search services have valid addresses and keys; a contact address is set."""
    messages: list[CheckMessage] = [
        Error(
            f"{env.PREFIX}{name} must begin with http:// or https://.",
            hint="As in http://127.0.0.1:8888.",
            id="chatprotect.E008",
        )
        for name in ("SEARXNG_URL", "WIKIPEDIA_URL")
        if getattr(settings, name) and not getattr(settings, name).startswith(("http://", "https://"))
    ]
    if not _LANGUAGE.fullmatch(settings.WIKIPEDIA_LANGUAGE):
        hint = f"{env.PREFIX}WIKIPEDIA_LANGUAGE is the first part of the edition's address, as in en or simple."
        messages.append(Error("There is no such edition of Wikipedia.", hint=hint, id="chatprotect.E009"))
    messages += [
        Error(
            f"{env.PREFIX}{name} cannot be sent: only letters, digits and signs of ASCII can.",
            hint="Look for quotes, spaces and line breaks that were copied along.",
            id="chatprotect.E010",
        )
        for name in ("BRAVE_API_KEY", "TAVILY_API_KEY", "CONTACT")
        if not _is_header_value(getattr(settings, name))
    ]
    if not settings.CONTACT and (settings.SEARXNG_URL or settings.BRAVE_API_KEY or settings.TAVILY_API_KEY):
        hint = f"Set {env.PREFIX}CONTACT to an address that sites can write to: many turn away who gives none."
        messages.append(CheckWarning("Pages are fetched without a contact.", hint=hint, id="chatprotect.W002"))
    return messages


def _is_header_value(value: str) -> bool:
    return value.isascii() and value.isprintable()


@register()
def check_exposure(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Error pages with source code must not be reachable from other machines."""
    if settings.DEBUG and set(settings.ALLOWED_HOSTS) - {"localhost", "127.0.0.1", "[::1]"}:
        return [
            CheckWarning(
                "Debug pages show source code and settings, and other machines may reach this server.",
                hint=f"Unset {env.PREFIX}DEBUG, or {env.PREFIX}ALLOWED_HOSTS.",
                id="chatprotect.W001",
            )
        ]
    return []


def missing_models(nli: Path, pipeline: str) -> list[CheckMessage]:
    """The missing parts of the local models."""
    return [*_missing_nli_files(nli), *_missing_pipeline(pipeline)]


def _missing_nli_files(folder: Path) -> Iterator[CheckMessage]:
    missing = [name for name in (*_NLI_FILES, *Decision) if not (folder / name).is_file()]
    if missing:
        yield Error(
            f"The NLI model in {folder} is not complete: {' and '.join(missing)} missing.",
            hint=f"Unset {env.PREFIX}NLI_MODEL, or run `manage.py model use shipped`, "
            "to use the one that comes with the program.",
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
