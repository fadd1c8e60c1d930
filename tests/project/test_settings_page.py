"""docs/settings.md: made from the code, and nothing is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from chatprotect_web import env, settings_page

ROOT = Path(settings.BASE_DIR)
VARIABLES = settings.VARIABLES


def test_the_page_is_what_the_command_makes() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == settings_page.render(VARIABLES), "run: manage.py settings_page"


def test_the_page_names_every_variable_that_the_settings_read() -> None:
    source = (ROOT / "chatprotect_web" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r"env\.get_\w+\(\s*\"(\w+)\"", source))
    assert len(read) > 50
    assert read == set(VARIABLES)
    page = settings_page.render(VARIABLES)
    assert not [name for name in read if f"`CHATPROTECT_{name}`" not in page]


def test_a_variable_without_an_explanation_is_named() -> None:
    with pytest.raises(KeyError, match="NEW_ONE"):
        settings_page.render({**VARIABLES, "NEW_ONE": env.Variable("", "text")})


def test_a_row_shows_default_and_range() -> None:
    page = settings_page.render(VARIABLES)
    assert "| `CHATPROTECT_MAX_TEXT_CHARS` | `20000` | 100 to 200000 | longest text, in characters |" in page
    assert "| `CHATPROTECT_DATA_DIR` | `var` | a path |" in page
