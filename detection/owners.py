"""Whose check or source is it? Without accounts, it belongs to the browser session that made it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.cache import never_cache

SESSION_KEY = "owner"

View = Callable[..., HttpResponseBase]


def owner_of(session: SessionBase) -> str:
    """The token of a session, or "" when it has made nothing yet."""
    token: str = session.get(SESSION_KEY, "")
    return token


def make_owner(session: SessionBase) -> str:
    """The token of a session, made on first use. Not the session key: that changes, for example at a login."""
    if not owner_of(session):
        session[SESSION_KEY] = secrets.token_urlsafe(32)
    return owner_of(session)


def of_owner(argument: str, find: Callable[[UUID, str], object | None]) -> Callable[[View], View]:
    """Give a view the row instead of its id, which the address has as ``argument``.

    ``find`` gets the id and the token of the session. Of a row of somebody else not even the existence is told.
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
