"""A user's defaults for new checks, stored in the browser session."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from .. import wiring
from ..core.types import Engine, Strictness
from .language_models import chosen_of

SESSION_KEY = "preferences"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Initial values of the form of a new check."""

    strictness: Strictness
    engine: Engine


def preferences_of(session: SessionBase) -> Preferences:
    """The user's defaults if they are still available, else those of the operator."""
    stored = session.get(SESSION_KEY, {})
    strictness, engine = stored.get("strictness"), stored.get("engine")
    is_possible = engine in list(Engine) and (engine != Engine.LLM or wiring.has_language_model(chosen_of(session)))
    return Preferences(
        Strictness(strictness) if strictness in list(Strictness) else Strictness.BALANCED,
        Engine(engine) if is_possible else wiring.default_engine(),
    )


def preferences_keep(session: SessionBase, preferences: Preferences) -> None:
    session[SESSION_KEY] = {"strictness": preferences.strictness, "engine": preferences.engine}
