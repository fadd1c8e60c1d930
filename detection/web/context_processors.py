"""Variables of all templates."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from .. import wiring
from .language_models import chosen_of


def accounts(request: HttpRequest) -> dict[str, bool]:
    """Whether the pages offer to log in."""
    return {"offers_login": settings.OFFER_LOGIN}


def language_model(request: HttpRequest) -> dict[str, str]:
    """The endpoint and the models that texts would be sent to; empty if they stay here."""
    model = wiring.language_model(chosen_of(getattr(request, "session", None)))
    if model is None:
        return {"language_model_host": "", "language_model_names": ""}
    return {"language_model_host": model.host, "language_model_names": f" {_('and')} ".join(model.names)}
