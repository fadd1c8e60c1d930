"""What every page may want to know."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from . import wiring


def accounts(request: HttpRequest) -> dict[str, bool]:
    """Whether the pages offer to log in."""
    return {"offers_login": settings.OFFER_LOGIN}


def language_model(request: HttpRequest) -> dict[str, str]:
    """Where texts would be sent, and to which models; empty when they stay here."""
    names = filter(None, dict.fromkeys((settings.GENERATOR_MODEL, settings.ANALYZER_MODEL)))
    return {"language_model_host": wiring.language_model_host(), "language_model_names": " and ".join(names)}
