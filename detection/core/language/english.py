"""Detect English, the only language that the local models read."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_COMMON: Final = frozenset(
    _WORD.findall(
        "the of and to is was were are has had have that with for from by at it its his her he she they their which "
        "this as on be been not or but when who after also an first"
    )
)
#: In English prose three to five words of ten are among the common ones; in other languages hardly any is.
_LEAST_COMMON_SHARE: Final = 0.08
_LEAST_WORDS: Final = 20


def is_latin(text: str) -> bool:
    """False when most letters belong to another script. True for a text without letters."""
    letters = [character for character in text if character.isalpha()]
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    return 2 * latin >= len(letters)


def is_english(text: str) -> bool:
    """False for a text of some length that hardly uses the common words of English."""
    words = [word.casefold() for word in _WORD.findall(text)]
    if len(words) < _LEAST_WORDS:
        return True
    return sum(word in _COMMON for word in words) >= _LEAST_COMMON_SHARE * len(words)
