"""The page about security: a test stands against every attack that it names, and is there."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs" / "security.md").read_text()


def named_in(text: str) -> list[Path]:
    """The files of tests that a text names; one without a folder stands in that of the one before it."""
    found: list[Path] = []
    for name in re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)`", text):
        found.append(ROOT / name if "/" in name else found[-1].parent / name)
    return found


def rows() -> list[list[str]]:
    table = [line for line in PAGE.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_every_attack_has_a_test_and_the_tests_are_there() -> None:
    assert len(rows()) >= 20
    for row in rows():
        assert len(row) == 4, row
        assert named_in(row[3]), f"no test stands against: {row[1]}"
    assert [path for path in named_in(PAGE) if not path.is_file()] == []


def test_every_promise_below_the_table_names_its_test() -> None:
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
    for title in ("Headers", "Who decided what", "Deletion"):
        assert named_in(sections[title]), title


def test_a_test_that_is_not_there_would_be_missed() -> None:
    assert not named_in("`tests/detection/test_no_such_thing.py`")[0].is_file()
