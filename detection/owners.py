"""Whose check is it? Without accounts, a check belongs to the browser session that made it."""

from __future__ import annotations

import secrets

from django.contrib.sessions.backends.base import SessionBase

SESSION_KEY = "owner"


def owner_of(session: SessionBase) -> str:
    """The token of a session, or "" when it has made nothing yet."""
    token: str = session.get(SESSION_KEY, "")
    return token


def make_owner(session: SessionBase) -> str:
    """The token of a session, made on first use. Not the session key: that changes, for example at a login."""
    if not owner_of(session):
        session[SESSION_KEY] = secrets.token_urlsafe(32)
    return owner_of(session)
