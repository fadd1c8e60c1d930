"""Count the changed sentences of a text, cheaply, for estimates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

_PIECE = re.compile(r"[^.!?\n]+[.!?]*")


@dataclass(frozen=True, slots=True)
class TextChange:
    """Approximate numbers of sentences of a new version of a text."""

    total: int
    changed: int
    """Sentences that the old version does not have at this place."""
    in_reach: int
    """Unchanged sentences so close behind a change that their prompts contain it."""


def text_change(old: str, new: str, *, reach: int) -> TextChange:
    """Compare two versions of a text. ``reach`` is the number of words before a sentence that its prompt contains."""
    before, after = _sentences(old), _sentences(new)
    changed, in_reach, words_left = 0, 0, 0
    for tag, _, _, start, end in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag != "equal":
            changed += end - start
            words_left = reach
            continue
        for sentence in after[start:end]:
            if words_left <= 0:
                break
            in_reach += 1
            words_left -= len(sentence.split())
    return TextChange(len(after), changed, in_reach)


def _sentences(text: str) -> list[str]:
    return [piece.strip() for piece in _PIECE.findall(text) if any(map(str.isalnum, piece))]
