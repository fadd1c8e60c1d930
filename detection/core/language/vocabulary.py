"""Helpers to write readable word lists and to search a text for them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

#: A pattern that ignores case takes these letters for s, i, I and k, which no list of words has in their place.
_SAME_BUT_FOR_CASE = str.maketrans("ſıİ\N{KELVIN SIGN}", "siIK")


def with_common_letters(text: str) -> str:
    """The text with a common letter for each that only a comparison without case takes for it; of the same length."""
    return text.translate(_SAME_BUT_FOR_CASE)


def rows_of(file: Path, separator: str = ";") -> list[list[str]]:
    """The cells of a list of words; comments and empty lines are left out."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split(separator)] for line in lines if line and not line.startswith("#")]


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
