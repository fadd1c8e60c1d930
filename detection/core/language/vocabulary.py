"""Helpers to write word lists as they read, and to look for them in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable


def words(text: str) -> tuple[str, ...]:
    """The words of a white-space separated list, in order."""
    return tuple(text.split())


def alternation(phrases: Iterable[str]) -> str:
    """A regular expression for any of the phrases, the longest first; a space matches any short white space."""
    ordered = sorted(set(phrases), key=lambda phrase: (-len(phrase), phrase))
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s{1,2}") for phrase in ordered)


def fold(text: str) -> str:
    """A form of the text for comparing names: no case, no accents, no points, one space between words."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(letters.replace(".", "").replace("’", "'").split())
