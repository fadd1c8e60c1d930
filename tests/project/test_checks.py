"""What is set up by half is told at the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django.fixtures import Settings


def _ids() -> list[str | None]:
    return [message.id for message in run_checks() if str(message.id).startswith("chatprotect.")]


def test_the_defaults_are_complete() -> None:
    assert _ids() == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("NLI_MODEL", Path("nowhere"), "chatprotect.E001"),
        ("SPACY_MODEL", "en_core_web_nothing", "chatprotect.E002"),
        ("SPACY_MODEL", "no/such/folder", "chatprotect.E002"),
        ("DATA_DIR", Path(__file__) / "var", "chatprotect.E003"),
    ],
)
def test_what_is_missing_is_named(settings: Settings, name: str, value: object, expected: str) -> None:
    setattr(settings, name, value)
    (message,) = [message for message in run_checks() if message.id == expected]
    assert str(value) in message.msg
    assert f"CHATPROTECT_{name}" in str(message.hint)


def test_a_language_model_needs_an_address_and_a_name(settings: Settings, tmp_path: Path) -> None:
    settings.ENGINE = "llm"
    assert _ids() == ["chatprotect.E004", "chatprotect.E004"]
    settings.LLM_BASE_URL, settings.GENERATOR_MODEL = "127.0.0.1:11434/v1", "some-model"
    assert _ids() == ["chatprotect.E005"]
    settings.LLM_BASE_URL = "http://127.0.0.1:11434/v1"
    assert _ids() == []
    settings.PRICES = tmp_path / "prices.json"
    settings.PRICES.write_text('{"some-model": {"prompt": "cheap"}}')
    assert _ids() == ["chatprotect.E006"]


def test_hosts_that_may_be_fetched_from_are_named_with_their_ports(settings: Settings) -> None:
    settings.FETCH_ALLOW = ["wiki.internal"]
    assert _ids() == ["chatprotect.E007"]
    settings.FETCH_ALLOW = ["wiki.internal:8080"]
    assert _ids() == []


def test_debug_pages_for_other_machines_are_warned_of(settings: Settings) -> None:
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = ["chat.example"]
    assert "chatprotect.W001" in _ids()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SEARXNG_URL", "127.0.0.1:8888", "chatprotect.E008"),
        ("WIKIPEDIA_URL", "wiki.internal/api.php", "chatprotect.E008"),
        ("WIKIPEDIA_LANGUAGE", "en.wikipedia.org", "chatprotect.E009"),
        ("BRAVE_API_KEY", "“key”", "chatprotect.E010"),
        ("CONTACT", "a@example.org\nX-Other: 1", "chatprotect.E010"),
    ],
)
def test_a_search_that_cannot_be_asked_is_told(settings: Settings, name: str, value: str, expected: str) -> None:
    settings.CONTACT = "a@example.org"
    setattr(settings, name, value)
    assert _ids() == [expected]


def test_sites_want_to_know_whom_to_write_to(settings: Settings) -> None:
    settings.SEARXNG_URL = "http://127.0.0.1:8888"
    assert _ids() == ["chatprotect.W002"]
    settings.CONTACT = "a@example.org"
    assert _ids() == []
