"""API keys that people type in: kept encrypted, for the browser session they belong to, and for a few hours."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import timedelta

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils import timezone

from .. import wiring
from ..models import ApiKey

LIFETIME = timedelta(hours=12)
#: The service name of a language model key. Keys of search services have the names of their retrievers.
LANGUAGE_MODEL = "language_model"


def api_key_keep(*, owner: str, key: str, service: str = LANGUAGE_MODEL) -> None:
    """Store a key of an owner in place of an earlier one. Also delete all expired keys."""
    ApiKey.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()
    sealed = _box().encrypt(key.encode()).decode()
    values = {"sealed": sealed, "created_at": timezone.now()}
    ApiKey.objects.update_or_create(owner=owner, service=service, defaults=values)


def api_keys_forget(*, owner: str) -> None:
    """Delete the keys of an owner."""
    ApiKey.objects.filter(owner=owner).delete()


def model_service(preset: str = "") -> str:
    """The service name of a language model key: the configured endpoint, or a chosen vendor.

    Each vendor has its own key, so that choosing another vendor never sends it a key of the first one.
    """
    return f"{LANGUAGE_MODEL}:{preset}" if preset else LANGUAGE_MODEL


def api_key_of(owner: str, chosen: Mapping[str, str] | None = None) -> str:
    """The key for calls of this owner: that of the settings, or the user's own; "" for none.

    ``chosen`` is what :func:`wiring.language_model` takes.
    """
    model = wiring.language_model(chosen)
    if model is not None and model.is_chosen:
        return user_key_of(owner, model_service(model.preset)) if model.preset else ""
    return str(settings.LLM_API_KEY) or user_key_of(owner, LANGUAGE_MODEL)


def user_key_of(owner: str, service: str) -> str:
    """The user's own key for a service; "" for none."""
    if not owner:
        return ""
    row = ApiKey.objects.filter(owner=owner, service=service, created_at__gte=timezone.now() - LIFETIME).first()
    if row is None:
        return ""
    try:
        return _box().decrypt(row.sealed.encode()).decode()
    except InvalidToken:
        return ""  # encrypted with an earlier secret key that is not among the fallbacks


def services_with_key(owner: str) -> frozenset[str]:
    """The services that a key of this owner is stored for."""
    rows = ApiKey.objects.filter(owner=owner, created_at__gte=timezone.now() - LIFETIME)
    return frozenset(rows.values_list("service", flat=True)) if owner else frozenset()


def _box() -> MultiFernet:
    """Encrypts with a key derived from the project's secret key; also decrypts with those of its fallbacks."""
    return MultiFernet([_box_of(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _box_of(secret: str) -> Fernet:
    key = HKDF(SHA256(), length=32, salt=None, info=b"chatprotect api keys").derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(key))
