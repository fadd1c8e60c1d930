"""Helpers to write readable word lists and to search a text for them."""

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
    """Normalise a text to compare names: no case, no accents, no full stops, single spaces."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(letters.replace(".", "").replace("’", "'").split())
