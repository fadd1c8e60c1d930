"""Owners of checks and sources: an account, or the browser session without one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache

from chatprotect_web.addresses import address_of, network_of

SESSION_KEY = "owner"
#: No token of a session has a colon.
_ACCOUNT_PREFIX = "account:"

View = Callable[..., HttpResponseBase]


def owner_of(session: SessionBase) -> str:
    """The token of a session, or "" before its first use."""
    token: str = session.get(SESSION_KEY, "")
    return token


def owner_of_account(user: AbstractBaseUser) -> str:
    """The token that owns everything of an account, in any browser."""
    return f"{_ACCOUNT_PREFIX}{user.pk}"


def is_account(owner: str) -> bool:
    return owner.startswith(_ACCOUNT_PREFIX)


def valid_owner_of(session: SessionBase) -> str:
    """The token of a session; "" if it is invalid: login is required, or the account is disabled.

    Queries the database.
    """
    owner = owner_of(session)
    if not is_account(owner):
        return "" if settings.REQUIRE_LOGIN else owner
    user = get_user(SimpleNamespace(session=session))  # type: ignore[arg-type]  # it only reads the session
    return owner if isinstance(user, AbstractBaseUser) and owner == owner_of_account(user) else ""


def make_owner(session: SessionBase) -> str:
    """The token of a session, created on first use. Not the session key, which changes at a login."""
    if not owner_of(session):
        session[SESSION_KEY] = secrets.token_urlsafe(32)
    return owner_of(session)


def payer_of(request: HttpRequest) -> str:
    """The payer of a request, for limits beyond one owner: the account, or a keyed hash of the network."""
    owner = owner_of(request.session)
    if is_account(owner):
        return owner
    network = network_of(address_of(request))
    return f"address:{salted_hmac('payer', network).hexdigest()[:32]}" if network else ""


def of_owner(argument: str, find: Callable[[UUID, str], object | None]) -> Callable[[View], View]:
    """Pass the row to a view instead of its id, the ``argument`` of the address.

    ``find`` gets the id and the token of the session. Rows of other owners are reported as missing.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        @never_cache
        def wrapped(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
            row = find(arguments.pop(argument), owner_of(request.session))
            if row is None:
                raise Http404
            return view(request, row, **arguments)

        return wrapped

    return decorator
