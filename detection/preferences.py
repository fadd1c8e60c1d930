"""What somebody chooses for new checks, kept with the browser session."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from . import wiring
from .core.types import Engine, Strictness

SESSION_KEY = "preferences"


@dataclass(frozen=True, slots=True)
class Preferences:
    """How the form of a new check is filled in."""

    strictness: Strictness
    engine: Engine


def preferences_of(session: SessionBase) -> Preferences:
    """What was chosen, as far as it can still be had; otherwise what the operator has set."""
    stored = session.get(SESSION_KEY, {})
    strictness, engine = stored.get("strictness"), stored.get("engine")
    is_possible = engine in list(Engine) and (engine != Engine.LLM or wiring.has_language_model())
    return Preferences(
        Strictness(strictness) if strictness in list(Strictness) else Strictness.BALANCED,
        Engine(engine) if is_possible else wiring.default_engine(),
    )


def preferences_keep(session: SessionBase, preferences: Preferences) -> None:
    session[SESSION_KEY] = {"strictness": preferences.strictness, "engine": preferences.engine}
