"""What the tests of pages share."""

from __future__ import annotations

import pytest
from django.test import Client

from detection.owners import SESSION_KEY
from tests.factories import OWNER


@pytest.fixture
def owner(client: Client) -> Client:
    """The browser session that the checks and sources of the factories belong to."""
    session = client.session
    session[SESSION_KEY] = OWNER
    session.save()
    return client
