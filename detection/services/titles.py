"""The default title of a text in lists."""

from __future__ import annotations

_CHARS = 80


def title_of(text: str) -> str:
    """The first line of the text, cut at a word."""
    line = next((line.strip(" \t#*-=>") for line in text.splitlines() if line.strip(" \t#*-=>")), "Untitled")
    if len(line) <= _CHARS:
        return line
    cut = line[:_CHARS].rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:.") + "…"
