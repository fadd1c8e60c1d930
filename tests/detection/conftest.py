"""Fixtures of the page tests."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import trans_real
from pytest_django.fixtures import Settings

from detection.web.owners import SESSION_KEY
from tests.factories import OWNER


@pytest.fixture
def owner(client: Client) -> Client:
    """The browser session that owns the checks and sources of the factories."""
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    return client


class _Marking(trans_real.DjangoTranslation):
    """A catalogue that translates every text to the text in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧" if message else message

    def ngettext(self, singular: str, plural: str, number: float) -> str:
        return f"⟦{singular if number == 1 else plural}⟧"


@pytest.fixture
def marking(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> str:
    """The code of a Django language that shows every text in brackets ``⟦⟧``."""
    code = "eo"
    settings.LANGUAGES = [*settings.LANGUAGES, (code, "Esperanto")]
    monkeypatch.setitem(trans_real._translations, code, _Marking(code))
    return code
