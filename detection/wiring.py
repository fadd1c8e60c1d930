"""Builds the core's ports from the settings. Nothing else in the application reads settings for the engine."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from .core.compute import InProcessModels, ModelSettings, ProcessModels
from .core.detectors.base import Ports


def model_settings() -> ModelSettings:
    return ModelSettings(language=settings.SPACY_MODEL, nli=settings.NLI_MODEL, threads=settings.COMPUTE_THREADS)


@cache
def local_models() -> ProcessModels:
    """The models of a server or worker process: one child process for all its checks."""
    return ProcessModels(model_settings())


def ports() -> Ports:
    return Ports(models=local_models())


def command_line_ports() -> Ports:
    """Ports for a command, which has no pages to keep fast."""
    return Ports(models=InProcessModels(model_settings()))
