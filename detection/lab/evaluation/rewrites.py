"""Whether a rewrite is right, where people wrote down how the sentence should read.

A rewrite is right when, word for word, it is one of their wordings; case, spacing and punctuation do not count. It is
right as well when it differs from the wrong sentence in the same place as one of their wordings, has their words there,
and has no other words there but some of the wrong sentence's own, without the wrong words as a whole: for "only two
wheels" corrected to "four wheels", "only four wheels" is right, "only two of four wheels" and "four new wheels" are
not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from detection.core.types import Span

#: Numbers keep their sign, their separators and what they are measured in; all other punctuation goes.
_WORD = re.compile(r"(?<!\w)-?\d+(?:[.,:]\d+)*|[%€$£°]|\w+")
_DASHES = str.maketrans("−–—", "---")


@dataclass(frozen=True, slots=True)
class Correction:
    """The right wordings of the sentence at ``span`` of ``text``."""

    text: str
    span: Span
    wordings: tuple[str, ...]

    def is_met_by(self, replacement: str, span: Span) -> bool:
        """True if replacing ``span`` by ``replacement`` gives a right wording.

        The span may be a part of the sentence, or more than it.
        """
        whole = Span(min(span.start, self.span.start), max(span.end, self.span.end))
        rewrite = self._with(replacement, span, whole)
        wordings = [self._with(wording, self.span, whole) for wording in self.wordings]
        return is_right(whole.of(self.text), rewrite, wordings)

    def _with(self, wording: str, span: Span, whole: Span) -> str:
        return self.text[whole.start : span.start] + wording + self.text[span.end : whole.end]


def is_right(original: str, rewrite: str, wordings: Sequence[str]) -> bool:
    """Whether ``rewrite`` corrects ``original`` like one of ``wordings``, by the rule of the module docstring."""
    wrong, offered = _words(original), _words(rewrite)
    return any(offered == right or _puts_right(wrong, offered, right) for right in map(_words, wordings))


def _puts_right(wrong: list[str], offered: list[str], right: list[str]) -> bool:
    before, after = _shared_ends(wrong, right)
    wrong_part, right_part = wrong[before : len(wrong) - after], right[before : len(right) - after]
    part = offered[before : len(offered) - after]
    if offered[:before] != wrong[:before] or offered[len(offered) - after :] != wrong[len(wrong) - after :]:
        return False
    place = _place_of(right_part, part)
    if not right_part or place is None or _place_of(wrong_part, part) is not None:
        return False
    others = part[:place] + part[place + len(right_part) :]
    return all(word in wrong_part for word in others)


def _shared_ends(first: list[str], second: list[str]) -> tuple[int, int]:
    """The number of words that two sentences share at the beginning, and after that at the end."""
    shorter = min(len(first), len(second))
    before = next((i for i in range(shorter) if first[i] != second[i]), shorter)
    rest = shorter - before
    after = next((i for i in range(rest) if first[-1 - i] != second[-1 - i]), rest)
    return before, after


def _place_of(part: list[str], words: list[str]) -> int | None:
    """Where ``part`` begins among ``words``, one word after the other."""
    return next((i for i in range(len(words) - len(part) + 1) if words[i : i + len(part)] == part), None)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold().translate(_DASHES))
