"""The language model that a user has chosen, stored in the browser session."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.sessions.backends.base import SessionBase

from .. import wiring

SESSION_KEY = "language_model"


def chosen_of(session: SessionBase | None) -> dict[str, str]:
    """The choice, in the form of :func:`wiring.language_model`; empty for none."""
    stored = session.get(SESSION_KEY) if session is not None else None
    return {str(name): str(value) for name, value in stored.items()} if isinstance(stored, dict) else {}


def choose(session: SessionBase, chosen: Mapping[str, str]) -> bool:
    """Use another language model from now on; return False if it cannot be chosen."""
    if wiring.language_model(chosen) is None:
        return False
    session[SESSION_KEY] = dict(chosen)
    return True


def forget(session: SessionBase) -> None:
    """Use that of the settings again, or none."""
    session.pop(SESSION_KEY, None)
