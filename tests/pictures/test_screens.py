"""The pages with the pictures show all of them, and they stay small."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
MOST_BYTES = 3_000_000


def test_every_picture_is_shown_once_and_all_together_are_small() -> None:
    pages = (DOCS / "screens.md").read_text() + (DOCS / "review-by-keyboard.md").read_text()
    shown = re.findall(r"\(pictures/([\w-]+\.webp)\)", pages)
    files = {path.name: path.stat().st_size for path in (DOCS / "pictures").iterdir()}
    assert sorted(shown) == sorted(files)
    assert sum(files.values()) < MOST_BYTES
