"""Authentication of other programs: the key of a request, its scopes and its rate limit."""

from __future__ import annotations

from base64 import b64decode

from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import HttpRequest

from chatprotect_web.addresses import address_of, network_of

from ..models import AccessKey
from ..selectors.access_keys import access_key_of_digest
from ..services.access_keys import digest_of
from ..web.middleware import is_within
from ..web.owners import is_account, payer_of
from .errors import DoorError

Scope = AccessKey.Scope

#: Wrong keys that one address may send.
_GUESSES = "30/minute"
#: Rate limit of an address without a key, where that is allowed.
_WITHOUT_KEY = "60/minute"
_RETRY_AFTER_S = 60
_UNKNOWN = "This key is not known: it was mistyped, or revoked."


def key_of(request: HttpRequest, scope: Scope, secret: str = "") -> AccessKey:
    """The key of a request; ``secret`` is a key that was sent elsewhere than in the header.

    Raises:
        DoorError: the key is missing or unknown, lacks the scope, or exceeds its rate limit.
    """
    secret = secret or bearer_of(request)
    if not secret:
        raise DoorError(401)
    key = access_key_of_digest(digest_of(secret))
    if key is None or not _may_enter(key.owner):
        _refuse_guesses(request)
        raise DoorError(401, _UNKNOWN)
    if scope not in key.scopes:
        raise DoorError(403, f"This key may not do that: it lacks the scope “{scope.value}”.")
    if not is_within(f"{key.requests_per_minute}/minute", "access key", str(key.pk)):
        raise DoorError(
            429,
            f"This key may send {key.requests_per_minute} requests a minute. Wait a minute.",
            retry_after=_RETRY_AFTER_S,
        )
    return key


def refuse_too_many_without_key(request: HttpRequest) -> None:
    """Count a request without a key.

    Raises:
        DoorError: keys are required, or the address exceeds its rate limit.
    """
    if settings.REQUIRE_LOGIN:
        raise DoorError(401)
    if not is_within(_WITHOUT_KEY, "without key", network_of(address_of(request))):
        raise DoorError(429, retry_after=_RETRY_AFTER_S)


def payer_of_key(request: HttpRequest, key: AccessKey) -> str:
    """The payer of a request, for limits beyond one owner, as on the pages: the account, or the network."""
    return key.owner if is_account(key.owner) else payer_of(request)


def bearer_of(request: HttpRequest) -> str:
    """The secret in the ``Authorization`` header; "" for none."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def basic_password_of(request: HttpRequest) -> str:
    """The password in the ``Authorization`` header; "" for none. Programs without a field for a key send it there."""
    scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return b64decode(encoded, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


def _refuse_guesses(request: HttpRequest) -> None:
    if not is_within(_GUESSES, "wrong key", network_of(address_of(request))):
        raise DoorError(429, retry_after=_RETRY_AFTER_S)


def _may_enter(owner: str) -> bool:
    """Whether the owner of a key may use the pages."""
    if not is_account(owner):
        return not settings.REQUIRE_LOGIN
    number = owner.partition(":")[2]
    return get_user_model().objects.filter(pk=number, is_active=True).exists()
